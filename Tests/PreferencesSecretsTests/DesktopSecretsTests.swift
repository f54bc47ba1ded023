import Foundation
import PreferencesRuntime
import TestSupport
import Testing

@testable import PreferencesSecrets

#if !canImport(Security)
    /// The store of secrets that programs which link this module have by default.
    @Suite("The desktop's keyring by default")
    struct DesktopSecretsTests {
        private static let encryptedStore =
            "create them with 'Preferences(store:secrets:)' and an 'EncryptedStore', and make them 'Preferences.shared' by "
            + "'Preferences.bootstrap(_:)' when the program starts"
        private static let withoutBus =
            "these preferences have no store for secrets, as there is no session bus with the desktop's keyring, neither "
            + "DBUS_SESSION_BUS_ADDRESS nor $XDG_RUNTIME_DIR/bus: \(encryptedStore)"

        @Test("A process without a session bus reports that it has no store for secrets, and how to give it one")
        func processWithoutBus() async throws {
            try await withTemporaryDirectory { folder async throws in
                let file = folder.appending(component: "values.json").path
                let child = try await CommandLineRun(
                    BuiltWithTests.executable("StoreChild").path,
                    ["default-secrets", file, "token", "42"],
                    environment: ["XDG_RUNTIME_DIR": folder.path]
                )
                #expect(child.status == 0)
                let problem = "the key is secret, and \(Self.withoutBus)"
                #expect(child.output == "0\nnoSecretsStore: \(problem); it was not set\n0\n")
                #expect(child.errors == "preferences: \(file): 'token': \(problem); using its default\n")
                #expect(!FileManager.default.fileExists(atPath: file))
            }
        }

        @Test(
            "Variables that lead to no bus are no session bus",
            arguments: [
                [:], ["DBUS_SESSION_BUS_ADDRESS": ""], ["XDG_RUNTIME_DIR": ""], ["XDG_RUNTIME_DIR": "/nonexistent"],
            ] as [[String: String]]
        )
        func noBus(variables: [String: String]) {
            #expect(Self.reason(variables) == Self.withoutBus)
        }

        @Test("A process with a session bus, but without libsecret, reports what to install")
        func withoutLibrary() throws {
            let library = "libsecret-of-the-tests.so.0"
            let reason =
                "these preferences have no store for secrets, as libsecret is not installed (\(library)): install the "
                + "package libsecret-1-0 (Debian, Ubuntu) or libsecret (Fedora, Alpine), and link the program dynamically, "
                + "or \(Self.encryptedStore)"
            #expect(Self.reason(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"], library) == reason)
            try withTemporaryDirectory { folder in
                try Data().write(to: folder.appending(component: "bus"))
                #expect(Self.reason(["XDG_RUNTIME_DIR": folder.path], library) == reason)
            }
        }

        @Test("A library that cannot be loaded is a reason of its own")
        func damagedLibrary() throws {
            try withTemporaryDirectory { folder throws in
                let library = folder.appending(component: "libsecret.so").path
                try Data("no library".utf8).write(to: URL(filePath: library))
                let reason = try #require(Self.reason(["DBUS_SESSION_BUS_ADDRESS": "unix:"], library))
                #expect(reason.contains(", as libsecret cannot be loaded (\(library): "))
                #expect(reason.hasSuffix("): \(Self.encryptedStore)"))
            }
        }

        /// Returns the reason that there is no store; nil if there is one.
        private static func reason(_ variables: [String: String], _ library: String = "libsecret-1.so.0") -> String? {
            let secrets = AvailableSecrets.ofDesktop(library: library) { variables[$0] }
            return if case .missing(let reason) = secrets { reason } else { nil }
        }
    }
#endif
