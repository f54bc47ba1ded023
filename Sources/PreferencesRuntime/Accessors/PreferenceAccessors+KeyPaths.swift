/// What can be said and done about a key beyond reading and writing it.
///
/// A key is given by the key path of its accessor. One to a computed property stands for all the keys that the property
/// reads, and one into a value (`\.settings.theme`) for the key of that value.
extension PreferenceAccessors {
    /// Whether a key has been set, be it to its default or to a value that cannot be read.
    ///
    /// ```swift
    /// weather.isSet(\.temperature)   // → false
    /// weather.temperature = 0        // the default
    /// weather.isSet(\.temperature)   // → true
    /// ```
    ///
    /// - Parameter key: The key; of a computed property over several keys, any of them.
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

    /// Makes a key not set, so that it reads as its default.
    ///
    /// A failure to write is reported through ``Preferences/problems``, as a property's setter reports it.
    ///
    /// - Parameter key: The key; of a computed property over several keys all of them, at once.
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

    /// Where the value of a key comes from, for people: the label of a store, or of one of the stores that it is made of.
    ///
    /// - Parameter key: The key; of a computed property, the first of its keys that is set.
    /// - Returns: The ``PreferenceStore/label``; nil while the key is not set, and reads as its default.
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

    /// What a key reads as while it is not set, whether it is set or not.
    ///
    /// - Parameter key: The key; of a computed property, what it gives while none of its keys is set.
    public func defaultValue<Value>(_ key: KeyPath<Self, Value>) -> Value {
        KeyPathProbe.withDefaults(in: preferences) { self[keyPath: key] }
    }

    /// Sets a key, and throws where the property's setter would report a problem.
    ///
    /// ```swift
    /// try weather.set(\.temperature, to: 21.5)
    /// ```
    ///
    /// - Parameters:
    ///   - key: The key. If a computed property sets several and one fails, the others are set nevertheless.
    ///   - value: Its new value.
    /// - Throws: The problem, which is then not reported through ``Preferences/problems``. The key is as it
    ///   was, but for ``PreferenceProblem/Code/notDurable``: then it is set. A secret is set, too, whose former value
    ///   could not be removed from among the others.
    public func set<Value>(
        _ key: ReferenceWritableKeyPath<Self, Value>,
        to value: Value
    ) throws(PreferenceProblem) {
        try KeyPathProbe.throwingFailures(in: preferences) { self[keyPath: key] = value }
    }

    func entries<Value>(of key: KeyPath<Self, Value>) -> Set<PreferenceEntry> {
        KeyPathProbe.entries(in: preferences) { _ = self[keyPath: key] }
    }
}

extension Preferences {
    /// Reports key paths that cannot have been meant for a call: all of them together lead to no key, or one to a namespace.
    ///
    /// - Parameters:
    ///   - paths: The key paths.
    ///   - leadToKeys: Whether there is any key behind them.
    ///   - consequence: What becomes of the call.
    ///   - advice: What there is for namespaces instead.
    ///   - site: Where the call is, if that is known.
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

    /// Reports a key path that does not lead to a whole key alone.
    func reportAsNotOneKey(_ path: AnyKeyPath, _ consequence: String) {
        report(path, "does not lead to one key, and to the whole of it", consequence)
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
