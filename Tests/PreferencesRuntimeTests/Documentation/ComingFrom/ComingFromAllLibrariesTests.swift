import Foundation
import PreferencesRuntime
import TestSupport
import Testing
import PreferencesCompatibility
import StoreTestSupport

/// What `ComingFrom.md` says of all libraries together, and that all its code is that of tests.
@Suite("Coming from all libraries")
struct ComingFromAllLibrariesTests: ComingFromTests {
    /// Of the program's defaults, and never called: a program can be given its preferences only once.
    func bootstrap() {
        let store = LegacyStore(UserDefaultsStore.standard, decoding: .swiftyUserDefaults)
        Preferences.bootstrap(Preferences(store: store))
    }

    @Test func thePagesCodeIsThatOfTheTests() throws {
        // Without comments, and however it is laid out.
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
        // Where the tests have names of their own.
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

    @Test func whatHoldsForAll() async throws {
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
            // What cannot be read is reported, and stays; one element is enough.
            #expect(preferences.weather.temperature == 0)
            #expect(preferences.weather.stations == [])
            #expect(defaults.string(forKey: "weather-service:temperature") == "warm")
            #expect(await preferences.reportedProblems().map(\.code) == [.typeMismatch, .typeMismatch])
            // Legacy encodings are read, and replaced by the first value that is set.
            #expect(preferences.launchCount == 8)
            #expect(defaults.data(forKey: "launchCount") == Data("[8]".utf8))
            preferences.launchCount += 1
            #expect(defaults.integer(forKey: "launchCount") == 9)
            // Numbers that are none are kept.
            preferences.weather.temperature = .nan
            #expect(preferences.weather.temperature.isNaN)
        }
    }

    @Test func whatCannotBeEncodedLeavesTheOldValue() async {
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

    @Test func whatIsRegisteredIsSet() throws {
        try withSuite { suite, defaults in
            // For all suites of this process, so under a name that no other test has.
            let name = "registered-\(suite)"
            defaults.register(defaults: [name: 0.8])
            let preferences = Preferences(store: UserDefaultsStore(suite: suite))
            #expect(preferences.get(named: name, default: 0.5) == 0.8)
            #expect(preferences.isSet(named: name))
        }
    }

    @Test func movesToAnotherStore() throws {
        try withSuite { suite, defaults in
            try withTemporaryDirectory { folder in
                defaults.set(Data("[8]".utf8), forKey: "launchCount")
                defaults.set(Data("[21.5]".utf8), forKey: "temp")
                let old = LegacyStore(UserDefaultsStore(suite: suite), decoding: .storez)
                let url = folder.appending(component: "preferences.json")
                let preferences = Preferences(
                    store: LegacyStore(FileStore(url: url), decoding: .storez),
                    migrations: [
                        PreferenceMigration(
                            version: 1,
                            [
                                .move("temp", from: old, to: "weather-service:temperature") { (value: Double) in value
                                },
                                .moveAll(from: old),
                            ]
                        )
                    ]
                )
                // As it was read, and as it was stored.
                #expect(preferences.weather.temperature == 21.5)
                #expect(preferences.launchCount == 8)
                let stored = try ["weather-service:temperature", "launchCount"].map {
                    try preferences.store.value(for: $0)
                }
                #expect(stored == [21.5, .data(Data("[8]".utf8))])
                #expect(defaults.object(forKey: "launchCount") == nil)
            }
        }
    }

    @Test func valuesOfAnyKind() throws {
        try withSuite { suite, defaults in
            defaults.set(["size": 5, "tags": ["a"]] as [String: Any], forKey: "extras")
            let preferences = Preferences(store: UserDefaultsStore(suite: suite))
            let extras = preferences.get(named: "extras", default: [String: AnyPreference]())
            #expect(extras["size"]?.value == 5)
            #expect(extras["tags"]?.value == ["a"])
        }
    }

    @Test func dataWithinData() throws {
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
