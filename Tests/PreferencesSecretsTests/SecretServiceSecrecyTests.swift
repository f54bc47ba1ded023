#if !canImport(Security)
    import Foundation
    import PreferencesRuntime
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import PreferencesSecrets

    /// Where a value must not be.
    struct SecretServiceSecrecyTests {
        private let canary = "canary-8146392745601"

        @Test("Descriptions, dumps and mirrors of a store do not show its values")
        func descriptions() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                let preferences = Preferences(store: MemoryStore(), secrets: store)
                let token = PreferenceReference("token", default: "", [.secret], in: preferences)
                let watcher = token.watch { _ in }
                let changes = StoreChanges(of: store)
                token.value = canary
                try store.apply(["other": .set(.string(canary))])
                #expect(try store.value(for: "other") == .string(canary))
                var dumped = ""
                dump(store, to: &dumped)
                dump(preferences, to: &dumped)
                let shown = [dumped, "\(store)", String(reflecting: store), "\(preferences)", "\(changes.soFar)"]
                for text in shown { #expect(!text.contains(canary)) }
                #expect(dumped.contains("weather"))
                watcher.cancel()
            }
        }

        @Test("Problems of calls that fail do not show values")
        func problems() async throws {
            try await DesktopSession.run { session in
                let store = session.store(SecretServiceOptions(unlocking: .fail, timeout: .seconds(120)))
                let preferences = Preferences(store: MemoryStore(), secrets: store)
                let text = PreferenceReference("token", default: "", [.secret], in: preferences)
                let number = PreferenceReference("token", default: 0, [.secret], in: preferences)
                let changes = StoreChanges(of: store)
                var problems: [any Error] = []
                func attempt(_ body: () throws -> Void) {
                    do {
                        try body()
                        Issue.record("a call has not failed")
                    } catch {
                        problems.append(error)
                    }
                }
                func attemptAll() {
                    attempt { _ = try store.value(for: "token") }
                    attempt { try store.apply(["token": .set(.string(canary))]) }
                    attempt { try store.apply(["token": .set(.data(Data(canary.utf8))), "other": .remove]) }
                    attempt { try text.set(canary) }
                }
                text.value = canary
                #expect(number.value == 0)
                var deep: PreferenceValue = .string(canary)
                for _ in 0..<1_000 { deep = [deep] }
                attempt { try store.apply(["token": .set(deep)]) }
                attempt { try store.apply(["": .set(.string(canary))]) }
                try await session.lock()
                attemptAll()
                try await session.killDaemon()
                attemptAll()
                problems += await preferences.reportedProblems()
                let codes = Set(problems.compactMap { ($0 as? PreferenceProblem)?.code })
                #expect(codes == [.typeMismatch, .unsupportedValue, .keychainLocked, .keyringUnavailable])
                let hidden = [canary, Data(canary.utf8).base64EncodedString()]
                for problem in problems {
                    var shown = "\(problem) \(String(reflecting: problem)) \(problem.localizedDescription)"
                    dump(problem, to: &shown)
                    #expect(hidden.allSatisfy { !shown.contains($0) })
                }
                #expect(!"\(changes.soFar)".contains(canary))
            }
        }

        @Test("Values are neither in the files of a session, nor in the logs of the keyring and of GLib")
        func filesAndLogs() async throws {
            try await DesktopSession.run { session in
                let folder = URL(filePath: try #require(session.environment["HOME"]))
                let temporary = folder.appending(component: "tmp")
                try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
                var environment = session.environment
                environment["TMPDIR"] = temporary.path
                for name in ["G_MESSAGES_DEBUG", "G_DBUS_DEBUG", "SECRET_DEBUG"] { environment[name] = "all" }
                let program = try BuiltWithTests.executable("StoreChild").path
                // The first sets numbers, the second texts; the third fails, and prints problems.
                let number = "8146392745601"
                let text = String(repeating: "x", count: 64)
                let commands = [
                    ["set", "weather.keyring", "token", number], ["fill", "weather.keyring", "token", "2"],
                    ["secrets", "weather.keyring", "filling-1", number],
                ]
                for command in commands {
                    let run = try await CommandLineRun(program, command, environment: environment, mergesErrors: true)
                    #expect(run.succeeded)
                    // GLib's log has the attributes.
                    #expect(run.output.contains(command == commands[2] ? "filling-1" : "token"))
                    for value in [number, text] { #expect(!run.output.contains(value)) }
                    if command == commands[1] { #expect(try session.store().value(for: "token") == 2) }
                }
                var count = 0
                for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
                    // Sockets cannot be read.
                    guard let contents = try? Data(contentsOf: folder.appending(path: path)) else { continue }
                    count += 1
                    for value in [number, text] { #expect(contents.range(of: Data(value.utf8)) == nil, "\(path)") }
                }
                #expect(FileManager.default.fileExists(atPath: folder.appending(path: "log").path))
                #expect(count > 2)
                #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
            }
        }

        @Test("Only attributes and labels are in plain on the bus", .timeLimit(.minutes(5)))
        func bus() async throws {
            try await DesktopSession.run { session in
                let monitor = try ChildProcess(
                    "dbus-monitor",
                    ["--address", session.address, "--binary"],
                    environment: session.environment,
                    output: .pipe
                )
                // The first message arrives once all are monitored.
                var messages = try await onOwnThread { try monitor.output.read(upToCount: 1) ?? Data() }
                let store = session.store()
                let values: [PreferenceValue] = [.string(canary), .data(Data(canary.utf8)), [.string(canary)]]
                for value in values {
                    try store.apply(["radar:token": .set(value)])
                    #expect(try store.value(for: "radar:token") == value)
                    #expect(try session.store().value(for: "radar:token") == value)
                }
                try store.apply(["the end": .set("")])
                func contains(_ text: String) -> Bool { messages.range(of: Data(text.utf8)) != nil }
                while !contains("the end") {
                    let next = try await onOwnThread { monitor.output.availableData }
                    try #require(!next.isEmpty)
                    messages += next
                }
                monitor.send(SIGKILL)
                _ = await monitor.ending
                #expect(contains("weather: radar:token"))
                #expect(contains("dh-ietf1024-sha256-aes128-cbc-pkcs7"))
                #expect(!contains(canary))
                #expect(!contains(Data(canary.utf8).base64EncodedString()))
            }
        }
    }
#endif
