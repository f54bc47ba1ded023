import Foundation
import PreferencesRuntime
import Testing

/// One thing that a ``DefectiveStore`` does wrong, and the checks that find it.
struct Defect: Sendable {
    typealias Batch = [String: PreferenceEdit]
    typealias MakeBatch = (_ current: (_ name: String) throws -> PreferenceValue?) throws -> Batch
    typealias MakeWritersBatch = (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    typealias Observer = @Sendable (PreferenceStoreChange) -> Void

    /// What the store does: `lowercases names`.
    let name: String
    /// The names of the checks that it does not pass.
    let failing: Set<String>

    var label = "defective"
    /// Whether it reads a number's digits as the number.
    var readsNumbersFromText = false
    var unsupportedCapabilities: PreferenceStoreCapabilities = []
    /// Whether the checks that find it wait for what never comes.
    var makesChecksWait = false

    var read: @Sendable (DefectiveStore, String) throws -> PreferenceValue? = { try $0.right.value(for: $1) }
    var names: @Sendable (DefectiveStore) throws -> Set<String> = { try $0.right.names() }
    var source: @Sendable (DefectiveStore, String) throws -> String? = { store, name in
        try store.value(for: name).map { _ in store.label }
    }
    var write: @Sendable (DefectiveStore, Batch) throws -> Void = { try $0.right.write($1) }
    var tell: @Sendable (DefectiveStore, Batch) -> Void = { $0.right.tell($1) }
    var apply: @Sendable (DefectiveStore, Batch) throws -> Void = { store, batch in
        try store.write(batch)
        store.tell(batch)
    }
    var update: @Sendable (DefectiveStore, MakeBatch) throws -> Void = { store, makeBatch in
        let batch = try store.right.medium.writing.withLock {
            let batch = try makeBatch(store.value)
            if !batch.isEmpty { try store.write(batch) }
            return batch
        }
        if !batch.isEmpty { store.tell(batch) }
    }
    var excludesWriters = false
    var applyByWriter: @Sendable (DefectiveStore, PreferenceBatch, PreferenceStoreObservation?) throws -> Void = {
        store,
        batch,
        _ in
        try store.apply(batch.edits)
    }
    var updateByWriter: @Sendable (DefectiveStore, PreferenceStoreObservation?, MakeWritersBatch) throws -> Void = {
        store,
        _,
        makeBatch in
        try store.update { current in try withoutActuallyEscaping(current) { try makeBatch($0).edits } }
    }
    var observe: @Sendable (DefectiveStore, @escaping Observer) -> PreferenceStoreObservation = { store, observer in
        store.right.observe(observer)
    }
    var flush: @Sendable (DefectiveStore) throws -> Void = { _ in }
    var reload: @Sendable (DefectiveStore) throws -> Void = { _ = try $0.names() }
    /// What becomes of the medium that a store was opened over, for the next one.
    var reopen: @Sendable (Medium) -> Medium = { $0 }
    var changeExternally: @Sendable (Medium, Batch) throws -> Void = { try $0.edit($1) }

    init(_ name: String, fails failing: Set<String> = [], _ make: (inout Defect) -> Void) {
        self.name = name
        self.failing = failing
        make(&self)
    }
}

extension Defect {
    static let all = declarations + values + names + batches + updates + observing + writers + media

    /// A store that keeps other names than it is given, in a consistent way.
    mutating func keepNames(as keptName: @escaping @Sendable (String) -> String) {
        read = { try $0.right.value(for: keptName($1)) }
        write = { store, batch in
            let kept = batch.sorted { $0.key < $1.key }.map { (keptName($0.key), $0.value) }
            try store.right.write(Dictionary(kept) { _, last in last })
        }
    }

    /// A store that excludes writers.
    mutating func excludeWriters() {
        excludesWriters = true
        applyByWriter = { try $0.right.apply($1, by: $2) }
        updateByWriter = { try $0.right.update(by: $1, $2) }
    }

    /// A store that keeps other values than it is given.
    mutating func keepValues(as keptValue: @escaping @Sendable (PreferenceValue) -> PreferenceValue) {
        write = { store, batch in
            try store.right.write(
                batch.mapValues { edit in
                    guard case .set(let value) = edit else { return edit }
                    return .set(keptValue(value))
                }
            )
        }
    }
}

extension Defect: CustomTestStringConvertible {
    var testDescription: String { name }
}
