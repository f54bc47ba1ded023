#if os(Linux)
    import Foundation

    /// The locks of files that this process holds or waits for: see proc_locks(5).
    ///
    /// The system gives the list in pieces, and may leave out a lock between two of them while other processes lock and
    /// unlock files, so it is read several times.
    package func ownLocks() throws -> Set<String> {
        try (0..<5).reduce(into: []) { locks, _ in
            for line in try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n") {
                let fields = line.split(separator: " ").filter { $0 != "->" }
                guard fields.count > 4, fields[4] == "\(getpid())", fields[1] != "LEASE" else { continue }
                // The first field is the place in the list.
                locks.insert(fields.dropFirst().joined(separator: " "))
            }
        }
    }
#endif
