import StoreTestSupport
import Testing

@testable import PreferencesRuntime

/// Key paths that do not lead to keys have no effect, and are reported.
struct NotAKeyTests {
    private let preferences = Preferences.inMemory()

    private func problems(_ body: (Preferences) -> Void) async -> [String] {
        body(preferences)
        let problems = await preferences.reportedProblems()
        #expect(problems.allSatisfy { $0.code == .notAKey && $0.key == nil && $0.store == "memory" })
        return problems.map(\.message)
    }

    @Test("Resetting a namespace by key path changes nothing, and is reported")
    func resettingANamespaceIsReported() async {
        preferences.weather.temperature = 3
        let found = await problems { $0.reset(\.weather) }
        #expect(
            found == [
                "the key path from Preferences to Weather leads to a namespace, not to a key: nothing was reset; "
                    + "use its resetAll() instead"
            ]
        )
        #expect(preferences.weather.temperature == 3)
    }

    @Test("isSet is false for a namespace, which is reported")
    func queryingWhetherANamespaceIsSetIsReported() async {
        preferences.weather.temperature = 3
        let found = await problems { #expect(!$0.isSet(\.weather)) }
        #expect(
            found == [
                "the key path from Preferences to Weather leads to a namespace, not to a key: isSet returned false; "
                    + "pass the key path of one of its keys"
            ]
        )
    }

    @Test("A namespace has no source, which is reported")
    func theSourceOfANamespaceIsReported() async {
        let found = await problems { #expect($0.source(of: \.weather) == nil) }
        #expect(
            found == [
                "the key path from Preferences to Weather leads to a namespace, not to a key: it has no source; "
                    + "pass the key path of one of its keys"
            ]
        )
    }

    @Test("A namespace has no storage name of a key, which is reported")
    func theStorageNameOfANamespaceIsReported() async {
        let found = await problems { #expect($0.storageName(of: \.weather) == nil) }
        #expect(
            found == [
                "the key path from Preferences to Weather leads to a namespace, not to a key: it has no storage name; "
                    + "use the storageName of its type instead"
            ]
        )
    }

    @Test("A property over several keys, and one over none, have no storage name, which is reported")
    func theStorageNameOfSeveralKeysIsReported() async {
        struct Service: WeatherPreferences {
            let preferences: Preferences
            var sum: Double { temperature + Double(radar.range) }
        }
        let found = await problems { preferences in
            let service = Service(preferences: preferences)
            #expect(service.storageName(of: \.temperature) == "weather-service:temperature")
            #expect(service.storageName(of: \.sum) == nil)
            #expect(service.storageName(of: \.preferences) == nil)
        }
        #expect(
            found == [
                "the key path from Service to Double leads to 2 keys ('weather-service:radar:radar-range', "
                    + "'weather-service:temperature'): it has no storage name",
                "the key path from Service to Preferences leads to no key of these preferences: it has no storage name",
            ]
        )
    }

    @Test("A namespace cannot be watched, alone or with keys, which is reported")
    func watchingANamespaceIsReported() async {
        func message(_ line: UInt) -> String {
            "the key path from Preferences to Weather at \(#fileID):\(line) leads to a namespace, not to a key: "
                + "it is not watched; use its didCommit(_:) instead"
        }
        let several: UInt = #line + 1
        let first = await problems { $0.watch(anyOf: [\.launchCount, \.weather]) {} }
        #expect(first == [message(several)])
        let one: UInt = #line + 1
        let both = await problems { $0.watch(\.weather) { _ in } }
        #expect(both == [message(several), message(one)])
    }

    @Test("A namespace has separate hooks, which the problem suggests")
    func aHookOnANamespacePathIsReported() async {
        let found = await problems { $0.willChange(of: \.weather) { _ in } }
        #expect(
            found == [
                "the key path from Preferences to Weather leads to a namespace, not to a key: "
                    + "the hook is not called; use its willCommit(_:) or didCommit(_:) instead"
            ]
        )
    }

    @Test("A key path that reads no key cannot be watched, which is reported")
    func watchingAPathWithoutAKeyIsReported() async {
        let found = await problems { _ = $0.changes(\.isObserved) }
        #expect(
            found == [
                "the key path from Preferences to Bool leads to no key of these preferences: it is not watched"
            ]
        )
    }

    @Test("The changes of a key path without a key end")
    func changesOfAPathWithoutAKeyEnd() async {
        for await _ in preferences.changes(\.weather) { Issue.record("a namespace has no changes") }
        var seen: [Bool] = []
        for await change in preferences.changes(\.isObserved, options: .initial) { seen.append(change.new) }
        #expect(seen == [false])
        for await _ in preferences.changes(anyOf: []) { Issue.record("nothing has no changes") }
        #expect(!preferences.watch(\.weather) { _ in }.isActive)
        #expect(preferences.watch(anyOf: [\.weather, \.launchCount]) {}.isActive)
    }

    @Test("A part of a value cannot be processed, which is reported")
    func processingAPartOfAValueIsReported() async {
        let found = await problems { $0.weather.processValues(of: \.firstStation) { $0 + "!" } }
        #expect(
            found == [
                "the key path from Weather to String does not lead to one key as a whole: "
                    + "its values are not processed"
            ]
        )
    }

    @Test("Several keys cannot be processed together, which is reported")
    func processingSeveralKeysIsReported() async {
        let found = await problems { $0.processValues(of: \.both) { $0 } }
        #expect(
            found == [
                "the key path from Preferences to Double does not lead to one key as a whole: "
                    + "its values are not processed"
            ]
        )
    }

    @Test("Key paths of keys are not reported")
    func keyPathsOfKeysAreNotReported() async {
        let found = await problems { preferences in
            preferences.weather.processValues(of: \.nickname) { $0 }
            preferences.weather.processValues(of: \.stations) { $0 }
            preferences.watch(\.weather.stations.count) { _ in }
            preferences.watch(\.both) { _ in }
            preferences.watch(anyOf: []) {}
            preferences.reset(\.both)
            #expect(!preferences.isSet(\.weather.nickname))
        }
        #expect(found == [])
    }
}

extension Preferences.Weather {
    fileprivate var firstStation: String {
        get { stations.first ?? "" }
        nonmutating set { stations = [newValue] }
    }
}

extension Preferences {
    fileprivate var both: Double {
        get { weather.temperature + Double(launchCount) }
        set {
            weather.temperature = newValue
            launchCount = 0
        }
    }
}
