import Foundation
package import PreferencesRuntime
import Synchronization
package import PreferencesApple

/// A key-value store of iCloud that does what Apple documents of it, and tells where that would raise an exception.
package final class CloudDouble: UbiquitousBackend {
    private struct State {
        /// Property lists, under the bytes of their names: Foundation tells both forms of one text apart.
        var values: [[UInt8]: Data] = [:]
        var handlers: [UInt64: @Sendable (UbiquitousChange) -> Void] = [:]
        var nextID: UInt64 = 0
        var isEntitled = true
        var calls: [String] = []
    }

    private let state = Mutex(State())
    private let isInUse = Atomic(false)
    private let onException: @Sendable (String) -> Void

    /// - Parameter onException: Is told where the framework would raise an exception, and of threads that use it together.
    package init(onException: @escaping @Sendable (String) -> Void) {
        self.onException = onException
    }

    /// What it was asked for, without reading: `set a`.
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
        // From within the call, which is the worst moment.
        if isRefused { tell(UbiquitousChange(reason: 2, names: [name])) }
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

    /// How many listen to it.
    package var listenerCount: Int { state.withLock { $0.handlers.count } }

    /// Whether the app has the entitlement.
    package func setEntitled(_ isEntitled: Bool) {
        state.withLock { $0.isEntitled = isEntitled }
    }

    /// Changes values as another device does, and tells of it.
    ///
    /// - Parameters:
    ///   - objects: Property-list objects; nil for what is removed.
    ///   - reason: The number of the reason.
    ///   - names: The names that it tells.
    package func change(_ objects: [String: Any?], reason: Int? = 0, names: [String]?) {
        state.withLock { state in
            for (name, object) in objects { state.values[Array(name.utf8)] = object.map(data) }
        }
        tell(UbiquitousChange(reason: reason, names: names))
    }

    private func tell(_ change: UbiquitousChange) {
        for handler in state.withLock({ Array($0.handlers.values) }) { handler(change) }
    }

    private func using<Result>(_ call: String, _ name: String, _ body: (inout State) -> Result) -> Result {
        if isInUse.exchange(true, ordering: .acquiring) { onException("two threads use it at the same time: \(call)") }
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
            onException("this would raise an exception, as it is no property-list object: \(object)")
            return Data()
        }
        return data
    }

    private static func object(_ data: Data) -> Any {
        let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
        return (list as? [Any])?.first ?? Data()
    }
}
