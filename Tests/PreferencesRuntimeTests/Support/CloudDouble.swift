import Foundation
import Synchronization
import Testing

@testable import PreferencesRuntime

/// A key-value store of iCloud that does what Apple documents of it, and has a test fail where that would raise an exception.
final class CloudDouble: UbiquitousMedium {
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

    /// What it was asked for, without reading: `set a`.
    var calls: [String] { state.withLock { $0.calls } }

    func forgetCalls() {
        state.withLock { $0.calls = [] }
    }

    // MARK: For the store

    func object(for name: String) -> Any? {
        using("", name) { $0.values[Array(name.utf8)].map(Self.object) }
    }

    func set(_ object: Any, for name: String) {
        let isRefused = using("set \(name)", name) { state in
            let old = state.values.updateValue(Self.data(of: object), forKey: Array(name.utf8))
            guard state.values.count > 1_024 || state.values.values.reduce(0, { $0 + $1.count }) > 1 << 20 else {
                return false
            }
            state.values[Array(name.utf8)] = old
            return true
        }
        // From within the call, which is the worst moment.
        if isRefused { tell(UbiquitousChange(reason: 2, names: [name])) }
    }

    func removeObject(for name: String) {
        using("remove \(name)", name) { _ = $0.values.removeValue(forKey: Array(name.utf8)) }
    }

    var contents: [String: Any] {
        using("", "contents") { state in
            let pairs = state.values.map { (String(decoding: $0, as: UTF8.self), Self.object($1)) }
            return Dictionary(pairs) { first, _ in first }
        }
    }

    func synchronize() -> Bool {
        using("synchronize", "synchronize") { $0.isEntitled }
    }

    func observe(_ handler: @escaping @Sendable (UbiquitousChange) -> Void) -> PreferenceStoreObservation {
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
    var listenerCount: Int { state.withLock { $0.handlers.count } }

    /// Whether the app has the entitlement.
    func setEntitled(_ isEntitled: Bool) {
        state.withLock { $0.isEntitled = isEntitled }
    }

    /// Changes values as another device does, and tells of it.
    func change(_ batch: [String: PreferenceEdit], reason: Int? = 0, names: [String]?) throws {
        try state.withLock { state in
            for (name, edit) in batch {
                let object = try edit.value.map { try PropertyListValue(isXML: false).object(from: $0) }
                state.values[Array(name.utf8)] = object.map(Self.data)
            }
        }
        tell(UbiquitousChange(reason: reason, names: names))
    }

    private func tell(_ change: UbiquitousChange) {
        for handler in state.withLock({ Array($0.handlers.values) }) { handler(change) }
    }

    private func using<Result>(_ call: String, _ name: String, _ body: (inout State) -> Result) -> Result {
        if isInUse.exchange(true, ordering: .acquiring) { Issue.record("two threads use it at the same time: \(call)") }
        defer { isInUse.store(false, ordering: .releasing) }
        if name.isEmpty || name.utf8.count > 64 { Issue.record("this name would raise an exception: '\(name)'") }
        return state.withLock { state in
            if !call.isEmpty { state.calls.append(call) }
            return body(&state)
        }
    }

    private static func data(of object: Any) -> Data {
        guard let data = try? PropertyListSerialization.data(fromPropertyList: [object], format: .binary, options: 0)
        else {
            Issue.record("this would raise an exception, as it is no property-list object: \(object)")
            return Data()
        }
        return data
    }

    private static func object(_ data: Data) -> Any {
        let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
        return (list as? [Any])?.first ?? Data()
    }
}
