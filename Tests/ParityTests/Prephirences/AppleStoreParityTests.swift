import AppleStoresTestSupport
import Foundation
import StoreTestSupport
import Testing

@testable import PreferencesApple
@testable import PreferencesRuntime

/// Stores that exist on Apple platforms only, over doubles of the frameworks.
@Suite("Prephirences: stores of Apple's frameworks")
struct AppleStoreParityTests {
    @Test("iCloud key-value store: change notifications with their reasons reach watchers")
    func iCloud() async throws {
        let cloud = CloudDouble { Issue.record("\($0)") }
        let store = UbiquitousKeyValues(cloud)
        let preferences = Preferences(store: store)
        #expect(preferences.get(named: "color", default: "red") == "red")
        let reference = PreferenceReference("color", default: "red", in: preferences)
        let watched = Recorder<PreferenceChange<String>>()
        reference.watch(options: .initial) { watched.add($0) }
        let changes = reference.changes()
        reference.value = "own"
        // Through an adapter, too.
        let layered = Preferences(store: LayeredStore([PrefixedStore(store, prefix: "col", separator: "")]))
        let other = PreferenceReference("or", default: "red", in: layered)
        let layeredWatched = Recorder<PreferenceChangeOrigin>()
        other.watch { layeredWatched.add($0.origin) }
        cloud.change(["color": "blue"], reason: 0, names: ["color"])
        cloud.change(["color": "green"], reason: 1, names: ["color"])
        cloud.change(["color": "grey"], reason: 3, names: nil)
        try layered.store.commit(["or": .set("other")])
        cloud.change(["color": nil], reason: 2, names: ["color"])
        cloud.change(["color": "black"], reason: nil, names: nil)
        let expected: [PreferenceChange<String>] = [
            PreferenceChange(old: nil, new: "red", origin: .initial),
            PreferenceChange(old: nil, new: "own", origin: .own),
            PreferenceChange(old: nil, new: "blue", origin: .iCloudServerChange),
            PreferenceChange(old: nil, new: "green", origin: .iCloudInitialSync),
            PreferenceChange(old: nil, new: "grey", origin: .iCloudAccountChange),
            PreferenceChange(old: nil, new: "other", origin: .external),
            PreferenceChange(old: nil, new: "red", origin: .iCloudQuotaViolation),
            PreferenceChange(old: nil, new: "black", origin: .external),
        ]
        #expect(watched.all == expected)
        #expect(layeredWatched.all == expected.dropFirst(2).map(\.origin))
        #expect(expected.map(\.origin.isExternal) == [false, false, true, true, true, true, true, true])
        var received: [PreferenceChange<String>] = []
        for await change in changes {
            received.append(change)
            if received.count == 7 { break }
        }
        #expect(received == Array(expected.dropFirst()))
        let problem = await preferences.firstProblem()
        #expect(problem?.code == .quotaExceeded)
    }

    @Test("Key-Value Coding objects: an unknown key raises nothing")
    func keyValueCoding() throws {
        let object = PropertyDouble(["title": "T@\"NSString\",C,N,V_title"], values: ["title": "old"]) {
            Issue.record("\($0)")
        }
        let preferences = Preferences(store: ObjectProperties(object))
        #expect(preferences.get(named: "title", default: "") == "old")
        preferences.set(named: "title", to: "new")
        #expect(object.value(of: "title") as? String == "new")
        #expect(preferences.get(named: "unknown", default: 5) == 5)
        let problem = PreferenceProblem(
            .unsupportedValue,
            key: "unknown",
            store: "object of class Player",
            message: "Player has no property of this name with a supported type that Objective-C can use"
        )
        #expect(throws: problem) { try preferences.store.commit(["unknown": .set(1)]) }
    }

    @Test("Core Data objects: an unknown key raises nothing")
    func coreData() throws {
        // The attribute is a 64-bit integer, and not optional.
        let row = ManagedRowDouble(["age": NSNumber(value: 33)])
        let object = ManagedDouble(["age": (300, false, false)], row: row) { Issue.record("\($0)") }
        let store = ManagedAttributes(object)
        let preferences = Preferences(store: store)
        #expect(preferences.get(named: "age", default: 0) == 33)
        preferences.set(named: "age", to: 34)
        #expect(try store.value(for: "age") == 34)
        #expect(preferences.get(named: "unknown", default: 5) == 5)
        #expect(throws: PreferenceProblem.self) { try store.apply(["unknown": .set(1)]) }
        #expect(throws: PreferenceProblem.self) { try store.apply(["age": .set("thirty")]) }
        #expect(try store.value(for: "age") == 34)
    }
}
