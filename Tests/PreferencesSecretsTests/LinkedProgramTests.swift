#if !canImport(Darwin)
    import Foundation
    import TestSupport
    import Testing

    /// The default store of secrets of programs that do not import this module.
    @Suite("Linked programs")
    struct LinkedProgramTests {
        private static let source = """
            import PreferencesRuntime

            let preferences = Preferences(store: .file(path: "/nonexistent/values.json"))
            do {
                try PreferenceReference("token", default: "", [.secret], in: preferences).set("hunter2")
            } catch {
                print(error.message)
            }
            """

        @Test("A program that links the module looks for a keyring, although it does not import it")
        func linked() async throws {
            let message = try await message(linking: ["PreferencesSecrets"])
            #expect(
                message.hasPrefix(
                    "the key is secret, and these preferences have no store for secrets, as this process has no session bus"
                )
            )
        }

        @Test("A program that does not link the module reports that it has no store for secrets, and what to link")
        func notLinked() async throws {
            #expect(
                try await message(linking: [])
                    == "the key is secret, and these preferences have no store for secrets: add the product "
                    + "PreferencesSecrets to the target, whose default is the system's store, or create them with "
                    + "'Preferences(store:secrets:)', and make them 'Preferences.shared' by 'Preferences.bootstrap(_:)' "
                    + "when the program starts; it was not set\n"
            )
        }

        /// Returns the output of a program that sets a secret, in a process without a session bus.
        private func message(linking modules: [String]) async throws -> String {
            try await withTemporaryDirectory { folder in
                let (file, program) = (folder.appending(path: "main.swift"), folder.appending(path: "program").path)
                try Data(Self.source.utf8).write(to: file)
                let objects = try BuiltWithTests.objects(
                    ofModules: ["PreferencesRuntime", "PreferencesJSON", "PreferencesSystem"] + modules
                )
                // Without code that nothing refers to, as SwiftPM links release builds.
                let linked = try await CommandLineRun(
                    "swiftc",
                    [
                        "-swift-version", "6", file.path, "-o", program, "-Xlinker", "--gc-sections",
                        "-I", BuiltWithTests.folder(ofModule: "PreferencesRuntime").path,
                    ] + objects,
                    mergesErrors: true
                )
                try #require(linked.succeeded, "\(linked.output)")
                let run = try await CommandLineRun(program, environment: [:])
                try #require(run.succeeded, "\(run.errors)")
                return run.output
            }
        }
    }
#endif
