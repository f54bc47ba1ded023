import PreferencesSystem

@testable import PreferencesObjects
@testable import PreferencesRuntime

/// A repository in memory that records its calls, and can be made to fail.
final class LoggedRepository: PersistentObjectRepository {
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    private struct State {
        var stored: Int?
        var log: [String] = []
        var faults: [String: any Error] = [:]
    }

    let label = "logged"
    private let state: Locked<State>
    private let observers = PreferenceStoreObservers()

    init(_ stored: Int? = nil) {
        state = Locked(State(stored: stored))
    }

    /// The recorded calls: `load`, `save 1`, `save nil`, `synchronize`.
    var log: [String] { state.withLock { $0.log } }

    var stored: Int? { state.withLock { $0.stored } }

    /// Makes the calls that begin with a word throw an error; nil makes them succeed again.
    func fail(_ word: String, with error: (any Error & Sendable)?) {
        state.withLock { $0.faults[word] = error }
    }

    /// Changes the stored value externally.
    func changeExternally(to value: Int?, notifies: Bool = true) {
        state.withLock { $0.stored = value }
        if notifies { observers.notify(.everything) }
    }

    func notify(_ change: PreferenceStoreChange) {
        observers.notify(change)
    }

    func load() throws -> Int? {
        try note("load") { $0.stored }
    }

    func save(_ value: Int?) throws {
        try note("save", value.map { " \($0)" } ?? " nil") { $0.stored = value }
        observers.notify(.everything)
    }

    func synchronize() throws {
        try note("synchronize") { _ in }
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        observers.add(observer)
    }

    private func note<Result: Sendable>(
        _ word: String,
        _ rest: String = "",
        _ body: (inout State) -> Result
    ) throws -> Result {
        try state.withLock { state in
            state.log.append(word + rest)
            if let fault = state.faults[word] { throw fault }
            return body(&state)
        }
    }
}
