import Foundation
import PreferencesRuntime

/// A store that keeps every promise, and refuses what it lacks.
final class RightStore: WriterExcludingStore, CapabilityDeclaringStore {
    let label = "right"
    let unsupportedCapabilities: PreferenceStoreCapabilities
    let notifiesAllChanges = true
    let excludesWriters: Bool
    let medium: Medium

    init(
        _ medium: Medium = Medium(),
        unsupportedCapabilities: PreferenceStoreCapabilities = [],
        excludesWriters: Bool = true
    ) {
        self.medium = medium
        self.unsupportedCapabilities = unsupportedCapabilities
        self.excludesWriters = excludesWriters
    }

    func value(for name: String) throws -> PreferenceValue? {
        try medium.read { $0[name] }
    }

    func names() throws -> Set<String> {
        unsupportedCapabilities.contains(.listing) ? [] : try medium.read { Set($0.keys) }
    }

    func apply(_ batch: PreferenceBatch) throws {
        try apply(batch, by: nil)
    }

    func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        try write(batch.edits)
        tell(batch.edits, except: writer)
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
        let batch = try medium.writing.withLock {
            let batch = try makeBatch(value).edits
            try write(batch)
            return batch
        }
        tell(batch, except: writer)
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        medium.observers.add(observer)
    }

    func write(_ batch: [String: PreferenceEdit]) throws {
        if batch.isEmpty { return }
        if unsupportedCapabilities.contains(.writing) {
            throw PreferenceProblem(.storeUnwritable, store: label, message: "read only")
        }
        for (name, edit) in batch {
            guard case .set(let value) = edit, !canKeep(name) || !canKeep(value) else { continue }
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: "cannot be kept")
        }
        try medium.writing.withLock { try medium.read { $0.make(batch) } }
    }

    func tell(_ batch: [String: PreferenceEdit], except writer: PreferenceStoreObservation? = nil) {
        if batch.isEmpty { return }
        medium.observers.notify(.names(Set(batch.keys)), except: excludesWriters ? writer : nil)
    }

    private func canKeep(_ name: String) -> Bool {
        if unsupportedCapabilities.contains(.emptyName), name.isEmpty { return false }
        if unsupportedCapabilities.contains(.longNames), name.count > 1_000 { return false }
        return !unsupportedCapabilities.contains(.controlCharactersInNames)
            || !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    private func canKeep(_ value: PreferenceValue) -> Bool {
        switch value {
        case .null: !unsupportedCapabilities.contains(.null)
        case .string(let text): !unsupportedCapabilities.contains(.largeValues) || text.utf8.count <= 100_000
        case .data(let data):
            !unsupportedCapabilities.contains(.typedValues)
                && (!unsupportedCapabilities.contains(.largeValues) || data.count <= 100_000)
        case .array(let values): !unsupportedCapabilities.contains(.typedValues) && values.allSatisfy(canKeep)
        case .dictionary(let values):
            !unsupportedCapabilities.contains(.typedValues) && values.values.allSatisfy(canKeep)
        default: !unsupportedCapabilities.contains(.typedValues)
        }
    }
}
