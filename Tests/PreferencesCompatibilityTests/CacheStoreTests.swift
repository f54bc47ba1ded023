import PreferencesCompatibility
import PreferencesRuntime
import StoreTestSupport
import Testing

@Suite("Cache store")
struct CacheStoreTests {
    @Test("The key of an evicted value reads as its default")
    func evictedValuesReadAsDefaults() {
        let store = CacheStore(countLimit: 2)
        let preferences = Preferences(store: store)
        for number in 1...5 { preferences.set(named: "key \(number)", to: number) }
        let present = (1...5).filter { preferences.get(named: "key \($0)", default: 0) == $0 }
        #expect(present.count == 2)
        #expect(store.names() == Set(present.map { "key \($0)" }))
    }

    @Test("The names of evicted values are removed")
    func namesOfEvictedValuesAreRemoved() {
        let store = CacheStore(countLimit: 10)
        for number in 1...5_000 { store.apply(["key \(number)": .set(1)]) }
        #expect(store.names().count <= 10)
    }

    @Test("Codable values are kept")
    func codableValuesAreKept() {
        let preferences = Preferences(store: CacheStore())
        preferences.set(named: "station", to: Station.oslo)
        #expect(preferences.get(named: "station", default: nil as Station?) == .oslo)
    }

    @Test("Watchers observe values that are set")
    func watchersObserveSets() {
        let preferences = Preferences(store: CacheStore())
        let counts = Recorder<Int>()
        preferences.watch(\.launchCount) { counts.add($0.new) }
        preferences.launchCount = 3
        #expect(counts.all == [3])
    }
}
