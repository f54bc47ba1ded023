import Dispatch
import Foundation
import PreferencesRuntime
import PreferencesSystem

/// All objects of the process.
public enum PersistentObjects {
    /// Saves all objects with unsaved changes, and makes them durable, in at most 5 seconds.
    ///
    /// Objects are saved automatically when the app enters the background and when the process exits, by `exit` or by
    /// returning from `main`. A program that handles signals itself calls this method on one of its threads; signal
    /// handlers must not call it. Failures are reported by ``PersistentObject/problems`` of each object.
    public static func saveAll() {
        ObjectRegistry.save(isLast: false)
    }

    /// Saves all objects when the process receives the signal SIGTERM, which service managers and `kill` send. The
    /// signal then ends the process.
    ///
    /// It replaces a former handler of the signal. Further calls do nothing. Without this call, SIGTERM loses unsaved
    /// changes, as SIGKILL always does.
    ///
    /// ```swift
    /// @main
    /// struct Server {
    ///     static func main() async throws {
    ///         PersistentObjects.saveOnTermination()
    ///         try await serve()
    ///     }
    /// }
    /// ```
    public static func saveOnTermination() {
        ObjectRegistry.saveOnTermination()
    }
}

/// The objects of this process, which are saved when it exits.
enum ObjectRegistry {
    private static let all = Locked<[ObjectIdentifier: any ExitSaveable]>([:])

    static func add(_ object: any ExitSaveable) {
        _ = registration
        all.withLock { $0[ObjectIdentifier(object)] = object }
    }

    static func remove(_ object: any ExitSaveable) {
        let removed = all.withLock { $0.removeValue(forKey: ObjectIdentifier(object)) }
        _ = removed
    }

    /// Saves the objects with unsaved changes, and makes them durable.
    ///
    /// Each is saved on another thread, because another process may hold the lock of its file, and the exit must not
    /// wait for that forever. A forked process has no other thread.
    ///
    /// - Parameters:
    ///   - isLast: Whether the process exits afterwards.
    ///   - deadline: When to stop waiting.
    static func save(isLast: Bool, until deadline: DispatchTime = .now() + .seconds(5)) {
        let unsaved = all.withLock { Array($0.values) }.filter(\.isUnsavedHere)
        guard registration == getpid() else {
            for object in unsaved { object.saveForEnd(isLast: isLast) }
            return
        }
        let timedOut = runConcurrently(
            unsaved.map { object in { object.saveForEnd(isLast: isLast) } },
            until: deadline
        )
        for index in timedOut { unsaved[index].reportTimeout() }
    }

    // MARK: - When

    /// The process that has registered for its exit, and for the app's notifications.
    private static let registration: pid_t = {
        _ = atexit { ObjectRegistry.save(isLast: true) }
        AppLifecycle.observe { ObjectRegistry.save(isLast: false, until: $0) }
        return getpid()
    }()

    /// The source of SIGTERM; nil until ``saveOnTermination()`` is called.
    private static let terminationSource = Locked<(any DispatchSourceSignal)?>(nil)

    /// A second call waits for the first one, and does nothing.
    static func saveOnTermination() {
        terminationSource.withLock { $0 = $0 ?? makeTerminationSource() }
    }

    private static func makeTerminationSource() -> any DispatchSourceSignal {
        let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global(qos: .userInitiated))
        source.setEventHandler {
            ProcessExit.begin()
            ObjectRegistry.save(isLast: true)
            dieOfTermination()
        }
        // Until the source is registered, the signal ends the process.
        let isRegistered = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { isRegistered.signal() }
        source.activate()
        isRegistered.wait()
        #if canImport(Darwin)
            // The source still receives an ignored signal. On Linux, Dispatch installs a handler.
            signal(SIGTERM, SIG_IGN)
        #endif
        return source
    }

    private static func dieOfTermination() {
        signal(SIGTERM, SIG_DFL)
        // On Linux, Dispatch blocks the signal on its threads.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(SIGTERM)
    }
}

/// An object that is saved when the process exits.
protocol ExitSaveable: AnyObject, Sendable {
    /// Whether the object has a change that this process has to save.
    var isUnsavedHere: Bool { get }
    /// Saves the object, and makes it durable.
    func saveForEnd(isLast: Bool)
    /// Reports that saving took too long.
    func reportTimeout()
}
