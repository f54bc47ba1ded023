#if !canImport(Security)
    import Dispatch
    import Foundation
    import PreferencesSystem

    /// The prompts of a connection that ask the user for passwords: at most one for each request.
    final class SecretServicePrompts: Sendable {
        /// What a prompt asks for.
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
            var open: [Request: Prompt] = [:]
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
        ///   - request: What to ask for.
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
            let (prompt, isNew) = try prompt(for: request, asksAgain: asksAgain, until: limit)
            if isNew {
                // The prompt may stay open for hours, on a thread of its own.
                Thread {
                    self.end(prompt, of: request, Result { () throws(SecretServiceFailure) in try ask() })
                }.start()
            }
            try prompt.answer(until: limit)
        }

        private func prompt(
            for request: Request,
            asksAgain: Bool,
            until limit: TimeLimit
        ) throws(SecretServiceFailure) -> (Prompt, isNew: Bool) {
            let found: (Prompt, isNew: Bool)? = state.withLock { state in
                if let prompt = state.open[request] { return (prompt, false) }
                if let time = state.dismissed[request], !asksAgain || .now - time < pause { return nil }
                let prompt = Prompt(limit: limit)
                state.open[request] = prompt
                return (prompt, true)
            }
            if let found { return found }
            throw SecretServiceFailure.dismissed
        }

        private func end(_ prompt: Prompt, of request: Request, _ result: Result<Void, SecretServiceFailure>) {
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

    /// An open prompt.
    private final class Prompt: Sendable {
        private let limit: TimeLimit
        private let outcome = Locked<Result<Void, SecretServiceFailure>?>(nil)
        private let answered = DispatchGroup()

        init(limit: TimeLimit) {
            self.limit = limit
            answered.enter()
        }

        func end(with result: Result<Void, SecretServiceFailure>) {
            outcome.withLock { $0 = result }
            answered.leave()
        }

        func answer(until limit: TimeLimit) throws(SecretServiceFailure) {
            _ = answered.wait(timeout: min(limit, self.limit).dispatchTime)
            guard let outcome = outcome.withLock({ $0 }) else {
                throw SecretServiceFailure.unanswered
            }
            try outcome.get()
        }
    }
#endif
