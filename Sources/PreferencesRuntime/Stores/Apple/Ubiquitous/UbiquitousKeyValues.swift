import Foundation

/// Preferences in iCloud's key-value store, whatever that is.
final class UbiquitousKeyValues: PreferenceStore {
    let label = "iCloud key-value store"
    let tellsAllChanges = true
    let lacks: PreferenceStoreCapabilities = [
        .crashSafety, .exclusiveUpdates, .largeValues, .emptyName, .longNames,
    ]
    let streams = UbiquitousChangeStreams()
    let observers = PreferenceStoreObservers()
    /// What iCloud has told a thread while that used the medium: it is told when the medium is free again.
    let untold = Locked<[UbiquitousChange]>([])
    /// Held by whoever uses the medium.
    let access = RecursiveLock()

    private let medium: any UbiquitousMedium
    private let listening = Locked<PreferenceStoreObservation?>(nil)
    private static let coding = PropertyListValue(isXML: false)

    init(_ medium: any UbiquitousMedium) {
        self.medium = medium
        let observation = medium.observe { [weak self] in self?.note($0) }
        listening.withLock { $0 = observation }
        // Once listening, as Apple asks for. That it fails is told by `flush()`.
        withMedium { _ = $0.synchronize() }
    }

    func value(for name: String) throws -> PreferenceValue? {
        do {
            return try withMedium { medium in
                let object = Self.forms(of: name).lazy.compactMap(medium.object).first
                return try object.map { try Self.coding.value(from: $0) }
            }
        } catch let error as StoreFileValueError {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: error.message)
        }
    }

    func names() -> Set<String> {
        withMedium { Set($0.contents.keys) }
    }

    func apply(_ batch: [String: PreferenceEdit]) throws {
        try withMedium { try write(batch, to: $0) }
        observers.notify(.names(Set(batch.keys)))
    }

    func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) throws {
        let batch = try withMedium { medium in
            let batch = try makeBatch(value)
            if !batch.isEmpty { try write(batch, to: medium) }
            return batch
        }
        if !batch.isEmpty { observers.notify(.names(Set(batch.keys))) }
    }

    func flush() throws {
        if withMedium({ $0.synchronize() }) { return }
        throw PreferenceProblem(.storeUnwritable, store: label, message: "it cannot be saved: \(Self.reason)")
    }

    func reload() throws {
        let isDone = withMedium { $0.synchronize() }
        observers.notify(.everything)
        if isDone { return }
        throw PreferenceProblem(.storeUnreadable, store: label, message: "it cannot be fetched: \(Self.reason)")
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        observers.add(observer)
    }

    private static let reason = "the app may lack the entitlement for iCloud's key-value storage"

    private func withMedium<Result>(_ body: (any UbiquitousMedium) throws -> Result) rethrows -> Result {
        defer { tellUntold() }
        return try access.withLock { try body(medium) }
    }

    /// - Throws: ``PreferenceProblem``, before anything is changed.
    private func write(_ batch: [String: PreferenceEdit], to medium: any UbiquitousMedium) throws {
        let changes = try batch.map { name, edit in
            UbiquitousEdit(name: name, object: try object(for: name, edit))
        }
        let contents = medium.contents
        if let message = UbiquitousQuota.refusal(of: changes, to: contents) {
            throw PreferenceProblem(.quotaExceeded, store: label, message: message)
        }
        for change in UbiquitousQuota.ordered(changes, to: contents) {
            for form in Self.forms(of: change.name)
            where change.object == nil || !form.utf8.elementsEqual(change.name.utf8) {
                medium.removeObject(for: form)
            }
            if let object = change.object { medium.set(object, for: change.name) }
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
