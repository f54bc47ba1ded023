import Foundation
import PreferencesRuntime
import PreferencesSchema
import TestSupport

/// Makes values of keys that an edit is likely to lose: the limits of types and constraints, every case of enums, texts
/// that look like other types, and empty collections.
struct EditSamples {
    private var maker: SchemaMaker
    private let draft: DraftModule

    init(of draft: DraftModule, seed: UInt64) {
        self.draft = draft
        maker = SchemaMaker(seed: seed)
        maker.types = draft.randomTypes
    }

    /// Returns values of a key, as a store has them in JSON.
    ///
    /// - Parameter constraints: Those of the key, before and after the edits. Some values are at their limits.
    mutating func samples(of type: ValueType, _ constraints: [Constraint]) throws -> [String] {
        var values = limits(of: constraints, type)
        var others = samples(of: type, depth: 0)
        others.shuffle(using: &maker.random)
        values.shuffle(using: &maker.random)
        // Alternating, since only a few are used.
        var mixed: [DefaultValue] = []
        for index in 0..<max(values.count, others.count) {
            if index < values.count { mixed.append(values[index]) }
            if index < others.count { mixed.append(others[index]) }
        }
        return try maker.unique(mixed.filter { draft.fits($0, type) }, as: type).prefix(40).map {
            try draft.stored($0, as: type).jsonText()
        }
    }

    // MARK: Values of types

    private mutating func samples(of type: ValueType, depth: Int) -> [DefaultValue] {
        switch type {
        case .bool: return [.bool(false), .bool(true)]
        case .integer(let type):
            let edges: [Int128] = [
                0, 1, -1, 7, 127, 128, -129, 255, 256, 32_767, 65_536, 1 << 24 | 1, 1 << 31, 1 << 32, 1 << 53 | 1,
                type.range.lowerBound, type.range.upperBound,
            ]
            return (edges + rawNumbers).filter(type.range.contains).map(DefaultValue.integer)
        case .float: return decimals + ["3.4028235e38", "1e-40"].map(DefaultValue.decimal)
        case .double:
            return decimals + ["1.7976931348623157e308", "1e300", "0.1234567890123", "9e15"].map(DefaultValue.decimal)
        case .string:
            let texts = [
                "", "a", "42", "true", "1.5", "5m", "2026-01-31T12:00:00Z", "https://example.org/a?b=c", "a b",
                "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "YQ==", "e\u{301}", String(repeating: "long", count: 20),
            ]
            return (texts + rawTexts).map(DefaultValue.string)
        case .data: return [[], [1], [97, 98], Array(repeating: 255, count: 100)].map(DefaultValue.data)
        case .duration:
            let attoseconds: [Int128] = [0, 1, second, second * 3 / 2, -second, second << 62, second * 5]
            return attoseconds.map { .duration(attoseconds: $0) }
        case .date, .url, .uuid: return (0..<5).map { _ in maker.value(of: type) }
        case .enumeration(let name): return (draft.type(named: name)?.cases ?? []).map { .enumCase($0.name) }
        case .structure(let name): return structures(name, depth)
        case .array(let element), .set(let element):
            let elements = elements(element, depth)
            guard let first = elements.first else { return [.array([])] }
            let collections = [[], [first, first], elements] + elements.map { [$0] }
            return collections.map { isSet(type) ? .array(maker.unique($0, as: element)) : .array($0) }
        case .dictionary(let element):
            let elements = elements(element, depth)
            let ids = draft.types.flatMap(\.fields).map(\.storedName)
            let whole = elements.enumerated().map { DefaultValue.Entry(key: "entry \($0)", value: $1) }
            return [.dictionary([]), .dictionary(whole.sorted { $0.key < $1.key })]
                + elements.map { .dictionary([.init(key: maker.pick(ids + [""]), value: $0)]) }
        case .optional(let wrapped): return [.none] + samples(of: wrapped, depth: depth)
        case .external: return []
        }
    }

    private let second: Int128 = 1_000_000_000_000_000_000

    private var decimals: [DefaultValue] {
        ["0", "-0", "0.1", "-0.5", "1", "3", "-7", "1e5", "16777217", "300", "inf", "nan"].map(DefaultValue.decimal)
    }

    private var rawNumbers: [Int128] {
        draft.types.flatMap(\.cases).compactMap {
            if case .int(let number) = $0.rawValue { Int128(number) } else { nil }
        }
    }

    private var rawTexts: [String] {
        draft.types.flatMap(\.cases).compactMap { if case .string(let text) = $0.rawValue { text } else { nil } }
    }

    private func isSet(_ type: ValueType) -> Bool {
        if case .set = type { true } else { false }
    }

    private mutating func elements(_ type: ValueType, _ depth: Int) -> [DefaultValue] {
        depth > 3 ? [] : Array(samples(of: type, depth: depth + 1).shuffled(using: &maker.random).prefix(8))
    }

    /// Values of a struct that have, one after another, each sample of each field.
    private mutating func structures(_ name: String, _ depth: Int) -> [DefaultValue] {
        let fields = draft.type(named: name)?.fields ?? []
        var samples: [[DefaultValue]] = []
        for field in fields {
            samples.append(
                depth > 3 ? [maker.value(of: field.type)] : self.samples(of: field.type, depth: depth + 1)
            )
        }
        return (0..<min(12, samples.map(\.count).max() ?? 0)).map { index in
            .structure(
                zip(fields, samples).compactMap { field, samples in
                    samples.isEmpty
                        ? nil : .init(name: field.name, type: field.type, value: samples[index % samples.count])
                }
            )
        }
    }

    // MARK: Values at the limits of constraints

    private mutating func limits(of constraints: [Constraint], _ type: ValueType) -> [DefaultValue] {
        constraints.flatMap { limits(of: $0, type.unwrapped) }
    }

    private mutating func limits(of constraint: Constraint, _ type: ValueType) -> [DefaultValue] {
        switch constraint {
        case .range(let minimum, let maximum): return [minimum, maximum].compactMap(\.self).flatMap(Self.neighbours)
        case .choices(let choices): return choices
        case .pattern: return ["abc", "ABC", "12", "a1", "abcd", "\n"].map(DefaultValue.string)
        case .length(let limits):
            return Self.counts(limits).map { count in
                type == .string
                    ? .string(String(repeating: "x", count: count)) : .data(Array(repeating: 7, count: count))
            }
        case .count(let limits):
            return Self.counts(limits).map { count in collection(type, count: count) }
        case .each(let constraints):
            let leaf = element(of: type)
            return self.limits(of: constraints, leaf).flatMap { value in [wrap(value, type)] }
        }
    }

    /// A number, and those beside it.
    private static func neighbours(_ value: DefaultValue) -> [DefaultValue] {
        switch value {
        case .integer(let number): [-1, 0, 1].map { .integer(number + $0) }
        case .decimal(let text):
            Double(text).map { [$0.nextDown, $0, $0.nextUp, $0 - 1, $0 + 1].map { .decimal("\($0)") } } ?? [value]
        case .duration(let attoseconds): [-1, 0, 1].map { .duration(attoseconds: attoseconds + $0) }
        case .date(let seconds, let text):
            [-1, 0, 1].map { .date(secondsSinceReference: seconds + $0, text: text) }
        default: [value]
        }
    }

    private static func counts(_ limits: Constraint.Limits) -> [Int] {
        [limits.minimum, limits.maximum].compactMap(\.self).flatMap { [$0 - 1, $0, $0 + 1] }.filter { 0...500 ~= $0 }
    }

    private func element(of type: ValueType) -> ValueType {
        switch type {
        case .array(let element), .set(let element), .dictionary(let element): element
        default: type
        }
    }

    private func wrap(_ value: DefaultValue, _ type: ValueType) -> DefaultValue {
        if case .dictionary = type { .dictionary([.init(key: "a", value: value)]) } else { .array([value]) }
    }

    /// A collection of different elements, as far as there are that many.
    private mutating func collection(_ type: ValueType, count: Int) -> DefaultValue {
        let element = element(of: type)
        var values: [DefaultValue] = []
        for attempt in 0..<count * 4 where values.count < count {
            let value = attempt < 40 ? maker.value(of: element, depth: 3) : .integer(Int128(attempt))
            values = isSet(type) ? maker.unique(values + [value], as: element) : values + [value]
        }
        guard case .dictionary = type else { return .array(values) }
        return .dictionary(values.enumerated().map { .init(key: "\(1000 + $0)", value: $1) })
    }
}

extension DraftModule {
    /// Returns a value as a store has it.
    func stored(_ value: DefaultValue, as type: ValueType) throws -> PreferenceValue {
        switch (value, type) {
        case (.none, _): return .null
        case (_, .optional(let wrapped)): return try stored(value, as: wrapped)
        case (.bool(let bool), _): return .bool(bool)
        case (.integer(let integer), _): return .integer(integer) ?? .null
        case (.decimal(let text), _): return .double(Double(text) ?? .nan)
        case (.string(let text), _), (.url(let text), _), (.uuid(let text), _): return .string(text)
        case (.data(let bytes), _): return .data(Data(bytes))
        case (.date(let seconds, _), _): return .date(Date(timeIntervalSinceReferenceDate: seconds))
        case (.duration(let attoseconds), _):
            return Duration(_high: Int64(attoseconds >> 64), low: UInt64(truncatingIfNeeded: attoseconds))
                .preferenceValue()
        case (.enumCase(let name), _):
            switch self.type(named: type.swiftName)?.cases.first(where: { $0.name == name })?.rawValue {
            case .string(let text): return .string(text)
            case .int(let number): return .int(number)
            case nil: return .null
            }
        case (.array(let values), .array(let element)), (.array(let values), .set(let element)):
            return .array(try values.map { try stored($0, as: element) })
        case (.dictionary(let entries), .dictionary(let element)):
            return .dictionary(
                try Dictionary(entries.map { ($0.key, try stored($0.value, as: element)) }) { first, _ in first }
            )
        case (.structure(let given), _):
            let fields = self.type(named: type.swiftName)?.fields ?? []
            let entries = try given.compactMap { value in
                try fields.first { $0.name == value.name }.map { ($0.storedName, try stored(value.value, as: $0.type)) }
            }
            // A nil without a default is stored as a missing field.
            return .dictionary(Dictionary(entries.filter { $0.1 != .null }) { first, _ in first })
        default: preconditionFailure("a value of type \(type.swiftName) is made as such")
        }
    }
}
