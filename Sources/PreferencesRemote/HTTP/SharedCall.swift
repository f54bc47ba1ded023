import PreferencesRuntime
import PreferencesSystem

/// An asynchronous call that concurrent callers share.
final class SharedCall<Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Value, any Error>

    private struct Call {
        let number: Int
        let task: Task<Void, Never>
        var waiters: [Int: Waiter]
    }

    private struct State {
        var current: Call?
        /// The last number of a call or a waiter.
        var lastNumber = 0
        /// The waiters that were cancelled before they joined a call.
        var cancelled: Set<Int> = []

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    private let state = Locked(State())

    /// The number of waiters of the current call.
    var waiting: Int { state.withLock { $0.current?.waiters.count ?? 0 } }

    /// Makes the call, or waits for the one in progress.
    ///
    /// - Parameter body: The call. It is cancelled when all its waiters are.
    /// - Throws: The error of the body; `CancellationError` as soon as this task is cancelled.
    func run(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let id = state.withLock { $0.nextNumber() }
        defer { state.withLock { _ = $0.cancelled.remove(id) } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { join(id, $0, body) }
        } onCancel: {
            leave(id)
        }
    }

    private func join(_ id: Int, _ waiter: Waiter, _ body: @escaping @Sendable () async throws -> Value) {
        let isCancelled = state.withLock { state in
            if state.cancelled.contains(id) { return true }
            if state.current != nil {
                state.current?.waiters[id] = waiter
                return false
            }
            let number = state.nextNumber()
            let task = Task { [weak self] in
                let outcome: Result<Value, any Error>
                do {
                    outcome = .success(try await body())
                } catch {
                    outcome = .failure(error)
                }
                self?.end(number, outcome)
            }
            state.current = Call(number: number, task: task, waiters: [id: waiter])
            return false
        }
        if isCancelled { waiter.resume(throwing: CancellationError()) }
    }

    private func end(_ number: Int, _ outcome: Result<Value, any Error>) {
        let waiters = state.withLock { state -> [Waiter] in
            guard let call = state.current, call.number == number else { return [] }
            state.current = nil
            return Array(call.waiters.values)
        }
        for waiter in waiters { waiter.resume(with: outcome) }
    }

    /// Uses one critical section, so that a caller after the last waiter has left starts a new call.
    private func leave(_ id: Int) {
        let waiter = state.withLock { state -> Waiter? in
            guard let waiter = state.current?.waiters.removeValue(forKey: id) else {
                state.cancelled.insert(id)
                return nil
            }
            if let call = state.current, call.waiters.isEmpty {
                call.task.cancel()
                state.current = nil
            }
            return waiter
        }
        waiter?.resume(throwing: CancellationError())
    }
}
