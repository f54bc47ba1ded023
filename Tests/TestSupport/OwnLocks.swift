#if os(Linux)
    import Foundation

    /// The locks of files that this process holds or waits for, a line each: see proc_locks(5).
    package func ownLocks() throws -> [String] {
        try String(contentsOfFile: "/proc/locks", encoding: .utf8)
            .split(separator: "\n")
            .filter { line in
                let fields = line.split(separator: " ").filter { $0 != "->" }
                return fields.count > 4 && fields[4] == "\(getpid())" && fields[1] != "LEASE"
            }
            .map(String.init)
    }
#endif
