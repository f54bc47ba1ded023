extension PreferenceAccessors {
    /// Changes a key from what it is: nobody else changes it in between, no other thread, and no other process where the
    /// store can keep them from it, as ``FileStore`` can.
    ///
    /// ```swift
    /// try weather.update(\.temperature) { $0 += 0.5 }
    /// let first = try weather.update(\.stations) { $0.isEmpty ? nil : $0.removeFirst() }
    /// ```
    ///
    /// - Parameters:
    ///   - key: The key; or a computed property with a setter, whose keys are then changed at once.
    ///   - body: Changes the value. It runs once, inside of a ``Preferences/transaction(_:)``. If it throws, the setter of a
    ///     computed property still runs, as for any `inout` argument, and its changes of keys are undone.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, and the problem where the value was refused or the store not be read or written.
    ///   Then nothing was changed, except with ``PreferenceProblem/Code/notDurable``.
    @inlinable
    public func update<Value, Result>(
        _ key: ReferenceWritableKeyPath<Self, Value>,
        _ body: (inout Value) throws -> Result
    ) throws -> Result {
        try preferences.transaction { _ in try body(&self[keyPath: key]) }
    }
}
