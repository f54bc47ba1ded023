import Foundation

/// Keys that generators are given, each in its own language: as many, in as many groups, of the same types.
struct ScaleInput: Hashable {
    var keyCount: Int
    var groupCount: Int
    /// The types of the keys, in turn.
    var types: [KeyType]

    enum KeyType {
        case integer
        /// An integer from 0 to 100.
        case percentage
        case double
        case string
        case bool
        /// One of three names.
        case unit
        case strings
    }

    /// Keys in one group, a sixth of them with a range, and a sixth of a declared type.
    static func oneGroup(_ keyCount: Int) -> ScaleInput {
        ScaleInput(
            keyCount: keyCount,
            groupCount: 1,
            types: [.percentage, .double, .string, .bool, .unit, .strings]
        )
    }

    /// Keys in groups of a hundred, of types that languages have themselves.
    static func hundreds(_ keyCount: Int) -> ScaleInput {
        ScaleInput(
            keyCount: keyCount,
            groupCount: keyCount / 100,
            types: [.integer, .double, .bool, .string, .strings]
        )
    }

    var name: String {
        "\(keyCount.text) keys in \(groupCount == 1 ? "one namespace" : "\(groupCount.text) namespaces")"
    }

    /// The sentence that every key is described with, as all are described in earnest.
    static func description(_ key: Int) -> String {
        "How many of the things number \(key) there are at most."
    }

    /// Writes a file piece by piece: what this process holds in memory is counted with what it starts.
    ///
    /// - Parameters:
    ///   - group: The text before and after the keys of a group.
    ///   - key: The text of a key, whose number is another one in each group.
    func write(
        to url: URL,
        head: String,
        foot: String,
        groupSeparator: String = "\n",
        keySeparator: String = "\n",
        group: (Int) -> (head: String, foot: String),
        key: (Int, KeyType) -> String
    ) throws {
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path])
        }
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        try file.write(contentsOf: Data(head.utf8))
        let size = keyCount / groupCount
        for index in 0..<groupCount {
            let (groupHead, groupFoot) = group(index)
            try file.write(contentsOf: Data(((index == 0 ? "" : groupSeparator) + groupHead).utf8))
            let keys = index * size..<(index + 1) * size
            for start in stride(from: keys.lowerBound, to: keys.upperBound, by: 500) {
                let piece = (start..<min(start + 500, keys.upperBound)).map { number in
                    (number == keys.lowerBound ? "" : keySeparator) + key(number, types[number % types.count])
                }
                try file.write(contentsOf: Data(piece.joined().utf8))
            }
            try file.write(contentsOf: Data(groupFoot.utf8))
        }
        try file.write(contentsOf: Data(foot.utf8))
    }
}
