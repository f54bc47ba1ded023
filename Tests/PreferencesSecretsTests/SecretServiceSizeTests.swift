#if !canImport(Security)
    import Foundation
    import PreferencesRuntime
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import PreferencesSecrets

    /// Many secrets, large ones, and what stores leave in memory.
    struct SecretServiceSizeTests {
        @Test("A thousand secrets are set, listed and read, and some are removed")
        func thousandSecrets() async throws {
            try await DesktopSession.run { session in
                // GNOME Keyring does not write this collection to a file.
                let options = SecretServiceOptions(collection: .session, unlocking: .fail, timeout: .seconds(120))
                let store = session.store(options)
                let names = (1...1_000).map { "secret-\($0)" }
                let edits = names.map { ($0, PreferenceEdit.set(.string("value of \($0)"))) }
                try store.apply(PreferenceBatch(Dictionary(uniqueKeysWithValues: edits)))
                let other = session.store(options)
                #expect(try other.names() == Set(names))
                for name in names { #expect(try other.value(for: name) == .string("value of \(name)")) }
                // GNOME Keyring takes 20 ms for each.
                let removals = names.prefix(100).map { ($0, PreferenceEdit.remove) }
                try store.apply(PreferenceBatch(Dictionary(uniqueKeysWithValues: removals)))
                #expect(try other.names() == Set(names.dropFirst(100)))
                #expect(try other.value(for: "secret-1") == nil)
                #expect(try other.value(for: "secret-1000") == "value of secret-1000")
            }
        }

        @Test("A secret of a megabyte is read exactly, by stores and by secret-tool")
        func largeSecret() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                var random = SeededRandom(seed: 27)
                let characters = (0..<1_048_576).map { _ in UInt8.random(in: 32..<127, using: &random) }
                let text = String(decoding: characters, as: UTF8.self)
                let data = Data((0..<1_048_576).map { _ in UInt8.random(in: 0...255, using: &random) })
                try store.apply(["text": .set(.string(text)), "data": .set(.data(data))])
                #expect(try session.store().value(for: "text") == .string(text))
                #expect(try session.store().value(for: "data") == .data(data))
                #expect(try await session.lookup("text") == Data(text.utf8))
                #expect(try await session.lookup("data") == data.base64EncodedData())
                try store.apply(["text": .set("short")])
                #expect(try session.store().value(for: "text") == "short")
            }
        }

        @Test("Memory, descriptors and threads do not grow over 500 writes and reads, nor over 100 stores")
        func usageDoesNotGrow() async throws {
            struct Usage {
                let descriptors: Int
                let threads: Int
                let kilobytes: Int
            }
            try await DesktopSession.run { session in
                let child = try session.child("soak", "weather.session.keyring", "token", "500", output: .pipe)
                let usages = try await onOwnThread {
                    try (0..<3).map { _ in
                        let line = try #require(try child.output.readLine())
                        let numbers = line.split(separator: " ").compactMap { Int($0) }
                        try #require(numbers.count == 3)
                        return Usage(descriptors: numbers[0], threads: numbers[1], kilobytes: numbers[2])
                    }
                }
                #expect(await child.ending == .status(0))
                for (before, after) in zip(usages, usages.dropFirst()) {
                    // Queues and files may have more of them for a moment.
                    #expect(after.descriptors < before.descriptors + 20)
                    #expect(after.threads < before.threads + 20)
                    // Copies of all texts that are written take 10,000 KB, or 2,000 KB.
                    #expect(after.kilobytes < before.kilobytes + 1_500)
                }
            }
        }

        @Test("A connection is closed after the last of its stores was released", .timeLimit(.minutes(5)))
        func connectionsAreClosed() async throws {
            try await DesktopSession.run { session in
                let before = try await session.connectionCount
                weak let released: SecretServiceConnection?
                do {
                    let connection = session.connection
                    released = connection
                    var stores = (0..<100).map { _ in session.store() }
                    stores.append(SecretServiceStore(service: "weather", options: .init(), connection: connection))
                    let observations = stores.map { $0.observe { _ in } }
                    for store in stores { #expect(try store.value(for: "token") == nil) }
                    #expect(try await session.connectionCount == before + 101)
                    for observation in observations { observation.cancel() }
                }
                #expect(released == nil)
                while try await session.connectionCount > before {}
            }
        }
    }

    extension DesktopSession {
        /// The number of connections to the bus, with that of the program that counts them.
        fileprivate var connectionCount: Int {
            get async throws {
                let bus = "org.freedesktop.DBus"
                let options = ["--bus=\(address)", "--print-reply", "--dest=\(bus)"]
                let call = ["/org/freedesktop/DBus", "\(bus).ListNames"]
                let run = try await CommandLineRun("dbus-send", options + call, environment: environment)
                try #require(run.succeeded)
                return run.output.split(separator: "\n").count { $0.contains("string \":") }
            }
        }
    }
#endif
