#if !canImport(Security)
    import Foundation
    import PreferencesRuntime
    import PreferencesStoreTesting
    import TestSupport
    import Testing

    @testable import PreferencesSecrets

    /// The conformance of keyring stores, over GNOME's keyring.
    struct SecretServiceConformanceTests {
        @Test("A keyring store passes each check of the conformance kit", arguments: StoreCheck.all)
        func keyringStorePassesConformanceCheck(check: StoreCheck) async throws {
            try await DesktopSession.run { session in
                let shared = session.connection
                let options = SecretServiceOptions(unlocking: .fail, timeout: .seconds(120))
                let subject = StoreSubject(
                    open: { SecretServiceStore(service: "weather", options: options, connection: shared) },
                    changeExternally: { batch in
                        // Another connection, as of another process.
                        try session.store().apply(PreferenceBatch(batch))
                    },
                    breakBackend: { try waitForTask { try await session.killDaemon() } },
                    repairBackend: { try waitForTask { try await session.startDaemon() } }
                )
                await #expect(throws: Never.self) { try await onOwnThread { try check.run(on: subject) } }
            }
        }
    }
#endif
