/// A process that holds a lock of a file.
package struct LockHolder: Sendable, Hashable {
    package let process: pid_t
    /// The name of its program; empty if it is not known.
    package let program: String
    /// Whether the process is stopped, as by SIGSTOP.
    package let isStopped: Bool

    /// The kinds of locks, by their names in proc_locks(5).
    package enum Kind: String, Sendable {
        /// A lock of flock(2).
        case flock = "FLOCK"
        /// A lock of fcntl(2).
        case posix = "POSIX"
    }

    #if !canImport(Darwin)
        private init(_ process: pid_t) {
            self.process = process
            // `PID (NAME) STATE …`; the name may contain parentheses.
            let status = Self.text(ofFileAt: "/proc/\(process)/stat")
            guard let start = status.firstIndex(of: "("), let end = status.lastIndex(of: ")"), start < end else {
                (program, isStopped) = ("", false)
                return
            }
            program = String(status[status.index(after: start)..<end])
            isStopped = ["T", "t"].contains(status[status.index(after: end)...].first { $0 != " " })
        }

        private static func text(ofFileAt path: String) -> String {
            guard let file = try? OpenFile(path, O_RDONLY) else { return "" }
            return (try? file.readToEnd(expecting: 0)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    #endif

    /// Returns the other processes that hold a lock of a file; none if the system does not tell.
    package static func holders(ofFileWith status: stat, _ kind: Kind) -> [LockHolder] {
        #if canImport(Darwin)
            return []
        #else
            var processes: [pid_t] = []
            // `1: FLOCK  ADVISORY  WRITE 4711 fe:00:16237509 0 EOF`; a process that waits has `->` after the number.
            for line in text(ofFileAt: "/proc/locks").split(separator: "\n") {
                let fields = line.split(separator: " ")
                guard fields.count == 8, fields[1] == kind.rawValue, let process = pid_t(fields[4]),
                    process != getpid(), process > 0, !processes.contains(process),
                    fields[5].split(separator: ":").last.map({ $0 == "\(status.st_ino)" }) ?? false,
                    // Some file systems, such as btrfs, have another device number there.
                    !hasLock(onDeviceOf: status) || fields[5].hasPrefix(device(of: status))
                else { continue }
                processes.append(process)
            }
            return processes.map(LockHolder.init)
        #endif
    }

    #if !canImport(Darwin)
        /// Whether the system lists a lock on the device of a file.
        private static func hasLock(onDeviceOf status: stat) -> Bool {
            text(ofFileAt: "/proc/locks").contains(" \(device(of: status))")
        }

        /// Returns the device number as proc_locks(5) has it: `fe:00:`.
        private static func device(of status: stat) -> String {
            let device = UInt64(status.st_dev)
            let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
            let minor = device & 0xFF | device >> 12 & ~0xFF
            return [major, minor].map { number in
                let digits = String(number, radix: 16)
                return (digits.count < 2 ? "0" : "") + digits + ":"
            }.joined()
        }
    #endif
}

/// The lock of a store's file, as a tool finds it.
package enum LockState: Sendable {
    /// There is no lock file: no store has written the file.
    case missing
    case free
    /// Other processes hold it; their list is empty if they are not known.
    case held([LockHolder])
    /// It cannot be locked.
    case unusable(SystemError)

    /// Looks at the lock of a file, and changes nothing. If it is held, waits until it is free.
    ///
    /// - Parameters:
    ///   - entry: The file.
    ///   - timeout: How long to wait.
    package init(ofFile entry: FolderEntry, timeout: Duration) {
        do throws(SystemError) {
            guard let status = try entry.lock.status() else {
                self = .missing
                return
            }
            let notALock = SystemError(operation: .lock, path: entry.lock.path, code: EEXIST)
            guard status.st_mode & S_IFMT == S_IFREG, status.st_size == 0, status.st_nlink == 1 else { throw notALock }
            let file = try Self.open(entry.lock)
            let deadline = ContinuousClock.now + timeout
            while try !file.tryLock() {
                guard ContinuousClock.now < deadline else {
                    self = .held(LockHolder.holders(ofFileWith: status, .flock))
                    return
                }
                // The system does not notify of the release of a lock without waiting for it, which has no time limit.
                usleep(10_000)
            }
            self = .free
        } catch {
            self = .unusable(
                error.operation == .open
                    ? SystemError(operation: .lock, path: entry.lock.path, code: error.code) : error
            )
        }
    }

    private static func open(_ lock: FolderEntry) throws(SystemError) -> OpenFile {
        do throws(SystemError) {
            return try lock.open(O_RDWR | O_NONBLOCK)
        } catch {
            guard [EACCES, EPERM, EROFS].contains(error.code) else { throw error }
            return try lock.open(O_RDONLY | O_NONBLOCK)
        }
    }
}
