import Foundation
import Observation
import PreferencesCompatibility
import PreferencesRuntime
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

/// The statements of `ComingFrom.md` about PropertyKit.
@Suite("Coming from PropertyKit")
struct ComingFromPropertyKitTests: ComingFromTests {
    @Test("Each call of PropertyKit has its counterpart")
    func eachCallOfPropertyKitHasItsCounterpart() throws {
        let preferences = Preferences.inMemory()
        #expect(preferences.player.level == 1)
        #expect(!preferences.isSet(\.player.level))
        preferences.player.nickname = "Ada"
        preferences.player.nickname = nil
        #expect(!preferences.isSet(\.player.nickname))
        preferences.player.title = nil
        #expect(preferences.player.title == "untitled")
        let seen = Recorder<Int>()
        preferences.watch(\.player.level, options: [.initial, .old]) { seen.add($0.new) }
        preferences.watch(\.player.level, id: "mine") { seen.add(-$0.new) }
        preferences.player.level = 2
        #expect(seen.all == [1, 2, -2])
        let watcher = preferences.watch(changesOf: \.player.level) { seen.add(0) }
        preferences.player.level = 3
        #expect(seen.all.suffix(3) == [3, -3, 0])
        watcher.cancel()
        let gauge = Gauge()
        preferences.watch(\.player.level, with: gauge, id: "gauge") { gauge, change in gauge.show(change.new) }
        preferences.player.level = 4
        #expect(gauge.shown == 4)
        #expect(preferences.unwatch(ids: ["gauge"]).count == 1)
        let names = preferences.watch(anyOf: [\.player.level, \.player.nickname], with: gauge) { gauge in
            gauge.show(0)
        }
        preferences.player.nickname = "Ada"
        names.cancel()
        #expect(gauge.shown == 0)
        preferences.level = 5
        #expect(preferences.level == 5)
        #expect(preferences.nickname == nil)
        preferences.nickname = "Grace"
        #expect(preferences.nickname == "Grace")
        // A storage name that is written out identifies the key.
        #expect(preferences.otherLevel == 5)
        #expect(preferences.player.level == 4)
        #expect(preferences.player.nickname == "Ada")
        #expect(preferences.unwatch(\.player.level, ids: ["mine"]).count == 1)
        #expect(preferences.unwatch(ids: ["mine"]).isEmpty)
        #expect(preferences.unwatch(\.player.level).count == 1)
        #expect(preferences.unwatchFile().isEmpty)
        #expect(preferences.unwatchAll().isEmpty)
        func visit() -> Int {
            let count = preferences.functionLocal("visits", default: 0)
            count.value += 1
            return count.value
        }
        #expect(visit() == 1)
        #expect(visit() == 2)
    }

    @Test("A watcher of a plain property ends when it is cancelled")
    @MainActor
    func aWatcherOfAPlainPropertyEndsWhenItIsCancelled() {
        let meter = Meter()
        let seen = Recorder<Int>()
        let watcher: PropertyWatcher = meter.watch(\.level, options: .initial) { seen.add($0.new) }
        #expect(watcher.isActive)
        watcher.cancel()
        #expect(!watcher.isActive)
        #expect(seen.all == [0])
    }

    @Test("Values that PropertyKit stored are read")
    func valuesThatPropertyKitStoredAreRead() throws {
        try withSuite { suite, defaults in
            let encoder = JSONEncoder()
            defaults.set("Ada", forKey: "nickname")
            defaults.set(5, forKey: "level")
            defaults.set(try encoder.encode(StoredStation(name: "Oslo")), forKey: "station")
            defaults.set(try encoder.encode([1, 2]), forKey: "scores")
            defaults.set(Data("\"AQI=\"".utf8), forKey: "token")
            defaults.set(Data("\"https:\\/\\/a.example\"".utf8), forKey: "page")
            defaults.set(Data("5".utf8), forKey: "big")
            defaults.set(2, forKey: "remind()")
            let preferences = Preferences(
                store: LegacyStore(UserDefaultsStore(suite: suite), decoding: .propertyKit),
                migrations: [PreferenceMigration(version: 1, Self.moves)]
            )
            #expect(preferences.player.nickname == "Ada")
            #expect(preferences.player.level == 5)
            #expect(preferences.get(named: "station", default: nil as StoredStation?) == StoredStation(name: "Oslo"))
            #expect(preferences.get(named: "scores", default: [Int]()) == [1, 2])
            #expect(preferences.get(named: "token", default: Data()) == Data([1, 2]))
            #expect(preferences.get(named: "page", default: nil as URL?) == URL(string: "https://a.example"))
            #expect(preferences.get(named: "big", default: 0 as Int64) == 5)
            func remind() -> Int { preferences.functionLocal("count", default: 0).value }
            #expect(remind() == 2)
        }
    }
}

extension ComingFromPropertyKitTests {
    private static var moves: [PreferenceMigration.Step] {
        [
            .move("level", to: "PreferencesRuntimeTests/ComingFromPropertyKitTests.swift:Player.level"),
            .move("nickname", to: "PreferencesRuntimeTests/ComingFromPropertyKitTests.swift:Player.nickname"),
            .move("remind()", to: "PreferencesRuntimeTests/ComingFromPropertyKitTests.swift:remind():count"),
        ]
    }
}

/// Accessors as PropertyKit has them.
private nonisolated struct Player: PropertyNamedAccessors {
    let preferences: Preferences

    var nickname: String? {
        get { get() }
        nonmutating set { set(newValue) }
    }

    var level: Int {
        get { get(default: 1) }
        nonmutating set { set(newValue) }
    }

    var title: String? {
        get { get() }
        nonmutating set { set(newValue ?? "untitled") }
    }
}

nonisolated extension Preferences {
    fileprivate var player: Player { Player(preferences: self) }
    fileprivate var level: Int {
        get { get("level", default: 1) }
        set { set("level", to: newValue) }
    }
    fileprivate var nickname: String? {
        get { get("nickname") }
        set { set("nickname", to: newValue) }
    }
    fileprivate var otherLevel: Int {
        get { get("level", default: 1) }
        set { set("level", to: newValue) }
    }
}

/// An object with a plain property.
@Observable
@MainActor
private final class Meter: PropertyWatchable {
    var level = 0
}

/// An object that shows a value.
private final class Gauge: Sendable {
    private let level = Mutex(0)

    var shown: Int { level.withLock { $0 } }

    func show(_ number: Int) {
        level.withLock { $0 = number }
    }
}
