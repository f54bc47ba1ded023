import StoreTestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

@Suite("Ending watchers")
struct UnwatchTests {
    private let preferences = Preferences(store: MemoryStore())
    private let seen = Recorder<String>()

    private var weather: Preferences.Weather { preferences.weather }

    private func watchAll() -> [PreferenceWatcher] {
        let seen = seen
        return [
            weather.watch(\.temperature) { _ in seen.add("temperature") },
            weather.watch(\.temperature, id: "a") { _ in seen.add("temperature a") },
            weather.watch(\.unit, id: "a") { _ in seen.add("unit a") },
            weather.watch(\.unit, id: "b") { _ in seen.add("unit b") },
            preferences.watch(\.launchCount, id: "a") { _ in seen.add("launchCount a") },
            weather.radar.watch(\.range, fileID: "Other/File.swift") { _ in seen.add("range") },
        ]
    }

    private func changeAll() -> [String] {
        weather.temperature += 1
        weather.unit = weather.unit == .celsius ? .fahrenheit : .celsius
        preferences.launchCount += 1
        weather.radar.range += 1
        return seen.all
    }

    private func expect(_ removed: [PreferenceWatcher], _ expected: [PreferenceWatcher]) {
        #expect(removed.map(ObjectIdentifier.init) == expected.map(ObjectIdentifier.init))
        #expect(removed.allSatisfy { !$0.isActive })
    }

    @Test("Unwatching a key ends all its watchers")
    func unwatchingAKeyEndsItsWatchers() {
        let watchers = watchAll()
        expect(weather.unwatch(\.temperature), [watchers[0], watchers[1]])
        #expect(changeAll() == ["unit a", "unit b", "launchCount a", "range"])
        expect(weather.unwatch(\.temperature), [])
    }

    @Test("Unwatching several keys ends the watchers of exactly these keys")
    func unwatchingSeveralKeysEndsTheirWatchers() {
        let watchers = watchAll()
        let seen = seen
        let both = weather.watch(anyOf: [\.temperature, \.unit]) { seen.add("both") }
        expect(weather.unwatch(anyOf: [\.temperature]), [watchers[0], watchers[1]])
        expect(weather.unwatch(anyOf: [\.unit, \.temperature]), [])
        expect(weather.unwatch(anyOf: [\.temperature, \.unit]), [both])
        #expect(changeAll() == ["unit a", "unit b", "launchCount a", "range"])
    }

    @Test("Unwatching a computed property ends its watchers, even if it reads other keys now")
    func unwatchingAPropertyEndsItsWatchers() {
        let owner = Switch(preferences)
        let seen = seen
        let watcher = owner.watch(\.chosen) { _ in seen.add("chosen") }
        owner.isOn.withLock { $0 = true }
        expect(owner.unwatch(\.chosen), [watcher])
    }

    @Test("Unwatching a key by id ends its watchers with these ids")
    func unwatchingAKeyByIdEndsTheseWatchers() {
        let watchers = watchAll()
        expect(weather.unwatch(\.unit, ids: ["b", "c"]), [watchers[3]])
        #expect(changeAll() == ["temperature", "temperature a", "unit a", "launchCount a", "range"])
    }

    @Test("Unwatching by id ends the watchers of all keys with these ids")
    func unwatchingByIdEndsTheseWatchers() {
        let watchers = watchAll()
        expect(weather.unwatch(ids: ["a"]), [watchers[1], watchers[2]])
        #expect(changeAll() == ["temperature", "unit b", "launchCount a", "range"])
        expect(preferences.unwatch(ids: ["a", "b"]), [watchers[3], watchers[4]])
    }

    @Test("Unwatching a file ends the watchers that were registered in it")
    func unwatchingAFileEndsItsWatchers() {
        let watchers = watchAll()
        expect(weather.radar.unwatchFile(), [])
        expect(weather.unwatchFile(), Array(watchers[..<4]))
        #expect(changeAll() == ["launchCount a", "range"])
        expect(preferences.unwatchFile("Other/File.swift"), [watchers[5]])
    }

    @Test("Unwatching all ends the watchers of an owner, or of all owners on preferences")
    func unwatchingAllEndsTheWatchersOfAnOwner() {
        let watchers = watchAll()
        expect(weather.radar.unwatchAll(), [watchers[5]])
        #expect(changeAll() == ["temperature", "temperature a", "unit a", "unit b", "launchCount a"])
        expect(preferences.unwatchAll(), Array(watchers[..<5]))
        #expect(changeAll().count == 5)
        expect(preferences.unwatchAll(), [])
    }

    @Test("An object ends only its own watchers")
    func anObjectEndsItsOwnWatchers() {
        let (first, second) = (Service(preferences), Service(preferences))
        let seen = seen
        first.watch(\.temperature, id: "a") { _ in seen.add("first") }
        second.watch(\.temperature, id: "a") { _ in seen.add("second") }
        weather.temperature = 1
        first.unwatchAll()
        weather.temperature = 2
        second.unwatch(\.temperature)
        weather.temperature = 3
        #expect(seen.all == ["first", "second", "second"])
    }
}

/// An owner whose property reads one of two keys, depending on state that is not a preference.
private final class Switch: WeatherPreferences {
    let preferences: Preferences
    let isOn = Locked(false)

    init(_ preferences: Preferences) {
        self.preferences = preferences
    }

    var chosen: String { isOn.withLock { $0 } ? "\(temperature)" : "\(unit)" }
}

private final class Service: WeatherPreferences {
    let preferences: Preferences

    init(_ preferences: Preferences) {
        self.preferences = preferences
    }
}
