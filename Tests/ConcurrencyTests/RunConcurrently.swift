import PreferencesSystem
import Testing

/// Runs a body in several tasks at the same time, and returns when all have ended. An error of a body is an issue.
///
/// - Parameter body: Receives the number of its task, from 0.
func runConcurrently(
    threads count: Int,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable (_ thread: Int) throws -> Void
) async {
    await withTaskGroup { group in
        for thread in 0..<count {
            group.addTask { #expect(throws: Never.self, sourceLocation: sourceLocation) { try body(thread) } }
        }
    }
}

/// A signal of one thread to others.
final class Flag: Sendable {
    private let state = Locked(false)

    var isSet: Bool { state.withLock { $0 } }

    func set() {
        state.withLock { $0 = true }
    }
}
