import PreferencesSystem
import Foundation

/// Preferences in iCloud's key-value store, whatever that is.
final class UbiquitousKeyValues: WriterExcludingStore {
    let label = "iCloud key-value store"
    let notifiesAllChanges = true
    let unsupportedCapabilities: PreferenceStoreCapabilities = [
        .crashSafety, .exclusiveUpdates, .largeValues, .emptyName, .longNames,
    ]
    let streams = UbiquitousChangeStreams()
    let changes = SerializedChanges()

    private let medium: any UbiquitousMedium
    private let listening = Locked<PreferenceStoreObservation?>(nil)
    private static let coding = PropertyListValue(isXML: false)

    init(_ medium: any UbiquitousMedium) {
        self.medium = medium
        let observation = medium.observe { [weak self] in self?.note($0) }
        listening.withLock { $0 = observation }
        // Once listening, as Apple asks for. That it fails is told by `flush()`.
        _ = changes.withAccess { medium.synchronize() }
    }

    func value(for name: String) throws -> PreferenceValue? {
        do {
            return try changes.withAccess {
                let object = Self.forms(of: name).lazy.compactMap(medium.object).first
                return try object.map { try Self.coding.value(from: $0) }
            }
        } catch let error as StoreFileValueError {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: error.message)
        }
    }

    func names() -> Set<String> {
        changes.withAccess { Set(medium.contents.keys) }
    }

    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try changes.update(by: writer, { try makeBatch(value) }, { try write($0.edits) })
    }

    func flush() throws {
        if changes.withAccess({ medium.synchronize() }) { return }
        throw PreferenceProblem(.storeUnwritable, store: label, message: "it cannot be saved: \(Self.reason)")
    }

    func reload() throws {
        let isDone = changes.withAccess { medium.synchronize() }
        changes.observers.notify(.everything)
        if isDone { return }
        throw PreferenceProblem(.storeUnreadable, store: label, message: "it cannot be fetched: \(Self.reason)")
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        changes.observers.add(observer)
    }

    private static let reason = "the app may lack the entitlement for iCloud's key-value storage"

    /// - Throws: ``PreferenceProblem``, before anything is changed.
    private func write(_ batch: [String: PreferenceEdit]) throws {
        let edits = try batch.map { name, edit in UbiquitousEdit(name: name, object: try object(for: name, edit)) }
        let contents = medium.contents
        if let message = UbiquitousQuota.refusal(of: edits, to: contents) {
            throw PreferenceProblem(.quotaExceeded, store: label, message: message)
        }
        for edit in UbiquitousQuota.ordered(edits, to: contents) {
            for form in Self.forms(of: edit.name)
            where edit.object == nil || !form.utf8.elementsEqual(edit.name.utf8) {
                medium.removeObject(for: form)
            }
            if let object = edit.object { medium.set(object, for: edit.name) }
        }
    }

    private func object(for name: String, _ edit: PreferenceEdit) throws -> Any? {
        guard case .set(let value) = edit else { return nil }
        do {
            let object = try Self.coding.object(from: value)
            if let message = UbiquitousQuota.refusal(of: object, for: name) { throw StoreFileValueError(message) }
            return object
        } catch let error as StoreFileValueError {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: error.message)
        }
    }

    /// The name, and what is equal as text, of what the medium takes.
    private static func forms(of name: String) -> [String] {
        ([name] + name.otherNormalForms).filter(UbiquitousQuota.takes)
    }
}
