import Foundation
import PreferencesRuntime
import Synchronization
import Testing

/// A defect of a ``DefectiveStore``, and the checks that find it.
struct Defect: Sendable {
    typealias Batch = [String: PreferenceEdit]
    typealias MakeBatch = (_ current: (_ name: String) throws -> PreferenceValue?) throws -> Batch
    typealias MakeWritersBatch = (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    typealias Observer = @Sendable (PreferenceStoreChange) -> Void

    /// The behaviour of the defect, such as `lowercases names`.
    let name: String
    /// The names of the checks that the store fails.
    let failing: Set<String>

    var label = "defective"
    /// Whether text with digits is read as a number.
    var readsNumbersFromText = false
    var unsupportedCapabilities: PreferenceStoreCapabilities = []
    /// Whether checks find the defect only when their timeout has passed.
    var causesTimeouts = false

    var read: @Sendable (DefectiveStore, String) throws -> PreferenceValue? = { try $0.correct.value(for: $1) }
    var names: @Sendable (DefectiveStore) throws -> Set<String> = { try $0.correct.names() }
    var source: @Sendable (DefectiveStore, String) throws -> PreferenceSource? = { store, name in
        try store.value(for: name).map { _ in PreferenceSource(store: store.label, name: name) }
    }
    var write: @Sendable (DefectiveStore, Batch) throws -> Void = { try $0.correct.write($1) }
    var notify: @Sendable (DefectiveStore, Batch) -> Void = { $0.correct.notify($1) }
    var apply: @Sendable (DefectiveStore, Batch) throws -> Void = { store, batch in
        try store.write(batch)
        store.notify(batch)
    }
    var update: @Sendable (DefectiveStore, MakeBatch) throws -> Void = { store, makeBatch in
        let batch = try store.correct.backend.writing.withLock {
            let batch = try makeBatch(store.value)
            if !batch.isEmpty { try store.write(batch) }
            return batch
        }
        if !batch.isEmpty { store.notify(batch) }
    }
    var excludesWriters = false
    var applyByWriter: @Sendable (DefectiveStore, PreferenceBatch, PreferenceStoreObservation?) throws -> Void = {
        store,
        batch,
        _ in
        try store.apply(batch)
    }
    var updateByWriter: @Sendable (DefectiveStore, PreferenceStoreObservation?, MakeWritersBatch) throws -> Void = {
        store,
        _,
        makeBatch in
        try store.update { current in try withoutActuallyEscaping(current) { try makeBatch($0) } }
    }
    var observe: @Sendable (DefectiveStore, @escaping Observer) -> PreferenceStoreObservation = { store, observer in
        store.correct.observe(observer)
    }
    var flush: @Sendable (DefectiveStore) throws -> Void = { _ in }
    var reload: @Sendable (DefectiveStore) throws -> Void = { _ = try $0.names() }
    /// Returns the backend for the next store that is opened.
    var reopen: @Sendable (MemoryBackend) -> MemoryBackend = { $0 }
    var changeExternally: @Sendable (MemoryBackend, Batch) throws -> Void = { try $0.edit($1) }

    init(_ name: String, fails failing: Set<String> = [], _ make: (inout Defect) -> Void) {
        self.name = name
        self.failing = failing
        make(&self)
    }
}

extension Defect {
    static let all = declarations + values + names + batches + updates + observing + writers + backendFailures

    /// Causes the store to replace names when it reads and writes.
    mutating func mapNames(_ storedName: @escaping @Sendable (String) -> String) {
        read = { try $0.correct.value(for: storedName($1)) }
        write = { store, batch in
            let kept = batch.sorted { $0.key < $1.key }.map { (storedName($0.key), $0.value) }
            try store.correct.write(Dictionary(kept) { _, last in last })
        }
    }

    /// Causes the store to exclude writers.
    mutating func excludeWriters() {
        excludesWriters = true
        applyByWriter = { try $0.correct.apply($1, by: $2) }
        updateByWriter = { try $0.correct.update(by: $1, $2) }
    }

    /// Causes the store to replace values when it writes.
    mutating func mapValuesOnWrite(_ storedValue: @escaping @Sendable (PreferenceValue) -> PreferenceValue) {
        write = { store, batch in
            try store.correct.write(
                batch.mapValues { edit in
                    guard case .set(let value) = edit else { return edit }
                    return .set(storedValue(value))
                }
            )
        }
    }
}

extension Defect: CustomTestStringConvertible {
    var testDescription: String { name }
}

/// A ``CorrectStore`` with one defect.
final class DefectiveStore: WriterExcludingStore, CapabilityDeclaringStore, SourceReportingStore, ValueConvertingStore {
    let correct: CorrectStore
    /// For defects that lock only their own instance.
    let ownLock = NSRecursiveLock()
    /// For defects that deadlock: unlike a recursive lock, it also blocks the thread that holds it.
    let gate = DispatchSemaphore(value: 1)
    /// For defects that read the backend only once.
    let cachedValues = Mutex<[String: PreferenceValue]?>(nil)
    /// For defects that retain observations.
    let observations = Mutex<[PreferenceStoreObservation]>([])
    /// The thread that created the store.
    private let thread = ObjectIdentifier(Thread.current)
    private let defect: Defect

    init(_ backend: MemoryBackend, _ defect: Defect) {
        correct = CorrectStore(backend)
        self.defect = defect
    }

    var isOnItsThread: Bool { thread == ObjectIdentifier(Thread.current) }

    var label: String { defect.label }
    var unsupportedCapabilities: PreferenceStoreCapabilities { defect.unsupportedCapabilities }
    var notifiesAllChanges: Bool { true }

    func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value {
        guard defect.readsNumbersFromText, case .string(let text) = value, let number = Int64(text) else {
            return try correct.read(value, of: name, as: type)
        }
        return try Value(preferenceValue: .int(number))
    }

    func value(for name: String) throws -> PreferenceValue? { try defect.read(self, name) }
    func names() throws -> Set<String> { try defect.names(self) }
    func source(of name: String) throws -> PreferenceSource? { try defect.source(self, name) }
    func write(_ batch: Defect.Batch) throws { try defect.write(self, batch) }
    func notify(_ batch: Defect.Batch) { defect.notify(self, batch) }
    func apply(_ batch: PreferenceBatch) throws { try defect.apply(self, batch.edits) }
    func update(_ makeBatch: Defect.MakeWritersBatch) throws {
        try defect.update(self) { current in
            try withoutActuallyEscaping(current) { try makeBatch($0).edits }
        }
    }
    var excludesWriters: Bool { defect.excludesWriters }
    func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        try defect.applyByWriter(self, batch, writer)
    }
    func update(by writer: PreferenceStoreObservation?, _ makeBatch: Defect.MakeWritersBatch) throws {
        try defect.updateByWriter(self, writer, makeBatch)
    }
    func flush() throws { try defect.flush(self) }
    func reload() throws { try defect.reload(self) }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        defect.observe(self, observer)
    }
}
