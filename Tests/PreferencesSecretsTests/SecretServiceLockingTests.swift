#if !canImport(Security)
    import Foundation
    import PreferencesRuntime
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import PreferencesSecrets

    /// Keyring stores over a locked collection of GNOME's keyring, and a double of the user.
    @Suite(.timeLimit(.minutes(10)))
    struct SecretServiceLockingTests {
        private static let failing = SecretServiceOptions(unlocking: .fail, timeout: .seconds(120))
        private static let lockedMessage =
            "its collection is locked; unlock it, such as by logging in again, or use the option 'unlocking: .prompt'"

        @Test("With the option to fail, calls over a locked collection throw keychainLocked and show no prompt")
        func failsWhileLocked() async throws {
            try await DesktopSession.run { session in
                let store = session.store(Self.failing)
                try await onOwnThread { try store.apply(["token": .set("a")]) }
                try await session.lock()
                try await session.withPrompter(answers: []) { prompts async throws in
                    let problems = await problems(of: store)
                    #expect(
                        problems.map(\.code) == [.keychainLocked, .keychainLocked, .keychainLocked, .keychainLocked]
                    )
                    #expect(problems.allSatisfy { $0.key == nil })
                    #expect(problems.first?.message == "the keyring cannot be read: \(Self.lockedMessage)")
                    #expect(problems.last?.message == "the keyring was not changed: \(Self.lockedMessage)")
                    #expect(try await prompts.texts().isEmpty)
                }
                try await session.unlock()
                #expect(try await onOwnThread { try store.value(for: "token") } == "a")
            }
        }

        @Test("A daemon that was never unlocked reports its collection as locked, not as empty")
        func neverUnlocked() async throws {
            try await DesktopSession.run { session in
                let store = session.store(Self.failing)
                try await onOwnThread { try store.apply(["token": .set("a")]) }
                try await session.killDaemon()
                try await session.startDaemon(unlocked: false)
                let problems = await problems(of: store)
                #expect(problems.map(\.code) == [.keychainLocked, .keychainLocked, .keychainLocked, .keychainLocked])
            }
        }

        @Test("A read and a write of a locked collection ask the user, and continue when it is unlocked")
        func promptsAndContinues() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                try await onOwnThread { try store.apply(["token": .set("a")]) }
                try await session.withPrompter(
                    answers: [.password(DesktopSession.password), .password(DesktopSession.password)]
                ) { prompts async throws in
                    try await session.lock()
                    #expect(try await onOwnThread { try store.value(for: "token") } == "a")
                    try await session.lock()
                    try await onOwnThread { try store.apply(["token": .set("b")]) }
                    #expect(try await onOwnThread { try store.value(for: "token") } == "b")
                    #expect(try await prompts.texts().count == 2)
                }
            }
        }

        @Test("Threads that read while the user is asked share one prompt")
        func sharesPrompt() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                try await onOwnThread { try store.apply(["token": .set("a")]) }
                try await session.lock()
                let answer = DesktopSession.Answer.held(.password(DesktopSession.password))
                try await session.withPrompter(answers: [answer]) { prompts async throws in
                    let readers = (1...4).map { _ in OwnThread { try store.value(for: "token") } }
                    try await prompts.texts(atLeast: 1)
                    try await prompts.release()
                    for reader in readers { #expect(try await reader.result == "a") }
                    #expect(try await prompts.texts().count == 1)
                }
            }
        }

        @Test("After a dismissed prompt, reads fail without another one until reload(), and writes ask again")
        func dismissedPrompt() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                try await onOwnThread { try store.apply(["token": .set("a")]) }
                try await session.lock()
                let password = DesktopSession.Answer.password(DesktopSession.password)
                try await session.withPrompter(answers: [.cancel, .cancel, password]) { prompts async throws in
                    for _ in 1...3 {
                        let found = await problem { _ = try store.value(for: "token") }
                        #expect(found?.code == .authenticationCancelled)
                        #expect(
                            found?.message
                                == "the keyring cannot be read: the user has dismissed the prompt, or the desktop could not show it; it is shown again after "
                                + "'reload()', or when a value is set"
                        )
                    }
                    #expect(try await prompts.texts().count == 1)
                    let refusal = await problem { try store.apply(["token": .set("b")]) }
                    #expect(refusal?.code == .authenticationCancelled)
                    #expect(
                        refusal?.message
                            == "the keyring was not changed: the user has dismissed the prompt, or the desktop could not show it; "
                            + "try again"
                    )
                    #expect(try await prompts.texts().count == 2)
                    try store.reload()
                    #expect(try await onOwnThread { try store.value(for: "token") } == "a")
                    #expect(try await prompts.texts().count == 3)
                }
            }
        }

        @Test("A call gives up after its limit, the prompt stays, and its answer notifies observers")
        func unansweredPrompt() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                try await onOwnThread { try store.apply(["token": .set("a")]) }
                let hasty = SecretServiceStore(
                    service: "weather",
                    options: SecretServiceOptions(timeout: .milliseconds(300)),
                    connection: session.connection
                )
                let changes = StoreChanges(of: hasty)
                try await session.lock()
                let answer = DesktopSession.Answer.held(.password(DesktopSession.password))
                try await session.withPrompter(answers: [answer]) { prompts async throws in
                    // A busy machine may also exceed the limit before the prompt is shown.
                    var problem: PreferenceProblem?
                    repeat {
                        problem = await PreferencesSecretsTests.problem { _ = try hasty.value(for: "token") }
                    } while problem?.code == .storeBusy
                    #expect(problem?.code == .keychainLocked)
                    #expect(
                        problem?.message
                            == "the keyring cannot be read: the user has not answered the prompt yet; observers are "
                            + "notified when it is unlocked"
                    )
                    try await prompts.texts(atLeast: 1)
                    #expect(try await prompts.openCount == 1)
                    try await prompts.release()
                    await changes.waitForEverything()
                    #expect(try await onOwnThread { try store.value(for: "token") } == "a")
                    #expect(try await prompts.texts().count == 1)
                }
            }
        }

        @Test("Without a program that shows prompts, a locked collection is reported as one whose prompt was dismissed")
        func noPrompter() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                try await onOwnThread { try store.apply(["token": .set("a")]) }
                try await session.lock()
                let found = await problem { _ = try store.value(for: "token") }
                #expect(found?.code == .authenticationCancelled)
            }
        }

        @Test("Observers are notified when the collection is locked and unlocked")
        func notifiesOfLocking() async throws {
            try await DesktopSession.run { session in
                let store = session.store(Self.failing)
                try await onOwnThread { try store.apply(["token": .set("a")]) }
                let changes = StoreChanges(of: store)
                for _ in 1...2 {
                    try await session.lock()
                    let problem = await changes.waitForProblem()
                    #expect(problem?.code == .keychainLocked)
                    #expect(problem?.message == "the keyring cannot be read: \(Self.lockedMessage)")
                    try await session.unlock()
                    await changes.waitForEverything()
                }
            }
        }

        @Test("Preferences continue with the secrets that they have read while the keyring is locked")
        func preferencesOverLockedKeyring() async throws {
            try await DesktopSession.run { session in
                let store = session.store(Self.failing)
                try await onOwnThread { try store.apply(["token": .set("a"), "other": .set("b")]) }
                try await onOwnThread {
                    let preferences = Preferences(store: MemoryStore(), secrets: store)
                    #expect(preferences.token == "a")
                    try waitForTask { try await session.lock() }
                    #expect(preferences.token == "a")
                    #expect(throws: PreferenceProblem.self) { try preferences.set(\.token, to: "c") }
                    #expect(preferences.token == "a")
                    try waitForTask { try await session.unlock() }
                    try preferences.set(\.token, to: "c")
                    #expect(try store.value(for: "token") == "c")
                }
            }
        }

        @Test("The first value of a missing collection creates it, for which the user gives a password")
        func createsCollection() async throws {
            try await DesktopSession.run { session in
                let work = session.store(SecretServiceOptions(collection: .named("Work"), timeout: .seconds(120)))
                #expect(try await onOwnThread { try work.value(for: "token") } == nil)
                #expect(try await onOwnThread { try work.names() } == [])
                try await session.withPrompter(answers: [.cancel, .password("new"), .password("new")]) {
                    prompts async throws in
                    let refusal = await problem { try work.apply(["token": .set("a")]) }
                    #expect(refusal?.code == .authenticationCancelled)
                    try await onOwnThread { try work.apply(["token": .set("a")]) }
                    #expect(try await onOwnThread { try work.value(for: "token") } == "a")
                    #expect(try await prompts.texts().count >= 2)
                }
                #expect(try await onOwnThread { try session.store().value(for: "token") } == nil)
                let failing = session.store(SecretServiceOptions(collection: .named("Other"), unlocking: .fail))
                let found = await problem { try failing.apply(["token": .set("a")]) }
                #expect(found?.code == .storeUnwritable)
                #expect(
                    found?.message
                        == "the keyring was not changed: there is no collection 'Other': create it, such as with Seahorse, or "
                        + "use the option 'unlocking: .prompt'"
                )
            }
        }

        // MARK: - Problems

        /// Returns the problems of reading a value, the names and a source, and of writing.
        private func problems(of store: SecretServiceStore) async -> [PreferenceProblem] {
            let calls: [@Sendable () throws -> Void] = [
                { _ = try store.value(for: "token") }, { _ = try store.names() }, { _ = try store.source(of: "token") },
                { try store.apply(["token": .set("b")]) },
            ]
            var problems: [PreferenceProblem] = []
            for call in calls { problems += await problem(call).map { [$0] } ?? [] }
            return problems
        }
    }
#endif
