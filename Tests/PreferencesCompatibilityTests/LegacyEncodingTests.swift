import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesCompatibility
@testable import PreferencesRuntime

/// The stored values are created by the same calls as in the other libraries.
@Suite("Legacy encodings")
struct LegacyEncodingTests {
    private struct Place: Codable, Hashable, PreferenceConvertible {
        var name: String
        var opened: Date
        var icon: Data
    }

    /// Not `Codable`.
    private enum Size: String, PreferenceConvertible {
        case small
        case large
    }

    private static let place = Place(
        name: "Oslo",
        opened: Date(timeIntervalSinceReferenceDate: 712_345_678.5),
        icon: Data([0, 255])
    )

    // MARK: - Encoding

    private func json(_ value: some Encodable) throws -> Data {
        try JSONEncoder().encode(value)
    }

    private func jsonText(_ value: some Encodable) throws -> String {
        String(decoding: try json(value), as: UTF8.self)
    }

    private func archive(_ object: Any) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
    }

    /// Reads an object that another library has stored, from user defaults and from a file.
    private func read<Value: PreferenceConvertible & Equatable>(
        _ object: Any,
        _ encodings: [LegacyEncoding],
        as type: Value.Type = Value.self
    ) throws -> Value {
        func value(in store: any PreferenceStore) throws -> Value {
            let value = try #require(try store.value(for: "key"))
            return try store.read(value, of: "key", as: type)
        }
        let fromFile = try withTemporaryDirectory { folder in
            let url = folder.appending(component: "Settings.plist")
            try PropertyListSerialization.data(fromPropertyList: ["key": object], format: .binary, options: 0).write(
                to: url
            )
            return Result { try value(in: LegacyStore(FileStore(url: url), decoding: encodings)) }
        }
        let fromDefaults = try withUserDefaultsSuite { suite in
            UserDefaults(suiteName: suite)?.set(object, forKey: "key")
            return Result { try value(in: LegacyStore(UserDefaultsStore(suite: suite), decoding: encodings)) }
        }
        let (inFile, inDefaults) = (try? fromFile.get(), try? fromDefaults.get())
        #expect(inFile == inDefaults)
        return try fromDefaults.get()
    }

    // MARK: - JSON

    @Test("JSON in data is read")
    func jsonInDataIsRead() throws {
        #expect(try read(json(Self.place), .propertyKit, as: Place.self) == Self.place)
        #expect(try read(json([1, 2]), .propertyKit, as: [Int].self) == [1, 2])
        #expect(try read(json(["a": 1]), .propertyKit, as: [String: Int].self) == ["a": 1])
        #expect(try read(json(Data([1, 2, 3])), .propertyKit, as: Data.self) == Data([1, 2, 3]))
        #expect(try read(json(URL(string: "https://a.example/b")!), .propertyKit) == URL(string: "https://a.example/b"))
        #expect(try read(json(UUID.example), .propertyKit) == UUID.example)
        #expect(try read(json(TemperatureUnit.fahrenheit), .propertyKit) == TemperatureUnit.fahrenheit)
        #expect(try read(json("large"), .propertyKit) == Size.large)
        #expect(try read(json([Self.place.opened]), .propertyKit) == [Self.place.opened])
        #expect(try read(json(Self.place), .propertyKit) == Optional(Self.place))
        // In arrays and dictionaries, as Foil stores them.
        #expect(try read([json(Self.place), json(Self.place)], .foil) == [Self.place, Self.place])
        #expect(try read(["a": json(Self.place)], .foil) == ["a": Self.place])
    }

    @Test("JSON of an array with one element in data is read")
    func jsonArraysInDataAreRead() throws {
        #expect(try read(json([8]), .storez) == 8)
        #expect(try read(json([true]), .storez) == true)
        #expect(try read(json([20.4]), .storez) == 20.4)
        #expect(try read(json(["text"]), .storez) == "text")
        #expect(try read(json([Self.place.opened]), .storez) == Self.place.opened)
        #expect(try read(json([Data([1, 2])]), .storez) == Data([1, 2]))
        #expect(try read(json([[1, 2]]), .storez) == [1, 2])
        #expect(try read(json([Self.place]), .storez) == Self.place)
        #expect(try read(json(["small"]), .storez) == Size.small)
        #expect(try read(Data("[null]".utf8), .storez) == Int?.none)
        #expect(throws: PreferenceConversionError.self) { try read(json([1, 2]), .storez, as: Int.self) }
    }

    @Test("JSON in strings is read")
    func jsonInStringsIsRead() throws {
        #expect(try read(jsonText(Self.place), .defaults) == Self.place)
        #expect(
            try read(jsonText(URL(string: "https://a.example/b")!), .defaults) == URL(string: "https://a.example/b")
        )
        #expect(try read(jsonText(TemperatureUnit.celsius), .defaults) == TemperatureUnit.celsius)
        #expect(try read(UUID.example.uuidString, .defaults) == UUID.example)
        #expect(try read([jsonText(Self.place), jsonText(Self.place)], .defaults) == [Self.place, Self.place])
        #expect(try read(["a": jsonText(Self.place)], .defaults) == ["a": Self.place])
        #expect(try read([[jsonText(Self.place)]], .defaults) == [[Self.place]])
        #expect(
            try read([jsonText(URL(string: "https://a.example")!)], .defaults) == [URL(string: "https://a.example")!]
        )
        // Version 4 stored the JSON of whole lists.
        #expect(try read(jsonText(["a", "b"]), .defaults) == ["a", "b"])
        #expect(try read(jsonText([1, 2]), .defaults) == Set([1, 2]))
    }

    /// A `Codable` struct with a string as raw value, which Defaults stores as JSON.
    private struct Tag: RawRepresentable, Codable, Hashable, PreferenceConvertible {
        var rawValue: String
    }

    @Test("A string that would also convert undecoded is decoded from JSON")
    func ambiguousValuesAreDecoded() throws {
        #expect(try read(jsonText("no"), .defaults) == Tag(rawValue: "no"))
        #expect(try read([jsonText("no"), jsonText("da")], .defaults) == [Tag(rawValue: "no"), Tag(rawValue: "da")])
        #expect(try read("no", .defaults) == Tag(rawValue: "no"))
        // Dictionaries whose keys are not strings.
        try withUserDefaultsSuite { suite in
            UserDefaults(suiteName: suite)?.set(["1": "\"Oslo\"", "2": "\"Bergen\""], forKey: "names")
            let preferences = Preferences(store: LegacyStore(UserDefaultsStore(suite: suite), decoding: .defaults))
            #expect(preferences.namesByNumber == [1: "Oslo", 2: "Bergen"])
        }
    }

    @Test("Data of libraries that store it as it is is not decoded")
    func plainDataIsNotDecoded() throws {
        let quoted = try json(Data([1]))
        let archived = try archive(Data([1]) as NSData)
        for encodings in [[LegacyEncoding]].withRawValues {
            #expect(try read(quoted, encodings) == quoted)
            #expect(try read(archived, encodings) == archived)
        }
    }

    @Test("The archived numbers 0 and 1 are read as Booleans")
    func archivedNumbersAreReadAsBooleans() throws {
        #expect(try read(archive(1 as NSNumber), .storez) == true)
        #expect(try read(archive(0 as NSNumber), .storez) == false)
        #expect(throws: PreferenceConversionError.self) { try read(archive(2 as NSNumber), .storez, as: Bool.self) }
    }

    @Test("A string is read as it is, even if it looks like JSON or a number")
    func stringsAreNotDecodedAsStrings() throws {
        #expect(try read("[1]", .defaults) == "[1]")
        #expect(try read("\"a\"", .defaults) == "\"a\"")
        #expect(try read(["a", "\"b\""], .defaults) == ["a", "\"b\""])
        #expect(try read("5", .userDefaults) == "5")
    }

    // MARK: - Archives

    @Test("Archived numbers, strings, dates, URLs, UUIDs, data and collections are read")
    func archivedValuesAreRead() throws {
        #expect(try read(archive(42 as NSNumber), .storez) == 42)
        #expect(try read(archive(2.5 as NSNumber), .storez) == 2.5)
        #expect(try read(archive(NSNumber(value: UInt64.max)), .storez) == UInt64.max)
        #expect(try read(archive(NSNumber(value: Int64.min)), .storez) == Int64.min)
        #expect(try read(archive("text" as NSString), .storez) == "text")
        #expect(try read(archive(Self.place.opened as NSDate), .storez) == Self.place.opened)
        #expect(try read(archive("text" as NSString), .prephirences) == String?.some("text"))
        #expect(try read(archive(["a", "b"] as NSArray), .prephirences) == ["a", "b"])
        #expect(try read(archive(["a": 1] as NSDictionary), .prephirences) == ["a": 1])
        #expect(
            try read(archive(URL(string: "https://a.example")! as NSURL), .userDefaults)
                == URL(string: "https://a.example")
        )
        #expect(try read(archive(UUID.example as NSUUID), .storez) == UUID.example)
        #expect(try read(archive(Data([1]) as NSData), .storez) == Data([1]))
    }

    @Test("Archived nulls are read as nil")
    func archivedNullsAreRead() throws {
        // Foundation on Linux cannot archive null, so the class of a date is replaced.
        var archive = try archive(["a", Date.now] as NSArray)
        while let name = archive.range(of: Data("NSDate".utf8)) { archive.replaceSubrange(name, with: "NSNull".utf8) }
        #expect(try read(archive, .prephirences) == ["a", nil])
    }

    @Test("Data that is not a supported archive is read as data")
    func otherDataIsData() throws {
        let archives = [
            try archive(NSMutableSet(object: NSLocale(localeIdentifier: "no"))), Data("bplist00".utf8), Data(),
            Data([0, 1]),
            try PropertyListSerialization.data(fromPropertyList: ["a": 1], format: .binary, options: 0),
        ]
        for data in archives {
            #expect(try read(data, LegacyEncoding.allCases) == data)
            #expect(throws: PreferenceConversionError.self) { try read(data, LegacyEncoding.allCases, as: String.self) }
        }
    }

    /// The root of the archive references one long string many times.
    @Test("An object that an archive references many times is read once")
    func repeatedObjectsAreReadOnce() throws {
        let text = String(repeating: "a", count: 100_000) as NSString
        let bomb = try archive(Array(repeating: text, count: 100_000) as NSArray)
        guard case .array(let texts)? = KeyedArchive.value(in: bomb) else {
            Issue.record("no array was read")
            return
        }
        #expect(texts.count == 100_000)
        #expect(texts.last == .string(text as String))
    }

    @Test("No damage of an archive ends the program")
    func damagedArchivesDoNotEndTheProgram() throws {
        let archive = try archive(["name": ["a", "b"], "count": 5, "date": Date.now] as NSDictionary)
        for index in archive.indices {
            for bit in 0..<8 {
                var damaged = archive
                damaged[index] ^= 1 << bit
                _ = KeyedArchive.value(in: damaged)
            }
        }
    }

    // MARK: - Raw values and dates

    @Test("Raw values are converted as by UserDefaults")
    func rawValuesAreConverted() throws {
        #expect(try read(1, .userDefaults) == true)
        #expect(try read(0.0, .userDefaults) == false)
        #expect(try read("YES", .userDefaults) == true)
        for word in ["t", "Y"] { #expect(try read(word, .swiftyUserDefaults) == true) }
        for word in ["F", "n"] { #expect(try read(word, .swiftyUserDefaults) == false) }
        #expect(try read("t", .swiftyUserDefaults) == "t")
        #expect(try read("42", .userDefaults) == 42)
        #expect(try read("2.5", .userDefaults) == 2.5)
        #expect(try read(true, .userDefaults) == 1)
        #expect(try read("large", .userDefaults) == Size.large)
        #expect(try read("/tmp/a b", .userDefaults) == URL(filePath: "/tmp/a b"))
        let home = FileManager.default.homeDirectoryForCurrentUser
        #expect(try read("~/a", .userDefaults) == home.appending(path: "a"))
        #expect(try read("https://a.example/b", .userDefaults) == URL(string: "https://a.example/b"))
        #expect(throws: PreferenceConversionError.self) { try read("maybe", .userDefaults, as: Bool.self) }
        #expect(throws: PreferenceConversionError.self) { try read(2, .userDefaults, as: Bool.self) }
    }

    @Test("Dates in ISO 8601 are read")
    func isoDatesAreRead() throws {
        let date = Date(timeIntervalSinceReferenceDate: 100)
        #expect(try read("2001-01-01T00:01:40Z", [.isoDate]) == date)
        #expect(try read(["2001-01-01T00:01:40Z"], [.isoDate]) == [date])
        #expect(try read("2001-01-01T00:01:40Z", [.isoDate]) == "2001-01-01T00:01:40Z")
        let text = "{\"name\": \"Oslo\", \"opened\": \"2001-01-01T00:01:40Z\", \"icon\": \"AA==\"}"
        let place = Place(name: "Oslo", opened: date, icon: Data([0]))
        #expect(try read(text, [.jsonString, .isoDate]) == place)
        #expect(throws: PreferenceConversionError.self) { try read("today", [.isoDate], as: Date.self) }
    }

    // MARK: - Moving values

    @Test("Without encodings, no encoded value is read")
    func noEncodingsDecodeNothing() throws {
        #expect(throws: PreferenceConversionError.self) { try read(json([8]), [], as: Int.self) }
        #expect(throws: PreferenceConversionError.self) { try read("42", [], as: Int.self) }
    }

    @Test("A stored value is rewritten only when its key is set")
    func valuesAreRewrittenOnlyWhenSet() async throws {
        try await withUserDefaultsSuite { suite in
            let defaults = try #require(UserDefaults(suiteName: suite))
            let former = try json([8])
            defaults.set(former, forKey: "launchCount")
            defaults.set(try json(["text"]), forKey: "weather-service:temperature")
            let preferences = Preferences(store: LegacyStore(UserDefaultsStore(suite: suite), decoding: .storez))
            #expect(preferences.launchCount == 8)
            #expect(preferences.isSet(\.launchCount))
            #expect(defaults.object(forKey: "launchCount") as? Data == former)
            preferences.launchCount += 1
            #expect(defaults.object(forKey: "launchCount") as? Int == 9)
            #expect(preferences.weather.temperature == 0)
            #expect(
                await preferences.reportedProblems().map(\.message) == [
                    "expected Double, found data of 8 bytes; using default 0.0"
                ]
            )
        }
    }

    @Test("Values of types that are only Codable are read")
    func codableValuesAreRead() throws {
        try withUserDefaultsSuite { suite in
            UserDefaults(suiteName: suite)?.set(try json(Point(x: 1)), forKey: "point")
            let preferences = Preferences(store: LegacyStore(UserDefaultsStore(suite: suite), decoding: .propertyKit))
            #expect(preferences.point == Point(x: 1))
            #expect(preferences.maybePoint == Point(x: 1))
        }
    }

    @Test("Values in a file are read as in user defaults")
    func filesAreRead() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "Settings.plist")
            let other = try archive("other" as NSString)
            let list: [String: Any] = [
                "launchCount": try archive(5 as NSNumber), "other": other, "weather-service:unit": "fahrenheit",
            ]
            let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
            try data.write(to: url)
            let store = LegacyStore(FileStore(url: url), decoding: .prephirences)
            let preferences = Preferences(store: store)
            #expect(preferences.launchCount == 5)
            #expect(preferences.weather.unit == .fahrenheit)
            #expect(preferences.get(named: "other", default: "") == "other")
            try preferences.flush()
            #expect(try Data(contentsOf: url) == data)
            // Only the changed value is encoded again.
            preferences.launchCount = 6
            try preferences.flush()
            let saved = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil)
            let entries = try #require(saved as? [String: Any])
            #expect(entries["launchCount"] as? Int == 6)
            #expect(entries["other"] as? Data == other)
        }
    }

    @Test("A migration reads encoded values")
    func migrationsReadEncodedValues() throws {
        try withUserDefaultsSuite { suite in
            UserDefaults(suiteName: suite)?.set(try json([8]), forKey: "old:count")
            let old = LegacyStore(UserDefaultsStore(suite: suite), decoding: .storez)
            let preferences = Preferences(
                store: MemoryStore(),
                migrations: [
                    PreferenceMigration(
                        version: 1,
                        [.move("old:count", from: old, to: "launchCount") { (count: Int) in count + 1 }]
                    )
                ]
            )
            #expect(preferences.launchCount == 9)
        }
    }

    @Test("Moving encoded values to a store that does not decode them is reported")
    func movingToAStoreWithoutEncodingsIsReported() async throws {
        try await withUserDefaultsSuite { suite in
            let defaults = try #require(UserDefaults(suiteName: suite))
            defaults.set(try json([8]), forKey: "count")
            defaults.set(try archive("a" as NSString), forKey: "name")
            defaults.set(5, forKey: "plain")
            defaults.set(Data([0xFF]), forKey: "data")
            let old = LegacyStore(UserDefaultsStore(suite: suite), decoding: .storez)
            let store = MemoryStore()
            let preferences = Preferences(
                store: store,
                migrations: [PreferenceMigration(version: 1, [.moveAll(from: old)])]
            )
            #expect(preferences.get(named: "plain", default: 0) == 5)
            #expect(store.names().isSuperset(of: ["count", "name", "plain", "data"]))
            #expect(
                await preferences.reportedProblems().map(\.description) == [
                    "memory: it does not decode the encodings that user defaults '\(suite)' decodes, and values that look "
                        + "encoded were moved as they are: 'count', 'name'; give the step their types or a closure, or "
                        + "use the same adapter over the store"
                ]
            )
        }
    }

    @Test("Values whose types are given are stored again in this package's encoding, and others move as they are")
    func reencoding() async throws {
        struct Station: Codable, Hashable, PreferenceConvertible {
            var name: String
            var opened: Date
        }
        try await withUserDefaultsSuite { suite in
            let defaults = try #require(UserDefaults(suiteName: suite))
            let station = Station(name: "Oslo", opened: Date(timeIntervalSinceReferenceDate: 5))
            defaults.set(try json([station]), forKey: "station")
            defaults.set(try json([8]), forKey: "count")
            defaults.set("no number", forKey: "limit")
            defaults.set(5, forKey: "plain")
            let store = MemoryStore()
            let source = LegacyStore(UserDefaultsStore(suite: suite), decoding: .storez)
            let step = PreferenceMigration.Step.moveAll(
                from: source,
                reencoding: ["weather:station": Station.self, "weather:count": Int.self, "weather:limit": Int.self]
            ) { "weather:\($0)" }
            let preferences = Preferences(store: store, migrations: [PreferenceMigration(version: 1, [step])])
            #expect(preferences.get(named: "weather:plain", default: 0) == 5)
            #expect(try store.value(for: "weather:station") == station.preferenceValue())
            #expect(store.value(for: "weather:count") == 8)
            #expect(store.value(for: "weather:limit") == nil)
            #expect(
                await preferences.reportedProblems().map(\.description) == [
                    "user defaults '\(suite)': 'limit': expected Int, found the string \"no number\"; it was not moved "
                        + "to 'weather:limit'"
                ]
            )
        }
    }

    @Test("Values in the store of the preferences change their encoding in place")
    func reencodingInPlace() throws {
        let store = MemoryStore(["count": .data(try json([8])), "name": "Oslo"])
        let legacy = LegacyStore(store, decoding: .storez)
        let step = PreferenceMigration.Step.moveAll(from: legacy, reencoding: ["count": Int.self])
        let preferences = Preferences(store: legacy, migrations: [PreferenceMigration(version: 1, [step])])
        #expect(preferences.get(named: "count", default: 0) == 8)
        #expect(store.value(for: "count") == 8)
        #expect(store.value(for: "name") == "Oslo")
    }

    @Test("Moving encoded values to a store of secrets that does not decode them is reported")
    func movingToSecretsWithoutEncodingsIsReported() async throws {
        try await withUserDefaultsSuite { suite in
            let defaults = try #require(UserDefaults(suiteName: suite))
            defaults.set(try json(["a"]), forKey: "token")
            defaults.set([try json(["a"])], forKey: "tokens")
            defaults.set(5, forKey: "plain")
            let store = LegacyStore(UserDefaultsStore(suite: suite), decoding: .storez)
            let preferences = Preferences(
                store: store,
                secrets: PrefixedStore(MemoryStore(), prefix: "secret"),
                migrations: [
                    PreferenceMigration(
                        version: 1,
                        [
                            .move("token", to: "account:token", isSecret: true),
                            .move("tokens", to: "account:tokens", isSecret: true),
                            .move("plain", to: "other"),
                        ]
                    )
                ]
            )
            #expect(preferences.get(named: "other", default: 0) == 5)
            let messages = ["token", "tokens"].map {
                "memory 'secret:': 'account:\($0)': it does not decode the encodings that user defaults '\(suite)' "
                    + "decodes, and values that look encoded were moved as they are: 'account:\($0)'; give the step "
                    + "their types or a closure, or use the same adapter over the store"
            }
            #expect(await preferences.reportedProblems().map(\.description) == messages)
        }
    }

    @Test("Setting data that looks encoded is refused")
    func dataThatLooksEncodedIsRefused() throws {
        let bytes = try json(Data([1, 2]))
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.plist")
            let store = LegacyStore(FileStore(url: url), decoding: .propertyKit)
            let problem = PreferenceProblem(
                .unsupportedValue,
                key: "data",
                store: store.label,
                message: "a legacy encoding of this store would decode these bytes as other data; set them in a store "
                    + "without LegacyStore"
            )
            #expect(throws: problem) { try store.apply(["data": .set(.data(bytes)), "other": .set(1)]) }
            #expect(throws: problem) { try store.update { _ in ["data": .set(.data(bytes))] } }
            #expect(try store.names().isEmpty)
            try store.apply(["data": .set(.data(Data("{\"a\":1}".utf8)))])
            let value = try #require(try store.value(for: "data"))
            #expect(try store.convert(value, of: "data", to: Data.self) == Data("{\"a\":1}".utf8))
        }
    }
}

/// Conforms to `Codable` only.
private struct Point: Codable, Hashable, Sendable {
    var x: Int
}

extension [[LegacyEncoding]] {
    /// The encodings of libraries that store data as it is.
    fileprivate static var withRawValues: Self {
        [.userDefaults, .foil, .swiftyUserDefaults, .prephirences, .defaults]
    }
}

extension PreferenceAccessors {
    fileprivate var namesByNumber: [Int: String] { self.get(codable: "names", default: [:]) }
    fileprivate var point: Point { self.get(codable: "point", default: Point(x: 0)) }
    fileprivate var maybePoint: Point? { self.get(codable: "point", default: nil) }
}
