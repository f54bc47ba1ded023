import PreferencesRuntime
import PreferencesStoreTesting
import Synchronization
import Testing

/// Checks of stores that are right, and of those that are wrong.
struct StoreCheckTests {
    @Test("A right store passes, whether it excludes writers or not", arguments: StoreCheck.all, [true, false])
    func rightStores(check: StoreCheck, excludesWriters: Bool) throws {
        try check.run(on: .right(excludesWriters: excludesWriters))
    }

    @Test(
        arguments: [
            .writing, .listing, .persistence, .crashSafety, .exclusiveUpdates, .null, .typedValues, .largeValues,
            .emptyName, .longNames, .controlCharactersInNames, [.writing, .persistence],
            [.null, .typedValues, .largeValues, .emptyName, .longNames, .controlCharactersInNames],
        ] as [PreferenceStoreCapabilities]
    )
    func aStorePassesThatLacksWhatItSays(unsupportedCapabilities: PreferenceStoreCapabilities) throws {
        let failing = try StoreCheck.failing { _ in .right(unsupportedCapabilities: unsupportedCapabilities) }
        #expect(failing.isEmpty, "\(failing.sorted())")
    }

    @Test func aStorePassesThatLacksNullAloneAndKeepsItInArraysAndDictionaries() throws {
        let failing = try StoreCheck.failing { _ in
            let medium = Medium()
            return StoreSubject(
                open: { NullRefusingStore(base: RightStore(medium)) },
                changeExternally: medium.edit,
                breakBackend: { medium.setBroken(true) },
                repairBackend: { medium.setBroken(false) }
            )
        }
        #expect(failing.isEmpty, "\(failing.sorted())")
    }

    /// A thread of the store's may be the last to let go of it, which writes what is unwritten: long after the medium is gone.
    @Test("When a check has ended, nothing is unwritten in its store", arguments: StoreCheck.all)
    func nothingIsUnwrittenAtLast(check: StoreCheck) throws {
        let medium = Medium()
        let first = Atomic(true)
        let hasUnwritten = Atomic(false)
        try check.run(
            on: StoreSubject(
                open: {
                    let store = RightStore(medium)
                    guard first.exchange(false, ordering: .relaxed) else { return store }
                    return LazyStore(base: store, hasUnwritten: { hasUnwritten.store($0, ordering: .relaxed) })
                },
                changeExternally: medium.edit,
                breakBackend: { medium.setBroken(true) },
                repairBackend: { medium.setBroken(false) }
            )
        )
        let isUnwritten = hasUnwritten.load(ordering: .relaxed)
        #expect(!isUnwritten)
    }

    @Test(arguments: Defect.all)
    func aDefectIsFoundByTheChecksOfItsPromise(defect: Defect) throws {
        let failing = try StoreCheck.failing { .defective(defect, for: $0.name) }
        #expect(failing == defect.failing, "\(failing.sorted())")
    }

    @Test func everyCheckFindsSomeDefect() {
        let found = Defect.all.reduce(into: Set<String>()) { $0.formUnion($1.failing) }
        #expect(found == Set(StoreCheck.all.map(\.name)))
    }

    @Test func noTwoChecksHaveOneName() {
        #expect(Set(StoreCheck.all.map(\.name)).count == StoreCheck.all.count)
    }
}

/// Says whether anything was changed since the last flush.
private struct LazyStore: PreferenceStoreAdapter {
    let base: any PreferenceStore
    let hasUnwritten: @Sendable (Bool) -> Void

    func apply(_ batch: [String: PreferenceEdit]) throws {
        hasUnwritten(true)
        try base.apply(batch)
    }

    func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) throws {
        hasUnwritten(true)
        try base.update(makeBatch)
    }

    func flush() throws {
        try base.flush()
        hasUnwritten(false)
    }
}

/// Refuses null as a value of its own.
private struct NullRefusingStore: PreferenceStoreAdapter {
    let base: any PreferenceStore

    var unsupportedCapabilities: PreferenceStoreCapabilities { .null }

    func baseValue(of value: PreferenceValue, for name: String) throws -> PreferenceValue {
        guard case .null = value else { return value }
        throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: "no null")
    }
}
