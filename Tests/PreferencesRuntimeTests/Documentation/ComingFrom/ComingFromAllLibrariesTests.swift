import Foundation
import PreferencesCompatibility
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// The statements of `ComingFrom.md` about all libraries, and the equality of its code with that of the tests.
@Suite("Coming from all libraries")
struct ComingFromAllLibrariesTests: ComingFromTests {
    /// Compiled, but not called, because a program can set its preferences only once.
    func bootstrap() {
        let store = LegacyStore(UserDefaultsStore.standard, decoding: .swiftyUserDefaults)
        Preferences.bootstrap(Preferences(store: store))
    }

    /// Compiled, but not called, because the file is that of the user.
    func settingsOfOkular() -> KConfigStore {
        let store = KConfigStore(url: URL.homeDirectory.appending(path: ".config/okularpartrc"))
        return store
    }

    /// Compiled, but not called, because the file is that of the user.
    func settingsOfClock() -> GSettingsKeyfileStore {
        let settings = GSettingsKeyfileStore(paths: ["org.example.Clock": "/org/example/clock/"])
        return settings
    }

    @Test("The page's code is the code of these tests")
    func thePagesCodeIsTheCodeOfTheseTests() throws {
        // Returns the words of code without comments, regardless of its layout.
        func words(_ text: String) -> String {
            let lines = text.split(separator: "\n").map { line in
                String(line.firstRange(of: " //").map { line[..<$0.lowerBound] } ?? line)
            }
            return lines.joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let tests = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).map {
            words(try String(contentsOf: $0, encoding: .utf8))
        }
        // The tests have other names in some places.
        let code = tests.joined().replacing("StoredStation", with: "Station").replacing("fileprivate ", with: "")
            .replacing("suite: suite", with: "suite: \"group.weather\"")
            .replacing("PreferencesRuntimeTests/ComingFromPropertyKitTests.swift", with: "App/Player.swift")
        let page = Repository.folder.appending(path: "Sources/PreferencesRuntime/PreferencesRuntime.docc/ComingFrom.md")
        let blocks = try String(contentsOf: page, encoding: .utf8).matches(of: /```swift\n([\s\S]*?)```/).map(\.1)
        #expect(blocks.count >= 9)
        for line in blocks.joined().split(separator: "\n").map({ words(String($0)) }) where !line.hasPrefix("//") {
            #expect(code.contains(line), "\(line)")
        }
    }

    @Test("The statements about all libraries hold")
    func theStatementsAboutAllLibrariesHold() async throws {
        try await withSuite { suite, defaults in
            defaults.set("warm", forKey: "weather-service:temperature")
            defaults.set(["Oslo", 5] as [Any], forKey: "weather-service:stations")
            defaults.set(Data("[8]".utf8), forKey: "launchCount")
            let store = LegacyStore(UserDefaultsStore(suite: suite), decoding: .storez + .userDefaults)
            let preferences = Preferences(store: store)
            // A default is not stored.
            #expect(preferences.weather.lastUpdate == nil)
            #expect(preferences.weather.unit == .celsius)
            #expect(!preferences.isSet(named: "weather-service:unit"))
            // A value that cannot be read, even in one element only, is reported and kept.
            #expect(preferences.weather.temperature == 0)
            #expect(preferences.weather.stations == [])
            #expect(defaults.string(forKey: "weather-service:temperature") == "warm")
            #expect(await preferences.reportedProblems().map(\.code) == [.typeMismatch, .typeMismatch])
            // Legacy encodings are read, and replaced by the first value that is set.
            #expect(preferences.launchCount == 8)
            #expect(defaults.data(forKey: "launchCount") == Data("[8]".utf8))
            preferences.launchCount += 1
            #expect(defaults.integer(forKey: "launchCount") == 9)
            // NaN is stored.
            preferences.weather.temperature = .nan
            #expect(preferences.weather.temperature.isNaN)
        }
    }

    @Test("A value that cannot be encoded leaves the old value in place")
    func aValueThatCannotBeEncodedLeavesTheOldValueInPlace() async {
        let preferences = Preferences.inMemory()
        preferences.set(named: "station", to: Unencodable(name: "Oslo"))
        #expect(throws: PreferenceProblem.self) {
            try PreferenceReference("station", default: Unencodable(name: ""), in: preferences)
                .set(\.value, to: Unencodable(name: "unencodable"))
        }
        preferences.set(named: "station", to: Unencodable(name: "unencodable"))
        #expect(preferences.get(named: "station", default: Unencodable(name: "")).name == "Oslo")
        #expect(await preferences.reportedProblems().map(\.code) == [.unencodable])
    }

    @Test("Registered defaults count as set")
    func registeredDefaultsCountAsSet() throws {
        try withSuite { suite, defaults in
            // Registered defaults apply to all suites of this process, so the name is unique.
            let name = "registered-\(suite)"
            defaults.register(defaults: [name: 0.8])
            let preferences = Preferences(store: UserDefaultsStore(suite: suite))
            #expect(preferences.get(named: name, default: 0.5) == 0.8)
            #expect(preferences.isSet(named: name))
        }
    }

    @Test("Values move to another store")
    func valuesMoveToAnotherStore() throws {
        try withSuite { suite, defaults in
            try withTemporaryDirectory { folder in
                defaults.set(Data("[8]".utf8), forKey: "launchCount")
                defaults.set(Data("[21.5]".utf8), forKey: "temp")
                let old = LegacyStore(UserDefaultsStore(suite: suite), decoding: .storez)
                let url = folder.appending(component: "preferences.json")
                let preferences = Preferences(
                    store: FileStore(url: url),
                    migrations: [
                        PreferenceMigration(
                            version: 1,
                            [
                                .move("temp", from: old, to: "weather-service:temperature") { (value: Double) in value
                                },
                                .moveAll(from: old, reencoding: ["launchCount": Int.self]),
                            ]
                        )
                    ]
                )
                #expect(preferences.weather.temperature == 21.5)
                #expect(preferences.launchCount == 8)
                let stored = try ["weather-service:temperature", "launchCount"].map {
                    try preferences.store.value(for: $0)
                }
                #expect(stored == [21.5, 8])
                #expect(defaults.object(forKey: "launchCount") == nil)
            }
        }
    }

    @Test("Values of any kind are read")
    func valuesOfAnyKindAreRead() throws {
        try withSuite { suite, defaults in
            defaults.set(["size": 5, "tags": ["a"]] as [String: Any], forKey: "extras")
            let preferences = Preferences(store: UserDefaultsStore(suite: suite))
            let extras = preferences.get(named: "extras", default: [String: AnyPreference]())
            #expect(extras["size"]?.value == 5)
            #expect(extras["tags"]?.value == ["a"])
        }
    }

    @Test("Data within data is read")
    func dataWithinDataIsRead() throws {
        try withSuite { suite, defaults in
            defaults.set(try archive(Data([1]) as NSData), forKey: "archive")
            defaults.set(Data("\"AQ==\"".utf8), forKey: "json")
            for (encodings, read) in [
                ([], nil), (.foil, nil), (.propertyKit + .storez, Data([1])),
            ] as [([LegacyEncoding], Data?)] {
                let preferences = Preferences(store: LegacyStore(UserDefaultsStore(suite: suite), decoding: encodings))
                for name in ["archive", "json"] {
                    #expect(preferences.get(named: name, default: Data()) == read ?? defaults.data(forKey: name))
                }
            }
        }
    }
}

private struct Unencodable: Codable, Hashable, PreferenceConvertible {
    struct Refusal: Error {}
    var name: String

    init(name: String) { self.name = name }

    func encode(to encoder: any Encoder) throws {
        if name == "unencodable" { throw Refusal() }
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }

    init(from decoder: any Decoder) throws { name = try decoder.singleValueContainer().decode(String.self) }
}
