public import Foundation
public import PreferencesRuntime

extension RoamingStore {
    /// The values of a key between which the user must decide, as the key's accessor reads them.
    public struct KeyConflict<Value> {
        /// A value that another change has set.
        public struct Alternative {
            /// The identifier of the machine that has set the value.
            public let machine: String
            /// The value; the default if the key was reset, or if the stored value cannot be read.
            public let value: Value
            /// The time of the change, by the machine's clock.
            public let date: Date
        }

        /// The shared value, which the key reads as.
        public let value: Value
        /// The other values, latest first: one of each machine.
        public let alternatives: [Alternative]
    }

    /// Returns the conflict of a key; nil if there is none, or a pending change decides it.
    ///
    /// ```swift
    /// if let conflict = try roaming.conflict(of: \.weather.unit) {
    ///     print("\(conflict.value), or \(conflict.alternatives[0].value)?")
    ///     try roaming.resolve(\.weather.unit, with: conflict.alternatives[0].value)
    /// }
    /// ```
    ///
    /// - Parameter key: The key path from `Preferences` to the key's accessor.
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem`` with `notAKey` if the key path leads to no key, or to a
    ///   property that reads several; an error if a store cannot be read.
    public func conflict<Value>(of key: KeyPath<Preferences, Value>) throws -> KeyConflict<Value>? {
        let name = try name(of: key, in: Preferences(store: MemoryStore(), secrets: nil))
        guard let conflict = try openConflict(of: name)?.conflict else { return nil }
        func read(_ value: PreferenceValue?) -> Value {
            let store = MemoryStore(value.map { [name: $0] } ?? [:])
            return Preferences(store: store, secrets: nil)[keyPath: key]
        }
        return KeyConflict(
            value: read(conflict.value),
            alternatives: conflict.alternatives.map {
                KeyConflict.Alternative(machine: $0.machine, value: read($0.value), date: $0.date)
            }
        )
    }

    /// Sets the value of a key that has a conflict, which ends with the next synchronization.
    ///
    /// Setting the key has the same effect, except that it also changes a key without a conflict.
    ///
    /// - Parameters:
    ///   - key: The key path from `Preferences` to the key's accessor.
    ///   - value: The value.
    /// - Throws: The problem of a value that breaks the constraints of the key, and otherwise as ``conflict(of:)`` and
    ///   ``resolve(_:with:)-(String,_)``.
    public func resolve<Value>(_ key: ReferenceWritableKeyPath<Preferences, Value>, with value: Value) throws {
        let store = MemoryStore()
        let preferences = Preferences(store: store, secrets: nil)
        let name = try name(of: key, in: preferences)
        try preferences.set(key, to: value)
        try resolve(name, with: store.value(for: name))
    }

    private func name<Value>(of key: KeyPath<Preferences, Value>, in preferences: Preferences) throws -> String {
        if let name = preferences.storageName(of: key) { return name }
        let message = "the key path leads to no key, or to a property that reads several; pass the key path of one key"
        throw PreferenceProblem(.notAKey, store: label, message: message, isMessagePublic: true)
    }
}

extension RoamingStore.KeyConflict: Sendable where Value: Sendable {}
extension RoamingStore.KeyConflict: Equatable where Value: Equatable {}
extension RoamingStore.KeyConflict.Alternative: Sendable where Value: Sendable {}
extension RoamingStore.KeyConflict.Alternative: Equatable where Value: Equatable {}
