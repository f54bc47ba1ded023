import PreferencesRuntime

/// Gives calls that come while one is under way the outcome of that one.
final class SharedCall<Value: Sendable>: Sendable {
    private struct Call {
        let number: Int
        let task: Task<Value, any Error>
        var waiting: Int
    }

    private struct State {
        var current: Call?
        var lastNumber = 0
    }

    private let state = Locked(State())

    /// How many wait for the call under way.
    var waiting: Int { state.withLock { $0.current?.waiting ?? 0 } }

    /// Makes the call, or waits for the one under way.
    ///
    /// - Parameter body: Makes it. It is cancelled when all are that wait for it.
    /// - Throws: What it throws.
    func run(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        let (number, task) = state.withLock { state in
            if let current = state.current {
                state.current?.waiting += 1
                return (current.number, current.task)
            }
            state.lastNumber += 1
            let number = state.lastNumber
            let task = Task { [weak self] in
                defer { self?.end(number) }
                return try await body()
            }
            state.current = Call(number: number, task: task, waiting: 1)
            return (number, task)
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            leave(number)
        }
    }

    private func end(_ number: Int) {
        state.withLock { if $0.current?.number == number { $0.current = nil } }
    }

    /// In the lock, so that whoever calls afterwards finds the call cancelled, and gets one of its own.
    private func leave(_ number: Int) {
        state.withLock { state in
            guard var call = state.current, call.number == number else { return }
            call.waiting -= 1
            state.current = call.waiting == 0 ? nil : call
            if call.waiting == 0 { call.task.cancel() }
        }
    }
}
