import PreferencesSchema

/// The calls of the runtime that a key's accessors consist of.
struct AccessorCall {
    private let type: ValueType
    private let name: SwiftExpression
    private let traits: SwiftExpression?
    /// The names of accessors beside this one that hide types.
    private let hidden: Set<String>
    /// Nil resets a key whose default it is; where it is not, the runtime has to store it.
    let settingNeedsDefault: Bool

    /// A default, as it stands in one of the calls.
    enum Default {
        case value(DefaultValue)
        case expression(String)

        /// The one that is not for a certain platform.
        init(_ keyDefault: KeyDefault) {
            switch keyDefault {
            case .value(let value, _): self = .value(value)
            case .expression(let text): self = .expression(text)
            }
        }
    }

    /// A call with what its trailing closure gives, if it has one.
    struct Text {
        var expression: SwiftExpression
        var closure: SwiftExpression?

        /// Writes the call on one line.
        func write(to text: inout SwiftText) {
            expression.write(to: &text)
            guard let closure else { return }
            text += " { "
            closure.write(to: &text)
            text += " }"
        }
    }

    init(_ key: Key, beside hidden: Set<String>) {
        type = key.type
        self.hidden = hidden
        name = .string(key.storageName)
        traits = SwiftExpression.traits(of: key)?.qualifying(hidden)
        settingNeedsDefault = key.type.isOptional && !key.defaultValue.isNil
    }

    /// - Parameter base: What a call of `get` is to begin with.
    func getting(_ value: Default, base: String = "") -> Text {
        let call = base + "get"
        let traits = traits.map { [SwiftExpression.Argument($0)] } ?? []
        switch value {
        case .expression(let text):
            // Without its type, the compiler has no words for one that is of another type.
            let closure = "\(text.isOneOperand ? text : "(\(text))") as \(SwiftName.type(type))"
            return Text(expression: .call(call, [nameArgument] + traits), closure: .atom(closure))
        case .value(let constant) where constant.isWorthRemembering:
            // Of an optional key's, the compiler would take the type that is wrapped for the key's.
            let argument =
                type.isOptional ? .coerced(expression(value), to: SwiftName.type(type)) : expression(value)
            return Text(expression: .call(call, [nameArgument] + traits + [.init("constant", argument)]))
        case .value:
            let call = hasFunctionsOfItsOwn ? "_get" + type.functionSuffix : call
            return Text(expression: .call(call, [nameArgument, .init("default", expression(value))] + traits))
        }
    }

    func setting(_ value: Default) -> Text {
        var arguments: [SwiftExpression.Argument] = [nameArgument, .init("to", .atom("newValue"))]
        if settingNeedsDefault { arguments.append(.init("default", expression(value))) }
        if let traits { arguments.append(.init(traits)) }
        let call = hasFunctionsOfItsOwn && !settingNeedsDefault ? "_set" + type.functionSuffix : "set"
        return Text(expression: .call(call, arguments))
    }

    /// Whether the runtime has functions for the key that have no overloads, so that they cost the compiler less.
    ///
    /// The generic ones would take the type that is wrapped for that of an optional key which has a default.
    private var hasFunctionsOfItsOwn: Bool {
        if case .external = type.leaf { return false }
        return traits == nil && !(settingNeedsDefault && type.functionSuffix.isEmpty)
    }

    /// Types that are declared elsewhere need not conform to anything of the runtime's.
    private var nameArgument: SwiftExpression.Argument {
        if case .external = type.leaf { .init("codable", name) } else { .init(name) }
    }

    private func expression(_ value: Default) -> SwiftExpression {
        switch value {
        case .value(let value): SwiftExpression(value, as: type).qualifying(hidden)
        case .expression(let text): .atom(text)
        }
    }
}

extension ValueType {
    /// The suffix of the runtime's functions for keys of this type, as in `_getInt`; nil for types without such functions.
    fileprivate var functionSuffix: String {
        switch self {
        case .bool: "Bool"
        case .integer(.int): "Int"
        case .double: "Double"
        case .string: "String"
        case .array(.string): "Strings"
        case .optional(.integer(.int)): "OptionalInt"
        case .optional(.string): "OptionalString"
        default: ""
        }
    }
}

extension KeyDefault {
    /// Whether it is nil, on every platform.
    fileprivate var isNil: Bool {
        switch self {
        case .value(let value, let platforms): value == .none && platforms.allSatisfy { $0.value == .none }
        case .expression: false
        }
    }
}

extension DefaultValue {
    /// Whether making the value takes an allocation or more, which reads should not pay for each time.
    fileprivate var isWorthRemembering: Bool {
        switch self {
        case .array(let values): !values.isEmpty
        case .dictionary(let entries): !entries.isEmpty
        case .data(let bytes): !bytes.isEmpty
        case .structure: true
        case .url, .uuid: true
        default: false
        }
    }
}

extension String {
    /// Whether the text surely is what `as` takes whole: it has no operator, and no space.
    fileprivate var isOneOperand: Bool {
        utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "_.()[]".utf8.contains(byte)
            }
        }
    }
}
