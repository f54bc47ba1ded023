public import PreferencesRuntime
import Synchronization

/// A read-only store of the stored properties of a Swift value, under their names.
///
/// ```swift
/// let theme = Theme(color: "red", age: 33, isEnabled: false)
/// let store = ReflectingStore(reflecting: theme)   // color, age and isEnabled
/// let live = ReflectingStore { model.theme }       // the current values at each read
/// ```
///
/// A local `var` cannot be captured by the closure (`reference to captured var 'theme' in concurrently-executing code`):
/// declare it with ``Reflected``.
///
/// It has the properties that `Mirror` shows, including inherited ones of classes. Optional properties have the wrapped
/// value, and no value for nil. Properties of types that are neither ``/PreferencesRuntime/PreferenceConvertible`` nor
/// `Encodable` are left out.
public struct ReflectingStore: CapabilityDeclaringStore {
    /// The name of the store in problem reports.
    public let label: String
    /// Whether the value cannot change.
    public let notifiesAllChanges: Bool
    private let properties: @Sendable () -> [(name: String, value: Result<PreferenceValue?, any Error>)]

    /// Creates a store of the current properties of a value or an object.
    ///
    /// - Parameters:
    ///   - subject: The value.
    ///   - label: The name of the store in problem reports; by default the value's type.
    @_disfavoredOverload  // A trailing closure selects the other initializer, and is not reflected itself.
    public init<Subject>(reflecting subject: Subject, label: String? = nil) {
        self.label = label ?? "\(type(of: subject))"
        let values = Self.properties(of: subject)
        properties = { values }
        notifiesAllChanges = true
    }

    /// Creates a store of the value that a closure returns, at each read.
    ///
    /// - Parameters:
    ///   - label: The name of the store in problem reports; by default the value's type.
    ///   - subject: Returns the value. Called on any thread that reads, which also reads the properties of a returned
    ///     object.
    public init<Subject>(label: String? = nil, _ subject: @escaping @Sendable () -> Subject) {
        self.label = label ?? "\(Subject.self)"
        properties = { Self.properties(of: subject()) }
        notifiesAllChanges = false
    }

    /// Returns the value of a property; nil if there is none.
    ///
    /// - Throws: An error if the property cannot be encoded.
    public func value(for name: String) throws -> PreferenceValue? {
        try properties().first { $0.name == name }?.value.get()
    }

    /// Returns the names of all properties that have a value.
    public func names() -> Set<String> {
        // Including properties that cannot be encoded.
        Set(properties().filter { $0.value.isSomething }.map(\.name))
    }

    /// Returns the properties, those of a subclass first.
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

    /// Returns the name of a property. The storage of lazy properties has a prefix.
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

/// A variable whose stored properties are a store.
///
/// ```swift
/// @Reflected var theme = Theme(color: "red", age: 33, isEnabled: false)
/// let preferences = Preferences(store: $theme)
/// theme.age = 34
/// preferences.get(named: "age", default: 0)   //=> 34
/// ```
///
/// It can be a local variable, or a property of an instance, whose copies share the variable. The store is read-only, and
/// may be used on any thread, while another one changes the variable; `theme.age += 1` is a read and a write, between
/// which others may change it. Each read of the store returns the current value; watchers are notified after
/// ``/PreferencesRuntime/Preferences/reload()``.
@propertyWrapper
public struct Reflected<Subject: Sendable>: Sendable {
    private final class Variable: Sendable {
        let value: Mutex<Subject>

        init(_ value: Subject) {
            self.value = Mutex(value)
        }
    }

    private let variable: Variable

    /// The value of the variable.
    public var wrappedValue: Subject {
        get { variable.value.withLock { $0 } }
        nonmutating set {
            // The old value is released after the lock, since that may run code that uses the variable.
            let old = variable.value.withLock { value in
                defer { value = newValue }
                return value
            }
            withExtendedLifetime(old) {}
        }
    }

    /// The store of the current properties of the value.
    public let projectedValue: ReflectingStore

    /// Creates a variable.
    ///
    /// - Parameters:
    ///   - wrappedValue: The first value.
    ///   - label: The name of the store in problem reports; by default the value's type.
    public init(wrappedValue: Subject, label: String? = nil) {
        let variable = Variable(wrappedValue)
        self.variable = variable
        projectedValue = ReflectingStore(label: label) { variable.value.withLock { $0 } }
    }
}
