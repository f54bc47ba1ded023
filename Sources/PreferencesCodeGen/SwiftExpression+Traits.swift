import PreferencesSchema

extension SwiftExpression {
    /// Returns the traits of a key as an array of `PreferenceTrait`; nil if it has none.
    static func traits(of key: Key) -> SwiftExpression? {
        var traits = key.hooks.map { SwiftExpression.call(".hooks", [Argument(.metatype($0))]) }
        traits += constraints(key.constraints, on: key.type)
        if key.isSecret { traits.append(.atom(".secret")) }
        if key.isManaged { traits.append(.atom(".managed")) }
        if key.scope != .machine {
            let merging = key.mergeRule == .last ? [] : [Argument("merging", .atom(".\(key.mergeRule.rawValue)"))]
            traits.append(.call(".shared", [Argument(.atom(".\(key.scope.rawValue)"))] + merging))
        }
        if !key.formerNames.isEmpty {
            let names = key.formerNames.enumerated().map { index, name in
                index == 0 ? Argument("from", .string(name)) : Argument(.string(name))
            }
            traits.append(.call(".renamed", names))
        }
        return traits.isEmpty ? nil : .array(traits)
    }

    private static func constraints(_ constraints: [Constraint], on type: ValueType) -> [SwiftExpression] {
        guard !constraints.isEmpty else { return [] }
        if case .optional(let wrapped) = type {
            return [.call(".unlessNil", self.constraints(constraints, on: wrapped).map { Argument($0) })]
        }
        return constraints.flatMap { constraint -> [SwiftExpression] in
            switch constraint {
            case .range(let minimum, let maximum):
                ranges(
                    minimum.map { SwiftExpression($0, as: type).flat },
                    maximum.map { SwiftExpression($0, as: type).flat }
                )
            case .length(let limits):
                [.call(".length", [Argument(.atom(text(limits)))])]
            case .count(let limits):
                [.call(".count", [Argument(.atom(text(limits)))])]
            case .pattern(let pattern):
                [.call(".pattern", [Argument(.string(pattern))])]
            case .choices(let choices):
                [.call(".oneOf", [Argument(.array(choices.map { SwiftExpression($0, as: type) }))])]
            case .each(let constraints):
                [each(constraints, in: type)]
            }
        }
    }

    private static func each(_ constraints: [Constraint], in type: ValueType) -> SwiftExpression {
        switch type {
        case .dictionary(let value): .call(".eachValue", self.constraints(constraints, on: value).map { Argument($0) })
        case .array(let element), .set(let element):
            .call(".each", self.constraints(constraints, on: element).map { Argument($0) })
        default: preconditionFailure("only collections have constraints on their elements")
        }
    }

    /// Returns one range, or two if the bounds are too long for one.
    private static func ranges(_ minimum: String?, _ maximum: String?) -> [SwiftExpression] {
        // A sign before a postfix operator would be parsed as a second operator.
        let from = minimum.map { "\($0.hasPrefix("-") ? "(\($0))" : $0)..." }
        let through = maximum.map { "...\(operand($0))" }
        let texts =
            if let minimum, let maximum, (minimum + maximum).isWithin(60) {
                ["\(minimum)...\(operand(maximum))"]
            } else {
                [from, through].compactMap(\.self)
            }
        return texts.map { .call(".range", [Argument(.atom($0))]) }
    }

    /// After an operator, a leading sign or period would be parsed as a part of it.
    private static func operand(_ text: String) -> String {
        text.hasPrefix("-") || text.hasPrefix(".") ? "(\(text))" : text
    }

    private static func text(_ limits: Constraint.Limits) -> String {
        let grouped = { (limit: Int) in SwiftExpression(.integer(Int128(limit)), as: .integer(.int)).flat }
        return "\(limits.minimum.map(grouped) ?? "")...\(limits.maximum.map(grouped) ?? "")"
    }
}
