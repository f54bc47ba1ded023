import PreferencesRuntime
import PreferencesStoreTesting
import Synchronization
import Testing

@Suite("Store checks")
struct StoreCheckTests {
    @Test("A correct store passes, whether it excludes writers or not", arguments: StoreCheck.all, [true, false])
    func correctStores(check: StoreCheck, excludesWriters: Bool) throws {
        try check.run(on: .correct(excludesWriters: excludesWriters))
    }

    @Test(
        "A store that refuses the values that it declares unsupported passes",
        arguments: [
            .writing, .listing, .persistence, .crashSafety, .exclusiveUpdates, .null, .typedValues, .largeValues,
            .emptyName, .longNames, .controlCharactersInNames, [.writing, .persistence],
            [.null, .typedValues, .largeValues, .emptyName, .longNames, .controlCharactersInNames],
        ] as [PreferenceStoreCapabilities]
    )
    func unsupportedCapabilities(unsupportedCapabilities: PreferenceStoreCapabilities) throws {
        let failing = try StoreCheck.failing { _ in .correct(unsupportedCapabilities: unsupportedCapabilities) }
        #expect(failing.isEmpty, "\(failing.sorted())")
    }

    @Test("A store passes that refuses null, but stores it in arrays and dictionaries")
    func nestedNull() throws {
        let failing = try StoreCheck.failing { _ in
            let backend = MemoryBackend()
            return StoreSubject(
                open: { NullRefusingStore(base: CorrectStore(backend)) },
                changeExternally: backend.edit,
                breakBackend: { backend.setBroken(true) },
                repairBackend: { backend.setBroken(false) }
            )
        }
        #expect(failing.isEmpty, "\(failing.sorted())")
    }

    /// A thread of the store may be the last to release it, and would write pending changes after the backend is gone.
    @Test("A store has no pending changes after a check", arguments: StoreCheck.all)
    func pendingChanges(check: StoreCheck) throws {
        let backend = MemoryBackend()
        let first = Atomic(true)
        let hasUnwritten = Atomic(false)
        try check.run(
            on: StoreSubject(
                open: {
                    let store = CorrectStore(backend)
                    guard first.exchange(false, ordering: .relaxed) else { return store }
                    return LazyStore(base: store, hasUnwritten: { hasUnwritten.store($0, ordering: .relaxed) })
                },
                changeExternally: backend.edit,
                breakBackend: { backend.setBroken(true) },
                repairBackend: { backend.setBroken(false) }
            )
        )
        let isUnwritten = hasUnwritten.load(ordering: .relaxed)
        #expect(!isUnwritten)
    }

    @Test("A defect is found by the checks of the promises that it breaks, and by no others", arguments: Defect.all)
    func defects(defect: Defect) throws {
        let failing = try StoreCheck.failing { .defective(defect, for: $0.name) }
        #expect(failing == defect.failing, "\(failing.sorted())")
    }

    @Test("Every check finds a defect")
    func coverage() {
        let found = Defect.all.reduce(into: Set<String>()) { $0.formUnion($1.failing) }
        #expect(found == Set(StoreCheck.all.map(\.name)))
    }

    @Test("The names of checks are unique")
    func uniqueNames() {
        #expect(Set(StoreCheck.all.map(\.name)).count == StoreCheck.all.count)
    }
}

/// Reports whether changes were made since the last flush.
private struct LazyStore: PreferenceStoreAdapter {
    let base: any PreferenceStore
    let hasUnwritten: @Sendable (Bool) -> Void

    func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        hasUnwritten(true)
        try base.commit(batch, by: writer?.parts.first)
    }

    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        hasUnwritten(true)
        try base.commit(by: writer?.parts.first, makeBatch)
    }

    func flush() throws {
        try base.flush()
        hasUnwritten(false)
    }
}

/// Refuses null, but stores it in arrays and dictionaries.
private struct NullRefusingStore: PreferenceStoreAdapter {
    let base: any PreferenceStore

    var unsupportedCapabilities: PreferenceStoreCapabilities { .null }

    func baseValue(of value: PreferenceValue, for name: String) throws -> PreferenceValue {
        guard case .null = value else { return value }
        throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: "no null")
    }
}
