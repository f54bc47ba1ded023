import Dispatch
import Foundation
import Synchronization

/// The exclusive right to change a file, which one thread of one process has at a time.
///
/// It is a lock on a separate file beside the other, as that is replaced at each change. The system releases it when the
/// process ends, however it ends; the empty file stays, as removing it would let two processes lock two files.
package struct FileLock: ~Copyable {
    private let file: LockableFile
    private let identity: FileIdentity
    /// Released after the lock.
    private let pass: LockGate.Pass
    /// The process that holds it. One that was forked from it has a copy of this, and of the open file.
    private let process = getpid()

    /// The locks held by this process, each with the thread that holds it. Threads add themselves alone.
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
    ///   - entry: The lock's file, which is made if it is missing.
    ///   - users: The users that it is for; nil, the default, for the process's own user.
    ///   - wait: How long to wait.
    /// - Throws: ``SystemError``, with `ETIMEDOUT` where the lock was not free in time, `EEXIST` where the file is not a
    ///   lock, and `ECANCELED` while stores are suspended.
    init(_ entry: FolderEntry, for users: Users? = nil, wait: FileLockWait) throws(SystemError) {
        let suspended = SystemError(operation: "lock", path: entry.path, code: ECANCELED)
        guard let pass = LockGate.Pass() else { throw suspended }
        let isSuspended = { LockGate.shared.isClosed && !ProcessExit.hasBegun }
        while true {
            var isNew = false
            let file: OpenFile
            do throws(SystemError) {
                file = try Self.open(entry, mode: users?.mode ?? 0o600, isNew: &isNew)
            } catch {
                let isThere = (try? entry.identity()) != nil
                throw SystemError(operation: isThere ? "lock" : error.operation, path: entry.path, code: error.code)
            }
            let lockable: LockableFile
            do throws(SystemError) {
                lockable = try LockableFile.locked(file, entry.path, until: wait.deadline) {
                    wait.isCancelled() || isSuspended()
                }
            } catch {
                throw error.isLockTimeout && isSuspended() ? suspended : error
            }
            // The file may have been removed in the meantime: then no other process will meet this lock.
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

    /// Opens the file, or makes it.
    ///
    /// - Parameter isNew: Becomes true where this call has made it.
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
                throw SystemError(operation: "lock", path: entry.path, code: EEXIST)
            }
            return file
        }
    }

    /// NFS locks only files that are open for writing. Elsewhere a file that may only be read can be locked as well.
    private static func open(_ entry: FolderEntry) throws(SystemError) -> OpenFile {
        do throws(SystemError) {
            return try entry.open(O_RDWR | O_NONBLOCK)
        } catch {
            guard [EACCES, EPERM, EROFS].contains(error.code) else { throw error }
            return try entry.open(O_RDONLY | O_NONBLOCK)
        }
    }

    /// Gives a lock's file the owner and permissions that its users need, as far as the system lets this process do so.
    ///
    /// The folder's owner could have moved any file of this process's user to this name, and would receive it.
    ///
    /// - Throws: ``SystemError`` with `EEXIST` for a file that may be something else than a lock.
    private static func share(
        _ file: borrowing OpenFile,
        _ status: stat,
        with users: Users,
        isNew: Bool
    ) throws(SystemError) {
        let hasOwner = status.st_uid == users.owner && status.st_gid == users.group
        if hasOwner, status.st_mode & 0o777 == users.mode { return }
        // The system does not let other users change it.
        guard geteuid() == 0 || status.st_uid == geteuid() else { return }
        let isOwned = isNew || [geteuid(), users.owner].contains(status.st_uid)
        guard isOwned, status.st_size == 0, status.st_nlink == 1 else {
            throw SystemError(operation: "lock", path: file.path, code: EEXIST)
        }
        if !hasOwner { try? file.setOwnerAsAllowed(users.owner, group: users.group) }
        try? file.setMode(users.mode)
    }

    deinit {
        // Before it is free: from then on the entry may be the next thread's.
        Self.holders.withLock { _ = $0.removeValue(forKey: identity) }
        // Closing the file alone would leave it locked for as long as a process has it open that was forked meanwhile.
        if process == getpid() { file.file.unlock() }
    }

    /// Whether the calling thread holds any lock.
    package static var isAnyHeldByThisThread: Bool {
        holders.withLock { $0.values.contains(ThreadIdentity.current) }
    }

    /// The number of locks that the calling thread holds.
    package static var countOfThisThread: Int {
        holders.withLock { holders in holders.values.count { $0 == ThreadIdentity.current } }
    }

    /// Whether the calling thread holds this lock. It would wait for itself.
    static func isHeldByThisThread(_ entry: FolderEntry) throws(SystemError) -> Bool {
        guard let identity = try entry.identity() else { return false }
        return holders.withLock { $0[identity] } == ThreadIdentity.current
    }
}

/// A wait for a file's lock.
package struct FileLockWait: Sendable {
    package let timeout: Duration
    /// When it ends; nil for never. What the caller waits for before it asks for the lock counts as well.
    let deadline: ContinuousClock.Instant?
    /// Ends the wait early where it is true. Asked from time to time.
    let isCancelled: @Sendable () -> Bool

    /// The longest wait of this task, or of this thread outside of tasks.
    @TaskLocal package static var limit: Duration?

    /// Begins a wait.
    package init(timeout: Duration, isCancelled: @escaping @Sendable () -> Bool = { false }) {
        let timeout = Self.limit.map { min(timeout, $0) } ?? timeout
        self.timeout = timeout
        // A sum with more than that overflows.
        deadline = timeout < .seconds(1 << 32) ? .now + max(timeout, .zero) : nil
        self.isCancelled = isCancelled
    }
}

/// A file that is locked, or waits for that.
///
/// The system has no wait for a lock that ends after a while. Asking again and again would leave a lock that other
/// processes take and release all the time to them: those that wait in the system take turns. So a thread waits in the
/// system, and the caller for that thread. A caller that gives up leaves the thread waiting, to be taken over by the next
/// one, so that there are never more such threads than there were callers at one time.
final class LockableFile: Sendable {
    let file: OpenFile
    private let phase = Atomic(Phase.waiting.rawValue)
    /// The value of `errno` with which locking has failed; 0 where it has not.
    private let failure = Atomic<CInt>(0)
    private let isDone = DispatchSemaphore(value: 0)

    private enum Phase: Int {
        case waiting
        /// Nobody waits for the thread any more.
        case abandoned
        /// The thread has the lock, or failed.
        case done
        /// The thread had the lock when nobody waited for it, and has released it.
        case released
    }

    /// A file whose thread waits while nobody waits for it.
    private struct Abandoned {
        /// The thread keeps the file until it has released the lock.
        weak var file: LockableFile?
        /// The process of the thread. One that was forked from it has a copy of this, and no such thread.
        let process = getpid()

        /// The file, while its thread waits.
        var waitingFile: LockableFile? {
            guard process == getpid(), let file, file.phase.load(ordering: .relaxed) == Phase.abandoned.rawValue else {
                return nil
            }
            return file
        }
    }

    /// By the lock.
    private static let abandoned = Locked<[FileIdentity: [Abandoned]]>([:])

    private init(_ file: consuming OpenFile) {
        self.file = file
    }

    /// Locks a file.
    ///
    /// - Parameters:
    ///   - path: Where the file is, for errors.
    ///   - deadline: When to give up; nil for never.
    ///   - isCancelled: Whether to give up now.
    /// - Throws: ``SystemError``, with `ETIMEDOUT` where it was not free in time.
    static func locked(
        _ file: consuming OpenFile,
        _ path: String,
        until deadline: ContinuousClock.Instant?,
        isCancelled: () -> Bool
    ) throws(SystemError) -> LockableFile {
        if try file.tryLock() { return LockableFile(file) }
        let timeout = SystemError(operation: "lock", path: path, code: ETIMEDOUT)
        if let deadline, deadline <= .now { throw timeout }
        if LockGate.closesInBackground {
            // A thread that waits in the system could be given the lock while the app is suspended, so the lock is tried
            // every 20 ms, on systems that suspend apps.
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
        if code != 0 { throw SystemError(operation: "lock", path: path, code: code) }
        return lockable
    }

    /// Runs on a thread of its own. It takes no `Mutex`, which a forked process cannot share among threads.
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

    /// Gives up, unless the file is locked just now.
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

    /// The number of threads that wait for a lock while nobody waits for them. For tests.
    static func abandonedCount(of identity: FileIdentity) -> Int {
        abandoned.withLock { abandoned in (abandoned[identity] ?? []).count { $0.waitingFile != nil } }
    }

    private func change(from old: Phase, to new: Phase) -> Bool {
        phase.compareExchange(expected: old.rawValue, desired: new.rawValue, ordering: .acquiringAndReleasing).exchanged
    }
}
