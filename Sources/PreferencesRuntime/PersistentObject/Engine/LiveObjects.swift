import PreferencesSystem
import Dispatch
import Foundation

/// The engines of this process, whatever their type, to be saved when the program ends.
enum LiveObjects {
    private static let all = Locked<[ObjectIdentifier: any SavedAtEnd]>([:])

    static func add(_ object: any SavedAtEnd) {
        _ = registration
        all.withLock { $0[ObjectIdentifier(object)] = object }
    }

    static func remove(_ object: any SavedAtEnd) {
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
        _ = atexit { LiveObjects.save(isLast: true) }
        AppLifecycle.observe()
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
            LiveObjects.save(isLast: true)
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
