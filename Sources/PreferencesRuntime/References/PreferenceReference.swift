/// A reference to one key, which can be passed around.
///
/// It conforms to ``PreferenceAccessors`` with one accessor, ``value``, so all operations on key paths are available:
///
/// ```swift
/// let volume = PreferenceReference("volume", default: 50, in: preferences)
/// volume.value += 1
/// volume.watch(\.value) { print($0.new) }    // for the lifetime of the reference
/// volume.reset(\.value)
/// try volume.update(\.value) { $0 *= 2 }
/// ```
///
/// ``Preference`` creates references for properties, and ``Preferences/functionLocal(_:default:function:fileID:)`` for
/// values that belong to one function.
public final class PreferenceReference<Value: Sendable>: PreferenceAccessors, Sendable {
    /// The preferences that contain the key.
    public let preferences: Preferences
    private let read: @Sendable (Preferences) -> Value
    private let write: @Sendable (Preferences, Value) -> Void

    /// The key's value, or its default. A failure to set it is reported through ``Preferences/problems``;
    /// ``PreferenceAccessors/set(_:to:)-(ReferenceWritableKeyPath<Self,Value>,_)`` throws it instead.
    public var value: Value {
        get { read(preferences) }
        set { write(preferences, newValue) }
    }

    private init(
        _ preferences: Preferences,
        read: @escaping @Sendable (Preferences) -> Value,
        write: @escaping @Sendable (Preferences, Value) -> Void
    ) {
        self.preferences = preferences
        self.read = read
        self.write = write
    }

    /// Creates a reference to a key that has an accessor.
    ///
    /// - Parameters:
    ///   - key: The key path from ``Preferences`` to the key's accessor: `\.weather.temperature`.
    ///   - preferences: The preferences that contain the key; ``Preferences/shared`` by default.
    public convenience init(
        _ key: any ReferenceWritableKeyPath<Preferences, Value> & Sendable,
        in preferences: Preferences = .shared
    ) {
        self.init(preferences) {
            $0[keyPath: key]
        } write: {
            $0[keyPath: key] = $1
        }
    }
}

extension PreferenceReference where Value: PreferenceConvertible {
    /// Creates a reference to a key with a storage name.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return while the key is not set, or if the stored value cannot be read as this type.
    ///     It is never stored.
    ///   - traits: The key's traits, such as constraints; none by default.
    ///   - preferences: The preferences that contain the key; ``Preferences/shared`` by default.
    public convenience init(
        _ name: String,
        default: Value,
        _ traits: [PreferenceTrait<Value>] = [],
        in preferences: Preferences = .shared
    ) {
        let entry = PreferenceEntry(name, traits)
        // An optional key whose default is not nil must be able to store nil.
        let keepsNil = ((`default` as? any OptionalValue)?.wrapped ?? nil) != nil
        self.init(preferences) { preferences in
            preferences.read(entry, violation: traits.violation) ?? `default`
        } write: { preferences, value in
            preferences.write(to: entry, value, violation: traits.violation, keepsNil: { keepsNil })
        }
    }
}

extension PreferenceReference {
    /// Creates a reference to a key that is stored in another representation. See
    /// ``PreferenceAccessors/get(_:default:through:)``.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return while the key is not set, or if the stored value cannot be transformed. It is
    ///     never stored.
    ///   - transformation: The transformation between the stored and the read values.
    ///   - preferences: The preferences that contain the key; ``Preferences/shared`` by default.
    public convenience init<Stored: PreferenceConvertible>(
        _ name: String,
        default: Value,
        through transformation: PreferenceTransformation<Stored, Value>,
        in preferences: Preferences = .shared
    ) {
        let entry = PreferenceEntry(name)
        self.init(preferences) { preferences in
            preferences.value(of: entry, storedAs: preferences.read(entry), default: `default`, through: transformation)
        } write: { preferences, value in
            preferences.write(value, to: entry, through: transformation) {
                preferences.write(to: entry, $0, violation: { _ in nil })
            }
        }
    }
}

extension Preferences {
    /// Returns a reference to a stored value that belongs to one function, and persists between its calls and runs of
    /// the program.
    ///
    /// ```swift
    /// func remind() {
    ///     let count = preferences.functionLocal(default: 0)
    ///     count.value += 1
    ///     if count.value.isMultiple(of: 10) { showReminder() }
    /// }
    /// ```
    ///
    /// It is stored under the name of the file and the function, `App/Reminders.swift:remind()`. Overloads in one file,
    /// and methods of the same name of two types in one file, share it, unless each passes its own `name`. A function
    /// that is renamed, or moves to another file, starts with the default again.
    ///
    /// - Parameters:
    ///   - name: Distinguishes several values of the function; empty by default.
    ///   - default: The initial value.
    ///   - function: The function, `#function` by default.
    ///   - fileID: The file, `#fileID` by default.
    public func functionLocal<Value: PreferenceConvertible>(
        _ name: String = "",
        default: Value,
        function: StaticString = #function,
        fileID: StaticString = #fileID
    ) -> PreferenceReference<Value> {
        let scope = "\(fileID):\(function)"
        return PreferenceReference(name.isEmpty ? scope : "\(scope):\(name)", default: `default`, in: self)
    }
}
