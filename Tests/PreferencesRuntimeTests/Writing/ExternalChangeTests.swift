import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

/// Changes that are not made through the `Preferences` whose watchers are notified.
@Suite("External changes")
struct ExternalChangeTests {
    @Test("A change in the store is notified")
    func anExternalChangeIsNotified() {
        let store = MemoryStore()
        let preferences = Preferences(store: store)
        let seen = Recorder<PreferenceChange<Int>>()
        preferences.watch(\.launchCount, options: .old) { seen.add($0) }
        store.apply(["launchCount": .set(3), "other": .set(1)])
        store.apply(["launchCount": .set(3)])
        store.apply(["launchCount": .remove])
        #expect(
            seen.all == [
                PreferenceChange(old: 0, new: 3, origin: .external),
                PreferenceChange(old: 3, new: 0, origin: .external),
            ]
        )
    }

    @Test("A change by other Preferences is notified before their setter returns")
    func otherPreferencesNotifyBeforeTheirSetterReturns() {
        let store = MemoryStore()
        let (first, second) = (Preferences(store: store), Preferences(store: store))
        let seen = Recorder<String>()
        first.watch(\.launchCount) { seen.add("first \($0.new)") }
        second.watch(\.launchCount) { [first] change in
            // The writer's lock is not held.
            let isHeld = first.writing.isHeldByThisThread
            #expect(!isHeld)
            seen.add("second \(change.new)")
            if change.new == 1 { first.launchCount = 2 }
        }
        first.launchCount = 1
        #expect(seen.all == ["first 1", "second 1", "first 2", "second 2"])
        #expect(first.launchCount == 2 && second.launchCount == 2)
    }

    @Test("Setting the value that is already stored externally is notified")
    func aMissedChangeIsNotifiedByASet() throws {
        let store = ExternallyChangedStore(isSilent: true)
        let preferences = Preferences(store: store)
        let seen = Recorder<Int>()
        preferences.watch(\.launchCount, options: .initial) { seen.add($0.new) }
        store.set("launchCount", 7)
        preferences.launchCount = 7
        #expect(seen.all == [0, 7])
        store.set("launchCount", 8)
        try preferences.transaction { $0.launchCount = 8 }
        #expect(seen.all == [0, 7, 8])
        try preferences.reload()
        #expect(seen.all == [0, 7, 8])
    }

    @Test("A transaction that repeats a missed external change is notified")
    func aMissedChangeIsNotifiedByATransaction() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            // The store does not notify of the change.
            let preferences = Preferences(store: FileStore(url: url, durability: .immediate, watching: .fake()))
            let seen = Recorder<Int>()
            preferences.watch(\.launchCount, options: .initial) { seen.add($0.new) }
            try url.write("{\"launchCount\": 7}")
            try preferences.transaction { $0.launchCount = 7 }
            #expect(seen.all == [0, 7])
        }
    }

    @Test("The change of a store observer that writes back is notified")
    func anObserverThatWritesBackIsNotified() {
        let store = MemoryStore()
        let preferences = Preferences(store: store)
        let seen = Recorder<Int>()
        preferences.watch(\.launchCount) { seen.add($0.new) }
        let observation = store.observe { [store] _ in
            if store.value(for: "launchCount") == .int(50) { store.apply(["launchCount": .set(10)]) }
        }
        preferences.launchCount = 50
        #expect(preferences.launchCount == 10)
        #expect(seen.all == [10])
        observation.cancel()
    }

    @Test(
        "An observer that sets a key which a transaction of two stores sets is notified after the transaction's value"
    )
    func observerThatSetsAKeyOfTwoStores() throws {
        let store = MemoryStore()
        let preferences = Preferences(store: store, secrets: MemoryStore())
        let seen = Recorder<Int>()
        preferences.watch(\.launchCount) { seen.add($0.new) }
        let observation = store.observe { [store] _ in
            if store.value(for: "launchCount") == .int(1) { preferences.launchCount = 2 }
        }
        try preferences.transaction { preferences in
            preferences.launchCount = 1
            preferences.set("token", to: "hidden", [.secret])
        }
        #expect(seen.all == [1, 2])
        observation.cancel()
    }

    @Test("The last of several sets that a store's observer makes while a watched property sets the key is notified")
    func observerThatSetsTwice() {
        let store = MemoryStore()
        let (preferences, others) = (Preferences(store: store), Preferences(store: store))
        let seen = Recorder<Int>()
        preferences.watch(\.launchCount) { seen.add($0.new) }
        preferences.watch(\.levelThatStartsCounting) { _ in }
        let observation = store.observe { [store] _ in
            guard store.value(for: "launchCount") == .int(1) else { return }
            preferences.launchCount = 2
            preferences.launchCount = 3
        }
        others.set(named: "level", to: 5)
        #expect(preferences.launchCount == 3)
        #expect(seen.all.last == 3)
        observation.cancel()
    }

    @Test("The change of a store observer that sets the key is notified")
    func anObserverThatSetsTheKeyIsNotified() {
        let store = MemoryStore()
        let preferences = Preferences(store: store)
        let seen = Recorder<Int>()
        preferences.watch(\.launchCount) { seen.add($0.new) }
        let observation = store.observe { [store] _ in
            if store.value(for: "launchCount") == .int(50) { preferences.launchCount = 10 }
        }
        preferences.launchCount = 50
        #expect(preferences.launchCount == 10)
        #expect(seen.all == [50, 10])
        observation.cancel()
    }

    @Test("An external change that a failed write has found is notified")
    func aFailedWriteNotifiesOfExternalChanges() {
        let store = ExternallyChangedStore()
        let preferences = Preferences(store: store)
        let seen = Recorder<Int>()
        preferences.watch(\.launchCount) { seen.add($0.new) }
        preferences.launchCount = 1
        // Like a file that was edited externally and cannot be written.
        store.failNextWrite { store.set("launchCount", 7) }
        preferences.launchCount = 2
        #expect(preferences.launchCount == 7)
        #expect(seen.all == [1, 7])
    }

    @Test("Setting a renamed key whose former name has changed externally is notified")
    func aRenameOfAChangedKeyIsNotified() throws {
        let store = ExternallyChangedStore(isSilent: true)
        let preferences = Preferences(store: store)
        store.set("old", "a")
        let seen = Recorder<String>()
        preferences.watch(\.renamed, options: .initial) { seen.add($0.new) }
        store.set("old", "b")
        preferences.renamed = "b"
        try preferences.reload()
        #expect(seen.all == ["a", "b"])
    }

    @Test("A key that could not be read is notified when it is set")
    func anUnreadableValueIsNotifiedWhenSet() throws {
        let store = FaultyStore(["launchCount": 7], notifiesAllChanges: false)
        let preferences = Preferences(store: store)
        let seen = Recorder<Int>()
        store.failReads("locked")
        preferences.watch(\.launchCount, options: .initial) { seen.add($0.new) }
        store.failReads(nil)
        preferences.launchCount = 7
        preferences.launchCount = 7
        #expect(seen.all == [0, 7])
    }

    @Test("A read before the notification does not hide the change from watchers")
    func readsDoNotHideChangesFromWatchers() {
        let store = ExternallyChangedStore()
        let preferences = Preferences(store: store)
        let seen = Recorder<Int>()
        preferences.watch(\.launchCount) { seen.add($0.new) }
        preferences.withWriting {
            store.set("launchCount", 5)
            // The value is read before the notification.
            #expect(preferences.launchCount == 5)
        }
        #expect(seen.all == [5])
    }

    @Test("Reloading notifies of changes that a store did not report")
    func reloadingNotifiesOfMissedChanges() throws {
        let store = ExternallyChangedStore(isSilent: true)
        let preferences = Preferences(store: store)
        let seen = Recorder<Int>()
        preferences.watch(\.launchCount) { seen.add($0.new) }
        store.set("launchCount", 5)
        #expect(preferences.launchCount == 5)
        #expect(seen.all == [])
        try preferences.reload()
        try preferences.reload()
        #expect(seen.all == [5])
    }

    @Test("An external change of a secret is notified, and one of the same name in the main store is not")
    func aChangedSecretIsNotified() {
        let (store, secrets) = (MemoryStore(), MemoryStore())
        let preferences = Preferences(store: store, secrets: secrets)
        let seen = Recorder<String>()
        preferences.watch(\.hiddenToken) { seen.add($0.new) }
        store.apply(["token": .set("open")])
        secrets.apply(["token": .set("hidden")])
        #expect(seen.all == ["hidden"])
    }

    @Test("An external change of a former name is notified")
    func aChangeOfAFormerNameIsNotified() {
        let store = MemoryStore()
        let preferences = Preferences(store: store)
        let seen = Recorder<String>()
        preferences.watch(\.renamed) { seen.add($0.new) }
        store.apply(["old": .set("a")])
        preferences.renamed = "b"
        store.apply(["old": .set("c")])
        #expect(preferences.renamed == "b")
        #expect(seen.all == ["a", "b", "b"])
        #expect(store.names() == ["new", "old"])
    }

    @Test(
        "A commit is notified before an external change that comes while the store applies it",
        arguments: [.everything, .names(["launchCount"])] as [PreferenceStoreChange],
        [false, true]
    )
    func externalChangeDuringACommit(_ change: PreferenceStoreChange, isTransaction: Bool) throws {
        let store = OvertakenStore()
        let preferences = Preferences(store: store)
        let seen = Recorder<PreferenceChange<Int>>()
        preferences.watch(\.launchCount, options: .old) { seen.add($0) }
        store.interruptNextApply { store.change("launchCount", to: 7, notifying: change) }
        if isTransaction {
            try preferences.transaction { $0.launchCount = 1 }
        } else {
            preferences.launchCount = 1
        }
        #expect(seen.all == [PreferenceChange(old: 0, new: 1), PreferenceChange(old: 1, new: 7, origin: .external)])
        #expect(preferences.launchCount == 7)
        preferences.launchCount = 1
        #expect(seen.all.last == PreferenceChange(old: 7, new: 1))
    }

    @Test("A commit is notified once if the store notifies of everything meanwhile", arguments: [false, true])
    func notificationDuringACommit(isOnCommittingThread: Bool) {
        let store = OvertakenStore()
        let preferences = Preferences(store: store)
        let seen = Recorder<PreferenceChange<Int>>()
        preferences.watch(\.launchCount, options: .old) { seen.add($0) }
        store.interruptNextApply {
            if isOnCommittingThread {
                store.notify(.everything)
            } else {
                onAnotherThread { store.notify(.everything) }
            }
        }
        preferences.launchCount = 1
        #expect(seen.all == [PreferenceChange(old: 0, new: 1)])
        #expect(preferences.launchCount == 1)
    }

    @Test("An external change that comes while another one is looked at is notified after it")
    func externalChangeDuringALook() {
        let store = OvertakenStore()
        let preferences = Preferences(store: store)
        let seen = Recorder<PreferenceChange<Int>>()
        preferences.watch(\.launchCount, options: .old) { seen.add($0) }
        store.interruptNextRead { store.change("launchCount", to: 8, notifying: .everything) }
        store.change("launchCount", to: 7, notifying: .everything)
        #expect(
            seen.all == [
                PreferenceChange(old: 0, new: 7, origin: .external),
                PreferenceChange(old: 7, new: 8, origin: .external),
            ]
        )
    }

    @Test("An external change that cannot be read is notified with the next change of a key", arguments: [false, true])
    func externalChangeThatCannotBeRead(isNextExternal: Bool) async {
        let store = OvertakenStore()
        let preferences = Preferences(store: store)
        let seen = Recorder<PreferenceChange<Int>>()
        preferences.watch(\.launchCount, options: .old) { seen.add($0) }
        store.failNextRead()
        store.change("launchCount", to: 7, notifying: .names(["launchCount"]))
        #expect(seen.all == [])
        if isNextExternal {
            _ = preferences.isCounting
            store.change("isCounting", to: true, notifying: .names(["isCounting"]))
        } else {
            preferences.isCounting = true
        }
        #expect(seen.all == [PreferenceChange(old: 0, new: 7, origin: .external)])
        #expect(await preferences.reportedProblems().map(\.code) == [.storeUnreadable])
    }

    @Test("A commit is notified before an external change that comes while watched properties are read")
    func externalChangeDuringANotification() {
        let store = OvertakenStore()
        let preferences = Preferences(store: store)
        let seen = Recorder<PreferenceChange<Int>>()
        preferences.watch(\.interruptedCount, options: .old) { seen.add($0) }
        preferences.interruptingNextRead {
            store.change("launchCount", to: 7, notifying: .everything)
        } while: {
            $0.launchCount = 1
        }
        #expect(seen.all == [PreferenceChange(old: 0, new: 1), PreferenceChange(old: 1, new: 7, origin: .external)])
    }

    @Test("A watcher is not notified of the value that it has read while the store notified of everything")
    func notificationDuringTheFirstRead() {
        let store = OvertakenStore()
        let preferences = Preferences(store: store)
        let seen = Recorder<PreferenceChange<Int>>()
        store.interruptNextRead { onAnotherThread { store.notify(.everything) } }
        preferences.watch(\.launchCount, options: .old) { seen.add($0) }
        #expect(seen.all == [])
    }

    @Test("An external change that comes while a watcher first reads its key is notified")
    func externalChangeDuringTheFirstRead() {
        let store = OvertakenStore()
        let preferences = Preferences(store: store)
        let seen = Recorder<PreferenceChange<Int>>()
        store.interruptNextRead { store.change("launchCount", to: 7, notifying: .everything) }
        preferences.watch(\.launchCount, options: .old) { seen.add($0) }
        #expect(seen.all == [PreferenceChange(old: 0, new: 7, origin: .external)])
    }

    @Test("A watcher that has read an external change first is not notified of it again, but the other watchers are")
    func externalChangeReadByASecondWatcher() {
        let store = OvertakenStore()
        let preferences = Preferences(store: store)
        let (first, second) = (Recorder<PreferenceChange<Int>>(), Recorder<PreferenceChange<Int>>())
        preferences.watch(\.launchCount, options: .old) { first.add($0) }
        preferences.interruptingNextRead {
            store.change("launchCount", to: 7, notifying: .everything)
        } while: {
            $0.watch(\.interruptedCount, options: .old) { second.add($0) }
        }
        #expect(first.all == [PreferenceChange(old: 0, new: 7, origin: .external)])
        #expect(second.all == [])
        preferences.launchCount = 8
        #expect(first.all.last == PreferenceChange(old: 7, new: 8))
        #expect(second.all == [PreferenceChange(old: 7, new: 8)])
    }

    @Test("A watched property that begins to read another key is notified of an external change of that key after it")
    func externalChangeOfAKeyThatIsReadFromNowOn() {
        let store = OvertakenStore()
        let preferences = Preferences(store: store)
        let (first, second) = (Recorder<PreferenceChange<Int>>(), Recorder<PreferenceChange<Int>>())
        preferences.watch(\.launchCount, options: .old) { first.add($0) }
        preferences.watch(\.countIfCounting, options: .old) { second.add($0) }
        preferences.interruptingNextRead {
            store.change("launchCount", to: 7, notifying: .everything)
        } while: {
            $0.isCounting = true
        }
        #expect(first.all == [PreferenceChange(old: 0, new: 7, origin: .external)])
        #expect(second.all == [PreferenceChange(old: -1, new: 0), PreferenceChange(old: 0, new: 7, origin: .external)])
    }

    @Test("Each of a thousand watchers of two keys is notified once of external changes of all keys")
    func chainOfWatchers() {
        let store = OvertakenStore()
        let preferences = Preferences(store: store)
        let links = 0..<1000
        let seen = links.map { _ in Recorder<PreferenceChange<Int>>() }
        for link in links { preferences.watch(\.[sumFrom: link], options: .old) { seen[link].add($0) } }
        store.interruptNextApply {
            store.change(Set((0...links.count).map { "link \($0)" }), to: 7, notifying: .everything)
        }
        preferences.set(named: "link 0", to: 1)
        #expect(
            seen[0].all == [PreferenceChange(old: 0, new: 1), PreferenceChange(old: 1, new: 14, origin: .external)]
        )
        #expect(seen.dropFirst().allSatisfy { $0.all == [PreferenceChange(old: 0, new: 14, origin: .external)] })
    }

    @Test("A key that a watched property reads twice has one value while it is first read, and its change is notified")
    func externalChangeBetweenTwoReads() {
        let store = OvertakenStore()
        let preferences = Preferences(store: store)
        let (first, second) = (Recorder<PreferenceChange<Int>>(), Recorder<PreferenceChange<Int>>())
        preferences.watch(\.launchCount, options: .old) { first.add($0) }
        preferences.interruptingNextRead {
            store.change("launchCount", to: 7, notifying: .everything)
        } while: {
            $0.watch(\.countReadTwice, options: .old) { second.add($0) }
        }
        #expect(first.all == [PreferenceChange(old: 0, new: 7, origin: .external)])
        #expect(second.all == [PreferenceChange(old: 0, new: 14, origin: .external)])
    }

    @Test("Changes that a watched property makes at its first read are notified last")
    func propertyThatSetsWhatItHasRead() {
        let preferences = Preferences(store: MemoryStore())
        preferences.launchCount = 20
        let (plain, bounded) = (Recorder<PreferenceChange<Int>>(), Recorder<PreferenceChange<Int>>())
        preferences.watch(\.launchCount, options: .old) { plain.add($0) }
        preferences.watch(\.boundedCount, options: [.initial, .old]) { bounded.add($0) }
        preferences.launchCount = 5
        #expect(plain.all == [PreferenceChange(old: 20, new: 10), PreferenceChange(old: 10, new: 5)])
        #expect(
            bounded.all == [PreferenceChange(old: nil, new: 10, origin: .initial), PreferenceChange(old: 10, new: 5)]
        )
    }

    @Test("Changes that a watched property makes to the key that it has read are notified last", arguments: [0, 1])
    func propertyThatSetsItsKey(plainIsFirst: Int) {
        let preferences = Preferences(store: MemoryStore())
        let (plain, capped) = (Recorder<PreferenceChange<Int>>(), Recorder<Int>())
        let registrations = [
            { _ = preferences.watch(\.cappedCount) { capped.add($0.new) } },
            { _ = preferences.watch(\.launchCount, options: .old) { plain.add($0) } },
        ]
        registrations[plainIsFirst]()
        registrations[1 - plainIsFirst]()
        preferences.launchCount = 20
        preferences.launchCount = 3
        let both = [PreferenceChange(old: 0, new: 20), PreferenceChange(old: 20, new: 10)]
        #expect(
            plain.all == (plainIsFirst == 1 ? both : [PreferenceChange(old: 0, new: 10)])
                + [PreferenceChange(old: 10, new: 3)]
        )
        #expect(capped.all == [10, 3])
    }

    @Test("Properties that set the key that the next one reads are each notified once")
    func chainOfSetters() {
        let preferences = Preferences(store: MemoryStore())
        let links = 0..<1000
        let seen = links.map { _ in Recorder<Int>() }
        for link in links { preferences.watch(\.[copying: link]) { seen[link].add($0.new) } }
        preferences.set(named: "link 0", to: 5)
        #expect(seen.allSatisfy { $0.all == [5] })
        #expect(preferences.get(named: "link 1000", default: 0) == 5)
    }

    @Test("A property that changes a key at each read is read once for each change")
    func propertyThatCounts() {
        let preferences = Preferences(store: MemoryStore())
        let seen = Recorder<Int>()
        preferences.watch(\.countedCount) { seen.add($0.new) }
        preferences.launchCount = 1
        preferences.launchCount = 2
        #expect(seen.all == [1, 2])
        #expect(preferences.get(named: "reads", default: 0) == 3)
    }

    @Test("An external change is notified while a watched property sets another key")
    func externalChangeWhileAPropertySetsAnotherKey() {
        let store = OvertakenStore()
        let preferences = Preferences(store: store)
        let (starting, counting) = (Recorder<Int>(), Recorder<Int>())
        preferences.watch(\.countThatStartsCounting) { starting.add($0.new) }
        preferences.watch(\.countIfCounting) { counting.add($0.new) }
        preferences.interruptingNextRead {
            store.change("launchCount", to: 7, notifying: .everything)
        } while: {
            $0.launchCount = 1
        }
        #expect(starting.all == [1, 7])
        #expect(counting.all.first == 1 && counting.all.last == 7)
        #expect(counting.all == counting.all.sorted())
    }

    @Test("A key that a watched property sets through other Preferences is notified")
    func propertyThatSetsThroughOtherPreferences() {
        let store = MemoryStore()
        let (preferences, other) = (Preferences(store: store), Preferences(store: store))
        let seen = Recorder<PreferenceChange<Int>>()
        preferences.watch(\.launchCount, options: .old) { seen.add($0) }
        preferences.watch(\.interruptedCount) { _ in }
        preferences.interruptingNextRead {
            other.launchCount = 9
        } while: {
            $0.launchCount = 1
        }
        #expect(seen.all == [PreferenceChange(old: 0, new: 1), PreferenceChange(old: 1, new: 9, origin: .external)])
    }

    @Test("Watchers over a store that does not notify receive external changes at the next commit")
    func changesOfASilentStore() throws {
        let store = ExternallyChangedStore(isSilent: true)
        let preferences = Preferences(store: store)
        let (sum, other) = (Recorder<PreferenceChange<Int>>(), Recorder<PreferenceChange<Int>>())
        preferences.watch(\.[sumFrom: 0], options: .old) { sum.add($0) }
        preferences.watch(\.[sumFrom: 1], options: .old) { other.add($0) }
        store.set("link 1", 10)
        preferences.set(named: "link 0", to: 1)
        #expect(sum.all == [PreferenceChange(old: 0, new: 11)])
        #expect(other.all == [PreferenceChange(old: 0, new: 10)])
        try store.apply(["link 1": .remove])
        preferences.set(named: "link 0", to: 2)
        #expect(sum.all.last == PreferenceChange(old: 11, new: 2))
        #expect(other.all.last == PreferenceChange(old: 10, new: 0))
    }

    @Test("Watchers of a property that sets a key receive the value that it has set")
    func watchedPropertyThatSetsAKey() {
        let preferences = Preferences(store: MemoryStore())
        let seen = Recorder<PreferenceChange<Int>>()
        preferences.watch(\.boundedCount, options: .old) { seen.add($0) }
        preferences.launchCount = 20
        #expect(seen.all.last?.new == 10)
        #expect(preferences.launchCount == 10)
    }
}

extension Preferences {
    fileprivate var hiddenToken: String {
        self.get("token", default: "", [.secret])
    }

    fileprivate var renamed: String {
        get { get("new", default: "", [.renamed(from: "old")]) }
        set { set("new", to: newValue, [.renamed(from: "old")]) }
    }

    /// The body to run when this task reads `interruptedCount` next.
    @TaskLocal private static var interruption: Interruption?

    fileprivate var interruptedCount: Int {
        Self.interruption?.runOnce()
        return launchCount
    }

    /// Runs a body, and another one when `interruptedCount` is read.
    fileprivate func interruptingNextRead(
        _ interruption: @escaping @Sendable () -> Void,
        while body: (Preferences) -> Void
    ) {
        Self.$interruption.withValue(Interruption(interruption)) { body(self) }
    }

    fileprivate var isCounting: Bool {
        get { get("isCounting", default: false) }
        set { set("isCounting", to: newValue) }
    }

    /// The value of `interruptedCount` while `isCounting`, else -1.
    fileprivate var countIfCounting: Int { isCounting ? interruptedCount : -1 }

    /// The value of `launchCount`, which is set to 10 if it is greater.
    fileprivate var cappedCount: Int {
        let count = launchCount
        if count > 10 { launchCount = 10 }
        return min(count, 10)
    }

    /// A key that is copied to the next one when it is read.
    fileprivate subscript(copying link: Int) -> Int {
        let value = get(named: "link \(link)", default: 0)
        if get(named: "link \(link + 1)", default: 0) != value { set(named: "link \(link + 1)", to: value) }
        return value
    }

    fileprivate var countedCount: Int {
        let reads = get(named: "reads", default: 0)
        set(named: "reads", to: reads + 1)
        return launchCount
    }

    fileprivate var countReadTwice: Int { launchCount + interruptedCount }

    fileprivate var countThatStartsCounting: Int {
        let count = interruptedCount
        if !isCounting { isCounting = true }
        return count
    }

    /// A key that sets another one when it is read and is set.
    fileprivate var levelThatStartsCounting: Int {
        let level = get("level", default: 0)
        if level > 0, launchCount == 0 { launchCount = 1 }
        return level
    }

    /// The sum of two keys, one of which the next such property also reads.
    fileprivate subscript(sumFrom link: Int) -> Int {
        let first = get(named: "link \(link)", default: 0)
        return first + get(named: "link \(link + 1)", default: 0)
    }

    /// Sets `launchCount` to 10 if it is greater.
    fileprivate var boundedCount: Int {
        if launchCount > 10 { launchCount = 10 }
        return launchCount
    }
}

/// A body that runs once, in the middle of another call.
private final class Interruption: Sendable {
    private let body: Locked<(@Sendable () -> Void)?>

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = Locked(body)
    }

    func runOnce() {
        body.withLock { $0.take() }?()
    }
}

/// A store that another process changes in the middle of a call.
private final class OvertakenStore: WritablePreferenceStore {
    let label = "interrupted"
    let notifiesAllChanges = true
    private let memory = MemoryStore()
    private let observers = PreferenceStoreObservers()
    private let applyInterruption = Locked<(@Sendable () -> Void)?>(nil)
    private let failsNextRead = Locked(false)
    private let readInterruption = Locked<(@Sendable () -> Void)?>(nil)

    /// Causes a body to run when the next batch has been applied, and before its call returns.
    func interruptNextApply(_ body: @escaping @Sendable () -> Void) {
        applyInterruption.withLock { $0 = body }
    }

    /// Causes a body to run when the next value has been read, and before its call returns.
    func interruptNextRead(_ body: @escaping @Sendable () -> Void) {
        readInterruption.withLock { $0 = body }
    }

    /// Changes a value as another process does, of which another thread notifies.
    func change(_ name: String, to value: PreferenceValue, notifying change: PreferenceStoreChange) {
        self.change([name], to: value, notifying: change)
    }

    func change(_ names: Set<String>, to value: PreferenceValue, notifying change: PreferenceStoreChange) {
        memory.apply(PreferenceBatch(Dictionary(uniqueKeysWithValues: names.map { ($0, .set(value)) })))
        onAnotherThread { [self] in notify(change) }
    }

    func notify(_ change: PreferenceStoreChange) {
        observers.notify(change)
    }

    func failNextRead() {
        failsNextRead.withLock { $0 = true }
    }

    func value(for name: String) throws -> PreferenceValue? {
        let fails = failsNextRead.withLock { fails in
            defer { fails = false }
            return fails
        }
        if fails { throw CancellationError() }
        let value = memory.value(for: name)
        readInterruption.withLock { $0.take() }?()
        return value
    }

    func names() throws -> Set<String> { memory.names() }

    func apply(_ batch: PreferenceBatch) throws {
        memory.apply(batch)
        applyInterruption.withLock { $0.take() }?()
        observers.notify(.names(Set(batch.map(\.name))))
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        observers.add(observer)
    }
}
