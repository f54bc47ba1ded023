/// One key, as a value that can be passed around, and that says where it is.
///
/// It is a home of one accessor, ``value``, so that all that can be done with a key path can be done with it:
///
/// ```swift
/// let volume = PreferenceReference("volume", default: 50, in: preferences)
/// volume.value += 1
/// volume.watch(\.value) { print($0.new) }    // for as long as the reference is there
/// volume.reset(\.value)
/// try volume.update(\.value) { $0 *= 2 }
/// ```
///
/// ``Preference`` makes such of properties, and ``Preferences/functionLocal(_:default:function:fileID:)`` of what belongs to
/// one function.
public final class PreferenceReference<Value: Sendable>: PreferenceAccessors, Sendable {
    /// Where the key is.
    public let preferences: Preferences
    private let read: @Sendable (Preferences) -> Value
    private let write: @Sendable (Preferences, Value) -> Void

    /// The key's value, or its default. What cannot be set is reported through ``Preferences/problems``;
    /// ``PreferenceAccessors/set(_:to:)-(ReferenceWritableKeyPath<Self,Value>,_)`` throws it.
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

    /// A reference to a key that has an accessor.
    ///
    /// - Parameters:
    ///   - key: The key, from ``Preferences`` on: `\.weather.temperature`.
    ///   - preferences: Where it is: ``Preferences/shared``, by default.
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
    /// A reference to a key by its storage name.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: What is read while the key is not set, or is set to what cannot be read as this type. It is never
    ///     stored.
    ///   - traits: What the key's values must be, and where they are kept; none by default.
    ///   - preferences: Where it is: ``Preferences/shared``, by default.
    public convenience init(
        _ name: String,
        default: Value,
        _ traits: [PreferenceTrait<Value>] = [],
        in preferences: Preferences = .shared
    ) {
        let entry = PreferenceEntry(name, traits)
        // An optional that has another default must be able to hold nil.
        let keepsNil = ((`default` as? any OptionalValue)?.wrapped ?? nil) != nil
        self.init(preferences) { preferences in
            preferences.read(entry, violation: traits.violation) ?? `default`
        } write: { preferences, value in
            preferences.write(to: entry, value, violation: traits.violation, keepsNil: { keepsNil })
        }
    }
}

extension PreferenceReference {
    /// A reference to a key that is stored as something else, as ``PreferenceAccessors/get(_:default:through:)``.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: What is read while the key is not set, or is set to what no value can be made of. It is never stored.
    ///   - transformation: How values are made of what is stored.
    ///   - preferences: Where it is: ``Preferences/shared``, by default.
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
    /// A value that belongs to one function, and outlives its calls, and the program.
    ///
    /// ```swift
    /// func remind() {
    ///     let count = preferences.functionLocal(default: 0)
    ///     count.value += 1
    ///     if count.value.isMultiple(of: 10) { showReminder() }
    /// }
    /// ```
    ///
    /// It is stored under the name of the file and the function, `App/Reminders.swift:remind()`. Overloads of one name in
    /// one file, and methods of one name of two types in one file, share it, unless each gives its own `name`. A function
    /// that moves to another file, or has another name, begins anew.
    ///
    /// - Parameters:
    ///   - name: Tells it from others of the function; empty by default.
    ///   - default: What it is at first.
    ///   - function: The function, as `#function` has it.
    ///   - fileID: The file, as `#fileID` has it.
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
