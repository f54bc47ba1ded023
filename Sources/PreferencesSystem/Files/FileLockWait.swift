import Dispatch
import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

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
