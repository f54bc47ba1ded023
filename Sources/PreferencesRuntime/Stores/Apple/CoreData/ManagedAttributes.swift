import PreferencesSystem
import Foundation

/// Preferences in the attributes of a managed object, whatever that is.
///
/// The queue of its context is the only lock: with another one, two threads could each have one and wait for the other.
final class ManagedAttributes: WriterExcludingStore {
    let label: String
    let unsupportedCapabilities: PreferenceStoreCapabilities = [
        .exclusiveUpdates, .null, .emptyName, .longNames, .controlCharactersInNames,
    ]

    let medium: any ManagedMedium
    let observers = ObservedMedium()
    /// What the context has told and observers have not been told yet.
    let told = Locked(Told())

    struct Told {
        /// What this store is setting now, on the queue.
        var own: Set<String>?
        var byOthers: [PreferenceStoreChange] = []
    }

    init(_ medium: any ManagedMedium) {
        self.medium = medium
        label = "managed object of entity \(medium.entityName)"
    }

    func value(for name: String) throws -> PreferenceValue? {
        guard let type = medium.attribute(named: name)?.type else { return nil }
        return try onQueue(or: .storeUnreadable) {
            guard let object = try object(of: name) else { return nil }
            do {
                return try type.value(from: object)
            } catch {
                throw problem(of: name, ErrorText(error).description)
            }
        }
    }

    func names() throws -> Set<String> {
        try onQueue(or: .storeUnreadable) {
            try medium.names.filter { try medium.attribute(named: $0)?.type != nil && object(of: $0) != nil }
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
                try medium.save()
            } catch {
                // The whole description of Core Data's errors has values in it.
                let reason = error.localizedDescription
                let message = "its context cannot be saved: \(reason)"
                throw PreferenceProblem(.storeUnwritable, store: label, message: message)
            }
        }
    }

    func reload() throws {
        try onQueue(or: .storeUnreadable) { medium.refresh() }
        observers.notify(.everything)
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        observers.add(observer) { medium.observe { [weak self] in self?.note($0) } }
    }

    /// - Parameter code: What it is called when that cannot be.
    private func onQueue<Result>(
        or code: PreferenceProblem.Code,
        _ body: () throws -> Result
    ) throws -> Result {
        if medium.isOfAnotherThread {
            let message =
                "its context is for the main thread, for which another one could wait for ever: use it there, or take the "
                + "object from a context with a queue of its own"
            throw PreferenceProblem(code, store: label, message: message)
        }
        return try medium.onQueue {
            if !medium.isAlive { throw PreferenceProblem(code, store: label, message: deletion) }
            return try body()
        }
    }

    private func object(of name: String) throws -> Any? {
        let object = medium.value(of: name)
        // It may be by reading that this is found out.
        if object != nil || medium.isAlive { return object }
        throw PreferenceProblem(.storeUnreadable, store: label, message: deletion)
    }

    private let deletion = "the object is deleted, or no longer in its context"

    func problem(of name: String, _ message: String) -> PreferenceProblem {
        PreferenceProblem(.unsupportedValue, key: name, store: label, message: message)
    }
}
