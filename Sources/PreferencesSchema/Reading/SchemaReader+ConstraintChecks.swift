import Dispatch
import Synchronization

extension SchemaReader {
    /// Reports a value that a constraint does not allow.
    ///
    /// - Parameter node: The value as the schema writes it.
    mutating func check(
        _ value: DefaultValue,
        at node: JSONNode,
        of type: ValueType,
        against placed: PlacedConstraint
    ) {
        guard value != .none else { return }
        let type = type.unwrapped
        switch placed.constraint {
        case .range(let minimum, let maximum):
            if let minimum, minimum.isAbove(value) {
                reportBroken("\(node.shortText) is below the minimum", at: node, placed.place, "the minimum is here")
            }
            if let maximum, value.isAbove(maximum) {
                let place = placed.upperPlace ?? placed.place
                reportBroken("\(node.shortText) is above the maximum", at: node, place, "the maximum is here")
            }
        case .length(let limits):
            check(value.length, of: type == .data ? "byte" : "character", at: node, limits, placed)
        case .count(let limits):
            check(value.length, of: "element", at: node, limits, placed)
        case .pattern(let pattern):
            if case .string(let text) = value { check(text, at: node, against: pattern, placed) }
        case .choices:
            guard !placed.choices.contains(value.comparable(as: type)) else { return }
            reportBroken("\(node.shortText) is not among the choices", at: node, placed.place, "the choices are here")
        case .each:
            checkElements(of: value, at: node, of: type, against: placed.elements)
        }
    }

    /// How many patterns may take too long: each one costs seconds, and one is an error already.
    private static let maximumSlowPatterns = 3

    private mutating func check(_ text: String, at node: JSONNode, against pattern: String, _ placed: PlacedConstraint)
    {
        guard !slowPatterns.contains(placed.place), slowPatterns.count < Self.maximumSlowPatterns else { return }
        switch Pattern.matches(text, pattern) {
        case true?: break
        case false?:
            reportBroken(
                "\(node.shortText) does not match the pattern",
                at: node,
                placed.place,
                "the pattern is here"
            )
        case nil:
            slowPatterns.insert(placed.place)
            findings.append(
                Finding(
                    rule: .invalidPattern,
                    place: placed.place,
                    message: "the pattern takes too long to be matched",
                    notes: [.init(place: place(node.range), message: "this is what it was to match")]
                )
            )
        }
    }

    private mutating func checkElements(
        of value: DefaultValue,
        at node: JSONNode,
        of type: ValueType,
        against constraints: [PlacedConstraint]
    ) {
        guard let element = type.element else { return }
        switch (value, node.content) {
        case (.array(let values), .array(let nodes)):
            for (value, node) in zip(values, nodes) {
                for constraint in constraints { check(value, at: node, of: element, against: constraint) }
            }
        case (.dictionary(let entries), .object(let members)):
            let values = Dictionary(entries.map { ($0.key, $0.value) }) { first, _ in first }
            for member in members {
                guard let value = values[member.name] else { continue }
                for constraint in constraints { check(value, at: member.value, of: element, against: constraint) }
            }
        default: break
        }
    }

    private mutating func check(
        _ count: Int,
        of unit: String,
        at node: JSONNode,
        _ limits: Constraint.Limits,
        _ placed: PlacedConstraint
    ) {
        let number = count == 1 ? "there is 1 \(unit)" : "there are \(count) \(unit)s"
        if let minimum = limits.minimum, count < minimum {
            reportBroken(
                "\(number), fewer than the minimum of \(minimum)",
                at: node,
                placed.place,
                "the minimum is here"
            )
        }
        if let maximum = limits.maximum, count > maximum {
            let place = placed.upperPlace ?? placed.place
            reportBroken("\(number), more than the maximum of \(maximum)", at: node, place, "the maximum is here")
        }
    }

    private mutating func reportBroken(_ message: String, at node: JSONNode, _ place: Place, _ note: String) {
        report(.brokenConstraint, at: node.range, message, other: place, note)
    }
}

extension DefaultValue {
    /// Whether a number, a duration or a date is above another of its type.
    func isAbove(_ other: DefaultValue) -> Bool {
        switch (self, other) {
        case (.integer(let first), .integer(let second)): first > second
        case (.decimal(let first), .decimal(let second)): (Double(first) ?? 0) > (Double(second) ?? 0)
        case (.duration(let first), .duration(let second)): first > second
        case (.date(let first, _), .date(let second, _)): first > second
        default: false
        }
    }

    /// The characters of a string, the bytes of data, the elements of a collection.
    fileprivate var length: Int {
        switch self {
        case .string(let text): text.count
        case .data(let bytes): bytes.count
        case .array(let values): values.count
        case .dictionary(let entries): entries.count
        default: 0
        }
    }
}

extension JSONNode {
    /// A number as it is written, a string in quotes, or what kind of value it is.
    var shortText: String {
        switch content {
        case .number(let number): number.text
        case .string(let text): "'\(text)'"
        default: typeDescription
        }
    }
}

/// Regular expressions in Swift's syntax (SE-0355), as the runtime has them.
enum Pattern {
    struct Fault: Error {
        /// In UTF-8 bytes; nil where the whole pattern is meant.
        var offset: Int?
        var message: String
    }

    /// Deeper groups than a person writes, and few enough for the recursion of what reads them.
    private static let maximumDepth = 50
    private static let maximumLength = 10_000

    /// Finds what is wrong with a pattern.
    static func check(_ pattern: String) throws(Fault) {
        guard pattern.utf8.count <= maximumLength else {
            throw Fault(message: "the pattern is longer than \(maximumLength) bytes")
        }
        if let offset = offsetOfTooDeepGroup(in: pattern) {
            throw Fault(offset: offset, message: "the pattern is nested more than \(maximumDepth) levels deep")
        }
        do {
            _ = try Regex(pattern)
        } catch {
            throw Fault(offset: offset(of: error, in: pattern), message: "not a regular expression: \(error)")
        }
    }

    /// How long one text may take. Repetitions inside of repetitions can take longer than the universe has existed.
    private static let secondsPerMatch = 2

    /// Whether the whole of a text matches a pattern that is sound; nil where that takes too long to be found out.
    static func matches(_ text: String, _ pattern: String) -> Bool? {
        let answer = Answer()
        // The library's engine cannot be told to give up, so that it is left behind where it does not come to an end: on a
        // queue with a thread of its own, as those of the global queues are few and needed for other work.
        DispatchQueue(label: "preferences.pattern").async {
            let match = try? (try? Regex(pattern))?.wholeMatch(in: text)
            answer.matches.withLock { $0 = match != nil }
            answer.isThere.signal()
        }
        guard answer.isThere.wait(timeout: .now() + .seconds(secondsPerMatch)) == .success else { return nil }
        return answer.matches.withLock(\.self)
    }

    private final class Answer: Sendable {
        let isThere = DispatchSemaphore(value: 0)
        let matches = Mutex(false)
    }

    private static func offsetOfTooDeepGroup(in pattern: String) -> Int? {
        var depth = 0
        for (offset, byte) in pattern.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth = max(0, depth - 1)
            default: break
            }
            if depth > maximumDepth { return offset }
        }
        return nil
    }

    /// Where in the pattern the error is. The library's errors know, but say it to nobody who does not look inside.
    private static func offset(of error: any Error, in pattern: String) -> Int {
        let location = Mirror(reflecting: error).descendant("location", "range") as? Range<String.Index>
        guard let index = location?.lowerBound, index <= pattern.endIndex else { return 0 }
        return pattern.utf8.distance(from: pattern.startIndex, to: index)
    }
}
