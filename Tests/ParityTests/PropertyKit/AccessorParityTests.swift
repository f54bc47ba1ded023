import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// PropertyKit's accessors, which are named by their properties.
private struct Profile: PropertyNamedAccessors {
    let preferences: Preferences

    fileprivate var local: String? {
        get { get() }
        nonmutating set { set(newValue) }
    }

    fileprivate var person: Person? {
        get { get() }
        nonmutating set { set(newValue) }
    }

    /// With a fallback for nil.
    fileprivate var title: String? {
        get { get() }
        nonmutating set { set(newValue ?? "untitled") }
    }

    fileprivate var count: Int {
        get { get(default: 5) }
        nonmutating set { set(newValue) }
    }

    /// ``otherFilesSecret`` has the same name.
    fileprivate var secret: Int {
        get { get(default: 1) }
        nonmutating set { set(newValue) }
    }
}

extension Preferences {
    fileprivate var profile: Profile { Profile(preferences: self) }
}

struct Person: Codable, Hashable, PreferenceConvertible {
    struct Child: Codable, Hashable {
        var name: String
        var age: Int
    }

    var name: String
    var child: Child?
}

@Suite("PropertyKit: accessors")
struct AccessorParityTests {
    private let store = MemoryStore()
    private var preferences: Preferences { Preferences(store: store) }

    @Test("accessor keyed by its own name, hand-written, on shared and on a named suite")
    func keyedByName() throws {
        try withTemporaryDirectory { folder in
            let urls = ["shared.json", "suite.json"].map { folder.appending(component: $0) }
            Preferences.withShared(Preferences(store: FileStore(url: urls[0], durability: .immediate))) {
                Preferences.shared.profile.local = "0"
                let suite = Preferences(store: FileStore(url: urls[1], durability: .immediate))
                #expect(suite.profile.local == nil)
                suite.profile.local = "1"
                #expect(Preferences.shared.profile.local == "0")
            }
            // Both persist.
            #expect(urls.map { Preferences(store: FileStore(url: $0)).profile.local } == ["0", "1"])
            let name = "PropertyKitParityTests/AccessorParityTests.swift:Profile.local"
            let stored = try urls.map { try FileStore(url: $0).value(for: name) }
            #expect(stored == ["0", "1"])
        }
    }

    @Test("accessor keyed by its own name: two fileprivate properties of one name do not share a key")
    func notShared() {
        // Each use is through other `Preferences`, as in another run.
        preferences.profile.secret = 7
        #expect(preferences.otherFilesSecret == "default")
        preferences.setOtherFilesSecret("other")
        #expect(preferences.profile.secret == 7)
        #expect(preferences.otherFilesSecret == "other")
    }

    @Test("optional Codable struct never set / set / set to nil")
    func optionalCodable() {
        let ada = Person(name: "Ada", child: Person.Child(name: "Byron", age: 9))
        #expect(preferences.profile.person == nil)
        #expect(!preferences.isSet(\.profile.person))
        preferences.profile.person = ada
        #expect(preferences.profile.person == ada)
        #expect(preferences.isSet(\.profile.person))
        preferences.profile.person = nil
        #expect(preferences.profile.person == nil)
        #expect(!preferences.isSet(\.profile.person))
    }

    @Test("setter with a fallback")
    func fallback() {
        preferences.profile.title = "named"
        #expect(preferences.profile.title == "named")
        preferences.profile.title = nil
        #expect(preferences.profile.title == "untitled")
        #expect(store.value(for: "PropertyKitParityTests/AccessorParityTests.swift:Profile.title") == "untitled")
    }

    @Test("non-optional with a default: still not set after the read")
    func defaultIsNotStored() async {
        #expect(preferences.profile.count == 5)
        #expect(!preferences.isSet(\.profile.count))
        #expect(store.names().isEmpty)
        // What has another type reads as the default, and is not overwritten.
        let name = "PropertyKitParityTests/AccessorParityTests.swift:Profile.count"
        store.apply([name: .set("five")])
        let preferences = preferences
        #expect(preferences.profile.count == 5)
        #expect(store.value(for: name) == "five")
        #expect(await preferences.firstProblem()?.code == .typeMismatch)
    }

}
