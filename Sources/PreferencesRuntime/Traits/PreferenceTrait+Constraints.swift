import Foundation

extension PreferenceTrait where Value: Comparable {
    /// Values lie in a range, both ends included.
    public static func range(_ range: ClosedRange<Value>) -> PreferenceTrait {
        let (lower, upper) = (ValueText.short(range.lowerBound), ValueText.short(range.upperBound))
        return requiring("be between \(lower) and \(upper)") { range.contains($0) }
    }

    /// Values are not below a minimum.
    public static func range(_ range: PartialRangeFrom<Value>) -> PreferenceTrait {
        requiring("be at least \(ValueText.short(range.lowerBound))") { range.contains($0) }
    }

    /// Values are not above a maximum.
    public static func range(_ range: PartialRangeThrough<Value>) -> PreferenceTrait {
        requiring("be at most \(ValueText.short(range.upperBound))") { range.contains($0) }
    }
}

extension PreferenceTrait where Value: Equatable {
    /// Values are among these.
    public static func oneOf(_ choices: [Value]) -> PreferenceTrait {
        let list = choices.map(ValueText.short).joined(separator: ", ")
        return requiring(choices.count == 1 ? "be \(list)" : "be one of \(list)") { choices.contains($0) }
    }
}

// MARK: - How long, and how many

extension PreferenceTrait where Value: Collection {
    /// Strings have so many characters, and data so many bytes.
    public static func length(_ limits: ClosedRange<Int>) -> PreferenceTrait {
        requiring("be \(number(limits)) long") { limits.contains($0.count) }
    }

    /// Strings have at least so many characters, and data so many bytes.
    public static func length(_ limits: PartialRangeFrom<Int>) -> PreferenceTrait {
        requiring("be at least \(number(limits.lowerBound)) long") { limits.contains($0.count) }
    }

    /// Strings have at most so many characters, and data so many bytes.
    public static func length(_ limits: PartialRangeThrough<Int>) -> PreferenceTrait {
        requiring("be at most \(number(limits.upperBound)) long") { limits.contains($0.count) }
    }

    /// Collections have so many elements.
    public static func count(_ limits: ClosedRange<Int>) -> PreferenceTrait {
        requiring("have \(number(limits))") { limits.contains($0.count) }
    }

    /// Collections have at least so many elements.
    public static func count(_ limits: PartialRangeFrom<Int>) -> PreferenceTrait {
        requiring("have at least \(number(limits.lowerBound))") { limits.contains($0.count) }
    }

    /// Collections have at most so many elements.
    public static func count(_ limits: PartialRangeThrough<Int>) -> PreferenceTrait {
        requiring("have at most \(number(limits.upperBound))") { limits.contains($0.count) }
    }

    /// `1 to 3 characters`.
    private static func number(_ limits: ClosedRange<Int>) -> String {
        let isOne = limits.lowerBound == limits.upperBound
        return isOne ? number(limits.lowerBound) : "\(limits.lowerBound) to \(number(limits.upperBound))"
    }

    private static func number(_ count: Int) -> String {
        ValueText.number(count, of: Value.self)
    }
}

extension PreferenceTrait where Value == String {
    /// The whole of a string matches a regular expression.
    ///
    /// - Parameter pattern: The expression, in the syntax of Swift's `Regex`. One that is none matches nothing.
    public static func pattern(_ pattern: String) -> PreferenceTrait {
        requiring("match the pattern \(pattern)") { text in
            guard let regex = try? Regex(pattern) else { return false }
            return (try? regex.wholeMatch(in: text)) ?? nil != nil
        }
    }
}

// MARK: - Parts of values

extension PreferenceTrait {
    /// Constraints on what an optional has in it; nil is always allowed.
    public static func unlessNil<Wrapped: Sendable>(
        _ constraints: PreferenceTrait<Wrapped>...
    ) -> PreferenceTrait where Value == Wrapped? {
        PreferenceTrait(kind: .constraint { $0.flatMap { constraints.violation(by: $0) } })
    }

    /// Constraints on each element of an array or a set.
    public static func each<Element: Sendable>(
        _ constraints: PreferenceTrait<Element>...
    ) -> PreferenceTrait where Value: Collection, Value.Element == Element {
        // The order of a set's elements says nothing.
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

    /// Constraints on each value of a dictionary.
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

extension Array {
    /// The first constraint that a value breaks.
    func violation<Value>(by value: Value) -> ConstraintViolation? where Element == PreferenceTrait<Value> {
        for trait in self {
            if case .constraint(let violation) = trait.kind, let found = violation(value) { return found }
        }
        return nil
    }
}

/// A value that is not what it must be.
struct ConstraintViolation: Sendable {
    /// The value, as a message shows it: `the integer 4`.
    var value: String
    /// Which part of the key's whole value that is, the outermost first: `["[2]"]`, and empty for the whole. An element
    /// of a set is at an empty text.
    var path: [String] = []
    /// What it must do: `be between -90 and 60`.
    var requirement: String

    init<Value>(_ value: Value, requirement: String) {
        self.value = ValueText.withKind(value)
        self.requirement = requirement
    }

    /// - Parameter isSecret: Whether the value is to be left out, and where in it the fault is, which may name a key of
    ///   a secret dictionary.
    func message(isSecret: Bool) -> String {
        if isSecret {
            return "\(path.isEmpty ? "the value" : "a part of the value") is refused: it must \(requirement)"
        }
        let place = path.joined()
        let prefix = path.isEmpty ? "" : place.isEmpty ? "an element: " : "at '\(place)': "
        return "\(prefix)\(value) is refused: it must \(requirement)"
    }
}

/// Values, and numbers of what they have in them, in the words of a message.
enum ValueText {
    /// The value alone, as a limit or a choice: `60.5`, `"Oslo"`, `0.5 seconds`.
    static func short<Value>(_ value: Value) -> String {
        switch value {
        case let duration as Duration: "\(duration)"
        case let convertible as any PreferenceConvertible:
            (try? convertible.preferenceValue())?.description ?? "\(value)"
        default: "\(value)"
        }
    }

    /// The value with its kind, and not at length: `the string "Oslo"`, `an array of 3 elements`, `this Station`.
    static func withKind<Value>(_ value: Value) -> String {
        switch value {
        case let duration as Duration: return "the duration \(duration)"
        case let text as String where text.utf8.count > 60: return "a string of \(number(text.count, of: String.self))"
        case is String: break
        case let data as Data: return "data of \(number(data.count, of: Data.self))"
        case let collection as any Collection: return withKind(collection)
        default: break
        }
        switch (value as? any PreferenceConvertible).flatMap({ try? $0.preferenceValue() }) {
        case nil, .array, .dictionary: return "this \(Value.self)"
        case let stored?: return stored.descriptionOfFound
        }
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

    /// So many of what a collection counts: `1 character`, `3 bytes`, `2 elements`.
    static func number(_ count: Int, of type: Any.Type) -> String {
        let unit = type == String.self ? "character" : type == Data.self ? "byte" : "element"
        return "\(count) \(unit)\(count == 1 ? "" : "s")"
    }
}
