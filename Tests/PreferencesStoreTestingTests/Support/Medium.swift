import Foundation
import PreferencesRuntime
import Synchronization

/// What ``RightStore``s keep their values in.
final class Medium: Sendable {
    /// Held by whoever changes values, and while a closure makes a batch.
    let writing = NSRecursiveLock()
    /// The observers of all its stores.
    let observers = PreferenceStoreObservers()
    private let values = Mutex<[String: PreferenceValue]>([:])
    private let isBroken = Atomic(false)

    func read<Result: Sendable>(_ body: (inout [String: PreferenceValue]) throws -> Result) throws -> Result {
        if isBroken.load(ordering: .relaxed) {
            throw PreferenceProblem(.storeUnreadable, store: "right", message: "the medium is broken")
        }
        return try values.withLock { values in try body(&values) }
    }

    func setBroken(_ isBroken: Bool) {
        self.isBroken.store(isBroken, ordering: .relaxed)
    }

    /// Makes a batch of changes, as nobody who uses a store.
    func edit(_ batch: [String: PreferenceEdit]) throws {
        try writing.withLock { try read { $0.make(batch) } }
        observers.notify(.names(Set(batch.keys)))
    }
}

extension [String: PreferenceValue] {
    mutating func make(_ batch: [String: PreferenceEdit]) {
        for (name, edit) in batch {
            switch edit {
            case .set(let value): self[name] = value
            case .remove: self[name] = nil
            }
        }
    }
}
