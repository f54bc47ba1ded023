import PreferencesSchema

extension SwiftSource {
    /// Writes the computed property of a key.
    ///
    /// The storage name stands in the accessor as a literal, and nothing else is declared per key: of the shapes that
    /// were measured, this costs the compiler least.
    ///
    /// - Parameter names: Those of the accessors beside it, which hide types of the same names.
    mutating func accessor(_ key: Key, beside names: Set<String>) {
        let call = AccessorCall(key, beside: names)
        let isDescribed = paragraph(key.documentation.description ?? "", isFirst: true) { $1 += $0 }
        _ = paragraph(key, isFirst: !isDescribed) { $0.writeFacts(to: &$1) }
        if let message = key.deprecation {
            line("@available(*, deprecated, message: \(SwiftExpression.literal(message)))")
        }
        let setAccess = key.setAccess.map { "\($0.rawValue)(set) " } ?? ""
        let name = SwiftName.escaped(key.name.text)
        declaration([SwiftName.memberModifier(key.access), setAccess, "var ", name], [SwiftName.type(key.type)])
        // A closure would copy the key, which has a dozen strings and arrays to be counted.
        indent()
        if key.isReadOnly {
            // At the beginning of an accessor `get` would be the keyword.
            body(call, key.defaultValue) { $0.getting($1, base: "self.") }
        } else {
            // Public accessors also have one that modifies, which is smaller if the getter is not inlined into it.
            let keyword = key.access >= .package ? "@inline(never) get" : "get"
            accessorBody(keyword, call, key.defaultValue) { $0.getting($1) }
            // A setter that does not use the default is the same on all platforms.
            let isSame = !call.settingNeedsDefault
            accessorBody("nonmutating set", call, isSame ? .value(.none) : key.defaultValue) { $0.setting($1) }
        }
        outdent()
        line("}")
    }

    /// Writes the computed property that leads to a namespace.
    ///
    /// - Parameter preferences: What the `Preferences` is called there.
    mutating func accessor(_ namespace: Namespace, preferences: String) {
        documentation([namespace.documentation])
        let name = SwiftName.escaped(namespace.path.last?.text ?? "")
        let type = SwiftName.escapedType(namespace.typeName)
        // The type is not named again: a key of that name would hide it.
        let value = ".init(preferences: \(preferences))"
        let head = "\(SwiftName.memberModifier(namespace.access))var \(name)"
        if fits("\(head): \(type) { \(value) }") {
            line("\(head): \(type) { \(value) }")
        } else if fits("\(head): \(type) {") {
            block("\(head): \(type) {") { $0.line(value) }
        } else {
            declaration(head, [type], opening: "{ \(value) }")
        }
    }

    /// Writes one accessor: on a line, or its body on lines of its own.
    private mutating func accessorBody(
        _ keyword: String,
        _ call: AccessorCall,
        _ defaultValue: KeyDefault,
        _ text: (AccessorCall, AccessorCall.Default) -> AccessorCall.Text
    ) {
        if !defaultValue.dependsOnPlatform {
            let text = text(call, .init(defaultValue))
            let isOneLine = lineIfItFits { line in
                line += keyword
                line += " { "
                text.write(to: &line)
                line += " }"
            }
            if isOneLine { return }
        }
        line("\(keyword) {")
        indent()
        body(call, defaultValue, text)
        outdent()
        line("}")
    }

    /// Writes the call of one accessor, or one for each platform.
    private mutating func body(
        _ call: AccessorCall,
        _ defaultValue: KeyDefault,
        _ text: (AccessorCall, AccessorCall.Default) -> AccessorCall.Text
    ) {
        guard case .value(let value, let platforms) = defaultValue, !platforms.isEmpty else {
            return statement(text(call, .init(defaultValue)))
        }
        for (index, platform) in platforms.enumerated() {
            line("\(index == 0 ? "#if" : "#elseif") os(\(platform.platform.conditionName))")
            indented { $0.statement(text(call, .value(platform.value))) }
        }
        line("#else")
        indented { $0.statement(text(call, .value(value))) }
        line("#endif")
    }

    private mutating func statement(_ call: AccessorCall.Text) {
        if lineIfItFits({ call.write(to: &$0) }) { return }
        guard let closure = call.closure else { return append(call.expression.laidOut(at: indentation)) }
        append(call.expression.laidOut(suffix: " {", at: indentation))
        close { $0.append(closure.laidOut(at: $0.indentation)) }
    }
}

extension KeyDefault {
    fileprivate var dependsOnPlatform: Bool {
        if case .value(_, let platforms) = self { !platforms.isEmpty } else { false }
    }
}

extension Namespace {
    /// The documentation of its protocol and of the property that leads to it.
    var documentation: String {
        description ?? "The preferences of namespace `\(dottedPath)`."
    }
}
