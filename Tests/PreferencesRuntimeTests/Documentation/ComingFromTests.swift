import Foundation
import PreferencesRuntime
import TestSupport
import Testing

/// What `ComingFrom.md` says of each library: its stored values are made here as it stores them.
@Suite("Coming from other libraries")
struct ComingFromTests {
    /// Of the program's defaults, and never called: a program can be given its preferences only once.
    func bootstrap() {
        Preferences.bootstrap(Preferences(store: UserDefaultsStore(legacyEncodings: .swiftyUserDefaults)))
    }

    // MARK: - What holds for all

    @Test func whatHoldsForAll() async throws {
        try await withSuite { suite, defaults in
            defaults.set("warm", forKey: "weather-service:temperature")
            defaults.set(["Oslo", 5] as [Any], forKey: "weather-service:stations")
            defaults.set(Data("[8]".utf8), forKey: "launchCount")
            let store = UserDefaultsStore(suite: suite, legacyEncodings: .storez + .userDefaults)
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
                let old = UserDefaultsStore(suite: suite, legacyEncodings: .storez)
                let url = folder.appending(component: "preferences.json")
                let preferences = Preferences(
                    store: FileStore(url: url, legacyEncodings: .storez),
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
                let preferences = Preferences(store: UserDefaultsStore(suite: suite, legacyEncodings: encodings))
                for name in ["archive", "json"] {
                    #expect(preferences.get(named: name, default: Data()) == read ?? defaults.data(forKey: name))
                }
            }
        }
    }

    // MARK: - UserDefaults

    @Test func userDefaultsCalls() async throws {
        try withSuite { suite, defaults in
            let preferences = Preferences(store: UserDefaultsStore(suite: suite))
            let name = "launchCount"
            preferences.launchCount = 3
            #expect(defaults.integer(forKey: name) == 3)
            #expect(preferences.isSet(\.launchCount))
            #expect(preferences.get(named: name, default: 0) == 3)
            preferences.set(named: name, to: 4)
            #expect(preferences.isSet(named: name))
            #expect(try preferences.store.names() == [name])
            let seen = Recorder<Int>()
            let watcher = preferences.watch(\.launchCount) { seen.add($0.new) }
            preferences.reset(\.launchCount)
            watcher.cancel()
            #expect(seen.all == [0])
            preferences.launchCount = 5
            try preferences.flush()
            try preferences.reload()
            try preferences.resetAll()
            #expect(defaults.object(forKey: name) == nil)
            let layers = LayeredStore([ArgumentsStore(["--launch-count=7"]), preferences.store])
            #expect(Preferences(store: layers).launchCount == 7)
            Preferences.withShared(.inMemory()) {
                Preferences.shared.launchCount = 1
            }
            #expect(preferences.launchCount == 0)
        }
    }

    @Test func userDefaultsValues() throws {
        try withSuite { suite, defaults in
            defaults.set(1, forKey: "flag")
            defaults.set("YES", forKey: "word")
            defaults.set("42", forKey: "number")
            defaults.set(2.5, forKey: "fraction")
            defaults.set(URL(filePath: "/tmp/a b"), forKey: "file")
            // As on Apple platforms. Foundation on Linux keeps the path alone.
            defaults.set(try archive(NSURL(string: "https://a.example") as Any), forKey: "page")
            defaults.set(try JSONEncoder().encode(Station(name: "Oslo")), forKey: "station")
            defaults.set("2001-01-01T00:01:40Z", forKey: "date")
            let encodings: [LegacyEncoding] = .userDefaults + [.jsonData, .isoDate]
            let preferences = Preferences(store: UserDefaultsStore(suite: suite, legacyEncodings: encodings))
            #expect(preferences.get(named: "flag", default: false))
            #expect(preferences.get(named: "word", default: false))
            #expect(preferences.get(named: "number", default: 0) == 42)
            #expect(preferences.get(named: "fraction", default: 0) == 0)
            #expect(preferences.get(named: "file", default: nil as URL?) == URL(filePath: "/tmp/a b"))
            #expect(preferences.get(named: "page", default: nil as URL?) == URL(string: "https://a.example"))
            #expect(preferences.get(named: "station", default: nil as Station?) == Station(name: "Oslo"))
            let date = Date(timeIntervalSinceReferenceDate: 100)
            #expect(preferences.get(named: "date", default: Date.distantPast) == date)
        }
    }

    // MARK: - sindresorhus/Defaults

    @Test func defaultsCalls() async throws {
        let preferences = Preferences(store: MemoryStore(), isObserved: true)
        #expect(preferences.quality == 0.8)
        preferences.quality = 0.5
        #expect(preferences.quality != preferences.defaultValue(\.quality))
        preferences.reset(\.quality)
        #expect(preferences.quality == preferences.defaultValue(\.quality))
        let seen = Recorder<Double>()
        preferences.watch(\.quality, options: [.initial, .removeDuplicates]) { seen.add($0.new) }
        preferences.quality = 0.8
        preferences.quality = 0.9
        #expect(seen.all == [0.8, 0.9])
        for await change in preferences.changes(\.quality, options: .initial) {
            #expect(change.new == 0.9)
            break
        }
        for await _ in preferences.changes(anyOf: [\.quality, \.seenAt], options: .initial) { break }
        #expect(preferences.seenAt <= Date())
        try preferences.resetAll()
    }

    @Test func defaultsValues() throws {
        try withSuite { suite, defaults in
            let page = try #require(URL(string: "https://a.example/b"))
            let day = Date(timeIntervalSinceReferenceDate: 100)
            defaults.set(0.5, forKey: "quality")
            defaults.set("{\"name\":\"Oslo\"}", forKey: "station")
            defaults.set(["{\"name\":\"Oslo\"}"], forKey: "stations")
            defaults.set("\"https:\\/\\/a.example\\/b\"", forKey: "page")
            defaults.set(["\"https:\\/\\/a.example\\/b\""], forKey: "pages")
            defaults.set("\"fahrenheit\"", forKey: "codableUnit")
            defaults.set("fahrenheit", forKey: "rawUnit")
            defaults.set([UUID.example.uuidString], forKey: "ids")
            defaults.set([1, 5], forKey: "span")
            defaults.set([day, day.addingTimeInterval(5)], forKey: "days")
            defaults.set(["1": "5"], forKey: "counts")
            defaults.set(["1.5": "5"], forKey: "fractions")
            defaults.set(["1": "\"Oslo\""], forKey: "names")
            defaults.set("\"no\"", forKey: "language")
            let preferences = Preferences(store: UserDefaultsStore(suite: suite, legacyEncodings: .defaults))
            #expect(preferences.quality == 0.5)
            #expect(preferences.get(named: "station", default: nil as Station?) == Station(name: "Oslo"))
            #expect(preferences.get(named: "stations", default: [Station]()) == [Station(name: "Oslo")])
            #expect(preferences.get(named: "page", default: nil as URL?) == page)
            #expect(preferences.get(named: "pages", default: Set<URL>()) == [page])
            #expect(preferences.get(named: "codableUnit", default: TemperatureUnit.celsius) == .fahrenheit)
            #expect(preferences.get(named: "rawUnit", default: TemperatureUnit.celsius) == .fahrenheit)
            #expect(preferences.get(named: "ids", default: Set<UUID>()) == [.example])
            #expect(preferences.span == 1..<5)
            #expect(preferences.days == day...day.addingTimeInterval(5))
            #expect(preferences.counts == [1: 5])
            #expect(preferences.get(named: "fractions", default: [String: Int]()) == ["1.5": 5])
            #expect(preferences.language == Language(rawValue: "no"))
            #expect(preferences.names == [1: "Oslo"])
        }
    }

    @Test func defaultsInTheCloud() throws {
        let cloud: MemoryStore = ["quality": [.date(Date(timeIntervalSinceReferenceDate: 100)), 0.5]]
        let preferences = Preferences(
            store: MemoryStore(),
            migrations: [
                PreferenceMigration(
                    version: 1,
                    [
                        .move("quality", from: cloud, to: "quality") { (pair: [AnyPreference]) in pair.last },
                        .remove("quality__DEFAULTS__synchronizeTimestamp"),
                    ]
                )
            ]
        )
        #expect(preferences.quality == 0.5)
    }

    // MARK: - SwiftyUserDefaults

    @Test func swiftyUserDefaultsCalls() throws {
        let preferences = Preferences.inMemory()
        preferences.launchCount += 1
        #expect(preferences.isSet(\.launchCount))
        let seen = Recorder<[Int?]>()
        let watcher = preferences.watch(\.launchCount, options: [.old, .new]) { seen.add([$0.old, $0.new]) }
        preferences.launchCount += 1
        watcher.cancel()
        #expect(seen.all == [[1, 2]])
        struct Screen {
            @Preference(\.launchCount) var launchCount
            @Preference("volume") var volume = 50
        }
        Preferences.withShared(preferences) {
            let screen = Screen()
            #expect(screen.launchCount == 2)
            screen.volume = 60
            screen.$volume.reset(\.value)
            #expect(screen.volume == 50)
        }
        preferences.reset(\.launchCount)
        #expect(!preferences.isSet(\.launchCount))
    }

    @Test func swiftyUserDefaultsValues() throws {
        try withSuite { suite, defaults in
            let pages = ["https://a.example", "https://b.example"].compactMap(URL.init(string:))
            defaults.set(3, forKey: "launchCount")
            defaults.set(try archive(pages[0] as NSURL), forKey: "page")
            defaults.set("~/a", forKey: "file")
            defaults.set(try archive(pages as NSArray), forKey: "pages")
            defaults.set(try JSONEncoder().encode([Station(name: "Oslo")]), forKey: "stations")
            defaults.set("fahrenheit", forKey: "unit")
            defaults.set("t", forKey: "flag")
            defaults.set(["a": 1] as [String: Any], forKey: "extras")
            let store = UserDefaultsStore(suite: suite, legacyEncodings: .swiftyUserDefaults)
            let preferences = Preferences(store: store)
            #expect(preferences.launchCount == 3)
            #expect(preferences.get(named: "page", default: nil as URL?) == pages[0])
            let home = FileManager.default.homeDirectoryForCurrentUser
            #expect(preferences.get(named: "file", default: nil as URL?) == home.appending(path: "a"))
            #expect(preferences.get(named: "pages", default: [URL]()) == pages)
            #expect(preferences.get(named: "stations", default: [Station]()) == [Station(name: "Oslo")])
            #expect(preferences.get(named: "unit", default: TemperatureUnit.celsius) == .fahrenheit)
            #expect(preferences.get(named: "flag", default: false))
            #expect(preferences.get(named: "extras", default: [String: AnyPreference]())["a"]?.value == 1)
        }
    }

    // MARK: - PropertyKit

    @Test func propertyKitCalls() throws {
        let preferences = Preferences.inMemory()
        #expect(preferences.level == 1)
        #expect(!preferences.isSet(\.level))
        preferences.nickname = "Ada"
        preferences.nickname = nil
        #expect(!preferences.isSet(\.nickname))
        preferences.title = nil
        #expect(preferences.title == "untitled")
        let seen = Recorder<Int>()
        preferences.watch(\.level, options: [.initial, .old]) { seen.add($0.new) }
        preferences.watch(\.level, id: "mine") { seen.add(-$0.new) }
        preferences.level = 2
        #expect(seen.all == [1, 2, -2])
        #expect(preferences.unwatch(\.level, ids: ["mine"]).count == 1)
        #expect(preferences.unwatch(ids: ["mine"]).isEmpty)
        #expect(preferences.unwatch(\.level).count == 1)
        #expect(preferences.unwatchFile().isEmpty)
        #expect(preferences.unwatchAll().isEmpty)
        func remind() -> Int {
            let count = preferences.functionLocal(default: 0)
            count.value += 1
            return count.value
        }
        #expect(remind() == 1)
        #expect(remind() == 2)
    }

    @Test func propertyKitValues() throws {
        try withSuite { suite, defaults in
            let encoder = JSONEncoder()
            defaults.set("Ada", forKey: "nickname")
            defaults.set(5, forKey: "level")
            defaults.set(try encoder.encode(Station(name: "Oslo")), forKey: "station")
            defaults.set(try encoder.encode([1, 2]), forKey: "scores")
            defaults.set(Data("\"AQI=\"".utf8), forKey: "token")
            defaults.set(Data("\"https:\\/\\/a.example\"".utf8), forKey: "page")
            defaults.set(Data("5".utf8), forKey: "big")
            defaults.set(2, forKey: "remind()")
            let preferences = Preferences(store: UserDefaultsStore(suite: suite, legacyEncodings: .propertyKit))
            #expect(preferences.nickname == "Ada")
            #expect(preferences.level == 5)
            #expect(preferences.get(named: "station", default: nil as Station?) == Station(name: "Oslo"))
            #expect(preferences.get(named: "scores", default: [Int]()) == [1, 2])
            #expect(preferences.get(named: "token", default: Data()) == Data([1, 2]))
            #expect(preferences.get(named: "page", default: nil as URL?) == URL(string: "https://a.example"))
            #expect(preferences.get(named: "big", default: 0 as Int64) == 5)
            #expect(preferences.get(named: "remind()", default: 0) == 2)
        }
    }

    // MARK: - Storez

    @Test func storezCalls() throws {
        let preferences = Preferences(store: CacheStore())
        #expect(preferences.weather.temperature == 0)
        preferences.weather.processValues(of: \.temperature) { max($0, -90) }
        let calls = Recorder<String>()
        preferences.weather.willChange(of: \.temperature) { calls.add("will \($0.new)") }
        preferences.weather.didChange(of: \.temperature) { calls.add("did \($0.new)") }
        preferences.weather.willCommit { _ in calls.add("before") }
        preferences.weather.didCommit { _ in calls.add("after") }
        preferences.weather.temperature = -100
        #expect(calls.all == ["will -90.0", "before", "after", "did -90.0"])
        preferences.weather.radar.range = 7
        // The parent's hooks, too.
        #expect(calls.all.suffix(2) == ["before", "after"])
        try preferences.weather.resetAll()
        #expect(preferences.weather.radar.range == 50)
    }

    @Test func storezValues() throws {
        try withSuite { suite, defaults in
            defaults.set(Data("[21.5]".utf8), forKey: "weather-service:temperature")
            defaults.set(try archive(["Oslo", "Bergen"] as NSArray), forKey: "weather-service:stations")
            defaults.set(Data("[null]".utf8), forKey: "weather-service:nickname")
            defaults.set(try archive(7 as NSNumber), forKey: "weather-service:radar:radar-range")
            defaults.set(try archive("1/2" as NSString), forKey: "colour")
            defaults.set(Data("[8]".utf8), forKey: ":visitors")
            defaults.set(Data("[9]".utf8), forKey: "cats:wild:lion")
            let preferences = Preferences(store: UserDefaultsStore(suite: suite, legacyEncodings: .storez))
            #expect(preferences.weather.temperature == 21.5)
            #expect(preferences.weather.stations == ["Oslo", "Bergen"])
            #expect(preferences.weather.nickname == nil)
            #expect(preferences.isSet(named: "weather-service:nickname"))
            #expect(preferences.weather.radar.range == 7)
            #expect(preferences.get(named: "colour", default: Colour(red: 0, green: 0)) == Colour(red: 1, green: 2))
            #expect(preferences.visitors == 8)
            #expect(preferences.wildLions == 9)
            preferences.visitors += 1
            #expect(defaults.object(forKey: ":visitors") == nil)
            #expect(defaults.integer(forKey: "visitors") == 9)
        }
    }

    @Test func storezMigration() throws {
        try withSuite { suite, defaults in
            defaults.set(Data("[8]".utf8), forKey: ":visitors")
            defaults.set(42, forKey: "OldCityKey")
            let preferences = Preferences(
                store: UserDefaultsStore(suite: suite, legacyEncodings: .storez),
                migrations: [
                    PreferenceMigration(
                        version: 1,
                        [
                            .move(":visitors", to: "visitors"),
                            .move("OldCityKey", to: "city") { (id: Int) in "city \(id)" },
                        ]
                    )
                ]
            )
            #expect(preferences.visitors == 8)
            #expect(preferences.get(named: "city", default: "") == "city 42")
            #expect(defaults.object(forKey: ":visitors") == nil)
        }
    }

    @Test func storezGlobalKeyNamedVersion() throws {
        try withSuite { suite, defaults in
            defaults.set(Data("[\"3.1\"]".utf8), forKey: ":version")
            let preferences = Preferences(
                store: UserDefaultsStore(suite: suite, legacyEncodings: .storez),
                // Their notes have another name.
                migrations: [PreferenceMigration(version: 1, [.move(":version", to: "appVersion")])]
            )
            #expect(preferences.get(named: "appVersion", default: "") == "3.1")
        }
    }

    // MARK: - Prephirences

    @Test func prephirencesCalls() throws {
        try withTemporaryDirectory { folder in
            let preferences = Preferences(store: MemoryStore())
            preferences.launchCount += 30
            try preferences.update(\.launchCount) { $0 *= 2 }
            #expect(preferences.launchCount == 60)
            let seen = Recorder<Int?>()
            preferences.watch(\.launchCount, options: .old) { seen.add($0.old) }
            let volume = PreferenceReference("volume", default: 50, in: preferences)
            volume.value += 1
            preferences.launchCount = min(preferences.launchCount, volume.value)
            #expect(seen.all == [60])
            let (first, second) = (FileStore(url: folder.appending(component: "Settings.plist")), MemoryStore())
            let layers = LayeredStore([first, ReadOnlyStore(second)])
            let app = PrefixedStore(layers, prefix: "app", separator: ".")
            Preferences.register(Preferences(store: app), named: "app")
            Preferences.named("app")?.launchCount = 1
            Preferences.register(nil, named: "app")
            #expect(try first.value(for: "app.launchCount") == 1)
            try preferences.transaction { preferences in
                preferences.launchCount = 2
                preferences.reset(named: "other")
            }
            struct Settings {
                @Preference("volume", store: UserDefaultsStore.standard) var volume = 50
                @Preference(BundleStore.Key.name, store: BundleStore()) var appName = "Weather"
            }
            #expect(Settings().volume == 50)
            #expect(Settings().appName == "Weather")
        }
    }

    @Test func prephirencesValues() throws {
        try withSuite { suite, defaults in
            defaults.set(true, forKey: "on")
            defaults.set(try archive(["a": [1, 2]] as NSDictionary), forKey: "archived")
            defaults.set(try JSONEncoder().encode(Station(name: "Oslo")), forKey: "station")
            defaults.set("{{0, 1}, {2, 3}}", forKey: "frame")
            defaults.set(try archive("red" as NSString), forKey: "color")
            defaults.set(5, forKey: "app.size")
            let store = UserDefaultsStore(suite: suite, legacyEncodings: .prephirences)
            let preferences = Preferences(store: store)
            #expect(preferences.get(named: "on", default: false))
            #expect(preferences.get(named: "archived", default: [String: [Int]]()) == ["a": [1, 2]])
            #expect(preferences.get(named: "station", default: nil as Station?) == Station(name: "Oslo"))
            #expect(preferences.frame == CGRect(x: 0, y: 1, width: 2, height: 3))
            preferences.frame.size.width = 5
            #expect(NSRectFromString(defaults.string(forKey: "frame") ?? "").width == 5)
            #expect(preferences.color == "red")
            let app = Preferences(store: PrefixedStore(store, prefix: "app", separator: "."))
            #expect(app.get(named: "size", default: 0) == 5)
        }
    }

    @Test func prephirencesPropertyLists() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "Settings.plist")
            let list: [String: Any] = ["launchCount": try archive(5 as NSNumber), "tags": ["a"]]
            try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0).write(to: url)
            let preferences = Preferences(store: FileStore(url: url, legacyEncodings: .prephirences))
            #expect(preferences.launchCount == 5)
            #expect(preferences.get(named: "tags", default: [String]()) == ["a"])
        }
    }

    // MARK: - PersistentObject

    @Test func persistentObject() throws {
        try withSuite { suite, defaults in
            let old = OldStation(name: "Oslo")
            defaults.set(try archive(old), forKey: "station")
            let preferences = Preferences(
                store: UserDefaultsStore(suite: suite),
                migrations: [
                    PreferenceMigration(
                        version: 1,
                        [.move("station", to: "station") { (archive: Data) in try Station(archive: archive) }]
                    )
                ]
            )
            let station = PersistentObject<Station>(named: "station", in: preferences)
            #expect(station.value == Station(name: "Oslo"))
            station.reset(to: Station(name: "Bergen"))
            try station.save()
            #expect(defaults.dictionary(forKey: "station") as? [String: String] == ["name": "Bergen"])
            station.reset(to: nil)
            try station.synchronize()
            try station.save()
            #expect(defaults.object(forKey: "station") == nil)
        }
    }

    @Test func persistentObjectInAFile() throws {
        try withTemporaryDirectory { folder in
            let (oldURL, url) = (folder.appending(component: "station"), folder.appending(component: "station.json"))
            try archive(OldStation(name: "Oslo")).write(to: oldURL)
            let station = PersistentObject<Station>(file: url)
            if station.value == nil, let archive = try? Data(contentsOf: oldURL) {
                station.reset(to: try Station(archive: archive))
                try station.save()
                try FileManager.default.removeItem(at: oldURL)
            }
            let watcher = station.watch { _ in }
            watcher.cancel()
            _ = station.changes()
            #expect(station.value == Station(name: "Oslo"))
            #expect(PersistentObject<Station>(file: url).value == Station(name: "Oslo"))
        }
    }

    @Test func persistentObjectOfStandardClasses() throws {
        try withSuite { suite, defaults in
            defaults.set(try archive(["Oslo", "Bergen"] as NSArray), forKey: "stations")
            let store = UserDefaultsStore(suite: suite, legacyEncodings: [.keyedArchive])
            #expect(PersistentObject<[String]>(named: "stations", in: store).value == ["Oslo", "Bergen"])
        }
    }

    // MARK: - Foil and generators

    @Test func foil() throws {
        try withSuite { suite, defaults in
            let station = try JSONEncoder().encode(Station(name: "Oslo"))
            defaults.set(station, forKey: "station")
            defaults.set([station], forKey: "stations")
            defaults.set(["a": station], forKey: "named")
            defaults.set(["a", "b"], forKey: "tags")
            let preferences = Preferences(store: UserDefaultsStore(suite: suite, legacyEncodings: .foil))
            #expect(preferences.get(named: "station", default: nil as Station?) == Station(name: "Oslo"))
            #expect(preferences.get(named: "stations", default: Set<Station>()) == [Station(name: "Oslo")])
            #expect(preferences.get(named: "named", default: [String: Station]()) == ["a": Station(name: "Oslo")])
            #expect(preferences.get(named: "tags", default: Set<String>()) == ["a", "b"])
            let group = UserDefaultsStore(suite: suite)
            struct Settings {
                @Preference("nickname") var nickname: String?
                @Preference var volume: Int
            }
            Preferences.withShared(preferences) {
                let settings = Settings(volume: Preference(wrappedValue: 50, "volume", store: group))
                let seen = Recorder<Int>()
                settings.$volume.watch(\.value, options: .initial) { seen.add($0.new) }
                settings.volume = 60
                #expect(seen.all == [50, 60])
                #expect(settings.nickname == nil)
            }
            #expect(preferences.get(named: "volume", default: 0) == 60)
        }
    }

    @Test func generators() throws {
        try withSuite { suite, defaults in
            defaults.set(true, forKey: "disabled")
            defaults.set(3, forKey: "launch_count")
            let old = UserDefaultsStore(suite: suite, legacyEncodings: .userDefaults)
            let preferences = Preferences(
                store: MemoryStore(),
                migrations: [
                    PreferenceMigration(
                        version: 1,
                        [
                            .move("launch_count", from: old, to: "launchCount"),
                            .move("disabled", from: old, to: "disabled"),
                            .remove("obsolete", from: old),
                        ]
                    )
                ]
            )
            #expect(!preferences.isEnabled)
            preferences.isEnabled = true
            #expect(preferences.get(named: "disabled", default: true) == false)
            #expect(preferences.launchCount == 3)
        }
    }

    // MARK: - Support

    private func archive(_ object: Any) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
    }

    private func withSuite(_ body: (String, UserDefaults) throws -> Void) throws {
        try withUserDefaultsSuite { try body($0, #require(UserDefaults(suiteName: $0))) }
    }

    private func withSuite(_ body: (String, UserDefaults) async throws -> Void) async throws {
        try await withUserDefaultsSuite { try await body($0, #require(UserDefaults(suiteName: $0))) }
    }
}

// MARK: - Accessors

/// As PropertyKit has them.
private protocol PlayerPreferences: PreferenceAccessors {}

extension PlayerPreferences {
    fileprivate var nickname: String? {
        get { get() }
        nonmutating set { set(newValue) }
    }

    fileprivate var level: Int {
        get { get(default: 1) }
        nonmutating set { set(newValue) }
    }

    fileprivate var title: String? {
        get { get() }
        nonmutating set { set(newValue ?? "untitled") }
    }
}

private protocol PicturePreferences: PreferenceAccessors {}

extension PicturePreferences {
    fileprivate var quality: Double {
        get { get("quality", default: 0.8) }
        nonmutating set { set("quality", to: newValue) }
    }

    fileprivate var seenAt: Date {
        get { get("seenAt") { Date() } }
        nonmutating set { set("seenAt", to: newValue) }
    }

    fileprivate var span: Range<Int> {
        get { get(codable: "span", default: 0..<1) }
        nonmutating set { set(codable: "span", to: newValue) }
    }

    fileprivate var days: ClosedRange<Date> {
        get { get(codable: "days", default: .distantPast ... .distantFuture) }
        nonmutating set { set(codable: "days", to: newValue) }
    }

    fileprivate var counts: [Int: Int] {
        get { get(codable: "counts", default: [:]) }
        nonmutating set { set(codable: "counts", to: newValue) }
    }

    fileprivate var names: [Int: String] {
        get { get(codable: "names", default: [:]) }
        nonmutating set { set(codable: "names", to: newValue) }
    }

    fileprivate var language: Language {
        get { get("language", default: Language(rawValue: "en")) }
        nonmutating set { set("language", to: newValue) }
    }
}

private protocol ZooPreferences: PreferenceAccessors {}

extension ZooPreferences {
    fileprivate var visitors: Int {
        get { get("visitors", default: 0, [.renamed(from: ":visitors")]) }
        nonmutating set { set("visitors", to: newValue, [.renamed(from: ":visitors")]) }
    }

    fileprivate var wildLions: Int {
        get { get("animals:cats:wild:lion", default: 0, [.renamed(from: "cats:wild:lion")]) }
        nonmutating set { set("animals:cats:wild:lion", to: newValue, [.renamed(from: "cats:wild:lion")]) }
    }
}

private protocol WindowPreferences: PreferenceAccessors {}

extension WindowPreferences {
    fileprivate var frame: CGRect {
        get { get("frame", default: .zero, through: .rectangleText) }
        nonmutating set { set("frame", to: newValue, through: .rectangleText) }
    }

    fileprivate var color: NSString {
        get { get("color", default: "blue", through: .archive) }
        nonmutating set { set("color", to: newValue, through: .archive) }
    }

    fileprivate var isEnabled: Bool {
        get { get("disabled", default: true, through: .inverted) }
        nonmutating set { set("disabled", to: newValue, through: .inverted) }
    }
}

extension PreferenceTransformation where Stored == String, Value == CGRect {
    fileprivate static var rectangleText: Self {
        Self {
            NSRectFromString($0)
        } write: {
            NSStringFromRect($0)
        }
    }
}

extension Preferences: PlayerPreferences, PicturePreferences, ZooPreferences, WindowPreferences {}

// MARK: - Values

/// A value of any kind.
private struct AnyPreference: PreferenceConvertible {
    var value: PreferenceValue

    init(preferenceValue: PreferenceValue) { value = preferenceValue }
    func preferenceValue() -> PreferenceValue { value }
}

extension ComingFromTests {
    fileprivate struct Station: Codable, Hashable, PreferenceConvertible {
        var name: String

        init(name: String) { self.name = name }

        init?(archive: Data) throws {
            let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archive)
            unarchiver.requiresSecureCoding = false
            guard let old = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? OldStation else {
                return nil
            }
            self.init(name: old.name)
        }
    }
}

/// What a program has given to PersistentObject.
final class OldStation: NSObject, NSCoding {
    let name: String

    init(name: String) { self.name = name }

    init?(coder: NSCoder) {
        guard let name = coder.decodeObject(forKey: "name") as? String else { return nil }
        self.name = name
    }

    func encode(with coder: NSCoder) { coder.encode(name, forKey: "name") }
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

private struct Language: RawRepresentable, Codable, Hashable, PreferenceConvertible {
    var rawValue: String
}

/// What Storez has stored by a converter, as text.
private struct Colour: Hashable, PreferenceConvertible {
    var red: Int
    var green: Int

    init(red: Int, green: Int) { (self.red, self.green) = (red, green) }

    init(preferenceValue: PreferenceValue) throws {
        let parts = try String(preferenceValue: preferenceValue).split(separator: "/").compactMap { Int($0) }
        guard parts.count == 2 else { throw PreferenceConversionError(expected: Self.self, found: preferenceValue) }
        (red, green) = (parts[0], parts[1])
    }

    func preferenceValue() -> PreferenceValue { .string("\(red)/\(green)") }
}

extension UUID {
    fileprivate static let example = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!
}
