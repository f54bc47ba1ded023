import PreferencesRuntime
import Synchronization

/// A store in memory that can be made to fail, and counts its calls.
final class FaultyStore: WritablePreferenceStore {
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    private struct State {
        var readFault: String?
        var writeFault: String?
        var batches: [[String: PreferenceEdit]] = []
        var flushCount = 0
    }

    let label = "faulty"
    let notifiesAllChanges: Bool
    private let memory: MemoryStore
    private let state = Mutex(State())

    /// - Parameters:
    ///   - values: The contents.
    ///   - notifiesAllChanges: Whether values that were read from it are cached.
    init(_ values: [String: PreferenceValue] = [:], notifiesAllChanges: Bool = true) {
        memory = MemoryStore(values)
        self.notifiesAllChanges = notifiesAllChanges
    }

    /// The batches that were applied, including those that failed.
    var batches: [[String: PreferenceEdit]] { state.withLock { $0.batches } }

    /// The number of flushes, including those that failed.
    var flushCount: Int { state.withLock { $0.flushCount } }

    func failReads(_ message: String?) {
        state.withLock { $0.readFault = message }
    }

    func failWrites(_ message: String?) {
        state.withLock { $0.writeFault = message }
    }

    func value(for name: String) throws -> PreferenceValue? {
        // Without a key, since the whole store cannot be read.
        if let fault = state.withLock({ $0.readFault }) {
            throw PreferenceProblem(.storeUnreadable, store: label, message: fault)
        }
        return memory.value(for: name)
    }

    func apply(_ batch: PreferenceBatch) throws {
        let fault = state.withLock { state in
            state.batches.append(batch.edits)
            return state.writeFault
        }
        if let fault { throw Fault(description: fault) }
        memory.apply(batch)
    }

    func names() -> Set<String> {
        memory.names()
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        notifiesAllChanges ? memory.observe(observer) : PreferenceStoreObservation {}
    }

    func flush() throws {
        state.withLock { $0.flushCount += 1 }
        if let fault = state.withLock({ $0.writeFault }) { throw Fault(description: fault) }
    }

    func reload() throws {
        if let fault = state.withLock({ $0.readFault }) { throw Fault(description: fault) }
    }
}
