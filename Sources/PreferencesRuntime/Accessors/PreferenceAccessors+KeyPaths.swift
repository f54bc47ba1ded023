/// Operations on keys beyond reading and writing.
///
/// The key path of its accessor identifies a key. The key path of a computed property stands for all keys that the
/// property reads, and one into a value (`\.settings.theme`) for the key of that value.
extension PreferenceAccessors {
    /// Returns whether a key is set, even if it is set to its default or to a value that cannot be read.
    ///
    /// ```swift
    /// weather.isSet(\.temperature)   // → false
    /// weather.temperature = 0        // the default
    /// weather.isSet(\.temperature)   // → true
    /// ```
    ///
    /// - Parameter key: The key. If it is a computed property, any key that the property reads counts.
    public func isSet<Value>(_ key: KeyPath<Self, Value>) -> Bool {
        let preferences = preferences
        let entries = entries(of: key)
        preferences.reportUnless(
            [key],
            leadToKeys: !entries.isEmpty,
            "nothing is set",
            ofNamespace: "ask for a key of it"
        )
        return entries.contains { preferences.hasEntry($0) }
    }

    /// Resets a key, so that it reads as its default.
    ///
    /// A failed write is reported through ``Preferences/problems``, as the failure of a property's setter is.
    ///
    /// - Parameter key: The key. If it is a computed property, all keys that the property reads are reset together.
    public func reset<Value>(_ key: KeyPath<Self, Value>) {
        let entries = entries(of: key)
        preferences.reportUnless(
            [key],
            leadToKeys: !entries.isEmpty,
            "nothing was reset",
            ofNamespace: "its resetAll() resets it"
        )
        preferences.reset(entries)
    }

    /// Returns the human-readable source of a key's value: the label of a store, or of one of the stores that it
    /// consists of.
    ///
    /// - Parameter key: The key. If it is a computed property, the first key that is set counts.
    /// - Returns: The ``PreferenceStore/label``; nil while the key is not set and reads as its default.
    public func source<Value>(of key: KeyPath<Self, Value>) -> String? {
        let entries = entries(of: key)
        preferences.reportUnless(
            [key],
            leadToKeys: !entries.isEmpty,
            "it has no source",
            ofNamespace: "ask for a key of it"
        )
        return preferences.source(of: entries.sorted { $0.name < $1.name })
    }

    /// Returns the default of a key, whether the key is set or not.
    ///
    /// - Parameter key: The key. If it is a computed property, its value while none of its keys is set is returned.
    public func defaultValue<Value>(_ key: KeyPath<Self, Value>) -> Value {
        AccessTracker.withDefaults(in: preferences) { self[keyPath: key] }
    }

    /// Sets a key, and throws the problem that the property's setter would report.
    ///
    /// ```swift
    /// try weather.set(\.temperature, to: 21.5)
    /// ```
    ///
    /// - Parameters:
    ///   - key: The key. If a computed property sets several keys and one fails, the rest are set nevertheless.
    ///   - value: The new value.
    /// - Throws: The problem, which is then not reported through ``Preferences/problems``. The key keeps its value,
    ///   with two exceptions: after ``PreferenceProblem/Code/notDurable``, the key is set; so is a secret whose former
    ///   value could not be removed from the main store.
    public func set<Value>(
        _ key: ReferenceWritableKeyPath<Self, Value>,
        to value: Value
    ) throws(PreferenceProblem) {
        try AccessTracker.throwingFailures(in: preferences) { self[keyPath: key] = value }
    }

    func entries<Value>(of key: KeyPath<Self, Value>) -> Set<PreferenceEntry> {
        AccessTracker.entries(in: preferences) { _ = self[keyPath: key] }
    }
}

extension Preferences {
    /// Reports key paths that do not suit a call: none of them leads to a key, or one leads to a namespace.
    ///
    /// - Parameters:
    ///   - paths: The key paths.
    ///   - leadToKeys: Whether any of them leads to a key.
    ///   - consequence: The effect on the call.
    ///   - advice: What to do for a namespace instead.
    ///   - site: The location of the call, if it is available.
    func reportUnless(
        _ paths: [AnyKeyPath],
        leadToKeys: Bool,
        _ consequence: String,
        ofNamespace advice: String,
        site: (file: String, line: UInt)? = nil
    ) {
        if let path = paths.first(where: { type(of: $0).valueType is any PreferenceNamespace.Type }) {
            report(path, "leads to a namespace, not to a key", "\(consequence); \(advice)", site)
        } else if !leadToKeys, let path = paths.first {
            report(path, "leads to no key of these preferences", consequence, site)
        }
    }

    /// Reports a key path that does not lead to exactly one key as a whole.
    func reportAsNotOneKey(_ path: AnyKeyPath, _ consequence: String) {
        report(path, "does not lead to one key as a whole", consequence)
    }

    private func report(
        _ path: AnyKeyPath,
        _ fault: String,
        _ consequence: String,
        _ site: (file: String, line: UInt)? = nil
    ) {
        let place = site.map { " at \($0.file):\($0.line)" } ?? ""
        let types = "from \(type(of: path).rootType) to \(type(of: path).valueType)"
        let message = "the key path \(types)\(place) \(fault): \(consequence)"
        reporter.report(PreferenceProblem(.notAKey, store: store.label, message: message))
    }
}
