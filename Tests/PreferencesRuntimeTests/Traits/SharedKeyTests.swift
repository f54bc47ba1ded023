import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// Keys whose values several machines share, and the declarations that their store receives.
struct SharedKeyTests {
    private let store = ScopesRecorder()

    @Test("The first read, or the first change, declares a key once, with its former names")
    func theFirstUseDeclaresAKeyOnce() {
        let preferences = Preferences(store: store)
        for _ in 0..<2 {
            _ = preferences.cities
            preferences.starts += 1
            preferences.starts += 1
            preferences.unit = "kelvin"
        }
        #expect(
            store.declarations == [
                .init("cities", .user, .union), .init("starts", .user, .sum, ["launches", "runs"]),
                .init("unit", .fleet, .last),
            ]
        )
        #expect(preferences.starts == 4)
    }

    @Test("A key is declared before its store is read or written")
    func aKeyIsDeclaredBeforeItsStoreIsReadOrWritten() {
        let preferences = Preferences(store: store)
        preferences.unit = "kelvin"
        _ = preferences.cities
        #expect(store.undeclaredNames == [])
        _ = preferences.local
        #expect(store.undeclaredNames == ["local"])
    }

    @Test("References, optional keys, transformed ones and those of Codable types are declared")
    func allKindsOfKeysAreDeclared() {
        let preferences = Preferences(store: store)
        let reference = PreferenceReference("reference", default: 0, [.shared(.user, merging: .max)], in: preferences)
        #expect(store.declarations == [.init("reference", .user, .max)])
        _ = reference.value
        _ = preferences.opened
        _ = preferences.home
        _ = preferences.percentage
        #expect(
            store.declarations.dropFirst() == [
                .init("opened", .user, .max), .init("home", .user, .ask), .init("percentage", .user, .last),
            ]
        )
    }

    @Test("Neither a secret nor a key of one machine is declared")
    func neitherASecretNorAKeyOfOneMachineIsDeclared() {
        let secrets = ScopesRecorder()
        let preferences = Preferences(store: store, secrets: secrets)
        preferences.token = "hunter2"
        _ = preferences.token
        preferences.local = 1
        _ = preferences.plain
        #expect(preferences.token == "hunter2")
        #expect(store.declarations == [] && secrets.declarations == [])
    }

    @Test("Layers and adapters declare a key in all stores with scopes, under the names that these have for it")
    func layersAndAdaptersForwardDeclarations() {
        let others = ScopesRecorder()
        let same = PreferenceTransformation<Int, Int> {
            $0
        } write: {
            $0
        }
        let layers = LayeredStore([
            MemoryStore(), store.prefixed("app:"), TransformedStore(others.readOnly, same),
        ])
        let preferences = Preferences(store: layers.prefixed("outer:"))
        _ = preferences.starts
        _ = preferences.unit
        #expect(
            store.declarations == [
                .init("app:outer:starts", .user, .sum, ["app:outer:launches", "app:outer:runs"]),
                .init("app:outer:unit", .fleet, .last),
            ]
        )
        #expect(others.declarations.map(\.name) == ["outer:starts", "outer:unit"])
    }

    @Test("Stores without scopes keep shared keys as they keep all others")
    func storesWithoutScopesKeepSharedKeys() {
        let preferences = Preferences(store: MemoryStore(["starts": 3, "unit": "kelvin"]))
        #expect(preferences.starts == 3 && preferences.unit == "kelvin")
        preferences.starts += 1
        #expect(preferences.starts == 4)
    }
}

/// A store in memory that records the declarations of shared keys, and the names that were used before they were declared.
private final class ScopesRecorder: PreferenceStoreAdapter {
    struct Declaration: Equatable {
        var name: String
        var formerNames: [String]
        var scope: PreferenceScope
        var mergeRule: PreferenceMergeRule

        init(
            _ name: String,
            _ scope: PreferenceScope,
            _ mergeRule: PreferenceMergeRule,
            _ formerNames: [String] = []
        ) {
            (self.name, self.formerNames, self.scope, self.mergeRule) = (name, formerNames, scope, mergeRule)
        }
    }

    let base: any PreferenceStore = MemoryStore()
    private let declared = Recorder<Declaration>()
    private let undeclared = Recorder<String>()

    var declarations: [Declaration] { declared.all }
    var undeclaredNames: Set<String> { Set(undeclared.all) }

    func declareShared(
        _ name: String,
        formerNames: [String],
        scope: PreferenceScope,
        mergeRule: PreferenceMergeRule
    ) {
        declared.add(Declaration(name, scope, mergeRule, formerNames))
    }

    // Each read and each change asks for the name in the base.
    func baseName(of name: String) -> String {
        if !declared.all.contains(where: { $0.name == name || $0.formerNames.contains(name) }) { undeclared.add(name) }
        return name
    }
}

extension Preferences {
    fileprivate var cities: Set<String> { self.get("cities", default: [], [.shared(.user, merging: .union)]) }
    fileprivate var starts: Int {
        get { get("starts", default: 0, [.renamed(from: "launches", "runs"), .shared(.user, merging: .sum)]) }
        set { set("starts", to: newValue, [.renamed(from: "launches", "runs"), .shared(.user, merging: .sum)]) }
    }
    fileprivate var unit: String {
        get { get("unit", default: "celsius", [.combining(.shared(.fleet), .oneOf(["celsius", "kelvin"]))]) }
        set { set("unit", to: newValue, [.combining(.shared(.fleet), .oneOf(["celsius", "kelvin"]))]) }
    }
    fileprivate var opened: Date? { self.get("opened", [.unlessNil(.shared(.user, merging: .max))]) }
    fileprivate var home: Station? { self.get("home", [.shared(.user, merging: .ask)]) }
    fileprivate var percentage: Int {
        self.get("percentage", default: 50, through: Self.text, [.shared(.user)])
    }
    fileprivate var token: String {
        get { get("token", default: "", [.shared(.user, merging: .ask), .secret]) }
        set { set("token", to: newValue, [.shared(.user, merging: .ask), .secret]) }
    }
    fileprivate var local: Int {
        get { get("local", default: 0, [.shared(.machine)]) }
        set { set("local", to: newValue, [.shared(.machine)]) }
    }
    fileprivate var plain: Int { self.get("plain", default: 0) }

    private static var text: PreferenceTransformation<String, Int> {
        PreferenceTransformation {
            Int($0) ?? 0
        } write: {
            String($0)
        }
    }
}
