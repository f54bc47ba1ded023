import Foundation
import PreferencesSchema
import TestSupport

extension SchemaMaker {
    /// Returns constraints that the given values meet.
    mutating func constraints(on type: ValueType, allowing values: [DefaultValue]) -> [(String, JSON)] {
        let type = type.unwrapped
        let values = values.filter { $0 != .none }
        guard random.chance(2), !values.isEmpty else { return [] }
        switch type {
        case .integer, .float, .double, .duration, .date:
            return random.chance(4) ? choices(type, values) : range(type, values)
        case .string:
            let lengths = values.map { value in if case .string(let text) = value { text.count } else { 0 } }
            switch random.below(4) {
            case 0: return choices(type, values)
            case 1: return [("pattern", .string(pick([#"(?s).*"#, #"[\s\S]*"#])))]
            default: return limits("Length", lengths)
            }
        case .data:
            return limits("Length", values.map { value in if case .data(let bytes) = value { bytes.count } else { 0 } })
        case .url, .uuid, .enumeration:
            return choices(type, values)
        case .array(let element), .set(let element), .dictionary(let element):
            return elements(of: element, values.map(\.elements))
        default: return []
        }
    }

    private mutating func elements(of type: ValueType, _ collections: [[DefaultValue]]) -> [(String, JSON)] {
        var members = random.chance(2) ? limits("Count", collections.map(\.count)) : []
        let each = types.isLiteral(type) ? constraints(on: type, allowing: collections.flatMap(\.self)) : []
        if !each.isEmpty { members.append(("each", .object(each))) }
        return members
    }

    private mutating func limits(_ name: String, _ counts: [Int]) -> [(String, JSON)] {
        let (least, most) = (counts.min() ?? 0, counts.max() ?? 0)
        let minimum = ("min\(name)", JSON.raw("\(random.below(least + 1))"))
        let maximum = ("max\(name)", JSON.raw("\(most + random.below(3) * random.below(1_000_000))"))
        return [[minimum], [maximum], [minimum, maximum]][random.below(3)]
    }

    /// Bounds that equal one of the values, because these are the hardest case.
    private mutating func range(_ type: ValueType, _ values: [DefaultValue]) -> [(String, JSON)] {
        let others = (0..<3).map { _ in value(of: type) }
        let least = values.min(by: Self.isLess) ?? values[0]
        let most = values.max(by: Self.isLess) ?? values[0]
        let minimum = others.first { Self.isLess($0, least) } ?? least
        let maximum = others.first { Self.isLess(most, $0) } ?? most
        let lower = ("minimum", json(minimum, as: type))
        let upper = ("maximum", json(maximum, as: type))
        return [[lower], [upper], [lower, upper]][random.below(3)]
    }

    private static func isLess(_ first: DefaultValue, _ second: DefaultValue) -> Bool {
        switch (first, second) {
        case (.integer(let first), .integer(let second)), (.duration(let first), .duration(let second)): first < second
        case (.decimal(let first), .decimal(let second)): Double(first) ?? .nan < Double(second) ?? .nan
        case (.date(let first, _), .date(let second, _)): first < second
        default: false
        }
    }

    private mutating func choices(_ type: ValueType, _ values: [DefaultValue]) -> [(String, JSON)] {
        let all = unique(values + (0..<random.below(3)).map { _ in value(of: type) }, as: type)
        var choices: [JSON] = []
        for choice in all.shuffled(using: &random) { choices.append(json(choice, as: type)) }
        return [("choices", .array(choices))]
    }
}

extension DefaultValue {
    /// The elements of an array or a set, the values of a dictionary.
    fileprivate var elements: [DefaultValue] {
        switch self {
        case .array(let elements): elements
        case .dictionary(let entries): entries.map(\.value)
        default: []
        }
    }
}
