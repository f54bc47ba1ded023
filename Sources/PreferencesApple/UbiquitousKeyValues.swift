import Foundation
package import PreferencesRuntime
import Synchronization

/// Preferences in iCloud's key-value store, whatever that is.
final class UbiquitousKeyValues: WriterExcludingStore {
    let label = "iCloud key-value store"
    let notifiesAllChanges = true
    let unsupportedCapabilities: PreferenceStoreCapabilities = [
        .crashSafety, .exclusiveUpdates, .largeValues, .emptyName, .longNames,
    ]
    let streams = UbiquitousChangeStreams()
    let access = PreferenceStoreAccess()

    private let backend: any UbiquitousBackend
    private let listening = Mutex<PreferenceStoreObservation?>(nil)

    init(_ backend: any UbiquitousBackend) {
        self.backend = backend
        let observation = backend.observe { [weak self] in self?.note($0) }
        listening.withLock { $0 = observation }
        // Once listening, as Apple asks for. That it fails is told by `flush()`.
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

    /// - Throws: ``PreferenceProblem``, before anything is changed.
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

    /// The name and its other Unicode normal forms, which are equal as strings, as far as the backend takes them.
    private static func forms(of name: String) -> [String] {
        let normalForms = [name.precomposedStringWithCanonicalMapping, name.decomposedStringWithCanonicalMapping]
        let otherForms = normalForms.filter { !$0.utf8.elementsEqual(name.utf8) }
        return ([name] + otherForms).filter(UbiquitousQuota.takes)
    }
}

extension UbiquitousKeyValues {
    /// Tells of what iCloud says. It may say so from within a call of this store, which has a lock then.
    func note(_ change: UbiquitousChange) {
        access.afterUse { [weak self] in self?.tell(change) }
    }

    private func tell(_ change: UbiquitousChange) {
        streams.tell(change)
        access.observers.notify(change.names.map { .names($0) } ?? .everything)
        if change.reason == .quotaViolation {
            access.observers.notify(.problem(PreferenceProblem(quotaOf: label, exceededBy: change.names ?? [])))
        }
    }
}

extension PreferenceProblem {
    /// iCloud has not kept what was set.
    ///
    /// - Parameter names: Of which values; empty where that is not known.
    fileprivate init(quotaOf store: String, exceededBy names: Set<String>) {
        let what =
            names.isEmpty
            ? "some of what was set last" : names.sorted().map { "'\($0)'" }.joined(separator: ", ")
        let message =
            "iCloud has not kept \(what): it takes 1,024 names at most, and 1 MB of values, in one as in all; remove values, "
            + "or have large ones in another store, and set it again"
        self.init(.quotaExceeded, key: names.count == 1 ? names.first : nil, store: store, message: message)
    }
}

/// Streams of what iCloud tells.
final class UbiquitousChangeStreams: Sendable {
    /// How many changes a stream keeps that is not read.
    static let bufferLimit = 1_000

    private struct State {
        var continuations: [UInt64: AsyncStream<UbiquitousChange>.Continuation] = [:]
        var nextID: UInt64 = 0
    }

    private let state = Mutex(State())

    deinit {
        for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.finish() }
    }

    /// A stream of all changes that follow.
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

    func tell(_ change: UbiquitousChange) {
        // Outside the lock, which ending a stream takes.
        for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.yield(change) }
    }
}

/// What `NSUbiquitousKeyValueStore` offers. It does not say that several threads may use it at the same time.
package protocol UbiquitousBackend: Sendable {
    /// A property-list object. Like the others that take a name, it ends the program for one of more than 64 bytes.
    func object(for name: String) -> Any?

    /// Sets a value in memory. The system saves it later, or tells that it does not.
    func set(_ object: Any, for name: String)

    func removeObject(for name: String)

    /// All values.
    var contents: [String: Any] { get }

    /// Has values saved, and others be fetched.
    ///
    /// - Returns: Whether that is possible: an app without the entitlement for iCloud has nowhere to save to.
    func synchronize() -> Bool

    /// Has a handler told of changes that were not made through this, from any thread.
    func observe(_ handler: @escaping @Sendable (UbiquitousChange) -> Void) -> PreferenceStoreObservation
}
