import PreferencesRuntime
import Synchronization

/// Records all changes of some stores in order, and can end the program at any of them.
final class StoreProbe: Sendable {
    struct Death: Error {}

    private struct State {
        var operations: [String] = []
        /// The number of changes that are still made.
        var remaining = Int.max
        /// Whether the last of them is made without returning.
        var diesAfterLast = false
    }

    private let state = Mutex(State())

    /// `here: set 'a', remove 'b'`, `here: flush`.
    var operations: [String] { state.withLock { $0.operations } }

    /// Simulates the death of the program: nothing is read or changed from then on.
    ///
    /// - Parameters:
    ///   - count: The number of changes before it.
    ///   - isSilent: Whether the last of them is made without a notification.
    func die(after count: Int, isSilent: Bool) {
        state.withLock {
            $0.remaining = count
            $0.diesAfterLast = isSilent
        }
    }

    fileprivate func change(_ description: String, _ body: () throws -> Void) throws {
        let isLast = try state.withLock { state in
            guard state.remaining > 0 else { throw Death() }
            state.remaining -= 1
            state.operations.append(description)
            return state.remaining == 0 && state.diesAfterLast
        }
        try body()
        if isLast { throw Death() }
    }

    fileprivate func read() throws {
        if state.withLock({ $0.remaining == 0 }) { throw Death() }
    }
}

/// A store that a probe records.
final class ProbedStore: WritablePreferenceStore {
    let label: String
    private let memory: MemoryStore
    private let probe: StoreProbe

    init(_ label: String, _ memory: MemoryStore, _ probe: StoreProbe) {
        self.label = label
        self.memory = memory
        self.probe = probe
    }

    func value(for name: String) throws -> PreferenceValue? {
        try probe.read()
        return memory.value(for: name)
    }

    func names() throws -> Set<String> {
        try probe.read()
        return memory.names()
    }

    func apply(_ batch: PreferenceBatch) throws {
        let words = batch.sorted { $0.name < $1.name }.map { "\($0.edit == .remove ? "remove" : "set") '\($0.name)'" }
        try probe.change("\(label): \(words.joined(separator: ", "))") { memory.apply(batch) }
    }

    func flush() throws {
        try probe.change("\(label): flush") {}
    }
}

extension MemoryStore {
    /// The contents.
    var contents: [String: PreferenceValue] {
        Dictionary(uniqueKeysWithValues: names().compactMap { name in value(for: name).map { (name, $0) } })
    }
}
