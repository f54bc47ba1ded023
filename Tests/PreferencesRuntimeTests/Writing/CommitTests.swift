import Foundation
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

/// Commits as other threads see them, and commits during which hooks or stores do something unexpected.
@Suite("Commits")
struct CommitTests {
    @Test("The first read of a key during a commit sees all of the commit or nothing")
    func aFirstReadDuringACommitSeesAllOfItOrNothing() throws {
        let store = GateStore { $0["launchCount"] != nil }
        let preferences = Preferences(store: store)
        // This key was read before, and the other one was not.
        _ = preferences.weather.temperature
        let seen = Recorder<[Double]>()
        let reader = store.onAnotherThreadWhenApplied {
            let count = Double(preferences.launchCount)
            seen.add([count, preferences.weather.temperature, Double(preferences.launchCount)])
        }
        try preferences.transaction { preferences in
            preferences.set("launchCount", to: 1)
            preferences.weather.temperature = 1
        }
        reader.wait()
        #expect(seen.all == [[1, 1, 1]])
    }

    @Test("A value that was set externally is read by Preferences that are committing another one")
    func valuesAreReadDuringAnotherCommit() throws {
        let store = GateStore { $0["launchCount"] == .set(2) }
        let (first, second) = (Preferences(store: store), Preferences(store: store))
        let done = DispatchSemaphore(value: 0)
        let committing = DispatchSemaphore(value: 0)
        store.beforeApplying { committing.signal() }
        Thread {
            second.launchCount = 2
            done.signal()
        }.start()
        committing.wait()
        try store.apply(["launchCount": .set(1)])
        #expect(second.launchCount == 1)
        store.open()
        done.wait()
        #expect(first.launchCount == 2)
        #expect(second.launchCount == 2)
    }

    @Test("A read after a transaction does not return an older value than the transaction has read")
    func laterReadsAreNotOlderThanATransaction() throws {
        let store = MemoryStore()
        let (first, second) = (Preferences(store: store), Preferences(store: store))
        let seen = Recorder<Bool>()
        for number in 1...20 {
            _ = second.launchCount
            let done = DispatchSemaphore(value: 0)
            // Notified alternately before and after `second`.
            let observation = store.observe { _ in
                Thread {
                    let inside = (try? second.transaction { $0.launchCount }) ?? -1
                    seen.add(second.launchCount >= inside)
                    done.signal()
                }.start()
            }
            first.launchCount = number
            done.wait()
            observation.cancel()
        }
        #expect(seen.all == Array(repeating: true, count: 20))
    }

    @Test("A change by a hook before the commit of a transaction is part of the transaction")
    func aHookBeforeATransactionsCommitIsPartOfIt() throws {
        let store = FaultyStore(["weather-service:temperature": 0.0])
        let preferences = Preferences(store: store)
        let seen = Recorder<Double>()
        preferences.watch(\.weather.temperature) { seen.add($0.new) }
        preferences.willChange(of: \.launchCount) { _ in preferences.weather.temperature = 5 }
        try preferences.transaction { preferences in
            preferences.launchCount = 1
            preferences.weather.temperature = 0
        }
        #expect(store.batches == [["launchCount": .set(1), "weather-service:temperature": .set(5.0)]])
        #expect(preferences.weather.temperature == 5)
        #expect(seen.all == [5])
    }

    @Test("A change by a hook before the commit of a setter is committed first")
    func aHookCommitsBeforeTheSetter() {
        let preferences = Preferences.inMemory()
        let seen = Recorder<PreferenceChange<Int>>()
        preferences.watch(\.launchCount, options: .old) { seen.add($0) }
        preferences.willChange(of: \.launchCount) { if $0.new == 1 { preferences.set(named: "launchCount", to: 7) } }
        preferences.launchCount = 1
        #expect(seen.all == [PreferenceChange(old: 0, new: 7), PreferenceChange(old: 7, new: 1)])
    }

    @Test("A change by a hook after a commit is the next change")
    func changesByAHookAfterACommitFollow() {
        let preferences = Preferences.inMemory()
        let seen = Recorder<Int>()
        preferences.watch(\.launchCount) { seen.add($0.new) }
        preferences.didChange(of: \.launchCount) { if $0.new == 1 { preferences.launchCount = 2 } }
        preferences.launchCount = 1
        #expect(seen.all == [1, 2])
    }

    @Test("If only the secrets were committed, only their hooks are called")
    func onlyHooksOfCommittedSecretsAreCalled() {
        let store = FaultyStore()
        let preferences = Preferences(store: store, secrets: MemoryStore())
        let seen = Recorder<String>()
        preferences.didChange(of: \.launchCount) { seen.add("count \($0.new)") }
        preferences.didChange(of: \.token) { seen.add("token \($0.new)") }
        preferences.didCommit { seen.add("commit \($0.names.sorted())") }
        store.failWrites("the disk is full")
        #expect(throws: PreferenceProblem.self) {
            try preferences.transaction { preferences in
                preferences.launchCount = 1
                preferences.token = "x"
            }
        }
        #expect(preferences.launchCount == 0)
        #expect(preferences.token == "x")
        #expect(seen.all == ["commit [\"token\"]", "token x"])
    }

    @Test("Hooks of a secret are not called for the same name in the main store")
    func hooksOfASecretIgnoreTheMainStore() {
        let preferences = Preferences.inMemory()
        let seen = Recorder<String>()
        preferences.willChange(of: \.token) { seen.add($0.new) }
        preferences.processValues(of: \.token) { $0.uppercased() }
        preferences.set(named: "token", to: "open")
        #expect(preferences.get(named: "token", default: "") == "open")
        #expect(seen.all == [])
        preferences.token = "hidden"
        #expect(seen.all == ["HIDDEN"])
    }

    @Test("Setting a renamed key to its current value notifies no watcher and calls no hook")
    func settingARenamedKeyToItsValueNotifiesNobody() {
        let store: MemoryStore = ["old": "a"]
        let preferences = Preferences(store: store)
        let seen = Recorder<String>()
        preferences.watch(\.renamed) { seen.add("is \($0.new)") }
        preferences.willChange(of: \.renamed) { seen.add("will be \($0.new)") }
        preferences.renamed = "a"
        #expect(store.names() == ["new"])
        #expect(seen.all == [])
        preferences.renamed = "b"
        #expect(seen.all == ["will be b", "is b"])
    }

    @Test("A transaction in the setter of a computed property is undone if a value is refused")
    func aTransactionInASetterIsWhole() {
        let preferences = Preferences.inMemory()
        try? preferences.set(\.both, to: 50)
        #expect(preferences.launchCount == 0)
        #expect(preferences.height == 0)
    }

    @Test("The source of a value that a transaction has set is its store")
    func theSourceOfWhatATransactionHasSetIsItsStore() throws {
        let preferences = Preferences.inMemory(["weather-service:temperature": 1.0])
        try preferences.transaction { preferences in
            #expect(preferences.source(of: \.launchCount) == nil)
            preferences.launchCount = 1
            preferences.weather.reset(\.temperature)
            #expect(preferences.source(of: \.launchCount) == "memory")
            #expect(preferences.source(of: \.weather.temperature) == nil)
        }
        #expect(preferences.source(of: \.launchCount) == "memory")
    }

    @Test("Both stores are flushed even if one of them fails")
    func bothStoresAreFlushedIfOneFails() throws {
        let (main, secrets) = (FaultyStore(), FaultyStore())
        let preferences = Preferences(store: main, secrets: secrets)
        let hidden = "its error (Fault) is not shown, as it may contain a secret"
        for (store, message) in [(main, "the disk is full"), (secrets, hidden)] {
            store.failWrites("the disk is full")
            let problem = #expect(throws: PreferenceProblem.self) { try preferences.flush() }
            #expect(problem?.message == message)
            #expect(main.flushCount == secrets.flushCount)
            store.failWrites(nil)
        }
        #expect(secrets.flushCount == 2)
    }

    @Test("Names that are known only at run time are not retained by any operation")
    func namesKnownAtRunTime() throws {
        let preferences = Preferences(store: ["dynamic-5": 5] as MemoryStore, secrets: MemoryStore())
        preferences.willChange(of: \.launchCount) { _ in }
        for number in 0..<RecordTable.leastSweepCount + 50 {
            let name = "dynamic-\(number)"
            #expect(preferences.get(named: name, default: 0) == (number == 5 ? 5 : 0))
            #expect(preferences.isSet(named: name) == (number == 5))
            #expect(preferences.resolution(named: name, as: Int.self).isDefault == (number != 5))
            let reference = PreferenceReference(name, default: 0, in: preferences)
            #expect(reference.value == (number == 5 ? 5 : 0))
            reference.watch(\.value) { _ in }.cancel()
            preferences.set(named: name, to: number)
            try preferences.transaction { preferences in
                preferences.set(named: name, to: 1)
                #expect(preferences.get(named: name, default: 0) == 1)
                preferences.reset(named: name)
            }
            let secret = PreferenceReference("secret-\(number)", default: 0, [.secret], in: preferences)
            secret.value = 1
            secret.reset(\.value)
        }
        #expect(preferences.state.withLock { $0.records.count + $0.secretRecords.count } < 200)
        let (count, secretCount) = preferences.state.withLock { state in
            state.records.sweep()
            state.secretRecords.sweep()
            return (state.records.count, state.secretRecords.count)
        }
        #expect(count == 1, "that of the hook")
        #expect(secretCount == 0)
    }

    @Test("A name that is watched is kept for as long as it is watched")
    func watchedNames() {
        let preferences = Preferences.inMemory()
        let seen = Recorder<Int>()
        let reference = PreferenceReference("watched", default: 0, in: preferences)
        let watcher = reference.watch(\.value) { seen.add($0.new) }
        for number in 0..<200 { preferences.set(named: "other-\(number)", to: number) }
        preferences.set(named: "watched", to: 1)
        #expect(seen.all == [1])
        watcher.cancel()
        let count = preferences.state.withLock { state in
            state.records.sweep()
            return state.records.count
        }
        #expect(count == 0)
    }
}

extension Preferences {
    fileprivate var token: String {
        get { get("token", default: "", [.secret]) }
        set { set("token", to: newValue, [.secret]) }
    }

    fileprivate var renamed: String {
        get { get("new", default: "", [.renamed(from: "old")]) }
        set { set("new", to: newValue, [.renamed(from: "old")]) }
    }

    fileprivate var height: Int {
        get { get("height", default: 0, [.range(...9)]) }
        set { set("height", to: newValue, [.range(...9)]) }
    }

    fileprivate var both: Int {
        get { launchCount }
        set {
            try? transaction { preferences in
                preferences.launchCount = newValue
                preferences.height = newValue
            }
        }
    }
}

/// A store that blocks certain changes until its gate is opened.
private final class GateStore: WritablePreferenceStore {
    let label = "gate"
    let notifiesAllChanges = true
    private let memory = MemoryStore()
    private let isHeldUp: @Sendable ([String: PreferenceEdit]) -> Bool
    private let gate = DispatchSemaphore(value: 0)
    private let applied = DispatchSemaphore(value: 0)
    private let before = Locked<@Sendable () -> Void>({})
    private let holdsBefore = Atomic(false)

    init(holdingUp isHeldUp: @escaping @Sendable ([String: PreferenceEdit]) -> Bool) {
        self.isHeldUp = isHeldUp
    }

    /// From now on, blocks changes before they are made, and calls a body then.
    func beforeApplying(_ body: @escaping @Sendable () -> Void) {
        before.withLock { $0 = body }
        holdsBefore.store(true, ordering: .relaxed)
    }

    func open() {
        gate.signal()
    }

    /// Runs a body on another thread when a change was made, before the writer continues.
    func onAnotherThreadWhenApplied(_ body: @escaping @Sendable () -> Void) -> DispatchSemaphore {
        let done = DispatchSemaphore(value: 0)
        Thread { [applied, gate] in
            applied.wait()
            body()
            gate.signal()
            done.signal()
        }.start()
        return done
    }

    func value(for name: String) throws -> PreferenceValue? { memory.value(for: name) }
    func names() throws -> Set<String> { memory.names() }

    func apply(_ batch: PreferenceBatch) throws {
        guard isHeldUp(batch.edits) else { return memory.apply(batch) }
        if holdsBefore.load(ordering: .relaxed) {
            before.withLock { $0 }()
            gate.wait()
            memory.apply(batch)
        } else {
            memory.apply(batch)
            applied.signal()
            gate.wait()
        }
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        memory.observe(observer)
    }
}
