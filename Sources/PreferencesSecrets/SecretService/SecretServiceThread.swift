#if !canImport(Security)
    import Foundation
    import PreferencesSystem

    /// The thread that makes the calls of a connection, and receives its signals.
    final class SecretServiceThread: Sendable {
        private struct State {
            var jobs: [@Sendable (SecretServiceThread) -> Void] = []
            var isRunning = false
            var isStopped = false
            /// Wakes the thread while it waits for signals. Called with the lock, as the context ends with the thread.
            var wake: (@Sendable () -> Void)?
        }

        private let state = Locked(State())
        private let address: @Sendable () throws(SecretServiceFailure) -> String
        private let library: LazyLibrary<Libsecret, SecretServiceFailure>
        private let events: SecretServiceEvents
        /// The connection to the bus, and the service on it; nil before the first call and after their end.
        ///
        /// Unchecked, since only this thread uses them.
        private nonisolated(unsafe) var bus: SecretServiceBus?
        private nonisolated(unsafe) var service: SecretService?

        init(
            address: @escaping @Sendable () throws(SecretServiceFailure) -> String,
            library: LazyLibrary<Libsecret, SecretServiceFailure>,
            events: SecretServiceEvents
        ) {
            (self.address, self.library, self.events) = (address, library, events)
        }

        /// Runs a job on the thread, after those before it.
        func run(_ job: @escaping @Sendable (SecretServiceThread) -> Void) {
            let isNew = state.withLock { state in
                state.jobs.append(job)
                state.wake?()
                defer { state.isRunning = true }
                return !state.isRunning
            }
            if isNew { Thread { self.runJobs() }.start() }
        }

        /// Ends the thread after its jobs.
        func stop() {
            state.withLock { state in
                state.isStopped = true
                state.wake?()
            }
        }

        private func runJobs() {
            // Without the library, there are no signals to wait for, and the thread ends after its jobs.
            guard let library = try? library.get(), (try? library.requireDescriptors(4)) != nil,
                let context = library.makeContext()
            else {
                while let job = nextJob(endsWithoutJob: true) {
                    job(self)
                    // A job that could load the library after all has made a connection whose signals nobody receives.
                    (service, bus) = (nil, nil)
                }
                return
            }
            library.pushContext(context)
            let address = UInt(bitPattern: context)
            state.withLock { $0.wake = { library.wakeContext(OpaquePointer(bitPattern: address)) } }
            while true {
                if let job = nextJob(endsWithoutJob: false) {
                    job(self)
                } else if state.withLock({ $0.isStopped }) {
                    break
                } else {
                    _ = library.iterate(context, 1)
                }
                // At most so many, so that a flood of signals does not delay jobs without end.
                for _ in 0..<100 where library.iterate(context, 0) == 0 { break }
                if bus?.takeOwnerChange() == true { service = nil }
                if bus?.isClosed == true {
                    (service, bus) = (nil, nil)
                    events.send(.disconnected)
                }
            }
            state.withLock { $0.wake = nil }
            (service, bus) = (nil, nil)
            while library.iterate(context, 0) != 0 {}
            library.popContext(context)
            library.releaseContext(context)
        }

        private func nextJob(endsWithoutJob: Bool) -> (@Sendable (SecretServiceThread) -> Void)? {
            state.withLock { state in
                if state.jobs.isEmpty {
                    if endsWithoutJob { state.isRunning = false }
                    return nil
                }
                return state.jobs.removeFirst()
            }
        }

        // MARK: - On the thread

        /// Runs a body with the calls of the service. Connects to it if necessary.
        func withCalls<Result>(
            cancelledBy cancellation: SecretServiceCancellation,
            _ body: (SecretServiceCalls) throws(SecretServiceFailure) -> Result
        ) throws(SecretServiceFailure) -> Result {
            if let service {
                let calls = SecretServiceCalls(service: service, cancellation: cancellation)
                do throws(SecretServiceFailure) {
                    return try body(calls)
                } catch {
                    // The service may have ended since the last call, and another one may have started. The body is not
                    // run again if it may have made changes.
                    guard error.kind == .disconnected else { throw error }
                    self.service = nil
                    guard !calls.hasAnswered, !cancellation.isCancelled else { throw error }
                }
            }
            let service = try connect(cancellation)
            return try body(SecretServiceCalls(service: service, cancellation: cancellation))
        }

        private func connect(_ cancellation: SecretServiceCancellation) throws(SecretServiceFailure) -> SecretService {
            let bus = try connectedBus(cancellation)
            try bus.library.requireDescriptors(8)
            let service = try SecretService(bus, cancellation)
            self.service = service
            return service
        }

        private func connectedBus(
            _ cancellation: SecretServiceCancellation
        ) throws(SecretServiceFailure) -> SecretServiceBus {
            if let bus, !bus.isClosed { return bus }
            let library = try library.get()
            try library.requireDescriptors(16)
            let bus = try SecretServiceBus(library, address: address(), events: events, cancellation)
            self.bus = bus
            events.send(.connected)
            return bus
        }

        /// Receives signals from now on. Without a bus, it does so from the first successful call on.
        func listen() {
            _ = try? connectedBus(SecretServiceCancellation(after: TimeLimit(SecretServiceOptions.defaultTimeout)))
        }
    }
#endif
