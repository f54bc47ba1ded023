#if !canImport(Security)
    import Dispatch
    import Foundation
    import PreferencesRuntime
    import PreferencesSystem

    /// A connection to the Secret Service on a session bus, which its stores in this process share.
    ///
    /// One thread makes all calls and receives all signals. A caller waits for it, but not longer than its limit: the
    /// call is then cancelled.
    final class SecretServiceConnection: Sendable {
        private let thread: SecretServiceThread
        private let prompts: SecretServicePrompts
        private let events = SecretServiceEvents()
        /// The beginning of a call that has exceeded its limit; nil after the next answer.
        private let hangingSince = Locked<ContinuousClock.Instant?>(nil)
        /// The folder of the locks that updates hold.
        let lockFolder: String

        /// - Parameters:
        ///   - address: Returns the address of the bus.
        ///   - lockFolder: The folder of the locks that updates hold, the same one in all processes of the session.
        ///   - promptPause: How long no prompt is shown after the user has dismissed one; one second by default. A program
        ///     that sets a value first reads the old one, and would show two.
        ///   - library: The library.
        init(
            address: @escaping @Sendable () throws(SecretServiceFailure) -> String,
            lockFolder: String,
            promptPause: Duration = .seconds(1),
            library: LazyLibrary<Libsecret, SecretServiceFailure>
        ) {
            self.lockFolder = lockFolder
            prompts = SecretServicePrompts(pause: promptPause)
            thread = SecretServiceThread(address: address, library: library, events: events)
        }

        deinit {
            thread.stop()
        }

        /// The connection to the session's bus.
        static let session = SecretServiceConnection(
            address: SessionBus.address,
            lockFolder: SessionBus.lockFolder,
            library: Libsecret.library
        )

        /// Runs a body that makes calls, on the connection's thread.
        ///
        /// While the service does not answer, the limits of all calls begin with the first one: a program that reads twenty
        /// secrets waits once.
        ///
        /// - Parameters:
        ///   - limit: When to give up.
        ///   - body: Makes the calls. After the limit, its calls fail.
        /// - Throws: ``SecretServiceFailure``, of the kinds `timedOut` after the limit and `hanging` if it has passed already.
        func perform<Result: Sendable>(
            until limit: TimeLimit,
            _ body: @escaping @Sendable (SecretServiceCalls) throws(SecretServiceFailure) -> Result
        ) throws(SecretServiceFailure) -> Result {
            let effectiveLimit = hangingSince.withLock { $0 }.map(limit.begun) ?? limit
            if effectiveLimit.hasPassed, effectiveLimit < limit { throw SecretServiceFailure.hanging }
            let call = PendingCall<Result>()
            thread.run { thread in
                guard !call.cancellation.isCancelled else { return }
                call.end(
                    with: Swift.Result { () throws(SecretServiceFailure) in
                        try thread.withCalls(cancelledBy: call.cancellation, body)
                    }
                )
            }
            do throws(SecretServiceFailure) {
                return try call.result(until: effectiveLimit)
            } catch {
                if error.kind == .timedOut { waitForAnswer(since: limit.start) }
                throw error
            }
        }

        /// Makes a call without a limit, and reports to the observers of events when it has ended.
        private func waitForAnswer(since start: ContinuousClock.Instant) {
            let isFirst = hangingSince.withLock { since in
                defer { since = since ?? start }
                return since == nil
            }
            guard isFirst else { return }
            thread.run { [weak self] thread in
                _ = try? thread.withCalls(cancelledBy: SecretServiceCancellation()) {
                    (calls) throws(SecretServiceFailure) in
                    try calls.state(of: .default)
                }
                self?.hangingSince.withLock { $0 = nil }
                self?.reportRecovery()
            }
        }

        /// Asks the user for a password, and waits for the answer. The prompt stays after the limit.
        ///
        /// - Parameters:
        ///   - request: The subject of the prompt.
        ///   - again: Whether to ask although the user has dismissed the last prompt.
        ///   - limit: When to stop waiting.
        /// - Throws: ``SecretServiceFailure``, of the kinds `dismissed` and `unanswered` among others.
        func ask(
            _ request: SecretServicePrompts.Request,
            again: Bool,
            until limit: TimeLimit
        ) throws(SecretServiceFailure) {
            let calls = try perform(until: limit) { (calls) throws(SecretServiceFailure) in calls.withoutLimit() }
            try prompts.wait(for: request, asksAgain: again, until: limit) { () throws(SecretServiceFailure) in
                switch request {
                case .unlocking(let path): try calls.unlock(path)
                case .creation(let collection): try calls.create(collection)
                }
            }
        }

        /// Reports to the observers of events that a store can be read again.
        func reportRecovery() {
            events.send(.connected)
        }

        /// Permits prompts again that the user has dismissed.
        func permitPrompts() {
            prompts.permit()
        }

        /// Calls a handler with the events of the service, on a queue, until the observation is released.
        func observe(
            _ handler: @escaping SecretServiceEvents.Handler
        ) -> PreferenceStoreObservation {
            let observation = events.add(handler)
            thread.run { $0.listen() }
            return observation
        }
    }

    /// The end of a wait.
    struct TimeLimit: Comparable, Sendable {
        private var end: ContinuousClock.Instant
        /// The whole time, of which some may have passed.
        private(set) var duration: Duration

        init(_ duration: Duration) {
            self.duration = max(duration, .zero)
            // A sum with a longer duration overflows.
            end = .now + min(max(duration, .zero), .seconds(1 << 32))
        }

        var start: ContinuousClock.Instant { end - min(duration, .seconds(1 << 32)) }

        var hasPassed: Bool { end <= .now }

        /// Returns the same limit for a wait that has begun earlier.
        func begun(at start: ContinuousClock.Instant) -> TimeLimit {
            var limit = self
            limit.end = min(end, start + (end - self.start))
            return limit
        }

        func extended(by duration: Duration) -> TimeLimit {
            var limit = self
            limit.end += max(duration, .zero)
            limit.duration += max(duration, .zero)
            return limit
        }

        var remaining: Duration { max(end - .now, .zero) }

        var dispatchTime: DispatchTime {
            let remaining = remaining
            return .now() + Double(remaining.components.seconds) + Double(remaining.components.attoseconds) * 1e-18
        }

        static func < (first: TimeLimit, second: TimeLimit) -> Bool { first.end < second.end }
    }

    /// The bus of the user's session.
    enum SessionBus {
        /// The folder of the locks: that of the user's session, or, where there is none, of the user's caches. Processes that
        /// have different ones do not exclude each other.
        static var lockFolder: String {
            let environment = ProcessInfo.processInfo.environment
            let folders = [environment["XDG_RUNTIME_DIR"] ?? "", "/run/user/\(geteuid())"]
            let folder = folders.first { $0.hasPrefix("/") && access($0, W_OK) == 0 } ?? NSHomeDirectory() + "/.cache"
            return "\(folder)/swift-preferences"
        }

        /// Returns the address of the bus.
        ///
        /// GLib would start a bus of its own for a process that has none, if it can.
        ///
        /// - Throws: ``SecretServiceFailure`` if the process has no bus.
        static func address() throws(SecretServiceFailure) -> String {
            let environment = ProcessInfo.processInfo.environment
            if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
            if let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty, access("\(folder)/bus", F_OK) == 0 {
                let library = try Libsecret.library.get()
                return "unix:path=\(library.text(freeing: library.escapeAddress("\(folder)/bus")))"
            }
            throw SecretServiceFailure(
                .unavailable,
                "this process has no session bus: run it in a desktop session, which sets DBUS_SESSION_BUS_ADDRESS, or "
                    + "with dbus-run-session(1)"
            )
        }
    }

    /// A call on another thread, which any number of threads can wait for.
    final class PendingCall<Value: Sendable>: Sendable {
        let cancellation = SecretServiceCancellation()
        private let outcome = Locked<Result<Value, SecretServiceFailure>?>(nil)
        private let hasEnded = DispatchSemaphore(value: 0)

        func end(with result: Result<Value, SecretServiceFailure>) {
            outcome.withLock { $0 = result }
            hasEnded.signal()
        }

        /// Returns the result, or cancels the call at a limit.
        func result(until limit: TimeLimit) throws(SecretServiceFailure) -> Value {
            guard let outcome = outcome(until: limit.dispatchTime) else {
                cancellation.cancel()
                throw SecretServiceFailure.timeout
            }
            return try outcome.get()
        }

        /// Returns the result; nil if the call has not ended at a time.
        func outcome(until time: DispatchTime) -> Result<Value, SecretServiceFailure>? {
            // For the next thread that waits.
            if hasEnded.wait(timeout: time) == .success { hasEnded.signal() }
            return outcome.withLock { $0 }
        }
    }

    /// The cancellation of calls, from any thread.
    final class SecretServiceCancellation: Sendable {
        private struct State {
            var isCancelled = false
            /// The object, created when the first call is made.
            var object: (library: Libsecret, pointer: UInt)?

            /// Cancels the calls, if there is an object and it was cancelled.
            func cancelCalls() {
                guard isCancelled, let (library, pointer) = object else { return }
                library.cancel(OpaquePointer(bitPattern: pointer))
            }
        }

        private let state = Locked(State())

        init() {}

        /// Creates one that is cancelled at the end of a limit.
        convenience init(after limit: TimeLimit) {
            self.init()
            DispatchQueue.global().runLater(at: limit.dispatchTime) { [weak self] in self?.cancel() }
        }

        var isCancelled: Bool { state.withLock { $0.isCancelled } }

        func cancel() {
            let state = state.withLock { state in
                state.isCancelled = true
                return state
            }
            state.cancelCalls()
        }

        /// Returns the object to pass to calls.
        func pointer(_ library: Libsecret) -> OpaquePointer? {
            let state = state.withLock { state in
                state.object = state.object ?? (library, UInt(bitPattern: library.makeCancellable()))
                return state
            }
            state.cancelCalls()
            return state.object.flatMap { OpaquePointer(bitPattern: $0.pointer) }
        }

        deinit {
            if let (library, pointer) = state.withLock({ $0.object }) {
                library.release(OpaquePointer(bitPattern: pointer))
            }
        }
    }
#endif
