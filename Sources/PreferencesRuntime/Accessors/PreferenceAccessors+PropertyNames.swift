/// Accessors whose storage name is that of the property which they are called in.
///
/// ```swift
/// extension PlayerPreferences {
///     var volume: Int {
///         get { get(default: 50) }
///         nonmutating set { set(newValue) }
///     }
///
///     var nickname: String? {
///         get { get() }
///         nonmutating set { set(newValue) }
///     }
/// }
/// ```
///
/// A property that has another name is another key. Properties of one name in one file are one key, whatever they are
/// properties of. Where properties of two files have one name, the first that is used
/// has the key; the other reads as its default, cannot be set, and is reported as ``PreferenceProblem/Code/nameClash``.
extension PreferenceAccessors {
    /// The value of the key that is named like the property, or its default.
    ///
    /// - Parameters:
    ///   - default: As of ``get(_:default:)-(_,Value)``.
    ///   - name: The property, as `#function` has it.
    ///   - fileID: The file, as `#fileID` has it.
    public func get<Value: PreferenceConvertible>(
        default: @autoclosure () -> Value,
        name: StaticString = #function,
        fileID: StaticString = #fileID
    ) -> Value {
        preferences.ownedValue(name, fileID) ?? `default`()
    }

    /// The value of the optional key that is named like the property, or nil.
    ///
    /// - Parameters:
    ///   - name: The property, as `#function` has it.
    ///   - fileID: The file, as `#fileID` has it.
    public func get<Value: PreferenceConvertible>(
        name: StaticString = #function,
        fileID: StaticString = #fileID
    ) -> Value? {
        preferences.ownedValue(name, fileID)
    }

    /// Sets the key that is named like the property. Nil makes it not set.
    ///
    /// - Parameters:
    ///   - value: Its new value.
    ///   - name: The property, as `#function` has it.
    ///   - fileID: The file, as `#fileID` has it.
    public func set<Value: PreferenceConvertible>(
        _ value: Value,
        name: StaticString = #function,
        fileID: StaticString = #fileID
    ) {
        if let clash = preferences.clash(over: name, fileID) { return preferences.tell(clash) }
        preferences.write(CellKey(name, in: fileID, hasTraits: false), PreferenceEntry(name.description), value)
    }
}

extension PreferenceAccessors {
    /// Sets the optional key that is named like the property, and has a default other than nil, as
    /// ``set(_:to:default:)``.
    ///
    /// - Parameters:
    ///   - value: Its new value.
    ///   - default: The key's default.
    ///   - name: The property, as `#function` has it.
    ///   - fileID: The file, as `#fileID` has it.
    public func set<Value: PreferenceConvertible>(
        _ value: Value?,
        default: @autoclosure () -> Value?,
        name: StaticString = #function,
        fileID: StaticString = #fileID
    ) {
        if let clash = preferences.clash(over: name, fileID) { return preferences.tell(clash) }
        preferences.write(
            CellKey(name, in: fileID, hasTraits: false),
            PreferenceEntry(name.description),
            value,
            keepsNil: { `default`() != nil }
        )
    }
}

extension Preferences {
    /// What is stored under a property's name; nil where the default is to be used.
    fileprivate func ownedValue<Value: PreferenceConvertible>(_ name: StaticString, _ fileID: StaticString) -> Value? {
        let key = CellKey(name, in: fileID, hasTraits: false)
        switch remembered(key, as: Value.self) {
        case .value(let value): return value
        case .unset: return nil
        case .nothing: break
        }
        if let clash = clash(over: name, fileID) {
            reporter.reportUnreadable(
                nil,
                clash,
                of: ProblemSubject(key: "\(name) in \(fileID)", isAmongSecrets: false)
            )
            return nil
        }
        return find(name, key)
    }

    /// Why a file's property does not have the key of its name; nil where it has, from now on.
    fileprivate func clash(over name: StaticString, _ fileID: StaticString) -> PreferenceProblem? {
        let (name, file) = (name.description, fileID.description)
        let owner = state.withLock { state in
            let owner = state.filesOfProperties[name] ?? file
            state.filesOfProperties[name] = owner
            return owner
        }
        if owner == file { return nil }
        let message =
            "a property in \(owner) has this name, too: the one in \(file) reads as its default and cannot be set; "
            + "give one of them a storage name of its own, as in get(\"NAME\", default:)"
        return PreferenceProblem(.nameClash, key: name, store: store.label, message: message)
    }
}
