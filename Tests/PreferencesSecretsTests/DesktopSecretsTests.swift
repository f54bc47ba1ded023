#if !canImport(Security)
    import Foundation
    import PreferencesRuntime
    import PreferencesSystem
    import TestSupport
    import Testing

    @testable import PreferencesSecrets

    /// The store of secrets that programs which link this module have by default, in other processes.
    @Suite("The desktop's keyring by default")
    struct DesktopSecretsTests {
        /// Runs a program that reads, sets and reads a secret of preferences over a file.
        private func readAndSetSecret(
            _ environment: [String: String],
            _ check: (_ child: CommandLineRun, _ file: String) async throws -> Void
        ) async throws {
            try await withTemporaryDirectory { folder async throws in
                let file = folder.appending(component: "values.json").path
                let program = try BuiltWithTests.executable("StoreChild").path
                let arguments = ["default-secrets", file, "token", "42"]
                let child = try await CommandLineRun(program, arguments, environment: environment)
                #expect(child.status == 0)
                #expect(!FileManager.default.fileExists(atPath: file))
                try await check(child, file)
            }
        }

        @Test("A program without configuration keeps its secrets in the keyring")
        func keyring() async throws {
            try await DesktopSession.run { session in
                try await readAndSetSecret(session.environment) { child, _ in
                    #expect(child.output == "0\n42\n")
                    #expect(child.errors.isEmpty)
                }
                let lookup = ["lookup", "service", "StoreChild", "account", "token"]
                #expect(try await session.secretTool(lookup).output == "42")
            }
        }

        @Test("Without a session bus, a program reports that it has no store for secrets, and how to give it one")
        func withoutBus() async throws {
            for environment in [[:], ["DBUS_SESSION_BUS_ADDRESS": ""], ["XDG_RUNTIME_DIR": "/nonexistent"]] {
                try await readAndSetSecret(environment) { child, file in
                    let problem =
                        "the key is secret, and these preferences have no store for secrets, as this process has no "
                        + "session bus: run it in a desktop session, which sets DBUS_SESSION_BUS_ADDRESS, or with "
                        + "dbus-run-session(1); or \(Self.advice)"
                    #expect(child.output == "0\nnoSecretsStore: \(problem); it was not set\n0\n")
                    #expect(child.errors == "preferences: \(file): 'token': \(problem); using its default\n")
                }
            }
        }

        @Test("On a bus without a keyring, the problem is that of the keyring's store")
        func withoutService() async throws {
            try await DesktopSession.run(startsDaemon: false) { session in
                try await readAndSetSecret(session.environment) { child, _ in
                    #expect(child.output.hasPrefix("0\nkeyringUnavailable: "), "\(child.output)")
                }
            }
        }

        @Test("Without libsecret, the reason is what to install, and how to do without it")
        func withoutLibrary() {
            let library = Libsecret.library(named: "libsecret-of-the-tests.so.0")
            let secrets = AvailableSecrets.ofDesktop(bus: { "unix:path=/nonexistent" }, library: library)
            guard case .missing(let reason) = secrets else {
                Issue.record("there is a store")
                return
            }
            #expect(
                reason == "these preferences have no store for secrets, as libsecret is not installed "
                    + "(libsecret-of-the-tests.so.0); install the package libsecret-1-0 (Debian, Ubuntu) or libsecret "
                    + "(Fedora, Arch, Alpine), and link the program dynamically: a static one cannot load it; or "
                    + Self.advice
            )
        }

        private static let advice =
            "create them with 'Preferences(store:secrets:)' and an 'EncryptedStore', and make them 'Preferences.shared' by "
            + "'Preferences.bootstrap(_:)' when the program starts"
    }
#endif
