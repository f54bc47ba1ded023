import Foundation
import PreferencesRuntime
import Synchronization

/// Preferences in the attributes of a managed object, over any backend.
///
/// The queue of the object's context is the only lock: a second lock could deadlock with it.
final class ManagedAttributes: WriterExcludingStore, CapabilityDeclaringStore {
    let label: String
    let unsupportedCapabilities: PreferenceStoreCapabilities = [
        .exclusiveUpdates, .null, .emptyName, .longNames, .controlCharactersInNames,
    ]

    let backend: any ManagedBackend
    let observers = PreferenceStoreObservers()
    private let pendingChanges = Mutex(PendingChanges())

    private struct PendingChanges {
        /// The names that this store is setting, on the queue; nil while it sets none.
        var ownNames: Set<String>?
        /// The external changes that observers have not been notified of yet.
        var external: [PreferenceStoreChange] = []
    }

    init(_ backend: any ManagedBackend) {
        self.backend = backend
        label = "managed object of entity \(backend.entityName)"
    }

    func value(for name: String) throws -> PreferenceValue? {
        guard let type = backend.attribute(named: name)?.type else { return nil }
        return try onQueue(or: .storeUnreadable) {
            guard let object = try object(of: name) else { return nil }
            do {
                return try type.value(from: object)
            } catch {
                throw PreferenceProblem(.unsupportedValue, key: name, store: label, error: error)
            }
        }
    }

    func names() throws -> Set<String> {
        try onQueue(or: .storeUnreadable) {
            try backend.names.filter { try backend.attribute(named: $0)?.type != nil && object(of: $0) != nil }
        }
    }

    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        defer { notifyOfExternalChanges() }
        let batch = try onQueue(or: .storeUnwritable) {
            let batch = try makeBatch(value)
            if !batch.isEmpty { try write(batch.edits) }
            return batch
        }
        if !batch.isEmpty { observers.notify(.names(Set(batch.lazy.map(\.name))), except: writer) }
    }

    func flush() throws {
        defer { notifyOfExternalChanges() }
        try onQueue(or: .storeUnwritable) {
            do {
                try backend.save()
            } catch {
                // The full description of Core Data's errors contains values.
                let reason = error.localizedDescription
                let message = "its context cannot be saved: \(reason)"
                throw PreferenceProblem(.storeUnwritable, store: label, message: message)
            }
        }
    }

    func reload() throws {
        try onQueue(or: .storeUnreadable) { backend.refresh() }
        observers.notify(.everything)
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        observers.add(observer) { backend.observe { [weak self] in self?.receiveChange(of: $0) } }
    }

    /// Runs a body on the context's queue.
    ///
    /// - Parameters:
    ///   - code: The code of the problem if that is not possible.
    ///   - body: The closure.
    private func onQueue<Result>(
        or code: PreferenceProblem.Code,
        _ body: () throws -> Result
    ) throws -> Result {
        if backend.isOnWrongThread {
            let message =
                "its context belongs to the main thread, and another thread could wait for it forever: use the store on "
                + "the main thread, or an object from a context with a private queue"
            throw PreferenceProblem(code, store: label, message: message)
        }
        return try backend.onQueue {
            if !backend.isAlive { throw PreferenceProblem(code, store: label, message: deletion) }
            return try body()
        }
    }

    private func object(of name: String) throws -> Any? {
        let object = backend.value(of: name)
        // Reading may reveal that the object is deleted.
        if object != nil || backend.isAlive { return object }
        throw PreferenceProblem(.storeUnreadable, store: label, message: deletion)
    }

    private let deletion = "the object is deleted, or no longer in its context"

    func problem(of name: String, _ message: String) -> PreferenceProblem {
        PreferenceProblem(.unsupportedValue, key: name, store: label, message: message)
    }
}

extension ManagedAttributes {
    /// Applies a batch, on the queue.
    ///
    /// - Throws: ``PreferenceProblem``; nothing is changed then.
    func write(_ batch: [String: PreferenceEdit]) throws {
        let changes = try batch.compactMap { name, edit in try change(of: name, by: edit) }
        let old = changes.map { (name: $0.name, object: backend.value(of: $0.name)) }
        // Existing errors of other attributes must not prevent fixing them one by one.
        let oldErrors = Set(backend.validate())
        pendingChanges.withLock { $0.ownNames = Set(batch.keys) }
        defer {
            backend.processChanges()
            pendingChanges.withLock { $0.ownNames = nil }
        }
        set(changes)
        func isOld(_ error: ManagedValidationError) -> Bool {
            oldErrors.contains(error) && error.attribute.map { batch[$0] == nil } ?? true
        }
        guard let error = backend.validate().first(where: { !isOld($0) }) else { return }
        set(old)
        throw problem(of: batch, error)
    }

    private func set(_ changes: [(name: String, object: Any?)]) {
        for (name, object) in changes { backend.setValue(object, of: name) }
    }

    /// Returns the object to set; nil if there is nothing to remove.
    private func change(of name: String, by edit: PreferenceEdit) throws -> (name: String, object: Any?)? {
        guard let attribute = backend.attribute(named: name), let type = attribute.type else {
            if edit == .remove { return nil }
            throw problem(
                of: name,
                "\(backend.entityName) has no attribute of this name with a supported type"
            )
        }
        if attribute.isDerived {
            throw problem(of: name, "this attribute of \(backend.entityName) is derived from other attributes")
        }
        guard case .set(let value) = edit else {
            if attribute.isOptional { return (name, nil) }
            let kind = "this attribute of \(backend.entityName) is not optional"
            throw problem(of: name, "\(kind), and cannot be removed")
        }
        do {
            return (name, try type.object(from: value))
        } catch {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, error: error)
        }
    }

    private func problem(of batch: [String: PreferenceEdit], _ error: ManagedValidationError) -> PreferenceProblem {
        if let name = error.attribute, batch[name] != nil {
            return problem(of: name, "the model does not allow it: \(error.message)")
        }
        let place = error.attribute.map { "'\($0)': " } ?? ""
        let message = "the model does not allow the resulting object: \(place)\(error.message)"
        return PreferenceProblem(.unsupportedValue, store: label, message: message)
    }
}

extension ManagedAttributes {
    /// Records a change that the context reports, on its queue.
    ///
    /// - Parameter names: The changed attributes; nil for any.
    private func receiveChange(of names: Set<String>?) {
        let isOwn = pendingChanges.withLock { pending in
            let external = names.map { $0.subtracting(pending.ownNames ?? []) }
            if external?.isEmpty != true { pending.external.append(external.map { .names($0) } ?? .everything) }
            return pending.ownNames != nil
        }
        // Observers are notified when the queue, which is a lock, is free. After its own changes, the store does so
        // itself.
        if !isOwn { backend.performLater { [weak self] in self?.notifyOfExternalChanges() } }
    }

    private func notifyOfExternalChanges() {
        let external = pendingChanges.withLock { pending in
            defer { pending.external = [] }
            return pending.external
        }
        for change in external { observers.notify(change) }
    }
}
