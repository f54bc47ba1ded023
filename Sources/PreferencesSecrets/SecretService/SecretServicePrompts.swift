#if !canImport(Security)
    import Foundation
    import PreferencesSystem

    /// The prompts of a connection that ask the user for passwords: at most one for each request.
    final class SecretServicePrompts: Sendable {
        /// The subject of a prompt.
        enum Request: Hashable, Sendable {
            /// The password of a collection.
            case unlocking(_ path: String)
            /// A password for a new collection.
            case creation(SecretServiceCollection)

            /// The failure if the user is not asked, or the collection is still locked after that.
            var refusal: SecretServiceFailure {
                switch self {
                case .unlocking: SecretServiceFailure.locked
                case .creation(let collection):
                    SecretServiceFailure(
                        .other,
                        "there is no collection '\(collection.label)': create it, such as with Seahorse, or use the option "
                            + "'unlocking: .prompt'"
                    )
                }
            }
        }

        private struct State {
            var open: [Request: (prompt: PendingCall<Void>, limit: TimeLimit)] = [:]
            /// The requests that the user has dismissed, and when.
            var dismissed: [Request: ContinuousClock.Instant] = [:]
        }

        private let state = Locked(State())
        private let pause: Duration

        /// - Parameter pause: How long no prompt is shown after the user has dismissed one.
        init(pause: Duration) {
            self.pause = pause
        }

        /// Shows a prompt, unless there is one, and waits until the user has answered it.
        ///
        /// A caller waits for a prompt that another one has shown only as long as that one does, so that a program that
        /// reads twenty secrets while it is open waits once.
        ///
        /// - Parameters:
        ///   - request: The subject of the prompt.
        ///   - asksAgain: Whether to show a prompt although the user has dismissed the last one.
        ///   - limit: When to stop waiting. The prompt stays.
        ///   - ask: Shows the prompt, and returns when the user has answered it.
        /// - Throws: The failure of `ask`; ``SecretServiceFailure`` of the kind `unanswered` after the limit.
        func wait(
            for request: Request,
            asksAgain: Bool,
            until limit: TimeLimit,
            _ ask: @escaping @Sendable () throws(SecretServiceFailure) -> Void
        ) throws(SecretServiceFailure) {
            let (prompt, firstLimit, isNew) = try prompt(for: request, asksAgain: asksAgain, until: limit)
            if isNew {
                // The prompt may stay open for hours, on a thread of its own.
                Thread {
                    self.end(prompt, of: request, Result { () throws(SecretServiceFailure) in try ask() })
                }.start()
            }
            guard let answer = prompt.outcome(until: min(limit, firstLimit).dispatchTime) else {
                throw SecretServiceFailure.unanswered
            }
            try answer.get()
        }

        private func prompt(
            for request: Request,
            asksAgain: Bool,
            until limit: TimeLimit
        ) throws(SecretServiceFailure) -> (PendingCall<Void>, TimeLimit, isNew: Bool) {
            let found: (PendingCall<Void>, TimeLimit, isNew: Bool)? = state.withLock { state in
                if let (prompt, limit) = state.open[request] { return (prompt, limit, false) }
                if let time = state.dismissed[request], !asksAgain || .now - time < pause { return nil }
                let prompt = PendingCall<Void>()
                state.open[request] = (prompt, limit)
                return (prompt, limit, true)
            }
            if let found { return found }
            throw SecretServiceFailure.dismissed
        }

        private func end(_ prompt: PendingCall<Void>, of request: Request, _ result: Result<Void, SecretServiceFailure>)
        {
            state.withLock { state in
                state.open[request] = nil
                if case .failure(let failure) = result, failure.kind == .dismissed {
                    state.dismissed[request] = .now
                } else {
                    state.dismissed[request] = nil
                }
            }
            prompt.end(with: result)
        }

        /// Permits prompts for requests that the user has dismissed.
        func permit() {
            state.withLock { $0.dismissed = [:] }
        }
    }
#endif
