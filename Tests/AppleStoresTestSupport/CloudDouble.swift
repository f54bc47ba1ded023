import Foundation
package import PreferencesApple
package import PreferencesRuntime
import Synchronization

/// A test double of iCloud's key-value store, which behaves as Apple documents, and reports calls that would raise an
/// exception.
package final class CloudDouble: UbiquitousBackend {
    private struct State {
        /// Property lists by the bytes of their names: Foundation distinguishes the Unicode normal forms of a name.
        var values: [[UInt8]: Data] = [:]
        var handlers: [UInt64: @Sendable (UbiquitousChange) -> Void] = [:]
        var nextID: UInt64 = 0
        var isEntitled = true
        var calls: [String] = []
    }

    private let state = Mutex(State())
    private let isInUse = Atomic(false)
    private let onException: @Sendable (String) -> Void

    /// Creates an empty store.
    ///
    /// - Parameter onException: Called if the framework would raise an exception, or several threads use the store at
    ///   once.
    package init(onException: @escaping @Sendable (String) -> Void) {
        self.onException = onException
    }

    /// The calls except those that read, such as `set a`.
    package var calls: [String] { state.withLock { $0.calls } }

    package func forgetCalls() {
        state.withLock { $0.calls = [] }
    }

    // MARK: For the store

    package func object(for name: String) -> Any? {
        using("", name) { $0.values[Array(name.utf8)].map(Self.object) }
    }

    package func set(_ object: Any, for name: String) {
        let isRefused = using("set \(name)", name) { state in
            let old = state.values.updateValue(data(of: object), forKey: Array(name.utf8))
            guard state.values.count > 1_024 || state.values.values.reduce(0, { $0 + $1.count }) > 1 << 20 else {
                return false
            }
            state.values[Array(name.utf8)] = old
            return true
        }
        // Within the call, as the worst case.
        if isRefused { notify(UbiquitousChange(reason: 2, names: [name])) }
    }

    package func removeObject(for name: String) {
        using("remove \(name)", name) { _ = $0.values.removeValue(forKey: Array(name.utf8)) }
    }

    package var contents: [String: Any] {
        using("", "contents") { state in
            let pairs = state.values.map { (String(decoding: $0, as: UTF8.self), Self.object($1)) }
            return Dictionary(pairs) { first, _ in first }
        }
    }

    package func synchronize() -> Bool {
        using("synchronize", "synchronize") { $0.isEntitled }
    }

    package func observe(_ handler: @escaping @Sendable (UbiquitousChange) -> Void) -> PreferenceStoreObservation {
        let id = state.withLock { state in
            state.calls.append("observe")
            state.nextID += 1
            state.handlers[state.nextID] = handler
            return state.nextID
        }
        return PreferenceStoreObservation { [weak self] in
            self?.state.withLock { _ = $0.handlers.removeValue(forKey: id) }
        }
    }

    // MARK: For tests

    /// The number of handlers.
    package var observerCount: Int { state.withLock { $0.handlers.count } }

    /// Sets whether the app has the entitlement.
    package func setEntitled(_ isEntitled: Bool) {
        state.withLock { $0.isEntitled = isEntitled }
    }

    /// Changes values as another device does, and calls the handlers.
    ///
    /// - Parameters:
    ///   - objects: Property-list objects; nil for names to remove.
    ///   - reason: The number of the reason.
    ///   - names: The names that are reported.
    package func change(_ objects: [String: Any?], reason: Int? = 0, names: [String]?) {
        state.withLock { state in
            for (name, object) in objects { state.values[Array(name.utf8)] = object.map(data) }
        }
        notify(UbiquitousChange(reason: reason, names: names))
    }

    private func notify(_ change: UbiquitousChange) {
        for handler in state.withLock({ Array($0.handlers.values) }) { handler(change) }
    }

    private func using<Result>(_ call: String, _ name: String, _ body: (inout State) -> Result) -> Result {
        if isInUse.exchange(true, ordering: .acquiring) {
            onException("two threads use the store at the same time: \(call)")
        }
        defer { isInUse.store(false, ordering: .releasing) }
        if name.isEmpty || name.utf8.count > 64 { onException("this name would raise an exception: '\(name)'") }
        return state.withLock { state in
            if !call.isEmpty { state.calls.append(call) }
            return body(&state)
        }
    }

    private func data(of object: Any) -> Data {
        guard let data = try? PropertyListSerialization.data(fromPropertyList: [object], format: .binary, options: 0)
        else {
            onException("this object would raise an exception, since it is not a property-list object: \(object)")
            return Data()
        }
        return data
    }

    private static func object(_ data: Data) -> Any {
        let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
        return (list as? [Any])?.first ?? Data()
    }
}
