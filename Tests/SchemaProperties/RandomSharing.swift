import PreferencesSchema
import TestSupport

extension SchemaMaker {
    /// The machines that share a key, and how its values are merged.
    ///
    /// - Parameter fields: The other fields, which a merge rule must fit.
    mutating func sharing(
        of expected: inout RandomModule.Key,
        _ fields: [(String, JSON)],
        in scope: Scope
    ) -> [(String, JSON)] {
        var members: [(String, JSON)] = []
        expected.scope = expected.isSecret ? .machine : scope.keyScope
        if random.chance(4) {
            expected.scope = expected.isSecret ? .machine : pick(KeyScope.allCases)
            members.append(("scope", .string(expected.scope.rawValue)))
        }
        guard expected.scope != .machine, random.chance(2) else { return members }
        let names = Set(fields.map(\.0))
        let isStart = !names.contains("defaultExpression") && !names.contains("platformDefaults")
        var rules: [MergeRule] = [.last, .ask]
        switch expected.type.unwrapped {
        case .integer, .float, .double, .duration, .date: rules += [.max, .min]
        case .set where isStart && expected.defaultValue?.isStart != false && !expected.type.leaf.isExternal:
            if names.isDisjoint(with: ["minCount", "maxCount"]) { rules += [.union, .union] }
        default: break
        }
        switch expected.type {
        case .integer(.int), .integer(.int64), .float, .double:
            let isFree = names.isDisjoint(with: ["minimum", "maximum", "choices"])
            if isStart, isFree, expected.defaultValue?.isStart == true { rules += [.sum, .sum] }
        default: break
        }
        expected.mergeRule = pick(rules)
        return members + [("merge", .string(expected.mergeRule.rawValue))]
    }
}

extension DefaultValue {
    /// Whether stores merge changes from this default, if the rule requires one.
    fileprivate var isStart: Bool {
        switch self {
        case .none: true
        case .integer(let integer): integer == 0
        case .decimal(let text): Double(text) == 0
        case .array(let elements): elements.isEmpty
        default: false
        }
    }
}
