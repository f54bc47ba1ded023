public import PreferencesRuntime

/// The stored properties of a Swift value, by their names, to be read.
///
/// ```swift
/// let theme = Theme(color: "red", age: 33, isEnabled: false)
/// let store = ReflectingStore(reflecting: theme)   // color, age and isEnabled
/// let live = ReflectingStore { model.theme }       // as they are at each read
/// ```
///
/// It reads what `Mirror` shows: of classes, inherited properties as well; of optionals, what they wrap, and nothing for nil.
/// Properties of types that are neither ``/PreferencesRuntime/PreferenceConvertible`` nor `Encodable` are left out.
public struct ReflectingStore: CapabilityDeclaringStore {
    /// What the store is called in problem reports.
    public let label: String
    /// Whether the value cannot change.
    public let notifiesAllChanges: Bool
    private let properties: @Sendable () -> [(name: String, value: Result<PreferenceValue?, any Error>)]

    /// Makes a store of a value, or an object, as it is now.
    ///
    /// - Parameters:
    ///   - subject: The value.
    ///   - label: What the store is called in problem reports; by default the value's type.
    @_disfavoredOverload  // A trailing closure is the other's, and not a value to be reflected.
    public init<Subject>(reflecting subject: Subject, label: String? = nil) {
        self.label = label ?? "\(type(of: subject))"
        let values = Self.properties(of: subject)
        properties = { values }
        notifiesAllChanges = true
    }

    /// Makes a store of what a closure gives at each read.
    ///
    /// - Parameters:
    ///   - label: What the store is called in problem reports; by default the value's type.
    ///   - subject: Gives the value, on whichever thread reads: an object that it gives is read there.
    public init<Subject>(label: String? = nil, _ subject: @escaping @Sendable () -> Subject) {
        self.label = label ?? "\(Subject.self)"
        properties = { Self.properties(of: subject()) }
        notifiesAllChanges = false
    }

    /// The value of the property of a name.
    ///
    /// - Throws: Where it cannot be encoded.
    public func value(for name: String) throws -> PreferenceValue? {
        try properties().first { $0.name == name }?.value.get()
    }

    /// The names of all properties that have a value.
    public func names() -> Set<String> {
        // One that cannot be encoded is there.
        Set(properties().filter { $0.value.isSomething }.map(\.name))
    }

    /// Those of a class come before those that it inherits.
    private static func properties(of subject: Any) -> [(name: String, value: Result<PreferenceValue?, any Error>)] {
        sequence(first: Mirror(reflecting: subject), next: \.superclassMirror).flatMap { mirror in
            mirror.children.compactMap { child in
                guard let label = child.label else { return nil }
                return unwrapped(child.value).map { value in (name(label), Result { try preferenceValue(of: value) }) }
            }
        }
    }

    private static func unwrapped(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional ? mirror.children.first.flatMap { unwrapped($0.value) } : value
    }

    /// Lazy properties are kept under names of their own.
    private static func name(_ label: String) -> String {
        String(label.trimmingPrefix("$__lazy_storage_$_"))
    }

    private static func preferenceValue(of value: Any) throws -> PreferenceValue? {
        if let convertible = value as? any PreferenceConvertible { return try convertible.preferenceValue() }
        return try (value as? any Encodable).map { try PreferenceValueEncoder().encode($0) }
    }

    /// Persistence.
    public var unsupportedCapabilities: PreferenceStoreCapabilities { .persistence }
}

extension Result<PreferenceValue?, any Error> {
    fileprivate var isSomething: Bool {
        if case .success(nil) = self { false } else { true }
    }
}
