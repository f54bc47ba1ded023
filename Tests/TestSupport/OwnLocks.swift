#if os(Linux)
    import Foundation

    /// Returns the file locks that this process holds or waits for: see proc_locks(5).
    ///
    /// The system returns the list in pieces, and may omit a lock while other processes lock and unlock files.
    /// Therefore it is read several times.
    package func ownLocks() throws -> Set<String> {
        try (0..<5).reduce(into: []) { locks, _ in
            for line in try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n") {
                let fields = line.split(separator: " ").filter { $0 != "->" }
                guard fields.count > 4, fields[4] == "\(getpid())", fields[1] != "LEASE" else { continue }
                // The first field is the position in the list.
                locks.insert(fields.dropFirst().joined(separator: " "))
            }
        }
    }
#endif
