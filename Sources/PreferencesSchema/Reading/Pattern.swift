import Dispatch
import Synchronization

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
