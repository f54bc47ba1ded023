/// Operations on keys beyond reading and writing.
///
/// A key is identified by the key path of its accessor. The key path of a computed property identifies all keys that
/// the property reads. A key path into a value (`\.settings.theme`) identifies the key of that value.
extension PreferenceAccessors {
    /// Returns whether a key is set, even if it is set to its default or to a value that cannot be read.
    ///
    /// ```swift
    /// weather.isSet(\.temperature)   //=> false
    /// weather.temperature = 0        // the default
    /// weather.isSet(\.temperature)   //=> true
    /// ```
    ///
    /// - Parameter key: The key. If it is a computed property, any key that the property reads counts.
    public func isSet<Value>(_ key: KeyPath<Self, Value>) -> Bool {
        let preferences = preferences
        let entries = entries(of: key)
        preferences.reportInvalidKeyPaths(
            [key],
            leadToKeys: !entries.isEmpty,
            consequence: "isSet returned false",
            adviceForNamespace: "pass the key path of one of its keys"
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
        preferences.reportInvalidKeyPaths(
            [key],
            leadToKeys: !entries.isEmpty,
            consequence: "nothing was reset",
            adviceForNamespace: "use its resetAll() instead"
        )
        preferences.reset(entries)
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

    /// Unavailable: the property has no setter.
    @available(
        *,
        unavailable,
        message: "the key path leads to a property without a setter: a read-only key or a namespace"
    )
    public func set<Value>(_ key: KeyPath<Self, Value>, to value: Value) throws(PreferenceProblem) { fatalError() }

    /// Cannot be called: it improves the compiler's error about a key path that leads to no property. See
    /// ``KeyPathToKeyOf``.
    @_documentation(visibility: internal)
    public func set<Value>(_ key: KeyPathToKeyOf<Self>, to value: Value) throws(PreferenceProblem) {}

    /// Returns the storage name of a key.
    ///
    /// ```swift
    /// preferences.storageName(of: \.weather.temperature)   //=> "weather:temperature"
    /// ```
    ///
    /// - Parameter key: The key. A key path into its value, such as `\.settings.theme`, identifies it as well.
    /// - Returns: The name; nil if the key path leads to no key, or to a property that reads several, which is reported
    ///   through ``Preferences/problems`` as ``PreferenceProblem/Code/notAKey``.
    public func storageName<Value>(of key: KeyPath<Self, Value>) -> String? {
        let preferences = preferences
        let entries = entries(of: key)
        let consequence = "it has no storage name"
        guard entries.count < 2 else {
            preferences.reportSeveralKeys(key, entries.map(\.name), consequence: consequence)
            return nil
        }
        preferences.reportInvalidKeyPaths(
            [key],
            leadToKeys: !entries.isEmpty,
            consequence: consequence,
            adviceForNamespace: "use the storageName of its type instead"
        )
        return entries.first?.name
    }

    func entries<Value>(of key: KeyPath<Self, Value>) -> Set<PreferenceEntry> {
        AccessTracker.entries(in: preferences) { _ = self[keyPath: key] }
    }
}

/// A type without values, whose name the compiler shows in an error about a key path that leads to no property:
/// `expected argument type 'KeyPathToKeyOf<Preferences>'`.
///
/// The property is misspelled, or belongs to another type than the one in angle brackets. To set a key of a namespace,
/// call the method of the namespace, `preferences.weather.set(\.temperature, to: 21.5)`, or begin the key path with it,
/// `preferences.set(\.weather.temperature, to: 21.5)`.
///
/// Methods that take either key paths or storage names have an overload with a parameter of this type. Otherwise, the
/// compiler would expect a storage name in place of such a key path.
public enum KeyPathToKeyOf<Accessors> {}

extension Preferences {
    /// Reports key paths that do not suit a call: none of them leads to a key, or one leads to a namespace.
    ///
    /// - Parameters:
    ///   - paths: The key paths.
    ///   - leadToKeys: Whether any of them leads to a key.
    ///   - consequence: The effect on the call.
    ///   - advice: What to do for a namespace instead.
    ///   - site: The location of the call, if it is available.
    func reportInvalidKeyPaths(
        _ paths: [AnyKeyPath],
        leadToKeys: Bool,
        consequence: String,
        adviceForNamespace advice: String,
        site: (file: String, line: UInt)? = nil
    ) {
        if let path = paths.first(where: { type(of: $0).valueType is any PreferenceNamespace.Type }) {
            report(path, "leads to a namespace, not to a key", "\(consequence); \(advice)", site)
        } else if !leadToKeys, let path = paths.first {
            report(path, "leads to no key of these preferences", consequence, site)
        }
    }

    /// Reports a key path that does not lead to exactly one key as a whole.
    func reportNotSingleKey(_ path: AnyKeyPath, consequence: String) {
        report(path, "does not lead to one key as a whole", consequence)
    }

    /// Reports a key path of a property that reads several keys.
    func reportSeveralKeys(_ path: AnyKeyPath, _ names: [String], consequence: String) {
        let list = names.sorted().map { "'\($0)'" }.joined(separator: ", ")
        report(path, "leads to \(names.count) keys (\(list))", consequence)
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
