import Dispatch
import Foundation
import PreferencesSystem

/// Prevents stores from locking files while the app is suspended.
///
/// iOS, iPadOS, tvOS, watchOS and visionOS terminate a process that is suspended while it holds a lock on a file that
/// it shares with other processes, such as one in the container of an app group. The exception code is `0xdead10cc`.
/// When such an app enters the background, ``FileStore`` and `SQLiteStore` therefore write pending changes, and lock no
/// files until the app returns to the foreground:
///
/// - Values are read as before. A `SQLiteStore` opens its database for each read, and SQLite locks it only during the
///   read.
/// - A `FileStore` that writes later keeps new values in memory, and writes them when the app returns. Values that are
///   set in the background are lost if the app is terminated there.
/// - Other writes, transactions and `flush()` throw ``PreferenceProblem/Code/storeSuspended``, and change nothing.
///
/// An app that is allowed to run in the background, and that writes there, first requests background time, and resumes
/// the stores for that time:
///
/// ```swift
/// func save(_ preferences: Preferences) throws {
///     let task = UIApplication.shared.beginBackgroundTask()
///     StoreSuspension.resume()
///     defer {
///         StoreSuspension.suspend()
///         UIApplication.shared.endBackgroundTask(task)
///     }
///     try preferences.transaction { $0.lastSync = .now }
/// }
/// ```
///
/// App extensions are suspended like apps: their stores follow the notifications of the extension's host.
///
/// An app whose stores are all in its own container, which no other process uses, may set ``isAutomatic`` to false: the
/// system tolerates locks there.
public enum StoreSuspension {
    /// Whether stores are suspended when the app enters the background. By default, true where the system suspends
    /// apps; false on macOS, in Mac Catalyst and on Linux.
    public static var isAutomatic: Bool {
        get { LockGate.closesInBackground }
        set { LockGate.closesInBackground = newValue }
    }

    /// Whether stores are currently suspended, and lock no files.
    public static var isSuspended: Bool { LockGate.shared.isClosed }

    /// Writes pending changes, and prevents stores from locking files until ``resume()``. Does nothing if they are
    /// already suspended.
    ///
    /// Waits up to 4 s for writes and transactions that have begun, since an app has about 5 s when it enters the
    /// background. A longer one is reported on standard error.
    public static func suspend() {
        suspend(until: .now() + .seconds(4))
    }

    static func suspend(until deadline: DispatchTime) {
        serial.withLock {
            if isSuspended { return }
            let participants = participants.withLock { $0 }
            runConcurrently(participants.flatMap { $0.pendingWrites() }, until: deadline)
            LockGate.shared.close()
            // A thread that suspends stores in the body of a transaction must not wait for itself.
            let ownCount = FileLock.countHeldByThisThread
            let isDone = LockGate.shared.wait(untilAtMost: ownCount, deadline: deadline) && ownCount == 0
            if !isDone { ProblemLog.write(PreferenceProblem.lockedAtSuspension) }
            runConcurrently(participants.flatMap { $0.closings() }, until: deadline)
        }
    }

    /// Lets stores lock files again, and writes the changes that were made meanwhile.
    public static func resume() {
        serial.withLock {
            guard isSuspended else { return }
            LockGate.shared.open()
            for participant in participants.withLock({ $0 }) { participant.resume() }
        }
    }

    private static let serial = NSLock()

    /// The actions of one kind of store when stores are suspended and resumed.
    package struct Participant: Sendable {
        package typealias Step = @Sendable () -> Void

        /// Returns the writes of pending edits, each to be run on its own thread.
        var pendingWrites: @Sendable () -> [Step]
        /// Returns actions that close connections that hold locks themselves. No store locks a file while they run.
        var closings: @Sendable () -> [Step]
        /// Starts deferred work without waiting for it.
        var resume: Step

        package init(
            pendingWrites: @escaping @Sendable () -> [Step] = { [] },
            closings: @escaping @Sendable () -> [Step] = { [] },
            resume: @escaping Step
        ) {
            self.pendingWrites = pendingWrites
            self.closings = closings
            self.resume = resume
        }
    }

    /// Runs a body that closes a connection, and thereby briefly takes locks. Suspending stores waits for it.
    package static func whileLocking(_ body: () -> Void) {
        // If stores are already suspended, the locks are released before this returns.
        if let pass = LockGate.Pass() { withExtendedLifetime(pass, body) } else { body() }
    }

    private static let participants = Locked<[Participant]>([])

    package static func add(_ participant: Participant) {
        participants.withLock { $0.append(participant) }
        AppLifecycle.observe()
    }
}

extension PreferenceProblem {
    /// Creates the problem of locking a file while stores are suspended.
    package init(suspendedStore store: String) {
        let message =
            "stores are suspended while the app is in the background: write in the foreground, or call "
            + "StoreSuspension.resume() before the write and suspend() after it"
        self.init(.storeSuspended, store: store, message: message, isMessagePublic: true)
    }

    fileprivate static let lockedAtSuspension = PreferenceProblem(
        .storeSuspended,
        store: "stores",
        message:
            "a write or a transaction had not ended when the app entered the background: if it still holds "
            + "the lock of a shared file when the app is suspended, the system terminates the app (0xdead10cc)"
    )
}
