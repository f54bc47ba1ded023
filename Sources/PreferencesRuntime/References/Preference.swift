/// A key as a property of a type's values, or as a variable of a function.
///
/// ```swift
/// struct Player {
///     @Preference("volume", [.range(0...100)]) var volume = 50
///     @Preference("nickname") var nickname: String?
///     @Preference(\.weather.temperature) var temperature
///     @Preference("CFBundleName", store: BundleStore()) var appName = "Weather"
/// }
///
/// player.volume += 1
/// player.$volume.watch(\.value) { print($0.new) }
/// player.$volume.reset(\.value)
/// ```
///
/// Swift has no wrappers of global variables, and refuses those of static ones and of `Sendable` classes, as they are
/// variables: declare `static let volume = PreferenceReference("volume", default: 50)` there.
///
/// The value that a property is declared with is its default, which is never stored. The projection is a
/// ``PreferenceReference``: watchers that are registered on it end when the property is gone.
@propertyWrapper
public struct Preference<Value: Sendable>: Sendable {
    /// The key.
    public let projectedValue: PreferenceReference<Value>

    /// The key's value, or its default.
    public var wrappedValue: Value {
        get { projectedValue.value }
        nonmutating set { projectedValue.value = newValue }
    }

    /// A key that has an accessor.
    ///
    /// - Parameters:
    ///   - key: The key, from ``Preferences`` on.
    ///   - preferences: Where it is: ``Preferences/shared``, by default.
    public init(
        _ key: any ReferenceWritableKeyPath<Preferences, Value> & Sendable,
        in preferences: Preferences = .shared
    ) {
        projectedValue = PreferenceReference(key, in: preferences)
    }
}

extension Preference where Value: PreferenceConvertible {
    /// A key by its storage name.
    ///
    /// - Parameters:
    ///   - wrappedValue: The default.
    ///   - name: The key's storage name.
    ///   - traits: What the key's values must be, and where they are kept; none by default.
    ///   - preferences: Where it is: ``Preferences/shared``, by default.
    public init(
        wrappedValue: Value,
        _ name: String,
        _ traits: [PreferenceTrait<Value>] = [],
        in preferences: Preferences = .shared
    ) {
        projectedValue = PreferenceReference(name, default: wrappedValue, traits, in: preferences)
    }

    /// A key by its storage name, in a store.
    ///
    /// - Parameters:
    ///   - wrappedValue: The default.
    ///   - name: The key's storage name.
    ///   - traits: What the key's values must be; none by default.
    ///   - store: The store. Where several keys are in it, preferences that all are given spare some memory.
    public init(
        wrappedValue: Value,
        _ name: String,
        _ traits: [PreferenceTrait<Value>] = [],
        store: any PreferenceStore
    ) {
        self.init(wrappedValue: wrappedValue, name, traits, in: Preferences(store: store))
    }
}

extension Preference {
    /// A key by its storage name that is stored as something else.
    ///
    /// ```swift
    /// @Preference("disabled", through: .inverted) var isEnabled = true
    /// ```
    ///
    /// - Parameters:
    ///   - wrappedValue: The default, which does not pass through the transformation.
    ///   - name: The key's storage name.
    ///   - transformation: How values are made of what is stored.
    ///   - preferences: Where it is: ``Preferences/shared``, by default.
    public init<Stored: PreferenceConvertible>(
        wrappedValue: Value,
        _ name: String,
        through transformation: PreferenceTransformation<Stored, Value>,
        in preferences: Preferences = .shared
    ) {
        projectedValue = PreferenceReference(name, default: wrappedValue, through: transformation, in: preferences)
    }
}

extension Preference where Value: PreferenceConvertible & ExpressibleByNilLiteral {
    /// An optional key by its storage name, with the default nil.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: What the key's values must be, and where they are kept; none by default.
    ///   - preferences: Where it is: ``Preferences/shared``, by default.
    public init(
        _ name: String,
        _ traits: [PreferenceTrait<Value>] = [],
        in preferences: Preferences = .shared
    ) {
        self.init(wrappedValue: nil, name, traits, in: preferences)
    }

    /// An optional key by its storage name, in a store, with the default nil.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: What the key's values must be; none by default.
    ///   - store: The store.
    public init(_ name: String, _ traits: [PreferenceTrait<Value>] = [], store: any PreferenceStore) {
        self.init(wrappedValue: nil, name, traits, store: store)
    }
}
