import Dispatch
import Foundation
import Synchronization

/// The exclusive right to change a file, which one thread of one process can hold at a time.
///
/// It is a lock on a separate, empty file beside the file, which is itself replaced by each change. The system releases
/// the lock whenever the process ends. The lock file is never removed, since two processes could then lock different
/// files.
package struct FileLock: ~Copyable {
    private let file: LockableFile
    private let identity: FileIdentity
    /// Released after the lock, since properties are destroyed after `deinit`.
    private let pass: LockGate.Pass
    /// The process that holds the lock. A forked process has copies of this value and of the open file.
    private let process = getpid()

    /// The locks that this process holds, with their threads. A thread adds only itself.
    private static let holders = Locked<[FileIdentity: UInt]>([:])

    /// The users that may lock a file.
    struct Users {
        var owner: uid_t
        var group: gid_t
        var mode: mode_t
    }

    /// Waits for the lock.
    ///
    /// - Parameters:
    ///   - entry: The lock file, which is created if it is missing.
    ///   - users: The users that may lock it; nil, the default, for the process's user.
    ///   - wait: How long to wait.
    /// - Throws: ``SystemError``, with `ETIMEDOUT` if the lock was not free in time, `EEXIST` if the file is not a
    ///   lock, and `ECANCELED` while stores are suspended.
    init(_ entry: FolderEntry, for users: Users? = nil, wait: FileLockWait) throws(SystemError) {
        let suspended = SystemError(operation: .lock, path: entry.path, code: ECANCELED)
        guard let pass = LockGate.Pass() else { throw suspended }
        let isSuspended = { LockGate.shared.isClosed && !ProcessExit.hasBegun }
        while true {
            var isNew = false
            let file: OpenFile
            do throws(SystemError) {
                file = try Self.open(entry, mode: users?.mode ?? 0o600, isNew: &isNew)
            } catch {
                let isThere = (try? entry.identity()) != nil
                throw SystemError(operation: isThere ? .lock : error.operation, path: entry.path, code: error.code)
            }
            let lockable: LockableFile
            do throws(SystemError) {
                lockable = try LockableFile.locked(file, entry.path, until: wait.deadline) {
                    wait.isCancelled() || isSuspended()
                }
            } catch {
                throw error.isLockTimeout && isSuspended() ? suspended : error
            }
            // If the file was removed meanwhile, this lock excludes no other process.
            let status = try lockable.file.status()
            let identity = FileIdentity(status)
            if try entry.identity() == identity {
                if let users { try Self.share(lockable.file, status, with: users, isNew: isNew) }
                Self.holders.withLock { $0[identity] = ThreadIdentity.current }
                self.file = lockable
                self.identity = identity
                self.pass = pass
                return
            }
        }
    }

    /// Opens the file, and creates it if it is missing.
    ///
    /// - Parameter isNew: Set to true if this call creates the file.
    private static func open(_ entry: FolderEntry, mode: mode_t, isNew: inout Bool) throws(SystemError) -> OpenFile {
        while true {
            let file: OpenFile
            do throws(SystemError) {
                file = try open(entry)
            } catch {
                guard error.code == ENOENT else { throw error }
                do throws(SystemError) {
                    file = try entry.open(O_RDWR | O_CREAT | O_EXCL, mode: mode)
                    isNew = true
                } catch {
                    // Another process was faster.
                    if error.code == EEXIST { continue }
                    throw error
                }
            }
            guard try file.status().st_mode & S_IFMT == S_IFREG else {
                throw SystemError(operation: .lock, path: entry.path, code: EEXIST)
            }
            return file
        }
    }

    /// Opens the file for writing, as NFS requires; elsewhere, a file that may only be read can be locked as well.
    private static func open(_ entry: FolderEntry) throws(SystemError) -> OpenFile {
        do throws(SystemError) {
            return try entry.open(O_RDWR | O_NONBLOCK)
        } catch {
            guard [EACCES, EPERM, EROFS].contains(error.code) else { throw error }
            return try entry.open(O_RDONLY | O_NONBLOCK)
        }
    }

    /// Gives a lock file the owner and permissions that its users need, as far as the system permits.
    ///
    /// Only files that are certainly locks are given away: the folder's owner could have moved any file of this
    /// process's user to this name.
    ///
    /// - Throws: ``SystemError`` with `EEXIST` for a file that may not be a lock.
    private static func share(
        _ file: borrowing OpenFile,
        _ status: stat,
        with users: Users,
        isNew: Bool
    ) throws(SystemError) {
        let hasOwner = status.st_uid == users.owner && status.st_gid == users.group
        if hasOwner, status.st_mode & 0o777 == users.mode { return }
        // The system does not permit other users to change it.
        guard geteuid() == 0 || status.st_uid == geteuid() else { return }
        let isOwned = isNew || [geteuid(), users.owner].contains(status.st_uid)
        guard isOwned, status.st_size == 0, status.st_nlink == 1 else {
            throw SystemError(operation: .lock, path: file.path, code: EEXIST)
        }
        if !hasOwner { try? file.setOwnerAsAllowed(users.owner, group: users.group) }
        try? file.setMode(users.mode)
    }

    deinit {
        // Before the release, after which the next thread adds its own entry.
        Self.holders.withLock { _ = $0.removeValue(forKey: identity) }
        // Closing the file is not enough: a process that was forked meanwhile keeps it open, and so locked.
        if process == getpid() { file.file.unlock() }
    }

    /// Whether the calling thread holds any lock.
    package static var isAnyHeldByThisThread: Bool {
        holders.withLock { $0.values.contains(ThreadIdentity.current) }
    }

    /// The number of locks that the calling thread holds.
    package static var countHeldByThisThread: Int {
        holders.withLock { holders in holders.values.count { $0 == ThreadIdentity.current } }
    }

    /// Whether the calling thread holds this lock, and would wait for itself.
    static func isHeldByThisThread(_ entry: FolderEntry) throws(SystemError) -> Bool {
        guard let identity = try entry.identity() else { return false }
        return holders.withLock { $0[identity] } == ThreadIdentity.current
    }
}

/// A wait for a file's lock.
package struct FileLockWait: Sendable {
    package let timeout: Duration
    /// When the wait ends; nil for never. It includes the time before the lock is requested.
    let deadline: ContinuousClock.Instant?
    /// Whether to end the wait early. Called repeatedly.
    let isCancelled: @Sendable () -> Bool

    /// The longest wait of this task, or of this thread outside of tasks; nil for no limit.
    @TaskLocal package static var limit: Duration?

    /// Starts a wait.
    package init(timeout: Duration, isCancelled: @escaping @Sendable () -> Bool = { false }) {
        let timeout = Self.limit.map { min(timeout, $0) } ?? timeout
        self.timeout = timeout
        // A sum with a longer duration overflows.
        deadline = timeout < .seconds(1 << 32) ? .now + max(timeout, .zero) : nil
        self.isCancelled = isCancelled
    }
}

/// A file that is locked, or that a thread waits to lock.
///
/// The system has no wait for a lock with a time limit, and polling would starve while other processes keep taking the
/// lock: waiters in the system take turns. Therefore a thread waits in the system, and the caller waits for that
/// thread. A caller that gives up leaves the thread to the next caller, so that there are never more threads than there
/// were concurrent callers.
final class LockableFile: Sendable {
    let file: OpenFile
    private let phase = Atomic(Phase.waiting.rawValue)
    /// The value of `errno` if locking failed; otherwise 0.
    private let failure = Atomic<CInt>(0)
    private let isDone = DispatchSemaphore(value: 0)

    private enum Phase: Int {
        case waiting
        /// No caller waits for the thread any more.
        case abandoned
        /// The thread holds the lock, or failed.
        case done
        /// The thread got the lock when no caller waited for it, and released it.
        case released
    }

    /// A file whose thread waits although no caller waits for the thread.
    private struct Abandoned {
        /// The thread keeps the file until it has released the lock.
        weak var file: LockableFile?
        /// The process of the thread. A forked process has a copy of this value, but not of the thread.
        let process = getpid()

        /// The file, while its thread waits.
        var waitingFile: LockableFile? {
            guard process == getpid(), let file, file.phase.load(ordering: .relaxed) == Phase.abandoned.rawValue else {
                return nil
            }
            return file
        }
    }

    /// The abandoned files of each lock.
    private static let abandoned = Locked<[FileIdentity: [Abandoned]]>([:])

    private init(_ file: consuming OpenFile) {
        self.file = file
    }

    /// Locks a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - path: The path of the file, for errors.
    ///   - deadline: When to give up; nil for never.
    ///   - isCancelled: Whether to give up now.
    /// - Throws: ``SystemError``, with `ETIMEDOUT` if it was not free in time.
    static func locked(
        _ file: consuming OpenFile,
        _ path: String,
        until deadline: ContinuousClock.Instant?,
        isCancelled: () -> Bool
    ) throws(SystemError) -> LockableFile {
        if try file.tryLock() { return LockableFile(file) }
        let timeout = SystemError(operation: .lock, path: path, code: ETIMEDOUT)
        if let deadline, deadline <= .now { throw timeout }
        if LockGate.closesInBackground {
            // A thread that waits in the system could get the lock while the app is suspended. On systems that suspend
            // apps, the lock is therefore polled, every 20 ms.
            while true {
                usleep(20_000)
                if try file.tryLock() { return LockableFile(file) }
                if deadline.map({ $0 <= .now }) ?? false || isCancelled() { throw timeout }
            }
        }
        let identity = FileIdentity(try file.status())
        let lockable: LockableFile
        if let waiting = takeAbandoned(identity) {
            lockable = waiting
        } else {
            lockable = LockableFile(file)
            Thread { lockable.waitForLock() }.start()
        }
        while lockable.isDone.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
            let isLate = deadline.map { $0 <= .now } ?? false
            if isLate || isCancelled(), lockable.abandon(as: identity) { throw timeout }
        }
        let code = lockable.failure.load(ordering: .acquiring)
        if code != 0 { throw SystemError(operation: .lock, path: path, code: code) }
        return lockable
    }

    /// Waits for the lock, on a separate thread. It uses no `Mutex`, which would stay locked in a forked process.
    private func waitForLock() {
        do throws(SystemError) {
            try file.lock()
        } catch {
            failure.store(error.code, ordering: .releasing)
        }
        while true {
            if change(from: .waiting, to: .done) {
                isDone.signal()
                return
            }
            if change(from: .abandoned, to: .released) { return file.unlock() }
        }
    }

    /// Leaves the thread waiting, unless it has just finished.
    private func abandon(as identity: FileIdentity) -> Bool {
        guard change(from: .waiting, to: .abandoned) else { return false }
        Self.abandoned.withLock { abandoned in
            abandoned = abandoned.compactMapValues { files in
                let files = files.filter { $0.waitingFile != nil }
                return files.isEmpty ? nil : files
            }
            abandoned[identity, default: []].append(Abandoned(file: self))
        }
        return true
    }

    private static func takeAbandoned(_ identity: FileIdentity) -> LockableFile? {
        while let abandoned = abandoned.withLock({ $0[identity]?.popLast() }) {
            if let file = abandoned.waitingFile, file.change(from: .abandoned, to: .waiting) { return file }
        }
        return nil
    }

    /// Returns the number of threads that wait for a lock although no caller waits for them. For tests.
    static func abandonedCount(of identity: FileIdentity) -> Int {
        abandoned.withLock { abandoned in (abandoned[identity] ?? []).count { $0.waitingFile != nil } }
    }

    private func change(from old: Phase, to new: Phase) -> Bool {
        phase.compareExchange(expected: old.rawValue, desired: new.rawValue, ordering: .acquiringAndReleasing).exchanged
    }
}
