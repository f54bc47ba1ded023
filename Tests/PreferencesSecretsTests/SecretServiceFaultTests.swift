#if !canImport(Security)
    import Foundation
    import PreferencesRuntime
    import PreferencesSystem
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import PreferencesSecrets

    /// Keyring stores without their parts, and when these end or hang.
    @Suite(.timeLimit(.minutes(10)))
    struct SecretServiceFaultTests {
        private static let advice = "; or configure an EncryptedStore with 'Preferences(store:secrets:)'"

        @Test("A missing library is a problem that says what to install")
        func missingLibrary() async throws {
            let connection = SecretServiceConnection(
                address: { () throws(SecretServiceFailure) in "unix:path=/nowhere" },
                lockFolder: "/nowhere",
                library: Libsecret.library(named: "libsecret-of-nobody.so.0")
            )
            let store = SecretServiceStore(service: "weather", options: SecretServiceOptions(), connection: connection)
            let missing =
                "libsecret is not installed (libsecret-of-nobody.so.0); install the package libsecret-1-0 (Debian, Ubuntu) or "
                + "libsecret (Fedora, Arch, Alpine), and link the program dynamically: a static one cannot load it"
            let reading = await problem { _ = try store.value(for: "token") }
            #expect(reading?.code == .keyringUnavailable)
            #expect(reading?.store == "keyring 'weather'")
            #expect(reading?.key == nil)
            #expect(reading?.message == "the keyring cannot be read: \(missing)\(Self.advice)")
            let writing = await problem { try store.apply(["token": .set("a")]) }
            #expect(writing?.code == .keyringUnavailable)
            #expect(writing?.message == "the keyring was not changed: \(missing)\(Self.advice)")
        }

        @Test("A service, collection, label or attribute with NUL is refused, and not cut there")
        func nulInOptions() async throws {
            let stores = [
                SecretServiceStore(service: "weather\0"),
                SecretServiceStore(options: SecretServiceOptions(collection: .named("\0Work"))),
                SecretServiceStore(options: SecretServiceOptions(label: "a\0b")),
                SecretServiceStore(options: SecretServiceOptions(attributes: ["a\0": "b"])),
                SecretServiceStore(options: SecretServiceOptions(attributes: ["a": "b\0c"])),
            ]
            for store in stores {
                let reading = await problem { _ = try store.value(for: "token") }
                #expect(reading?.code == .storeUnreadable)
                #expect(
                    reading?.message
                        == "the keyring cannot be read: its service, collection, label or attributes contain the character NUL"
                )
                let writing = await problem { try store.apply(["token": .set("a")]) }
                #expect(writing?.code == .storeUnwritable)
            }
        }

        @Test("A bus that cannot be reached is a problem, and is used when it is there")
        func missingBus() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                try await session.killBus()
                let reading = await problem { _ = try store.value(for: "token") }
                #expect(reading?.code == .keyringUnavailable)
                #expect(
                    reading?.message.hasPrefix(
                        "the keyring cannot be read: the session bus '\(session.address)' cannot be reached ("
                    )
                        == true
                )
                #expect(reading?.message.hasSuffix(Self.advice) == true)
                try await session.startBus()
                try await session.startDaemon()
                #expect(try await onOwnThread { try store.value(for: "token") } == nil)
            }
        }

        @Test("A missing service is a problem that says what to start, and observers are notified when it has started")
        func missingService() async throws {
            try await DesktopSession.run(startsDaemon: false) { session in
                let store = session.store()
                let changes = StoreChanges(of: store)
                let reading = await problem { _ = try store.value(for: "token") }
                #expect(reading?.code == .keyringUnavailable)
                #expect(
                    reading?.message.hasPrefix(
                        "the keyring cannot be read: there is no Secret Service on the session bus ("
                    ) == true
                )
                #expect(reading?.message.hasSuffix(Self.advice) == true)
                try await session.startDaemon()
                await changes.waitForEverything()
                #expect(try await onOwnThread { try store.value(for: "token") } == nil)
            }
        }

        @Test("After the daemon was killed and started again, calls continue, and observers are notified of both")
        func restartedDaemon() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                try await onOwnThread { try store.apply(["token": .set("a")]) }
                let changes = StoreChanges(of: store)
                for round in 1...3 {
                    try await session.killDaemon()
                    #expect(await changes.waitForProblem()?.code == .keyringUnavailable)
                    try await session.startDaemon()
                    await changes.waitForEverything()
                    #expect(try await onOwnThread { try store.value(for: "token") } == "a", "round \(round)")
                    #expect(
                        try await session.secretTool(["lookup", "service", "weather", "account", "token"]).output == "a"
                    )
                }
            }
        }

        @Test("A killed daemon that was started again is used without an error in between")
        func restartWithoutObservers() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                for value in ["a", "b", "c"] {
                    try await onOwnThread { try store.apply(["token": .set(.string(value))]) }
                    try await session.killDaemon()
                    try await session.startDaemon()
                    #expect(try await onOwnThread { try store.value(for: "token") } == .string(value))
                }
            }
        }

        @Test("After the bus was killed and started again, calls continue")
        func restartedBus() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                try await onOwnThread { try store.apply(["token": .set("a")]) }
                let changes = StoreChanges(of: store)
                try await session.killBus()
                #expect(await changes.waitForProblem()?.code == .keyringUnavailable)
                try await session.startBus()
                try await session.startDaemon()
                #expect(try await onOwnThread { try store.value(for: "token") } == "a")
                await changes.waitForEverything()
            }
        }

        @Test("A daemon that hangs makes calls fail after one limit in all, and they succeed when it answers again")
        func hangingDaemon() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                try await onOwnThread { try store.apply(["token": .set("a")]) }
                let connection = session.connection
                func sharing(_ timeout: Duration) -> SecretServiceStore {
                    let options = SecretServiceOptions(timeout: timeout)
                    return SecretServiceStore(service: "weather", options: options, connection: connection)
                }
                let hasty = sharing(.milliseconds(200))
                let patient = sharing(.seconds(120))
                let changes = StoreChanges(of: hasty)
                try await session.suspendDaemon()
                let reading = await problem { _ = try hasty.value(for: "token") }
                #expect(reading?.code == .storeBusy)
                #expect(
                    reading?.message
                        == "the keyring cannot be read: the Secret Service has not answered within 0.2 seconds: try again, or "
                        + "start it again if it hangs"
                )
                // Its limit has passed, since it began with the first call: it is not made.
                let writing = await problem { try hasty.apply(["token": .set("b")]) }
                #expect(writing?.code == .storeBusy)
                #expect(
                    writing?.message
                        == "the keyring was not changed: the Secret Service does not answer; try again, or start it again if "
                        + "it hangs"
                )
                // A call with a longer limit waits, also on another connection.
                let waiting = [patient, store].map { store in OwnThread { try store.value(for: "token") } }
                try await session.resumeDaemon()
                for reader in waiting { #expect(try await reader.result == "a") }
                await changes.waitForEverything()
                try await onOwnThread { try patient.apply(["token": .set("c")]) }
                #expect(try await onOwnThread { try store.value(for: "token") } == "c")
            }
        }

        @Test("A change whose call exceeds its limit may still be made, of which observers are notified")
        func lateChange() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                try await onOwnThread { try store.apply(["token": .set("a")]) }
                let hasty = session.store(SecretServiceOptions(timeout: .milliseconds(200)))
                let changes = StoreChanges(of: hasty)
                try await session.suspendDaemon()
                let writing = await problem { try hasty.apply(["token": .set("b")]) }
                #expect(writing?.code == .storeBusy)
                #expect(
                    writing?.message
                        == "the keyring was not changed: the Secret Service has not answered within 0.2 seconds; it may still "
                        + "make the change"
                )
                try await session.resumeDaemon()
                await changes.waitForEverything()
                #expect(["a", "b"].contains(try await onOwnThread { try store.value(for: "token") }))
            }
        }

        @Test("A batch whose daemon is killed in its midst fails, and a later one succeeds")
        func killedInBatch() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                let names = (0..<200).map { "name \($0)" }
                let batch = { @Sendable (value: PreferenceValue) in
                    PreferenceBatch(Dictionary(uniqueKeysWithValues: names.map { ($0, .set(value)) }))
                }
                let other = session.store()
                let changes = StoreChanges(of: other)
                let writer = OwnThread { try store.apply(batch("a")) }
                _ = await changes.next()
                try await session.killDaemon()
                do {
                    try await writer.result
                    Issue.record("expected the batch to fail")
                } catch let problem as PreferenceProblem {
                    #expect(problem.code == .keyringUnavailable)
                }
                try await session.startDaemon()
                try await onOwnThread { try store.apply(batch("b")) }
                let values = try await onOwnThread { try names.map { try store.value(for: $0) } }
                #expect(values == names.map { _ in "b" })
            }
        }

        @Test("A batch whose limit passes in its midst is reported, and undone when the service answers again")
        func limitInBatch() async throws {
            try await DesktopSession.run { session in
                let names = (0..<30).map { "name \($0)" }
                let batch = { @Sendable (value: PreferenceValue) in
                    PreferenceBatch(Dictionary(uniqueKeysWithValues: names.map { ($0, .set(value)) }))
                }
                let other = session.store()
                try await onOwnThread { try other.apply(batch("old")) }
                // 29 further edits give it 10.8 seconds.
                let hasty = session.store(SecretServiceOptions(timeout: .seconds(5)))
                let otherChanges = StoreChanges(of: other)
                let writer = OwnThread { try hasty.apply(batch("new")) }
                // Signals of the old values may also arrive now.
                while try await onOwnThread({ try other.value(for: "name 0") != "new" }) {
                    _ = await otherChanges.next()
                }
                try await session.suspendDaemon()
                var expected: PreferenceValue = "new"
                do {
                    // The batch may be faster than the test.
                    try await writer.result
                } catch let problem as PreferenceProblem {
                    #expect(problem.code == .storeBusy)
                    #expect(
                        problem.message.hasPrefix(
                            "the keyring was not changed: the Secret Service has not answered within 10.8 seconds; "
                                + "it may still make the change"
                        )
                    )
                    expected = "old"
                }
                try await session.resumeDaemon()
                // The connection makes this change after it has ended the batch.
                try await onOwnThread {
                    while true {
                        do {
                            try hasty.apply(["end": .set("end")])
                            break
                        } catch let problem as PreferenceProblem where problem.code == .storeBusy {}
                    }
                }
                let values = try await onOwnThread { try names.map { try other.value(for: $0) } }
                #expect(values == names.map { _ in expected })
            }
        }
    }
#endif
