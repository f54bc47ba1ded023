import Foundation
import PreferencesRuntime
import Synchronization

/// A store that keeps every promise, and refuses what it declares unsupported.
final class CorrectStore: WriterExcludingStore, CapabilityDeclaringStore {
    let label = "correct"
    let unsupportedCapabilities: PreferenceStoreCapabilities
    let notifiesAllChanges = true
    let excludesWriters: Bool
    let backend: MemoryBackend

    init(
        _ backend: MemoryBackend = MemoryBackend(),
        unsupportedCapabilities: PreferenceStoreCapabilities = [],
        excludesWriters: Bool = true
    ) {
        self.backend = backend
        self.unsupportedCapabilities = unsupportedCapabilities
        self.excludesWriters = excludesWriters
    }

    func value(for name: String) throws -> PreferenceValue? {
        try backend.read { $0[name] }
    }

    func names() throws -> Set<String> {
        unsupportedCapabilities.contains(.listing) ? [] : try backend.read { Set($0.keys) }
    }

    func apply(_ batch: PreferenceBatch) throws {
        try apply(batch, by: nil)
    }

    func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        try write(batch.edits)
        notify(batch.edits, except: writer)
    }

    func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try update(by: nil, makeBatch)
    }

    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        let batch = try backend.writing.withLock {
            let batch = try makeBatch(value).edits
            try write(batch)
            return batch
        }
        notify(batch, except: writer)
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        backend.observers.add(observer)
    }

    func write(_ batch: [String: PreferenceEdit]) throws {
        if batch.isEmpty { return }
        if unsupportedCapabilities.contains(.writing) {
            throw PreferenceProblem(.storeUnwritable, store: label, message: "read only")
        }
        for (name, edit) in batch {
            guard case .set(let value) = edit, !supports(name) || !supports(value) else { continue }
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: "cannot be kept")
        }
        try backend.writing.withLock { try backend.read { $0.apply(PreferenceBatch(batch)) } }
    }

    func notify(_ batch: [String: PreferenceEdit], except writer: PreferenceStoreObservation? = nil) {
        if batch.isEmpty { return }
        backend.observers.notify(.names(Set(batch.keys)), except: excludesWriters ? writer : nil)
    }

    private func supports(_ name: String) -> Bool {
        if unsupportedCapabilities.contains(.emptyName), name.isEmpty { return false }
        if unsupportedCapabilities.contains(.longNames), name.count > 1_000 { return false }
        return !unsupportedCapabilities.contains(.controlCharactersInNames)
            || !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    private func supports(_ value: PreferenceValue) -> Bool {
        switch value {
        case .null: !unsupportedCapabilities.contains(.null)
        case .string(let text): !unsupportedCapabilities.contains(.largeValues) || text.utf8.count <= 100_000
        case .data(let data):
            !unsupportedCapabilities.contains(.typedValues)
                && (!unsupportedCapabilities.contains(.largeValues) || data.count <= 100_000)
        case .array(let values): !unsupportedCapabilities.contains(.typedValues) && values.allSatisfy(supports)
        case .dictionary(let values):
            !unsupportedCapabilities.contains(.typedValues) && values.values.allSatisfy(supports)
        default: !unsupportedCapabilities.contains(.typedValues)
        }
    }
}

/// The backend of ``CorrectStore``.
final class MemoryBackend: Sendable {
    /// Held during writes and updates.
    let writing = NSRecursiveLock()
    /// The observers of all stores over the backend.
    let observers = PreferenceStoreObservers()
    private let values = Mutex<[String: PreferenceValue]>([:])
    private let isBroken = Atomic(false)

    func read<Result: Sendable>(_ body: (inout [String: PreferenceValue]) throws -> Result) throws -> Result {
        if isBroken.load(ordering: .relaxed) {
            throw PreferenceProblem(.storeUnreadable, store: "correct", message: "the backend is broken")
        }
        return try values.withLock { values in try body(&values) }
    }

    func setBroken(_ isBroken: Bool) {
        self.isBroken.store(isBroken, ordering: .relaxed)
    }

    /// Applies a batch as another process would.
    func edit(_ batch: [String: PreferenceEdit]) throws {
        try writing.withLock { try read { $0.apply(PreferenceBatch(batch)) } }
        observers.notify(.names(Set(batch.keys)))
    }
}

extension [String: PreferenceValue] {
    mutating func apply(_ batch: PreferenceBatch) {
        for (name, edit) in batch {
            switch edit {
            case .set(let value): self[name] = value
            case .remove: self[name] = nil
            }
        }
    }
}
