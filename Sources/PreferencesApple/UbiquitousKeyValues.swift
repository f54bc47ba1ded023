import Foundation
package import PreferencesRuntime
import Synchronization

/// Preferences in iCloud's key-value store, over any backend.
final class UbiquitousKeyValues: WriterExcludingStore, CapabilityDeclaringStore {
    let label = "iCloud key-value store"
    let notifiesAllChanges = true
    let unsupportedCapabilities: PreferenceStoreCapabilities = [
        .crashSafety, .exclusiveUpdates, .largeValues, .emptyName, .longNames,
    ]
    let streams = UbiquitousChangeStreams()
    let access = PreferenceStoreAccess()

    private let backend: any UbiquitousBackend
    private let observation = Mutex<PreferenceStoreObservation?>(nil)

    init(_ backend: any UbiquitousBackend) {
        self.backend = backend
        let new = backend.observe { [weak self] in self?.receive($0) }
        observation.withLock { $0 = new }
        // After the observation has started, as Apple requires. `flush()` reports a failure.
        _ = access.withLock { backend.synchronize() }
    }

    func value(for name: String) throws -> PreferenceValue? {
        do {
            return try access.withLock {
                let object = Self.forms(of: name).lazy.compactMap(backend.object).first
                return try object.map { try PreferenceValue(propertyListObject: $0) }
            }
        } catch {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, error: error)
        }
    }

    func names() -> Set<String> {
        access.withLock { Set(backend.contents.keys) }
    }

    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try access.update(by: writer, makingBatch: { try makeBatch(value) }) { try write($0.edits) }
    }

    func flush() throws {
        if access.withLock({ backend.synchronize() }) { return }
        throw PreferenceProblem(.storeUnwritable, store: label, message: "it cannot be saved: \(Self.reason)")
    }

    func reload() throws {
        let isDone = access.withLock { backend.synchronize() }
        access.observers.notify(.everything)
        if isDone { return }
        throw PreferenceProblem(.storeUnreadable, store: label, message: "it cannot be fetched: \(Self.reason)")
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        access.observers.add(observer)
    }

    private static let reason = "the app may lack the entitlement for iCloud's key-value storage"

    /// Applies a batch.
    ///
    /// - Throws: ``PreferenceProblem``, before any change.
    private func write(_ batch: [String: PreferenceEdit]) throws {
        let edits = try batch.map { name, edit in UbiquitousEdit(name: name, object: try object(for: name, edit)) }
        let contents = backend.contents
        if let message = UbiquitousQuota.refusal(of: edits, to: contents) {
            throw PreferenceProblem(.quotaExceeded, store: label, message: message)
        }
        for edit in UbiquitousQuota.ordered(edits, to: contents) {
            for form in Self.forms(of: edit.name)
            where edit.object == nil || !form.utf8.elementsEqual(edit.name.utf8) {
                backend.removeObject(for: form)
            }
            if let object = edit.object { backend.set(object, for: edit.name) }
        }
    }

    private func object(for name: String, _ edit: PreferenceEdit) throws -> Any? {
        guard case .set(let value) = edit else { return nil }
        let object: Any
        do {
            object = try value.propertyListObject()
        } catch {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, error: error)
        }
        if let message = UbiquitousQuota.refusal(of: object, for: name) {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: message)
        }
        return object
    }

    /// Returns the Unicode normal forms of a name that the backend accepts, which are equal as strings, its own form
    /// first.
    private static func forms(of name: String) -> [String] {
        let normalForms = [name.precomposedStringWithCanonicalMapping, name.decomposedStringWithCanonicalMapping]
        let otherForms = normalForms.filter { !$0.utf8.elementsEqual(name.utf8) }
        return ([name] + otherForms).filter(UbiquitousQuota.accepts)
    }
}

extension UbiquitousKeyValues {
    /// Notifies observers of a change that iCloud has reported, perhaps within a call of this store, which holds a lock
    /// then.
    func receive(_ change: UbiquitousChange) {
        access.afterUse { [weak self] in self?.notifyObservers(of: change) }
    }

    private func notifyObservers(of change: UbiquitousChange) {
        streams.yield(change)
        if let reason = change.reason {
            access.observers.notify(.reported(change.names, PreferenceChangeOrigin(reason)))
        } else {
            access.observers.notify(change.names.map { .names($0) } ?? .everything)
        }
        if change.reason == .quotaViolation {
            access.observers.notify(.problem(PreferenceProblem(quotaOf: label, exceededBy: change.names ?? [])))
        }
    }
}

extension PreferenceProblem {
    /// Creates the problem for values that iCloud has not kept.
    ///
    /// - Parameters:
    ///   - store: The store's label.
    ///   - names: The names of the values; empty if they are unknown.
    fileprivate init(quotaOf store: String, exceededBy names: Set<String>) {
        let values =
            names.isEmpty
            ? "some of the last changes" : names.sorted().map { "'\($0)'" }.joined(separator: ", ")
        let message =
            "iCloud has not kept \(values): its limits are 1,024 names, and 1 MB for one value and for all; remove values, "
            + "or keep large ones in another store, and set them again"
        self.init(.quotaExceeded, key: names.count == 1 ? names.first : nil, store: store, message: message)
    }
}

/// The streams of the changes that iCloud reports.
final class UbiquitousChangeStreams: Sendable {
    /// The number of changes that a stream without a reader keeps.
    static let bufferLimit = 1_000

    private struct State {
        var continuations: [UInt64: AsyncStream<UbiquitousChange>.Continuation] = [:]
        var nextID: UInt64 = 0
    }

    private let state = Mutex(State())

    deinit {
        for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.finish() }
    }

    /// Returns a stream of all later changes.
    func stream() -> AsyncStream<UbiquitousChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: UbiquitousChange.self,
            bufferingPolicy: .bufferingNewest(Self.bufferLimit)
        )
        let id = state.withLock { state in
            state.nextID += 1
            state.continuations[state.nextID] = continuation
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.continuations.removeValue(forKey: id) }
        }
        return stream
    }

    /// Adds a change to all streams.
    func yield(_ change: UbiquitousChange) {
        // Without the lock, which a stream takes when it ends.
        for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.yield(change) }
    }
}

/// The interface of `NSUbiquitousKeyValueStore`, which is not documented to be thread-safe.
package protocol UbiquitousBackend: Sendable {
    /// Returns a property-list object. Like the other functions with a name, this ends the program for more than 64
    /// bytes.
    func object(for name: String) -> Any?

    /// Sets a value in memory. The system saves it later, or reports that it does not.
    func set(_ object: Any, for name: String)

    /// Removes a value in memory.
    func removeObject(for name: String)

    /// All values.
    var contents: [String: Any] { get }

    /// Requests that the system save values and fetch those of other devices.
    ///
    /// - Returns: Whether this is possible; false for an app without the entitlement for iCloud.
    func synchronize() -> Bool

    /// Calls a handler, on any thread, for changes that were not made through this backend.
    func observe(_ handler: @escaping @Sendable (UbiquitousChange) -> Void) -> PreferenceStoreObservation
}
