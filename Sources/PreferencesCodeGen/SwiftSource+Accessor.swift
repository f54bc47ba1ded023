import PreferencesSchema

extension SwiftSource {
    /// Writes the computed property of a key.
    ///
    /// The storage name is a literal in the accessor, and nothing else is declared for the key. Of the forms that were
    /// measured, this one takes the least compile time.
    mutating func accessor(_ key: Key) {
        let call = AccessorCall(key)
        let isDescribed = paragraph(key.documentation.description ?? "", isFirst: true) { $1 += $0 }
        _ = paragraph(key, isFirst: !isDescribed) { $0.writeDocumentation(to: &$1) }
        if let message = key.deprecation {
            line("@available(*, deprecated, message: \(SwiftExpression.literal(message)))")
        }
        let setAccess = key.setAccess.map { "\($0.rawValue)(set) " } ?? ""
        let name = SwiftName.escaped(key.name.text)
        declaration([SwiftName.memberModifier(key.access), setAccess, "var ", name], [SwiftName.type(key.type)])
        // A closure would copy the key, and with it a dozen references.
        indent()
        if key.isReadOnly {
            body(call, key.defaultValue) { $0.getting($1) }
        } else {
            // Public properties also have a coroutine that modifies the value, which is smaller if the getter is not
            // inlined into it.
            let keyword = key.access >= .package ? "@inline(never) get" : "get"
            accessorBody(keyword, call, key.defaultValue) { $0.getting($1) }
            // A setter that does not use the default is the same on all platforms.
            let isSame = !call.settingNeedsDefault
            accessorBody("nonmutating set", call, isSame ? .value(.none) : key.defaultValue) { $0.setting($1) }
        }
        outdent()
        line("}")
        if let traits = call.sharedTraits {
            line("")
            property("private var \(traits.name): [PreferenceTrait<\(SwiftName.type(key.type))>]", traits.value)
        }
    }

    /// Writes the computed property of a namespace.
    ///
    /// - Parameter isInPreferences: Whether the property is a member of `Preferences`. Otherwise it is one of a protocol.
    mutating func accessor(_ namespace: Namespace, isInPreferences: Bool) {
        documentation([namespace.documentation])
        let name = SwiftName.escaped(namespace.path.last?.text ?? "")
        let type = (isInPreferences ? "" : "Preferences.") + SwiftName.escapedType(namespace.typeName)
        // The type is not repeated, since a key of that name would hide it.
        let value = ".init(preferences: \(isInPreferences ? "self" : "preferences"))"
        let head = "\(SwiftName.memberModifier(namespace.access))var \(name)"
        if fits("\(head): \(type) { \(value) }") {
            line("\(head): \(type) { \(value) }")
        } else if fits("\(head): \(type) {") {
            block("\(head): \(type) {") { $0.line(value) }
        } else {
            declaration(head, [type], opening: "{ \(value) }")
        }
    }

    /// Writes one accessor, on one line if it fits.
    private mutating func accessorBody(
        _ keyword: String,
        _ call: AccessorCall,
        _ defaultValue: KeyDefault,
        _ text: (AccessorCall, AccessorCall.Default) -> SwiftExpression
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

    /// Writes the call of one accessor, or one call for each platform.
    private mutating func body(
        _ call: AccessorCall,
        _ defaultValue: KeyDefault,
        _ text: (AccessorCall, AccessorCall.Default) -> SwiftExpression
    ) {
        perPlatform(defaultValue) { $0.statement(text(call, $1)) }
    }

    /// Writes code that uses a default, once for each platform that has its own.
    mutating func perPlatform(_ defaultValue: KeyDefault, _ write: (inout SwiftSource, AccessorCall.Default) -> Void) {
        guard case .value(let value, let platforms) = defaultValue, !platforms.isEmpty else {
            return write(&self, .init(defaultValue))
        }
        for (index, platform) in platforms.enumerated() {
            line("\(index == 0 ? "#if" : "#elseif") os(\(platform.platform.conditionName))")
            indented { write(&$0, .value(platform.value)) }
        }
        line("#else")
        indented { write(&$0, .value(value)) }
        line("#endif")
    }

    private mutating func statement(_ call: SwiftExpression) {
        if lineIfItFits({ call.write(to: &$0) }) { return }
        append(call.laidOut(at: indentation))
    }
}

extension KeyDefault {
    fileprivate var dependsOnPlatform: Bool {
        if case .value(_, let platforms) = self { !platforms.isEmpty } else { false }
    }
}

extension Namespace {
    /// The documentation of its protocol and of its property.
    var documentation: String {
        description ?? "The preferences of namespace `\(dottedPath)`."
    }
}
