import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRemote

@Suite("Keys and values of a store in etcd")
struct EtcdStoreLayoutTests {
    @Test("etcdctl reads and writes the store's keys, whose values are JSON of every kind")
    func keysAndValues() async throws {
        try await withCluster { cluster, _ in
            let store = EtcdStore(testing: cluster.endpoints)
            let values: [String: PreferenceValue] = [
                "null": .null, "bool": true, "int": -7, "unsigned": .unsignedInt(.max), "double": 21.5,
                "text": "16 °C\n\"mild\"", "data": .data(Data([0, 255])),
                "date": .date(Date(timeIntervalSinceReferenceDate: 1.5)), "array": [1, "two", [nil]],
                "dictionary": ["a": ["b": 1.5]], "": "the name is empty", "a/b c:d": 1,
            ]
            try store.apply(PreferenceBatch(values.mapValues { .set($0) }))
            let entries = try await cluster.entries("weather/")
            let texts = try values.map { ("weather/" + $0, try $1.jsonText()) }
            #expect(entries.mapValues(\.text) == Dictionary(uniqueKeysWithValues: texts))
            #expect(Set(entries.values.map(\.modRevision)).count == 1)
            #expect(try EtcdStore(testing: cluster.endpoints).dictionary() == values)

            try store.apply(["int": .remove, "never set": .remove])
            #expect(try await cluster.entries("weather/int").isEmpty)
            for (number, (text, value)) in [
                (#""kelvin""#, "kelvin"), (" [1, 2]\n", [1, 2]), ("{}", [:]), ("-12", -12), ("1e3", .double(1_000)),
                ("null", .null), ("true", true),
            ].enumerated() as EnumeratedSequence<[(String, PreferenceValue)]> {
                try await cluster.put("weather/external \(number)", text)
                try await store.wait(for: value, of: "external \(number)")
                #expect(try store.value(for: "external \(number)") == value)
            }
            try await cluster.delete("weather/bool")
            try await store.wait(for: nil, of: "bool")
            #expect(try store.names().contains("bool") == false)
        }
    }

    @Test("A value that is not JSON is reported once, and is not overwritten by reading it")
    func malformedValues() async throws {
        try await withCluster { cluster, _ in
            let key = "weather/weather-service:unit"
            try await cluster.put(key, "fahrenheit")
            let store = EtcdStore(testing: cluster.endpoints)
            let reason = "the value is not JSON; put strings into quotation marks: etcdctl put KEY '\"text\"'"
            let problem = try store.problem { _ = try $0.value(for: "weather-service:unit") }
            #expect(
                problem == .init(.unsupportedValue, key: "weather-service:unit", store: store.label, message: reason)
            )
            #expect(try store.names() == ["weather-service:unit"])

            let preferences = Preferences(store: store)
            for _ in 0..<3 { #expect(preferences.weather.unit == .celsius) }
            #expect(
                await preferences.reportedProblems().map(\.description) == [
                    "\(store.label): 'weather-service:unit': \(reason); using its default"
                ]
            )
            #expect(try await cluster.entries(key)[key]?.text == "fahrenheit")
            // Another value that is not JSON, and then one that is.
            try await cluster.put(key, "kelvin")
            try await cluster.put(key, #""fahrenheit""#)
            try await store.wait(for: "fahrenheit", of: "weather-service:unit")
            while preferences.weather.unit != .fahrenheit { await Task.yield() }
            try await cluster.put(key, "{")
            try await store.wait(for: nil, of: "weather-service:unit")
            preferences.weather.unit = .celsius
            #expect(try await cluster.entries(key)[key]?.text == #""celsius""#)
        }
    }

    @Test("The message for a value that cannot be read says what is wrong with it")
    func malformedJSON() async throws {
        try await withCluster { cluster, _ in
            let nested = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
            let unreadable = "the value is JSON that cannot be read: "
            for (bytes, message) in [
                (Array("1e400".utf8), unreadable + "a number is out of a Double's range"),
                (Array(#"{"a": [2, -1e999]}"#.utf8), unreadable + "a number is out of a Double's range"),
                (Array(#"{"a": 1, "a": 2}"#.utf8), unreadable + "this name occurs twice in the object"),
                (Array(nested.utf8), unreadable + "nested more than 128 levels deep"),
                (Array(#"{"$date": []}"#.utf8), unreadable + #"an array is not valid content for "$date""#),
                ([0x22, 0xFF, 0x22], "the value is not JSON, but other bytes"),
            ] {
                try cluster.put(bytes: Array("weather/unit".utf8), bytes)
                let store = EtcdStore(testing: cluster.endpoints)
                let problem = try store.problem { _ = try $0.value(for: "unit") }
                #expect(problem == .init(.unsupportedValue, key: "unit", store: store.label, message: message))
            }
        }
    }

    @Test("Keys that are not text, and those of the stores themselves, are neither listed nor notified")
    func foreignKeys() async throws {
        try await withCluster { cluster, _ in
            try cluster.put(bytes: Array("weather/".utf8) + [0xFF], Array("1".utf8))
            let (store, other) = (EtcdStore(testing: cluster.endpoints), EtcdStore(testing: cluster.endpoints))
            try await store.waitForConnection()
            let changes = StoreChanges(of: store)
            try other.apply(["unit": .set("kelvin")])
            try cluster.put(bytes: Array("weather/".utf8) + [0xFE], Array("1".utf8))
            try await cluster.put("weather/::writer:guest", "1")
            try await cluster.put("weather/range", "2")
            await changes.wait { changes.later.count == 2 }
            #expect(changes.later == [.names(["unit"]), .names(["range"])])
            #expect(try store.names() == ["unit", "range"])
            #expect(try EtcdStore(testing: cluster.endpoints).names() == ["unit", "range"])
            #expect(try await cluster.writerEntries("weather/").count == 2)

            for (name, edit) in [
                ("::writer:guest", .set(1)), ("::writer:guest", .remove), ("a/::writer:guest", .set(1)),
            ]
                as [(String, PreferenceEdit)]
            {
                #expect(try store.value(for: name) == nil)
                let problem = try store.problem { try $0.apply([name: edit, "range": .remove]) }
                #expect(
                    problem
                        == .init(
                            .unsupportedValue,
                            key: name,
                            store: store.label,
                            message: "names with '::writer:' belong to the store"
                        )
                )
            }
            #expect(try store.value(for: "range") == 2)
        }
    }

    @Test("A key whose name is canonically equivalent is read, replaced and removed")
    func equivalentNames() async throws {
        try await withCluster { cluster, _ in
            let (composed, decomposed) = ("se\u{F1}al", "sen\u{303}al")
            try await cluster.put("weather/\(decomposed)", "1")
            let store = EtcdStore(testing: cluster.endpoints)
            #expect(try store.value(for: composed) == 1)
            #expect(try store.value(for: decomposed) == 1)
            try store.apply([composed: .set(2)])
            #expect(try await cluster.keys("weather/") == [Data("weather/\(decomposed)".utf8)])
            #expect(try await cluster.entries("weather/").values.first?.text == "2")
            try store.update { current in [composed: .set(try current(composed) == 2 ? 3 : 0)] }
            #expect(try EtcdStore(testing: cluster.endpoints).value(for: decomposed) == 3)
            try store.apply([composed: .remove])
            #expect(try await cluster.keys("weather/").isEmpty)

            try store.apply([decomposed: .set(4)])
            #expect(try await cluster.keys("weather/") == [Data("weather/\(composed)".utf8)])
            try await cluster.delete("weather/\(composed)")
            try await store.wait(for: nil, of: composed)
            #expect(try store.names().isEmpty)
        }
    }

    @Test("Stores whose prefixes begin alike have separate keys, and a source is the key and its revision")
    func prefixesAndSources() async throws {
        try await withCluster { cluster, _ in
            let endpoint = try #require(cluster.endpoints.first)
            var components = try #require(URLComponents(url: endpoint, resolvingAgainstBaseURL: true))
            (components.user, components.password, components.query) = ("anna", "secret", "key=secret")
            let secretive = EtcdStore(testing: [try #require(components.url)], prefix: "app")
            let store = EtcdStore(testing: cluster.endpoints, prefix: "app")
            #expect(secretive.label == "etcd 'app/' at \(endpoint.absoluteString)")
            #expect(secretive.endpoints == cluster.endpoints)
            var text = ""
            dump(secretive, to: &text)
            #expect(!text.contains("secret"))
            let longer = EtcdStore(testing: cluster.endpoints, prefix: "app/beta/")
            let similar = EtcdStore(testing: cluster.endpoints, prefix: "app2")
            #expect([store, longer, similar].map(\.prefix) == ["app/", "app/beta/", "app2/"])

            try store.apply(["unit": .set(1)])
            try similar.apply(["unit": .set(2)])
            try longer.apply(["unit": .set(3)])
            try await store.wait(for: 3, of: "beta/unit")
            #expect(try store.dictionary() == ["unit": 1, "beta/unit": 3])
            #expect(try longer.dictionary() == ["unit": 3])
            #expect(try similar.dictionary() == ["unit": 2])
            let entry = try #require(try await cluster.entries("app/unit")["app/unit"])
            #expect(
                try store.source(of: "unit")
                    == PreferenceSource(
                        store: store.label,
                        name: "app/unit",
                        description: "etcd \(endpoint.absoluteString), revision \(entry.modRevision)"
                    )
            )
            #expect(try store.source(of: "never set") == nil)
            #expect(store.revision == (try await cluster.revision))
        }
    }
}

extension EtcdCluster {
    /// Returns the keys with a prefix as bytes, since equal strings may have different ones.
    fileprivate func keys(_ prefix: String) async throws -> [Data] {
        try await entries(prefix).values.map(\.key)
    }
}
