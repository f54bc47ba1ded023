@testable import PreferencesRuntime
import PreferencesSystem
@testable import PreferencesObjects

/// A repository in memory that says what it is asked to do, and can be told to fail.
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

    /// What it was asked to do so far: `load`, `save 1`, `save nil`, `synchronize`.
    var log: [String] { state.withLock { $0.log } }

    var stored: Int? { state.withLock { $0.stored } }

    /// Has it fail what begins with a word, or not any more.
    func fail(_ word: String, with error: (any Error & Sendable)?) {
        state.withLock { $0.faults[word] = error }
    }

    /// Changes what is stored, as others do.
    func changeFromOutside(to value: Int?, tells: Bool = true) {
        state.withLock { $0.stored = value }
        if tells { observers.notify(.everything) }
    }

    func tell(_ change: PreferenceStoreChange) {
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
