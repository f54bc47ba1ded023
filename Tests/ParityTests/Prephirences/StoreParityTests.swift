import Foundation
import PreferencesCompatibility
import PreferencesRemote
import PreferencesRuntime
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Prephirences: stores")
struct StoreParityTests {
    @Test("dictionary")
    func dictionary() {
        let store: MemoryStore = ["color": "red", "age": 33, "tags": ["a", 1, nil], "nested": ["on": true]]
        #expect(store.value(for: "tags") == ["a", 1, .null])
        #expect(store.value(for: "nested") == ["on": true])
    }

    @Test("property-list file")
    func propertyList() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "Settings.plist")
            let list: [String: Any] = ["color": "red", "age": 33, "data": Data([1]), "kept": ["a": [1, 2]]]
            try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0).write(to: url)
            let preferences = Preferences(store: FileStore(url: url))
            #expect(preferences.get(named: "age", default: 0) == 33)
            preferences.set(named: "age", to: 34)
            try preferences.flush()
            let saved = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil)
            let entries = try #require(saved as? [String: Any])
            #expect(entries["age"] as? Int == 34)
            #expect(entries["color"] as? String == "red")
            #expect(entries["data"] as? Data == Data([1]))
            #expect(entries["kept"] as? [String: [Int]] == ["a": [1, 2]])
            #expect(entries.count == 4)
        }
    }

    @Test("UserDefaults")
    func userDefaults() throws {
        try withSuite { suite, defaults in
            defaults.set("red", forKey: "color")
            let preferences = Preferences(store: UserDefaultsStore(suite: suite))
            #expect(preferences.get(named: "color", default: "") == "red")
            preferences.set(named: "age", to: 33)
            #expect(defaults.integer(forKey: "age") == 33)
        }
    }

    @Test("Bundle (Info.plist keys as named constants)")
    func bundle() throws {
        try withTemporaryDirectory { folder in
            let list = ["CFBundleName": "Weather", "CFBundleVersion": "7"]
            let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
            try data.write(to: folder.appending(component: "Info.plist"))
            let store = BundleStore(try #require(Bundle(url: folder)))
            let preferences = Preferences(store: store)
            #expect(preferences.get(named: BundleStore.Key.name, default: "") == "Weather")
            #expect(preferences.get(named: BundleStore.Key.version, default: "") == "7")
            #expect(throws: PreferenceProblem.self) { try store.commit(["CFBundleName": .set("x")]) }
        }
    }

    @Test("HTTP cookies by name")
    func cookies() throws {
        let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        let site = try #require(URL(string: "https://weather.example"))
        let cookie = HTTPCookie(properties: [.name: "unit", .value: "kelvin", .domain: "weather.example", .path: "/"])
        storage.setCookie(try #require(cookie))
        let store = CookieStore(url: site, storage: storage)
        #expect(store.value(for: "unit") == "kelvin")
        // The original could only read.
        try store.apply(["unit": .set("celsius"), "theme": .set("dark")])
        #expect(Set(storage.cookies?.map { "\($0.name)=\($0.value)" } ?? []) == ["unit=celsius", "theme=dark"])
    }

    @Test("reflection over a Swift value (color \"red\", age 33, enabled false: 3 keys, mutation visible)")
    func reflection() throws {
        struct Model {
            var color = "red"
            var age = 33
            var enabled = false
        }
        final class Shared: Sendable {
            let model = Mutex(Model())
        }
        let shared = Shared()
        let store = ReflectingStore { shared.model.withLock { $0 } }
        #expect(store.names() == ["color", "age", "enabled"])
        #expect(try ["color", "age", "enabled"].map { try store.value(for: $0) } == ["red", 33, false])
        let preferences = Preferences(store: store)
        #expect(preferences.get(named: "color", default: "") == "red")
        shared.model.withLock { $0.color = "blue" }
        #expect(preferences.get(named: "color", default: "") == "blue")
    }

    @Test("collection with key and value mappings")
    func collection() {
        let store = CollectionStore(
            ["a=1", "b=2"],
            name: { String($0.prefix(1)) },
            value: { .string(String($0.dropFirst(2))) }
        )
        #expect(store.names() == ["a", "b"])
        #expect(store.value(for: "b") == "2")
    }

    @Test("NSCoder")
    func coder() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        let encoding = Preferences(store: CoderStore(encodingInto: archiver))
        encoding.set(named: "color", to: "red")
        encoding.set(named: "age", to: 33)
        encoding.set(named: "enabled", to: false)
        try encoding.flush()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        let decoding = Preferences(store: CoderStore(decodingFrom: unarchiver))
        #expect(decoding.get(named: "color", default: "") == "red")
        #expect(decoding.get(named: "age", default: 0) == 33)
        #expect(decoding.get(named: "enabled", default: true) == false)
    }

    @Test("literals and casts: a literal with one name twice ends nothing")
    func literals() {
        let twice: MemoryStore = ["a": 1, "a": 2]
        #expect(twice.value(for: "a") == 2)
    }

    @Test("literals and casts: a value of another type ends nothing, and is reported")
    func otherTypes() async {
        let preferences = Preferences(store: ["age": "thirty-three"] as MemoryStore)
        #expect(preferences.get(named: "age", default: 0) == 0)
        let problem = await preferences.firstProblem()
        #expect(problem?.code == .typeMismatch)
    }

    @Test("clear of a custom suite clears that suite only (#25)")
    func clearing() throws {
        try withSuite { suite, defaults in
            try withSuite { other, otherDefaults in
                defaults.set(1, forKey: "a")
                otherDefaults.set(2, forKey: "a")
                UserDefaults.standard.set(3, forKey: "preferences-tests-standard")
                defer { UserDefaults.standard.removeObject(forKey: "preferences-tests-standard") }
                try Preferences(store: UserDefaultsStore(suite: suite)).resetAll()
                #expect(defaults.object(forKey: "a") == nil)
                #expect(otherDefaults.integer(forKey: "a") == 2)
                #expect(UserDefaults.standard.integer(forKey: "preferences-tests-standard") == 3)
            }
        }
    }
}
