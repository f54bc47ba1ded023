/// A file that a store has set aside: `NAME.corrupt-20261121T190748Z`, or `NAME.replaced-…` for what another program
/// saved while the store replaced the file.
package struct SetAsideFile: Sendable {
    package let entry: FolderEntry
    /// The files that belong to it, such as `-wal` of a database, and itself.
    package let names: [String]
    /// Whether a store could not parse it; otherwise, another program saved it.
    package let isDamaged: Bool
    /// The time in the name, such as `2026-11-21 19:07:48 UTC`.
    package let time: String
}

extension FolderEntry {
    /// Returns the files of this name that a store has set aside, in the order of their names.
    package func setAsideFiles() throws(SystemError) -> [SetAsideFile] {
        var files: [SetAsideFile] = []
        for (reason, isDamaged) in [("corrupt", true), ("replaced", false)] {
            let prefix = "\(name).\(reason)-"
            let bytes = Array(prefix.utf8)
            let names = try folder.names { $0.starts(with: bytes) }.sorted()
            var namesByStem: [String: [String]] = [:]
            for name in names {
                let stem =
                    ["-wal", "-shm"].first { name.hasSuffix($0) }.map { String(name.dropLast($0.count)) } ?? name
                namesByStem[stem, default: []].append(name)
            }
            for (stem, names) in namesByStem.sorted(by: { $0.key < $1.key }) {
                guard let time = Self.time(in: stem.dropFirst(prefix.count)) else { continue }
                files.append(
                    SetAsideFile(entry: sibling(names[0]), names: names, isDamaged: isDamaged, time: time)
                )
            }
        }
        return files
    }

    /// Returns the time that a suffix begins with, which may be followed by a number: `20261121T190748Z-2`.
    private static func time(in suffix: Substring) -> String? {
        guard let match = suffix.wholeMatch(of: /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(-\d+)?/) else { return nil }
        return "\(match.1)-\(match.2)-\(match.3) \(match.4):\(match.5):\(match.6) UTC"
    }
}
