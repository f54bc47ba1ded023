import PreferencesSystem
import PreferencesRuntime
package import PreferencesSecrets

/// What tests do with it.
extension KeychainDouble {
    /// What it was asked for, but for what changes and asks nothing: `update token`.
    package var calls: [String] { state.withLock { $0.calls } }
    /// What persons were told who were asked for something.
    package var prompts: [String] { state.withLock { $0.prompts } }

    package func forgetCalls() {
        state.withLock { $0.calls = [] }
    }

    /// What is there, with the query that finds it.
    package func item(_ account: String, of query: KeychainQuery) -> Item? {
        state.withLock { $0.items[Place(query, account: account)] }
    }

    /// Adds or changes an item, as another program does.
    package func put(_ account: String, _ contents: KeychainContents, for query: KeychainQuery) {
        state.withLock { $0.items[Place(query, account: account)] = Item(account: account, contents: contents) }
    }

    package func setLocked(_ isLocked: Bool) {
        state.withLock { $0.isLocked = isLocked }
    }

    /// What becomes of it when a person is asked.
    package func answer(_ status: KeychainStatus) {
        state.withLock { $0.answer = status }
    }

    /// Has the next calls of a kind fail: `add token`.
    package func fail(_ call: String, _ statuses: KeychainStatus...) {
        state.withLock { $0.failures[call, default: []] += statuses }
    }

    /// Has every call fail; nil for none.
    package func failAll(_ status: KeychainStatus?) {
        state.withLock { $0.fault = status }
    }

    /// Has something done once, before the next call of a kind: `add token`.
    package func before(_ call: String, _ event: @escaping @Sendable (KeychainDouble) -> Void) {
        state.withLock { $0.events[call] = event }
    }
}
