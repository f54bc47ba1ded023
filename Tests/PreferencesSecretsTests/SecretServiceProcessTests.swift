#if !canImport(Security)
    import Foundation
    import PreferencesRuntime
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import PreferencesSecrets

    /// Processes that use the same items at the same time.
    struct SecretServiceProcessTests {
        private let file = "weather.keyring"

        @Test("No increment of several processes is lost")
        func processesCountTogether() async throws {
            try await DesktopSession.run { session in
                let children = try (0..<3).map { _ in try session.child("increment", file, "count", "20") }
                for child in children { #expect(await child.ending == .status(0)) }
                #expect(try session.store().value(for: "count") == 60)
                #expect(try await session.items("service", "weather").count == 1)
            }
        }

        @Test("A process with few free descriptors gets a problem, and is not ended", arguments: 7...20)
        func fewDescriptors(limit: Int) async throws {
            try await DesktopSession.run { session in
                let program = try BuiltWithTests.executable("StoreChild").path
                let run = try await CommandLineRun(
                    "/bin/sh",
                    ["-c", "ulimit -n \(limit); exec \"$0\" \"$@\"", program, "increment", file, "count", "1"],
                    environment: session.environment
                )
                // The program ends itself with the problem, and GLib with a message of its own.
                #expect(run.status == 0 && !run.wasKilled || run.errors.contains("keyring 'weather'"), "\(run.errors)")
                #expect(!run.errors.contains("GLib"))
            }
        }

        @Test("No increment of several threads is lost, on one connection or on several")
        func threadsCountTogether() async throws {
            try await DesktopSession.run { session in
                let shared = session.store()
                let stores = [shared, shared, session.store(), session.store()]
                let threads = stores.map { store in
                    OwnThread {
                        for _ in 0..<10 {
                            try store.update { current in
                                guard case .int(let count) = try current("count") ?? 0 else { return [:] }
                                return ["count": .set(.int(count + 1))]
                            }
                        }
                    }
                }
                for thread in threads { try await thread.result }
                #expect(try session.store().value(for: "count") == 40)
            }
        }

        @Test("Watchers in two processes receive each change once, and changes only")
        func processesWatchEachOther() async throws {
            try await DesktopSession.run { session in
                let children = try (0..<2).map { _ in try session.child("watch", file, "count", "20") }
                for child in children { #expect(await child.ending == .status(0)) }
                #expect(try await session.items("service", "weather").count == 1)
            }
        }

        @Test("A value that another process sets reaches watchers and observers", .timeLimit(.minutes(5)))
        func valueReachesOtherProcess() async throws {
            try await DesktopSession.run { session in
                let preferences = Preferences(store: MemoryStore(), secrets: session.store())
                let count = PreferenceReference("count", default: 0, [.secret], in: preferences)
                #expect(count.value == 0)
                let (values, continuation) = AsyncStream.makeStream(of: [Int?].self)
                let watcher = count.watch(options: [.old, .new]) { continuation.yield([$0.old, $0.new]) }
                let store = session.store()
                #expect(try store.value(for: "count") == nil)
                let changes = StoreChanges(of: store)
                for number in 1...5 {
                    try await session.runChild("set", file, "count", "\(number)")
                    #expect(await values.first { _ in true } == [number - 1, number])
                    #expect(count.value == number)
                    #expect(await changes.next() == .names(["count"]))
                }
                watcher.cancel()
                changes.cancel()
            }
        }

        @Test("Each value of a batch is old or new after its writer was killed, and the lock is free", arguments: 1...5)
        func killedWriter(lines: Int) async throws {
            try await DesktopSession.run { session in
                let program = try BuiltWithTests.executable("StoreChild")
                let last = try await ChildProcess.lastNumber(
                    ofKilled: program,
                    ["transact", file, "count", "1000000"],
                    environment: session.environment,
                    afterLines: lines
                )
                #expect(last >= lines)
                let store = session.store()
                let numbers = try ["a", "b", "c", "count"].map { name throws -> Int64 in
                    guard case .int(let number)? = try store.value(for: name) else { return -1 }
                    return number
                }
                // A batch is written in the order of the names.
                #expect(numbers == numbers.sorted(by: >))
                #expect(Set(numbers).isSubset(of: [last, last + 1]))
                try await session.runChild("increment", file, "count", "1")
                #expect(try store.value(for: "count") == .int(numbers[3] + 1))
                #expect(try await session.items("service", "weather").count == 4)
            }
        }

        @Test("Changes fail while a stopped process holds the lock, reads do not, and both succeed after that")
        func stoppedWriter() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                try store.apply(["token": .set(1)])
                let holder = try session.child("hold", file, "token", "2", input: .pipe, output: .pipe)
                #expect(try await onOwnThread { try holder.output.readLine() } == "held")
                holder.send(SIGSTOP)
                defer { holder.send(SIGCONT) }
                let other = try session.child("fill", "weather.5.keyring", "other", "1", output: .pipe)
                let line = try await onOwnThread { try other.output.readLine() }
                let folder = try #require(session.environment["XDG_RUNTIME_DIR"])
                #expect(
                    line == "storeBusy: another process holds the lock \(folder)/swift-preferences/"
                        + ".keyring-weather.lock, which was not released within 5.0 seconds: try again, or find the "
                        + "process with fuser(1), and resume or end it"
                )
                #expect(await other.ending == .status(0))
                #expect(try store.names() == ["token"])
                #expect(try store.value(for: "token") == 1)
                // Other services have locks of their own.
                try await session.runChild("set", "other.keyring", "token", "3")
                holder.send(SIGCONT)
                try holder.input.close()
                #expect(await holder.ending == .status(0))
                #expect(try store.value(for: "token") == 2)
                try await session.runChild("increment", file, "count", "1")
            }
        }

        @Test("Processes that create a key at the same time agree on it")
        func processesCreateOneKey() async throws {
            try await DesktopSession.run { session in
                let children = try (0..<3).map { _ in
                    try session.child("keys", file, "key", "3", input: .pipe, output: .pipe)
                }
                for child in children { try child.input.write(contentsOf: Data("\n".utf8)) }
                var keys: Set<[String]> = []
                for child in children {
                    keys.insert(
                        try await onOwnThread {
                            try (0..<3).map { _ in try child.output.readLine() ?? "" }
                        }
                    )
                    #expect(await child.ending == .status(0))
                }
                #expect(keys.count == 1)
                #expect(Set(keys.flatMap(\.self)).count == 3)
                #expect(try await session.items("service", "weather").count == 3)
            }
        }
    }
#endif
