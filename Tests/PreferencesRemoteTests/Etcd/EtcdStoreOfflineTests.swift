import Foundation
import PreferencesRuntime
import PreferencesSystem
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRemote

@Suite("A store whose etcd is away")
struct EtcdStoreOfflineTests {
    @Test("Without a cache, keys read as their defaults until etcd appears")
    func startWithoutCache() async throws {
        try await withCluster(syncsWrites: true) { cluster, _ in
            try await cluster.put("weather/weather-service:unit", #""fahrenheit""#)
            try await cluster.member(0).kill()
            let store = EtcdStore(testing: cluster.endpoints)
            let endpoint = try #require(cluster.endpoints.first).absoluteString
            let expected = PreferenceProblem(
                .storeUnreadable,
                store: store.label,
                message: "\(endpoint): the connection to the host failed"
            )
            // The limit is 10 minutes.
            #expect(try store.problem { _ = try $0.value(for: "weather-service:unit") } == expected)
            #expect(try store.problem { _ = try $0.names() } == expected)
            #expect(try store.problem { _ = try $0.source(of: "weather-service:unit") } == expected)
            #expect(store.revision == nil)
            #expect(!store.isConnected)
            let reload = try store.problem { try $0.reload() }
            #expect(reload?.message == "\(endpoint): the connection to the host failed")

            let changes = StoreChanges(of: store)
            let preferences = Preferences(store: store)
            #expect(preferences.weather.unit == .celsius)
            let (units, continuation) = AsyncStream.makeStream(of: TemperatureUnit.self)
            let watcher = preferences.weather.watch(\.unit) { continuation.yield($0.new) }
            try await cluster.member(0).restart()
            #expect(await units.first { $0 == .fahrenheit } == .fahrenheit)
            #expect(preferences.weather.unit == .fahrenheit)
            #expect(changes.soFar.contains(.everything))
            try await store.waitForConnection()
            #expect(store.isConnected)
            watcher.cancel()
        }
    }

    @Test("An observer is notified of a failure before it began to observe", arguments: [true, false])
    func earlierFailuresAreReported(hasCache: Bool) async throws {
        try await withCluster { cluster, folder in
            let link = try await cluster.link()
            let cache = hasCache ? folder.appending(component: "cache.json") : nil
            do {
                let store = EtcdStore(testing: link.endpoints, cache: cache)
                try store.apply(["unit": .set("kelvin")])
                try store.flush()
            }
            try await link.cut(silently: false)
            let store = EtcdStore(testing: link.endpoints, cache: cache)
            try await store.waitUntilAway()
            let changes = StoreChanges(of: store)
            await changes.wait { !changes.problems.isEmpty }
            let consequence = hasCache ? "external changes are not received" : "keys read as their defaults"
            #expect(
                changes.problems.map(\.message) == [
                    "\(link.endpoints[0].absoluteString): the connection to the host failed; \(consequence) until it answers"
                ]
            )
            // Once.
            let other = StoreChanges(of: store)
            try await link.heal()
            try await store.waitForConnection()
            #expect(other.problems.isEmpty)
        }
    }

    @Test("The cache has the last values when a program ends by returning from its main function, or by exit")
    func cacheAtExit() async throws {
        try await withCluster { cluster, folder in
            let cache = folder.appending(component: "cache.json")
            await #expect(processExitsWith: .success) {
                [endpoint = cluster.endpoints[0] as URL, cache = cache as URL] in
                let store = EtcdStore(testing: [endpoint], cache: cache)
                try store.apply(["unit": .set("kelvin")])
                // The store is not released.
                withExtendedLifetime(store) { exit(0) }
            }
            let store = EtcdStore(testing: [try #require(URL(string: "http://127.0.0.1:1"))], cache: cache)
            #expect(try store.value(for: "unit") == "kelvin")
        }
    }

    @Test("With a cache, the last values are there at once, and only later changes are fetched")
    func startWithCache() async throws {
        try await withCluster { cluster, folder in
            let cache = folder.appending(components: "caches", "weather.json")
            let link = try await cluster.link()
            try await cluster.put("weather/malformed", "kelvin")
            try await cluster.put("weather/sen\u{303}al", "4")
            do {
                let store = EtcdStore(testing: link.endpoints, cache: cache)
                try store.apply(["unit": .set("kelvin"), "range": .set(50), "old": .set(true)])
                try store.flush()
            }
            #expect(try cache.mode() == 0o600)
            try await link.cut(silently: true)
            try await cluster.put("weather/range", "60")
            try await cluster.put("weather/new", "1")
            try await cluster.delete("weather/old")

            let streams = FaultyStreams { _ in nil }
            let store = EtcdStore(testing: link.endpoints, cache: cache, over: streams)
            let values: [String: PreferenceValue] = ["unit": "kelvin", "range": 50, "old": true, "se\u{F1}al": 4]
            for (name, value) in values { #expect(try store.value(for: name) == value) }
            #expect(try store.names() == Set(values.keys).union(["malformed"]))
            #expect(try store.problem { _ = try $0.value(for: "malformed") }?.code == .unsupportedValue)
            #expect(try store.source(of: "unit")?.description.hasPrefix("the cache of etcd, revision ") == true)
            let changes = StoreChanges(of: store)
            try await link.heal()
            await changes.wait { changes.names.joined().contains("old") }
            #expect(changes.soFar == changes.names.map { .names($0) })
            #expect(changes.names.flatMap { $0 }.sorted() == ["new", "old", "range"])
            // Only for a revision, and not for all values.
            #expect(streams.count(of: "range") == 1)
            #expect(try store.value(for: "range") == 60)
            #expect(try store.names() == ["unit", "range", "new", "malformed", "señal"])
            // The other name that is composed differently has kept its key.
            try store.apply(["se\u{F1}al": .remove])
            #expect(try await cluster.entries("weather/").count == 4)
        }
    }

    @Test("After a compaction, all values are read again, and exactly the changed names are notified")
    func compaction() async throws {
        try await withCluster { cluster, folder in
            let cache = folder.appending(component: "cache.json")
            let link = try await cluster.link()
            do {
                let store = EtcdStore(testing: link.endpoints, cache: cache)
                try store.apply(["unit": .set("kelvin"), "range": .set(50), "old": .set(true), "same": .set(1)])
            }
            try await link.cut(silently: false)
            let store = EtcdStore(testing: link.endpoints, cache: cache)
            let changes = StoreChanges(of: store)
            try await cluster.put("weather/range", "60")
            try await cluster.put("weather/new", "1")
            try await cluster.delete("weather/old")
            try await cluster.put("weather/unit", #""celsius""#)
            try await cluster.compact(revision: try await cluster.revision)
            try await store.waitUntilAway()
            try await link.heal()
            await changes.wait { changes.soFar.contains(.names(["range", "new", "old", "unit"])) }
            #expect(changes.names == [["range", "new", "old", "unit"]])
            #expect(try store.dictionary() == ["unit": "celsius", "range": 60, "new": 1, "same": 1])
            // Later changes are received.
            try await cluster.put("weather/same", "2")
            try await store.wait(for: 2, of: "same")
            #expect(changes.soFar.last == .names(["same"]))
        }
    }

    @Test("A cache that is damaged, or of another prefix, is not used, and is replaced")
    func unusableCaches() async throws {
        try await withCluster { cluster, folder in
            let link = try await cluster.link()
            let cache = folder.appending(component: "cache.json")
            try EtcdStore(testing: link.endpoints, prefix: "other", cache: cache).apply(["unit": .set(1)])
            try await link.cut(silently: false)
            for contents in [
                nil, "{", "[]", #"{"etcd weather/": 1}"#, #"{"etcd weather/": {"prefix": "weather/", "cluster": 1}}"#,
                #"{"etcd weather/": {"prefix": "weather/", "cluster": 1, "revision": \#(Int64.max), "values": {}}}"#,
            ] {
                if let contents { try cache.write(contents) }
                let store = EtcdStore(testing: link.endpoints, cache: cache)
                let problem = try store.problem { _ = try $0.names() }
                #expect(problem?.code == .storeUnreadable, "\(contents ?? "of another prefix")")
            }
            try await link.heal()
            let store = EtcdStore(testing: link.endpoints, cache: cache)
            try store.apply(["unit": .set(2)])
            try store.flush()
            try await link.cut(silently: false)
            #expect(try EtcdStore(testing: link.endpoints, cache: cache).dictionary() == ["unit": 2])
        }
    }

    @Test("The values of another cluster replace those of the cache, also if its revision is lower")
    func otherCluster() async throws {
        try await withCluster { first, folder in
            try await withCluster { second, _ in
                let cache = folder.appending(component: "cache.json")
                for number in 1...5 { try await first.put("weather/range", "\(number)") }
                try await first.put("weather/unit", "1")
                let endpoint = Locked(first.endpoints[0])
                let streams = { FaultyStreams { _ in .sent(to: endpoint.withLock { $0 }) } }
                let url = try #require(URL(string: "http://etcd.example:2379"))
                do {
                    let store = EtcdStore(testing: [url], cache: cache, over: streams())
                    #expect(try store.dictionary() == ["range": 5, "unit": 1])
                }
                try await second.put("weather/range", "7")
                let nowhere = try #require(URL(string: "http://127.0.0.1:1"))
                endpoint.withLock { $0 = nowhere }
                let store = EtcdStore(testing: [url], cache: cache, over: streams())
                let changes = StoreChanges(of: store)
                endpoint.withLock { $0 = second.endpoints[0] }
                try await store.wait(for: 7, of: "range")
                #expect(try store.dictionary() == ["range": 7])
                #expect(store.revision == (try await second.revision))
                try await second.put("weather/range", "8")
                try await store.wait(for: 8, of: "range")
                await changes.wait { changes.soFar.last == .names(["range"]) }
                #expect(changes.soFar.filter { $0 == .everything }.count == 1)
                #expect(changes.names == [["range"]])
                try store.apply(["unit": .set(2)])
                #expect(try await second.entries("weather/unit").count == 1)
                try store.flush()
                #expect(try cache.text().contains("\"revision\": \(try await second.revision)"))
            }
        }
    }

    @Test("The values of a cluster that was made anew replace those of the cache, although its revision is lower")
    func erasedCluster() async throws {
        try await withCluster(syncsWrites: true) { cluster, folder in
            let cache = folder.appending(component: "cache.json")
            for number in 1...5 { try await cluster.put("weather/range", "\(number)") }
            try await cluster.put("weather/unit", "1")
            let store = EtcdStore(testing: cluster.endpoints, cache: cache)
            #expect(try store.dictionary() == ["range": 5, "unit": 1])
            try await store.waitForConnection()
            try store.flush()
            // Its identifier is the same.
            try await cluster.member(0).restart(erasing: true)
            try await cluster.waitUntilReady()
            try await cluster.put("weather/range", "7")
            try await store.wait(for: 7, of: "range")
            #expect(try store.dictionary() == ["range": 7])
            #expect(store.revision == (try await cluster.revision))
            try store.flush()
            let nowhere = try #require(URL(string: "http://127.0.0.1:1"))
            #expect(try EtcdStore(testing: [nowhere], cache: cache).dictionary() == ["range": 7])
        }
    }

    /// The last change in the cache was that of `range` to 2, at revision 3.
    @Test(
        "The values of a cluster that was made anew replace those of the cache, although its revision is higher",
        arguments: [
            (puts: ["new": "3", "unit": "4"], elections: 0),
            // Its last change of the same revision is one of the same key.
            (puts: ["new": "3", "range": "4"], elections: 0),
            // It is even the same, but there were more elections before.
            (puts: ["new": "3", "range": "2"], elections: 3),
        ] as [(puts: KeyValuePairs<String, String>, elections: Int)]
    )
    func erasedClusterOfHigherRevision(puts: KeyValuePairs<String, String>, elections: Int) async throws {
        try await withCluster(syncsWrites: true) { cluster, folder in
            let cache = folder.appending(component: "cache.json")
            try await cluster.put("weather/unit", "1")
            try await cluster.put("weather/range", "2")
            for _ in 0..<elections { try await cluster.member(0).restart() }
            try await cluster.waitUntilReady()
            do {
                let store = EtcdStore(testing: cluster.endpoints, cache: cache)
                #expect(try store.dictionary() == ["unit": 1, "range": 2])
                try store.flush()
            }
            try await cluster.member(0).restart(erasing: true)
            try await cluster.waitUntilReady()
            for (name, text) in puts { try await cluster.put("weather/\(name)", text) }
            for number in 1...5 { try await cluster.put("elsewhere", "\(number)") }
            let store = EtcdStore(testing: cluster.endpoints, cache: cache)
            try await store.waitForConnection()
            let values = Dictionary(uniqueKeysWithValues: puts.map { ($0, PreferenceValue(jsonText: $1)) })
            #expect(try store.dictionary() == values)
            try store.flush()
            let nowhere = try #require(URL(string: "http://127.0.0.1:1"))
            #expect(try EtcdStore(testing: [nowhere], cache: cache).dictionary() == values)
        }
    }

    @Test("If the last change was removed while a store was away, it receives the removal alone")
    func removedLastChange() async throws {
        try await withCluster { cluster, folder in
            let cache = folder.appending(component: "cache.json")
            try await cluster.put("weather/unit", "1")
            try await cluster.put("weather/range", "2")
            do { #expect(try EtcdStore(testing: cluster.endpoints, cache: cache).dictionary().count == 2) }
            try await cluster.delete("weather/range")
            let streams = FaultyStreams { _ in nil }
            let store = EtcdStore(testing: cluster.endpoints, cache: cache, over: streams)
            try await store.wait(for: nil, of: "range")
            #expect(try store.dictionary() == ["unit": 1])
            #expect(streams.count(of: "range") == 1)
            #expect(streams.count(of: "watch") == 1)
        }
    }

    @Test("A silent watch is checked without reading all values, also after a compaction and by a user of the prefix")
    func silentWatch() async throws {
        try await withCluster { cluster, _ in
            try await cluster.put("weather/unit", "1")
            try await cluster.enableAuthentication(user: "guest", password: "umbrella", prefix: "weather/")
            let streams = FaultyStreams { _ in nil }
            let store = EtcdStore(
                testing: cluster.endpoints,
                credentials: .init(user: "guest", password: "umbrella"),
                heartbeat: .milliseconds(20),
                over: streams
            )
            try await store.waitForConnection()
            for number in 1...5 { try await cluster.put("elsewhere", "\(number)") }
            try await cluster.compact(revision: try await cluster.revision)
            let count = streams.count(of: "range")
            try await streams.wait(for: count + 3, of: "range")
            #expect(streams.count(of: "watch") == 1)
            #expect(try store.dictionary() == ["unit": 1])
            // Its own revision is no longer in the history.
            let revision = try #require(store.revision)
            #expect(try await cluster.revision > revision)
        }
    }

    @Test("Stores share a cache, which has the values of the latest revision")
    func sharedCache() async throws {
        try await withCluster { cluster, folder in
            let cache = folder.appending(component: "cache.json")
            let (link, otherLink) = (try await cluster.link(), try await cluster.link())
            let store = EtcdStore(testing: link.endpoints, cache: cache)
            let late = EtcdStore(testing: otherLink.endpoints, cache: cache)
            try await cluster.put("weather/range", "1")
            try await store.wait(for: 1, of: "range")
            try await late.wait(for: 1, of: "range")
            try await otherLink.cut(silently: true)
            try await cluster.put("weather/range", "2")
            try await store.wait(for: 2, of: "range")
            try store.flush()
            // The earlier values do not replace the later ones.
            try late.flush()
            try await link.cut(silently: false)
            #expect(try EtcdStore(testing: link.endpoints, cache: cache).value(for: "range") == 2)
        }
    }

    @Test("After its release, a store writes nothing to the cache")
    func releasedStore() throws {
        try withTemporaryDirectory { folder in
            let keys = EtcdKeys(prefix: "weather/")
            let file = folder.appending(components: "caches", "cache.json")
            let gateway = EtcdGateway(
                [try #require(URL(string: "http://127.0.0.1:1"))],
                nil,
                limit: .seconds(1),
                over: makeStreams()
            )
            let client = EtcdClient(
                gateway,
                keys,
                label: "etcd",
                cache: EtcdCache(file: file, keys),
                queuesWrites: false,
                EtcdClient.Options(limit: .seconds(1))
            )
            client.state.change { $0.replica = EtcdReplica(clusterID: 1, raftTerm: 1, revision: 7) }
            client.end()
            #expect(EtcdCache(file: file, keys).read()?.revision == 7)
            try FileManager.default.removeItem(at: file.deletingLastPathComponent())
            // The thread that receives changes may have received another one.
            client.save()
            try client.flush()
            #expect(!FileManager.default.fileExists(atPath: file.deletingLastPathComponent().path))
        }
    }

    @Test("Values that could not be written to the cache are written later")
    func unwrittenValues() throws {
        try withTemporaryDirectory { folder in
            let keys = EtcdKeys(prefix: "weather/")
            let obstacle = folder.appending(component: "caches")
            try Data().write(to: obstacle)
            let cache = EtcdCache(file: obstacle.appending(component: "cache.json"), keys)
            cache.save(.init { EtcdReplica(clusterID: 1, raftTerm: 1, revision: 7) }) { _ in }
            for _ in 1...2 {
                let problem = #expect(throws: PreferenceProblem.self) { try cache.flush() }
                #expect(problem?.code == .storeUnwritable)
            }
            try FileManager.default.removeItem(at: obstacle)
            try cache.flush()
            #expect(cache.read()?.revision == 7)
        }
    }
}
