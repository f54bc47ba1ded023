import Dispatch
import Synchronization

extension SchemaReader {
    /// Reports a value that breaks a constraint.
    ///
    /// - Parameter node: The value in the schema.
    mutating func check(
        _ value: DefaultValue,
        at node: JSONNode,
        of type: ValueType,
        against located: LocatedConstraint
    ) {
        guard value != .none else { return }
        let type = type.unwrapped
        switch located.constraint {
        case .range(let minimum, let maximum):
            if let minimum, minimum.isGreater(than: value) {
                reportViolation(
                    "\(node.shortText) is below the minimum",
                    at: node,
                    located.place,
                    "the minimum is here"
                )
            }
            if let maximum, value.isGreater(than: maximum) {
                let place = located.upperPlace ?? located.place
                reportViolation("\(node.shortText) is above the maximum", at: node, place, "the maximum is here")
            }
        case .length(let limits):
            check(value.length, of: type == .data ? "byte" : "character", at: node, limits, located)
        case .count(let limits):
            check(value.length, of: "element", at: node, limits, located)
        case .pattern(let pattern):
            if case .string(let text) = value { check(text, at: node, against: pattern, located) }
        case .choices:
            guard !located.choices.contains(value.normalized(as: type)) else { return }
            reportViolation(
                "\(node.shortText) is not among the choices",
                at: node,
                located.place,
                "the choices are here"
            )
        case .each:
            checkElements(of: value, at: node, of: type, against: located.elements)
        }
    }

    /// The number of slow patterns after which no more are matched: each costs seconds, and one is already an error.
    private static let maximumSlowPatterns = 3

    private mutating func check(
        _ text: String,
        at node: JSONNode,
        against pattern: String,
        _ located: LocatedConstraint
    ) {
        guard !slowPatterns.contains(located.place), slowPatterns.count < Self.maximumSlowPatterns else { return }
        switch Pattern.matches(text, pattern) {
        case true?: break
        case false?:
            reportViolation(
                "\(node.shortText) does not match the pattern",
                at: node,
                located.place,
                "the pattern is here"
            )
        case nil:
            slowPatterns.insert(located.place)
            findings.append(
                Finding(
                    rule: .invalidPattern,
                    place: located.place,
                    message: "the pattern takes too long to match",
                    notes: [.init(place: place(node.range), message: "the value is here")]
                )
            )
        }
    }

    private mutating func checkElements(
        of value: DefaultValue,
        at node: JSONNode,
        of type: ValueType,
        against constraints: [LocatedConstraint]
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
        _ located: LocatedConstraint
    ) {
        let number = count == 1 ? "there is 1 \(unit)" : "there are \(count) \(unit)s"
        if let minimum = limits.minimum, count < minimum {
            reportViolation(
                "\(number), fewer than the minimum of \(minimum)",
                at: node,
                located.place,
                "the minimum is here"
            )
        }
        if let maximum = limits.maximum, count > maximum {
            let place = located.upperPlace ?? located.place
            reportViolation("\(number), more than the maximum of \(maximum)", at: node, place, "the maximum is here")
        }
    }

    private mutating func reportViolation(_ message: String, at node: JSONNode, _ place: Place, _ note: String) {
        report(.brokenConstraint, at: node.range, message, other: place, note)
    }
}

extension DefaultValue {
    /// Returns whether a number, a duration or a date is greater than another one of its type.
    func isGreater(than other: DefaultValue) -> Bool {
        switch (self, other) {
        case (.integer(let first), .integer(let second)): first > second
        case (.decimal(let first), .decimal(let second)): (Double(first) ?? 0) > (Double(second) ?? 0)
        case (.duration(let first), .duration(let second)): first > second
        case (.date(let first, _), .date(let second, _)): first > second
        default: false
        }
    }

    /// The number of characters of a string, of bytes of data, or of elements of a collection.
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
    /// The text of a number, a string in quotes, or the type of any other value.
    var shortText: String {
        switch content {
        case .number(let number): number.text
        case .string(let text): "'\(text)'"
        default: typeDescription
        }
    }
}

// MARK: - Patterns

/// Regular expressions in Swift's syntax (SE-0355), as the runtime uses them.
package enum Pattern {
    struct Fault: Error {
        /// The offset in UTF-8 bytes, or nil for the whole pattern.
        var offset: Int?
        var message: String
    }

    /// Deeper groups than anyone writes, and few enough for the recursion of the parser.
    private static let maximumDepth = 50
    private static let maximumLength = 10_000

    /// Validates a pattern.
    static func check(_ pattern: String) throws(Fault) {
        guard pattern.utf8.count <= maximumLength else {
            throw Fault(message: "the pattern is longer than \(maximumLength) bytes")
        }
        if let offset = offsetOfExcessiveNesting(in: pattern) {
            throw Fault(offset: offset, message: "the pattern is nested more than \(maximumDepth) levels deep")
        }
        do {
            _ = try Regex(pattern)
        } catch {
            throw Fault(offset: offset(of: error, in: pattern), message: "not a regular expression: \(error)")
        }
    }

    /// The time limit for one text. Nested repetitions can take exponential time.
    private static let secondsPerMatch = 2

    /// Returns whether a valid pattern matches the whole of a text, or nil if that takes too long.
    package static func matches(_ text: String, _ pattern: String) -> Bool? {
        let result = MatchResult()
        // The library's engine cannot be cancelled, so a match that does not end is abandoned: on a queue with its
        // own thread, since the threads of the global queues are few.
        DispatchQueue(label: "preferences.pattern").async {
            let match = try? (try? Regex(pattern))?.wholeMatch(in: text)
            result.matches.withLock { $0 = match != nil }
            result.isComplete.signal()
        }
        guard result.isComplete.wait(timeout: .now() + .seconds(secondsPerMatch)) == .success else { return nil }
        return result.matches.withLock(\.self)
    }

    private final class MatchResult: Sendable {
        let isComplete = DispatchSemaphore(value: 0)
        let matches = Mutex(false)
    }

    private static func offsetOfExcessiveNesting(in pattern: String) -> Int? {
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

    /// Returns the offset of an error in the pattern. The library's errors contain it, but do not expose it.
    private static func offset(of error: any Error, in pattern: String) -> Int {
        let location = Mirror(reflecting: error).descendant("location", "range") as? Range<String.Index>
        guard let index = location?.lowerBound, index <= pattern.endIndex else { return 0 }
        return pattern.utf8.distance(from: pattern.startIndex, to: index)
    }
}
