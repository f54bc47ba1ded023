/// Regular expressions in Swift's syntax (SE-0355), as the runtime has them.
enum Pattern {
    struct Fault {
        /// In UTF-8 bytes.
        var offset: Int
        var message: String
    }

    /// Deeper groups than a person writes, and few enough for the recursion of what reads them.
    private static let maximumDepth = 50
    private static let maximumLength = 10_000

    /// What is wrong with a pattern; nil where nothing is.
    static func fault(in pattern: String) -> Fault? {
        guard pattern.utf8.count <= maximumLength else {
            return Fault(offset: 0, message: "it is longer than \(maximumLength) bytes")
        }
        if let offset = offsetOfTooDeepGroup(in: pattern) {
            return Fault(offset: offset, message: "it is nested more than \(maximumDepth) levels deep")
        }
        do {
            _ = try Regex(pattern)
            return nil
        } catch {
            return Fault(offset: offset(of: error, in: pattern), message: "\(error)")
        }
    }

    /// Whether the whole of a text matches a pattern that is sound.
    static func matches(_ text: String, _ pattern: String) -> Bool {
        guard let regex = try? Regex(pattern) else { return false }
        return (try? regex.wholeMatch(in: text)) ?? nil != nil
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
