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
        documentation([key.documentation.description ?? "", key.facts])
        if let message = key.deprecation {
            line("@available(*, deprecated, message: \(SwiftExpression.literal(message)))")
        }
        let setAccess = key.setAccess.map { "\($0.rawValue)(set) " } ?? ""
        let modifiers = SwiftName.memberModifier(key.access) + setAccess
        declaration("\(modifiers)var \(SwiftName.escaped(key.name.text))", [SwiftName.type(key.type)])
        close { source in
            guard !key.isReadOnly else {
                // At the beginning of an accessor `get` would be the keyword.
                return source.body(key.defaultValue) { call.getting($0, base: "self.") }
            }
            source.accessorBody("get", key.defaultValue) { call.getting($0) }
            // Where the default does not matter to the setter, it is the same on all platforms.
            let isSame = !call.settingNeedsDefault
            source.accessorBody("nonmutating set", isSame ? .value(.none) : key.defaultValue) { call.setting($0) }
        }
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
        _ defaultValue: KeyDefault,
        _ call: (AccessorCall.Default) -> AccessorCall.Text
    ) {
        if case .value(_, let platforms) = defaultValue, !platforms.isEmpty {
            return block("\(keyword) {") { $0.body(defaultValue, call) }
        }
        let isOneLine = lineIfItFits { text in
            text += keyword
            text += " { "
            call(.init(defaultValue)).write(to: &text)
            text += " }"
        }
        if isOneLine { return }
        block("\(keyword) {") { $0.body(defaultValue, call) }
    }

    /// Writes the call of one accessor, or one for each platform.
    private mutating func body(_ defaultValue: KeyDefault, _ call: (AccessorCall.Default) -> AccessorCall.Text) {
        guard case .value(let value, let platforms) = defaultValue, !platforms.isEmpty else {
            return statement(call(.init(defaultValue)))
        }
        for (index, platform) in platforms.enumerated() {
            line("\(index == 0 ? "#if" : "#elseif") os(\(platform.platform.conditionName))")
            indented { $0.statement(call(.value(platform.value))) }
        }
        line("#else")
        indented { $0.statement(call(.value(value))) }
        line("#endif")
    }

    private mutating func statement(_ call: AccessorCall.Text) {
        if lineIfItFits({ call.write(to: &$0) }) { return }
        guard let closure = call.closure else { return append(call.expression.laidOut(at: indentation)) }
        append(call.expression.laidOut(suffix: " {", at: indentation))
        close { $0.append(closure.laidOut(at: $0.indentation)) }
    }
}

extension Namespace {
    /// What its protocol and the property that leads to it are documented with.
    var documentation: String {
        description ?? "The preferences of namespace `\(dottedPath)`."
    }
}
