import Foundation

extension PreferenceTrait where Value: Comparable {
    /// Requires values to be in a range.
    public static func range(_ range: ClosedRange<Value>) -> PreferenceTrait {
        let limits = "\(ValueText.short(range.lowerBound))...\(ValueText.short(range.upperBound))"
        return PreferenceTrait(
            kind: .constraint { value in
                range.contains(value) ? nil : ConstraintViolation(value, "is out of range \(limits)")
            }
        )
    }

    /// Requires values to be at least a minimum.
    public static func range(_ range: PartialRangeFrom<Value>) -> PreferenceTrait {
        requiring("be at least \(ValueText.short(range.lowerBound))") { range.contains($0) }
    }

    /// Requires values to be at most a maximum.
    public static func range(_ range: PartialRangeThrough<Value>) -> PreferenceTrait {
        requiring("be at most \(ValueText.short(range.upperBound))") { range.contains($0) }
    }
}

extension PreferenceTrait where Value: Equatable {
    /// Requires values to be among some choices.
    public static func oneOf(_ choices: [Value]) -> PreferenceTrait {
        let texts = choices.map { choice in
            (choice as? any PreferenceConvertible).map { ValueText.choice($0) } ?? ValueText.short(choice)
        }
        return requiring("be \(ValueText.anyOf(texts))") { choices.contains($0) }
    }
}

// MARK: - Length and count

extension PreferenceTrait where Value: Collection {
    /// Requires a number of characters of strings, or of bytes of data.
    public static func length(_ limits: ClosedRange<Int>) -> PreferenceTrait {
        requiring("be \(number(limits)) long") { limits.contains($0.count) }
    }

    /// Requires a minimum number of characters of strings, or of bytes of data.
    public static func length(_ limits: PartialRangeFrom<Int>) -> PreferenceTrait {
        requiring("be at least \(number(limits.lowerBound)) long") { limits.contains($0.count) }
    }

    /// Requires a maximum number of characters of strings, or of bytes of data.
    public static func length(_ limits: PartialRangeThrough<Int>) -> PreferenceTrait {
        requiring("be at most \(number(limits.upperBound)) long") { limits.contains($0.count) }
    }

    /// Requires a number of elements of collections.
    public static func count(_ limits: ClosedRange<Int>) -> PreferenceTrait {
        requiring("have \(number(limits))") { limits.contains($0.count) }
    }

    /// Requires a minimum number of elements of collections.
    public static func count(_ limits: PartialRangeFrom<Int>) -> PreferenceTrait {
        requiring("have at least \(number(limits.lowerBound))") { limits.contains($0.count) }
    }

    /// Requires a maximum number of elements of collections.
    public static func count(_ limits: PartialRangeThrough<Int>) -> PreferenceTrait {
        requiring("have at most \(number(limits.upperBound))") { limits.contains($0.count) }
    }

    /// Returns a number with its unit: `1 to 3 characters`.
    private static func number(_ limits: ClosedRange<Int>) -> String {
        let isOne = limits.lowerBound == limits.upperBound
        return isOne ? number(limits.lowerBound) : "\(limits.lowerBound) to \(number(limits.upperBound))"
    }

    private static func number(_ count: Int) -> String {
        ValueText.number(count, of: Value.self)
    }
}

extension PreferenceTrait where Value == String {
    /// Requires the whole string to match a regular expression.
    ///
    /// - Parameter pattern: The expression, in the syntax of Swift's `Regex`. An invalid one matches nothing.
    public static func pattern(_ pattern: String) -> PreferenceTrait {
        requiring("match the pattern \(pattern)") { text in
            guard let regex = try? Regex(pattern) else { return false }
            return (try? regex.wholeMatch(in: text)) ?? nil != nil
        }
    }
}

// MARK: - Parts of values

extension PreferenceTrait {
    /// Applies traits of a type to a key of its optional: nil is always allowed, and is not processed.
    ///
    /// - Parameter traits: The traits of the wrapped value, such as constraints.
    public static func unlessNil<Wrapped: Sendable>(
        _ traits: PreferenceTrait<Wrapped>...
    ) -> PreferenceTrait where Value == Wrapped? {
        PreferenceTrait(kind: .combination(traits.map { PreferenceTrait(kind: $0.kind.ofOptional) }))
    }

    /// Applies constraints to each element of an array or a set. Other traits have no effect on elements.
    public static func each<Element: Sendable>(
        _ constraints: PreferenceTrait<Element>...
    ) -> PreferenceTrait where Value: Collection, Value.Element == Element {
        // The index of a set's element is meaningless.
        let isOrdered = !(Value.self is any SetAlgebra.Type)
        return PreferenceTrait(
            kind: .constraint { elements in
                for (index, element) in elements.enumerated() {
                    guard var violation = constraints.violation(by: element) else { continue }
                    violation.path.insert(isOrdered ? "[\(index)]" : "", at: 0)
                    return violation
                }
                return nil
            }
        )
    }

    /// Applies constraints to each value of a dictionary. Other traits have no effect on these values.
    public static func eachValue<Element: Sendable>(
        _ constraints: PreferenceTrait<Element>...
    ) -> PreferenceTrait where Value == [String: Element] {
        PreferenceTrait(
            kind: .constraint { entries in
                for (key, element) in entries.sorted(by: { $0.key < $1.key }) {
                    guard var violation = constraints.violation(by: element) else { continue }
                    violation.path.insert("[\(ValueText.short(key))]", at: 0)
                    return violation
                }
                return nil
            }
        )
    }
}

extension PreferenceTrait.Kind {
    /// The kind that has the same effect on a key of the optional type.
    fileprivate var ofOptional: PreferenceTrait<Value?>.Kind {
        switch self {
        case .constraint(let violation): .constraint { $0.flatMap(violation) }
        case .processor(let process): .processor { $0.map(process) }
        case .changeHook(let moment, let site, let body):
            .changeHook(moment, site) { change in
                body(PreferenceKeyChange(name: change.name, old: change.old ?? nil, new: change.new ?? nil))
            }
        case .hooks(let type): .hooks(type)
        case .secret: .secret
        case .managed: .managed
        case .shared(let scope, let mergeRule): .shared(scope, mergeRule)
        case .formerNames(let names): .formerNames(names)
        case .combination(let traits): .combination(traits.map { PreferenceTrait<Value?>(kind: $0.kind.ofOptional) })
        }
    }
}

/// A violation of a constraint by a value.
struct ConstraintViolation: Error {
    /// The value as shown in messages: `4`, `"Oslo"`, `an array of 3 elements`.
    var value: String
    /// The path of the violating part in the key's value, outermost component first, such as `["[2]"]`; empty for the
    /// whole value. Elements of sets have empty components.
    var path: [String] = []
    /// What is wrong with it, in words that fit after the value: `is out of range -90...60`, `must be at least 2`.
    var fault: String

    init<Value>(_ value: Value, _ fault: String) {
        self.value = ValueText.subject(value)
        self.fault = fault
    }

    /// - Parameter isSecret: Whether to omit the value, and its path, which may contain a key of a secret dictionary.
    func message(isSecret: Bool) -> String {
        if isSecret {
            return "\(path.isEmpty ? "the value" : "a part of the value") \(fault)"
        }
        let place = path.joined()
        let prefix = path.isEmpty ? "" : place.isEmpty ? "an element: " : "at '\(place)': "
        return "\(prefix)\(value) \(fault)"
    }
}

/// Texts for values and counts in messages.
enum ValueText {
    /// Returns the value alone, for limits and choices: `60.5`, `"Oslo"`, `0.5 seconds`.
    static func short<Value>(_ value: Value) -> String {
        switch value {
        case let duration as Duration: "\(duration)"
        case let convertible as any PreferenceConvertible:
            (try? convertible.preferenceValue())?.description ?? "\(value)"
        default: "\(value)"
        }
    }

    /// Returns a value as the subject of a sentence: `4`, `"Oslo"`, `an array of 3 elements`, `this Station`.
    static func subject<Value>(_ value: Value) -> String {
        switch value {
        case let text as String where text.utf8.count > 60: return "a string of \(number(text.count, of: String.self))"
        case is String, is Duration: return short(value)
        case let data as Data: return "data of \(number(data.count, of: Data.self))"
        case let collection as any Collection: return withKind(collection)
        default: break
        }
        switch (value as? any PreferenceConvertible).flatMap({ try? $0.preferenceValue() }) {
        case nil, .array, .dictionary: return "this \(Value.self)"
        case let stored?: return stored.description
        }
    }

    /// Returns the text of a default if it is brief enough for the end of a sentence: `4`, `light`, `["Oslo"]`; nil
    /// also for a missing value.
    static func briefly(_ value: Any) -> String? {
        guard let convertible = value as? any PreferenceConvertible, let stored = try? convertible.preferenceValue(),
            stored != .null
        else { return nil }
        let text = choice(convertible)
        return text.utf8.count <= 60 ? text : nil
    }

    /// Returns one of several allowed values; a string only in quotes if it is not a plain word.
    static func choice(_ value: some PreferenceConvertible) -> String {
        guard case .string(let text) = try? value.preferenceValue(), !text.isEmpty,
            text.unicodeScalars.allSatisfy({ $0.properties.isAlphabetic || "0"..."9" ~= $0 || $0 == "-" || $0 == "_" })
        else { return short(value) }
        return text
    }

    /// Returns a choice between allowed values: `light`, `one of light, dark, system`.
    static func anyOf(_ choices: [String]) -> String {
        choices.count == 1 ? choices[0] : "one of \(choices.joined(separator: ", "))"
    }

    private static func withKind(_ collection: some Collection) -> String {
        let (article, kind) =
            switch Mirror(reflecting: collection).displayStyle {
            case .dictionary: ("a", "dictionary")
            case .set: ("a", "set")
            default: ("an", "array")
            }
        return collection.isEmpty
            ? "an empty \(kind)" : "\(article) \(kind) of \(number(collection.count, of: type(of: collection)))"
    }

    /// Returns a count with the unit of a collection: `1 character`, `3 bytes`, `2 elements`.
    static func number(_ count: Int, of type: Any.Type) -> String {
        let unit = type == String.self ? "character" : type == Data.self ? "byte" : "element"
        return "\(count) \(unit)\(count == 1 ? "" : "s")"
    }
}
