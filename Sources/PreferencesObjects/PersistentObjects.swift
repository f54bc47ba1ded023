public import PreferencesRuntime
import Dispatch
import Foundation
import PreferencesSystem

/// All objects of the program together.
public enum PersistentObjects {
    /// Saves all that have unsaved changes, and makes them durable, in at most 5 seconds.
    ///
    /// By itself that is done when the app goes to the background and when the program ends by `exit` or by returning
    /// from `main`. A program that handles signals itself calls it in what it does about them, on a thread of its own:
    /// it is not for signal handlers. What fails is told through each object's ``PersistentObject/problems``.
    public static func saveAll() {
        ObjectRegistry.save(isLast: false)
    }

    /// Has all objects saved when the program is told to end by the signal SIGTERM, as service managers and `kill` do;
    /// it dies of the signal then, as it would have without this.
    ///
    /// It is for programs that do not handle the signal themselves: what was to be done about it before is not done any
    /// more. A second call does nothing. Without it, SIGTERM loses unsaved changes, as SIGKILL does always.
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

/// The engines of this process, whatever their type, to be saved when the program ends.
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

    /// Saves those that have something unsaved, and makes it durable.
    ///
    /// On another thread, as the file of one may be locked by somebody else, for whom the end of the program is not to
    /// wait for ever. A process that was forked has no other thread.
    ///
    /// - Parameters:
    ///   - isLast: Whether the program ends then.
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
        for index in timedOut { unsaved[index].reportWaitInVain() }
    }

    // MARK: - When

    /// The process that has objects saved when it ends, and when the app goes to the background.
    private static let registration: pid_t = {
        _ = atexit { ObjectRegistry.save(isLast: true) }
        AppLifecycle.observe { ObjectRegistry.save(isLast: false, until: $0) }
        return getpid()
    }()

    /// Kept for as long as the program runs; nil until it is asked for.
    private static let terminationSource = Locked<(any DispatchSourceSignal)?>(nil)

    /// A second call waits until the first has returned, and does nothing.
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
        // It is in force when this returns. Until then the signal ends the program; ignored, it would be lost.
        let isInForce = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { isInForce.signal() }
        source.activate()
        isInForce.wait()
        #if canImport(Darwin)
            // The source is told still, and the program does not die of it first. On Linux Dispatch has a handler.
            signal(SIGTERM, SIG_IGN)
        #endif
        return source
    }

    private static func dieOfTermination() {
        signal(SIGTERM, SIG_DFL)
        // Dispatch has the signal blocked on its threads on Linux.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(SIGTERM)
    }
}

/// An object that is saved when the program ends.
protocol ExitSaveable: AnyObject, Sendable {
    /// Whether there is something to save for this process.
    var isUnsavedHere: Bool { get }
    /// Saves it, and makes that durable.
    func saveForEnd(isLast: Bool)
    /// Says that it was not waited for any longer.
    func reportWaitInVain()
}
