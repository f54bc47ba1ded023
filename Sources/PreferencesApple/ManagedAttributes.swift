import Foundation
import PreferencesRuntime
import Synchronization

/// Preferences in the attributes of a managed object, whatever that is.
///
/// The queue of its context is the only lock: with another one, two threads could each have one and wait for the other.
final class ManagedAttributes: WriterExcludingStore {
    let label: String
    let unsupportedCapabilities: PreferenceStoreCapabilities = [
        .exclusiveUpdates, .null, .emptyName, .longNames, .controlCharactersInNames,
    ]

    let backend: any ManagedBackend
    let observers = PreferenceStoreObservers()
    /// What the context has told and observers have not been told yet.
    let told = Mutex(Told())

    struct Told {
        /// What this store is setting now, on the queue.
        var own: Set<String>?
        var byOthers: [PreferenceStoreChange] = []
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
        defer { tellOfOthers() }
        let batch = try onQueue(or: .storeUnwritable) {
            let batch = try makeBatch(value)
            if !batch.isEmpty { try write(batch.edits) }
            return batch
        }
        if !batch.isEmpty { observers.notify(.names(Set(batch.lazy.map(\.name))), except: writer) }
    }

    func flush() throws {
        defer { tellOfOthers() }
        try onQueue(or: .storeUnwritable) {
            do {
                try backend.save()
            } catch {
                // The whole description of Core Data's errors has values in it.
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
        observers.add(observer) { backend.observe { [weak self] in self?.note($0) } }
    }

    /// - Parameter code: What it is called when that cannot be.
    private func onQueue<Result>(
        or code: PreferenceProblem.Code,
        _ body: () throws -> Result
    ) throws -> Result {
        if backend.isOfAnotherThread {
            let message =
                "its context is for the main thread, for which another one could wait for ever: use it there, or take the "
                + "object from a context with a queue of its own"
            throw PreferenceProblem(code, store: label, message: message)
        }
        return try backend.onQueue {
            if !backend.isAlive { throw PreferenceProblem(code, store: label, message: deletion) }
            return try body()
        }
    }

    private func object(of name: String) throws -> Any? {
        let object = backend.value(of: name)
        // It may be by reading that this is found out.
        if object != nil || backend.isAlive { return object }
        throw PreferenceProblem(.storeUnreadable, store: label, message: deletion)
    }

    private let deletion = "the object is deleted, or no longer in its context"

    func problem(of name: String, _ message: String) -> PreferenceProblem {
        PreferenceProblem(.unsupportedValue, key: name, store: label, message: message)
    }
}

extension ManagedAttributes {
    /// On the queue.
    ///
    /// - Throws: ``PreferenceProblem`` where everything is as it was.
    func write(_ batch: [String: PreferenceEdit]) throws {
        let changes = try batch.compactMap { name, edit in try change(of: name, by: edit) }
        let old = changes.map { (name: $0.name, object: backend.value(of: $0.name)) }
        // What is wrong with other attributes already is mended one after the other.
        let oldFaults = Set(backend.validate())
        told.withLock { $0.own = Set(batch.keys) }
        defer {
            backend.processChanges()
            told.withLock { $0.own = nil }
        }
        set(changes)
        func isOld(_ fault: ManagedFault) -> Bool {
            oldFaults.contains(fault) && fault.attribute.map { batch[$0] == nil } ?? true
        }
        guard let fault = backend.validate().first(where: { !isOld($0) }) else { return }
        set(old)
        throw problem(of: batch, fault)
    }

    private func set(_ changes: [(name: String, object: Any?)]) {
        for (name, object) in changes { backend.setValue(object, of: name) }
    }

    /// What is to be set; nil where nothing is, as there is nothing to be removed.
    private func change(of name: String, by edit: PreferenceEdit) throws -> (name: String, object: Any?)? {
        guard let attribute = backend.attribute(named: name), let type = attribute.type else {
            if edit == .remove { return nil }
            throw problem(
                of: name,
                "\(backend.entityName) has no attribute of this name that is a preference value"
            )
        }
        if attribute.isDerived {
            throw problem(of: name, "this attribute of \(backend.entityName) is derived from others")
        }
        guard case .set(let value) = edit else {
            if attribute.isOptional { return (name, nil) }
            let kind = "this attribute of \(backend.entityName) is not optional"
            throw problem(of: name, "\(kind), and is never without a value")
        }
        do {
            return (name, try type.object(from: value))
        } catch {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, error: error)
        }
    }

    private func problem(of batch: [String: PreferenceEdit], _ fault: ManagedFault) -> PreferenceProblem {
        if let name = fault.attribute, batch[name] != nil {
            return problem(of: name, "the model does not allow it: \(fault.message)")
        }
        let place = fault.attribute.map { "'\($0)': " } ?? ""
        let message = "the model does not allow the object then: \(place)\(fault.message)"
        return PreferenceProblem(.unsupportedValue, store: label, message: message)
    }
}

extension ManagedAttributes {
    /// Notes what the context tells, on its queue.
    ///
    /// - Parameter names: The attributes that have changed; nil for any.
    func note(_ names: Set<String>?) {
        let isOwn = told.withLock { told in
            let others = names.map { $0.subtracting(told.own ?? []) }
            if others?.isEmpty != true { told.byOthers.append(others.map { .names($0) } ?? .everything) }
            return told.own != nil
        }
        // The queue is a lock: observers are told when it is free. What this store sets it tells itself then.
        if !isOwn { backend.afterwards { [weak self] in self?.tellOfOthers() } }
    }

    func tellOfOthers() {
        let changes = told.withLock { told in
            defer { told.byOthers = [] }
            return told.byOthers
        }
        for change in changes { observers.notify(change) }
    }
}
