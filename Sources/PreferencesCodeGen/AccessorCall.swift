import PreferencesSchema

/// The calls of the runtime in the accessors of a key.
struct AccessorCall {
    private let type: ValueType
    private let name: SwiftExpression
    private let traits: SwiftExpression?
    /// A long list of traits, and the name of the private property that returns it for both getter and setter.
    let sharedTraits: (name: String, value: SwiftExpression)?
    /// Whether setting nil must store it, since the key's default is another value. Otherwise nil resets the key.
    let settingNeedsDefault: Bool

    /// The maximum number of columns of traits that getter and setter repeat.
    private static let longestRepeatedTraits = 40

    /// A default in one of the calls.
    enum Default {
        case value(DefaultValue)
        case expression(String)

        /// Creates the default of platforms that have none of their own.
        init(_ keyDefault: KeyDefault) {
            switch keyDefault {
            case .value(let value, _): self = .value(value)
            case .expression(let text): self = .expression(text)
            }
        }
    }

    init(_ key: Key) {
        type = key.type
        name = .string(key.storageName)
        let traits = SwiftExpression.traits(of: key)
        if let traits, !key.isReadOnly, !traits.flat.isWithin(Self.longestRepeatedTraits) {
            let name = NameRules.traitsProperty(ofKey: key.name.text)
            sharedTraits = (name, traits)
            self.traits = .atom(name)
        } else {
            sharedTraits = nil
            self.traits = traits
        }
        settingNeedsDefault = key.type.isOptional && !key.defaultValue.isNil
    }

    /// Returns the call that returns the key's value, or the default.
    func getting(_ value: Default) -> SwiftExpression {
        switch value {
        case .expression(let text):
            // Without its type, the compiler would report an expression of another type in terms of the runtime's code.
            let typed = "\(text.isOneOperand ? text : "(\(text))") as \(SwiftName.type(type))"
            return call(isCodable ? "getCodable" : "getComputed", [.init("default", .atom(typed))])
        case .value(let constant) where constant.isWorthCaching:
            // For an optional key, the compiler would infer the wrapped type.
            let value = type.isOptional ? .coerced(expression(value), to: SwiftName.type(type)) : expression(value)
            return call(isCodable ? "getCodableConstant" : "getConstant", [.init("default", value)])
        case .value:
            let function =
                if isCodable {
                    "getCodable"
                } else if traits == nil && !type.functionSuffix.isEmpty {
                    "get" + type.functionSuffix
                } else {
                    settingNeedsDefault ? "getOptional" : "get"
                }
            return call(function, [.init("default", expression(value))])
        }
    }

    /// Returns the call that sets the key to `newValue`.
    ///
    /// - Parameter value: The default, which is used if ``settingNeedsDefault``.
    func setting(_ value: Default) -> SwiftExpression {
        var arguments = [SwiftExpression.Argument("to", .atom("newValue"))]
        if settingNeedsDefault {
            arguments.append(.init("default", expression(value)))
            return call(isCodable ? "setOptionalCodable" : "setOptional", arguments)
        }
        let suffix = traits == nil ? type.functionSuffix : ""
        return call(isCodable ? "setCodable" : "set" + suffix, arguments)
    }

    private func call(_ function: String, _ arguments: [SwiftExpression.Argument]) -> SwiftExpression {
        .call(
            "_Accessor.\(function)",
            [.init(.atom("self")), .init(name)] + arguments + (traits.map { [.init("traits", $0)] } ?? [])
        )
    }

    /// Whether the type is declared elsewhere, and need not conform to `PreferenceConvertible`.
    private var isCodable: Bool {
        if case .external = type.leaf { true } else { false }
    }

    private func expression(_ value: Default) -> SwiftExpression {
        switch value {
        case .value(let value): SwiftExpression(value, as: type)
        case .expression(let text): .atom(text)
        }
    }
}

extension ValueType {
    /// The suffix of the runtime's functions for keys of this type, as in `getInt`; empty for types without such
    /// functions.
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
    /// Whether the default is nil on every platform.
    fileprivate var isNil: Bool {
        switch self {
        case .value(let value, let platforms): value == .none && platforms.allSatisfy { $0.value == .none }
        case .expression: false
        }
    }
}

extension DefaultValue {
    /// Whether creating the value allocates memory, which not every read should pay for.
    fileprivate var isWorthCaching: Bool {
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
    /// Whether `as` certainly applies to the whole text, since it contains neither an operator nor a space.
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
