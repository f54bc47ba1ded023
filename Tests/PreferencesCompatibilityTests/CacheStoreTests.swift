import PreferencesRuntime
import Testing
import PreferencesCompatibility
import StoreTestSupport

struct CacheStoreTests {
    @Test func aValueThatWasPutOutReadsAsTheDefault() {
        let store = CacheStore(countLimit: 2)
        let preferences = Preferences(store: store)
        for number in 1...5 { preferences.set(named: "key \(number)", to: number) }
        let present = (1...5).filter { preferences.get(named: "key \($0)", default: 0) == $0 }
        #expect(present.count == 2)
        #expect(store.names() == Set(present.map { "key \($0)" }))
    }

    @Test func namesOfWhatIsGoneAreForgotten() {
        let store = CacheStore(countLimit: 10)
        for number in 1...5_000 { store.apply(["key \(number)": .set(1)]) }
        #expect(store.names().count <= 10)
    }

    @Test func codableValuesAreKept() {
        let preferences = Preferences(store: CacheStore())
        preferences.set(named: "station", to: Station.oslo)
        #expect(preferences.get(named: "station", default: nil as Station?) == .oslo)
    }

    @Test func watchersHearOfWhatIsSet() {
        let preferences = Preferences(store: CacheStore())
        let counts = Recorder<Int>()
        preferences.watch(\.launchCount) { counts.add($0.new) }
        preferences.launchCount = 3
        #expect(counts.all == [3])
    }
}
