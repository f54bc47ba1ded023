public import Dispatch
import PreferencesJSON
public import PreferencesRuntime

/// A reference to a key whose type is known at run time only, such as one for a settings form or an administrator's tool.
///
/// It reads, checks and sets values as the generated accessor of the key does, with the key's type, constraints, former
/// names and secrecy:
///
/// ```swift
/// let unit = preferences.reference(to: Preferences.Weather.catalogue[0])
/// unit.value                                 //=> "celsius"
/// try unit.set("fahrenheit")
/// try unit.set(text: "farenheit")            // throws: "farenheit" must be one of celsius, fahrenheit; did you mean …
/// let watcher = unit.watch(on: .main) { print($0.new as Any) }
/// ```
///
/// Values are as they would be stored. Hooks that the key's accessor has are run if the accessor was used before, or
/// after `addHooks(of:)`.
public struct AnyPreferenceReference: Sendable {
    /// The description of the key.
    public let key: PreferenceKeyDescription
    /// The preferences that contain the key.
    public let preferences: Preferences
    let typed: any TypedKey

    fileprivate init(key: PreferenceKeyDescription, preferences: Preferences, typed: any TypedKey) {
        self.key = key
        self.preferences = preferences
        self.typed = typed
    }

    /// The value of the key, or its default; nil if the key is not set and its default is an expression that the program
    /// does not have.
    public var value: PreferenceValue? { typed.value }

    /// The default of the key; nil if it is an expression that the program does not have.
    public var defaultValue: PreferenceValue? { key.defaultValue.value(in: preferences) }

    /// Whether the key is set, even if it is set to its default or to a value that cannot be read.
    public var isSet: Bool { typed.isSet }

    /// Whether an administrator has fixed the value, so that it cannot be set or reset. Only a key that is
    /// ``PreferenceKeyDescription/isManageable`` can be fixed.
    public var isManaged: Bool { key.isManageable && typed.isManaged }

    /// The policy that fixes the value: the path of a file or of a lock list, or the label of a store; nil if there is
    /// none.
    public var managedBy: String? { managedValue?.policy }

    /// The fixed value; nil if the key is not fixed.
    var managedValue: ManagedValue? {
        guard isManaged else { return nil }
        return (preferences.store as? any ManageableStore)?.managedValue(of: key.storageName)
    }

    /// The source of the value, and the problems of stored values that could not be used.
    public var resolution: PreferenceResolution { typed.resolution }

    /// Sets the key.
    ///
    /// - Parameter value: The value, as it would be stored; ``/PreferencesRuntime/PreferenceValue/null`` sets an
    ///   optional key to nil.
    /// - Throws: A problem, and nothing is changed: ``/PreferencesRuntime/PreferenceProblem/Code/typeMismatch`` if the
    ///   value is not of the key's type; ``/PreferencesRuntime/PreferenceProblem/Code/managed`` if an administrator has
    ///   fixed it; otherwise as the generated accessor's `set(_:to:)`.
    public func set(_ value: PreferenceValue) throws(PreferenceProblem) {
        try typed.set(value)
    }

    /// Sets the key to a value that someone has typed.
    ///
    /// `21.5`, `yes`, `2026-11-28T08:00:00Z`, `1h30m`, base64 for data, `Oslo,Bergen` for a list, `a=1,b=2` for a
    /// dictionary, the stored value or else the name of an enum's case, and JSON for any type are read. A string in
    /// quotes is JSON. `null` is nil if the key is optional, as is an empty text for numbers, Booleans, dates, durations
    /// and UUIDs.
    ///
    /// - Parameter text: The text.
    /// - Throws: As ``set(_:)``, and if a struct has no such field. The problem of a misspelled enum case or field names the
    ///   nearest one.
    public func set(text: String) throws(PreferenceProblem) {
        try typed.set(text: text)
    }

    /// Checks a value that someone has typed, as ``set(text:)`` reads it, without setting the key.
    ///
    /// - Parameter text: The text.
    /// - Returns: The value, as it would be stored.
    /// - Throws: As ``set(text:)``, except for the problems of hooks and stores.
    public func value(text: String) throws(PreferenceProblem) -> PreferenceValue {
        try typed.value(text: text)
    }

    /// Resets the key, so that it reads as its default.
    ///
    /// - Throws: The problem of the commit; nothing is changed.
    public func reset() throws(PreferenceProblem) {
        try typed.reset()
    }

    /// Calls a body on a queue after each change of the key, also by other processes.
    ///
    /// - Parameters:
    ///   - options: Which changes and values the body receives; by default, each change with its new value.
    ///   - queue: The queue on which the body runs. Calls do not overlap, even on a concurrent queue.
    ///   - body: Receives the change. Its values are nil as ``value`` is.
    /// - Returns: The watcher. It ends when it is cancelled or released, so retain it.
    public func watch(
        options: PreferenceWatchOptions = .new,
        on queue: DispatchQueue,
        _ body: @escaping @Sendable (PreferenceChange<PreferenceValue?>) -> Void
    ) -> AnyPreferenceWatcher {
        AnyPreferenceWatcher(reference: self, watcher: typed.watch(options: options, on: queue, body))
    }
}

/// A watcher of an ``AnyPreferenceReference``. It ends when it is cancelled or released.
public final class AnyPreferenceWatcher: Sendable {
    /// The reference, whose release would end the watcher.
    private let reference: AnyPreferenceReference
    private let watcher: PreferenceWatcher

    fileprivate init(reference: AnyPreferenceReference, watcher: PreferenceWatcher) {
        self.reference = reference
        self.watcher = watcher
    }

    /// Ends the watcher. The body does not start again.
    public func cancel() { watcher.cancel() }

    deinit { watcher.cancel() }
}

extension Preferences {
    /// Returns a reference to the key that a description describes.
    ///
    /// It also declares the key, if an administrator can fix it or several machines share it.
    ///
    /// - Parameter key: The description.
    public func reference(to key: PreferenceKeyDescription) -> AnyPreferenceReference {
        if key.isManageable, !key.isSecret {
            (store as? any ManageableStore)?.declareManaged(key.storageName, formerNames: key.formerNames)
        }
        if !key.isSecret {
            declareShared(
                key.storageName,
                formerNames: key.formerNames,
                scope: key.scope,
                mergeRule: key.mergeRule
            )
        }
        func reference<Value: PreferenceConvertible>(_ type: Value.Type) -> AnyPreferenceReference {
            AnyPreferenceReference(key: key, preferences: self, typed: key.typed(type, in: self))
        }
        return reference(key.type.valueType)
    }
}

// MARK: - Typed references

/// A reference to a key of a certain type.
protocol TypedKey: Sendable {
    var value: PreferenceValue? { get }
    var isSet: Bool { get }
    var isManaged: Bool { get }
    var resolution: PreferenceResolution { get }

    func set(_ value: PreferenceValue) throws(PreferenceProblem)
    func set(text: String) throws(PreferenceProblem)
    /// Returns a value as it would be stored, or throws its problem.
    func validated(_ value: PreferenceValue) throws(PreferenceProblem) -> PreferenceValue
    func value(text: String) throws(PreferenceProblem) -> PreferenceValue
    func reset() throws(PreferenceProblem)
    func watch(
        options: PreferenceWatchOptions,
        on queue: DispatchQueue,
        _ body: @escaping @Sendable (PreferenceChange<PreferenceValue?>) -> Void
    ) -> PreferenceWatcher
    /// Returns a value of a store as the key reads it; a value that it cannot read, as it is stored.
    func converted(_ value: PreferenceValue, of name: String, in store: any PreferenceStore) -> PreferenceValue
}

extension PreferenceKeyDescription {
    /// Returns a reference to the key.
    ///
    /// - Parameter type: The type of its values.
    fileprivate func typed<Value: PreferenceConvertible>(
        _: Value.Type,
        in preferences: Preferences
    ) -> any TypedKey {
        UncompiledValue.with(type) { () -> any TypedKey in
            let traits = type.traits(constraints, for: Value.self)
            if let initial: Value = currentDefault(in: preferences) {
                let accessor = KeyAccessor(type, preferences) {
                    preferences.reference(
                        storageName,
                        default: currentDefault(in: preferences) ?? initial,
                        traits + storageTraits()
                    )
                }
                return TypedReference(key: self, traits: traits, accessor: accessor, unwrap: { $0 }, wrap: { $0 })
            }
            // The default is unknown, so that nil stands for it.
            let accessor = KeyAccessor(type, preferences) {
                preferences.reference(
                    storageName,
                    default: nil as Value?,
                    traits.map { .unlessNil($0) } + storageTraits()
                )
            }
            return TypedReference(key: self, traits: traits, accessor: accessor, unwrap: { $0 }, wrap: { $0 })
        }
    }

    private func currentDefault<Value: PreferenceConvertible>(in preferences: Preferences) -> Value? {
        defaultValue.value(in: preferences).flatMap { try? Value(preferenceValue: $0) }
    }

    /// Returns the traits for the place of the key's values.
    fileprivate func storageTraits<Value>() -> [PreferenceTrait<Value>] {
        var traits = formerNames.map { PreferenceTrait<Value>.renamed(from: $0) }
        if isSecret { traits.append(.secret) }
        if isManageable { traits.append(.managed) }
        if scope != .machine { traits.append(.shared(scope, merging: mergeRule)) }
        return traits
    }
}

/// An accessor of a key. Its conversions run with the key's type, and its default is evaluated at each use.
private final class KeyAccessor<Stored: PreferenceConvertible>: PreferenceAccessors, Sendable {
    let preferences: Preferences
    private let type: PreferenceType
    private let makeReference: @Sendable () -> PreferenceReference<Stored>

    init(
        _ type: PreferenceType,
        _ preferences: Preferences,
        _ makeReference: @escaping @Sendable () -> PreferenceReference<Stored>
    ) {
        (self.type, self.preferences, self.makeReference) = (type, preferences, makeReference)
    }

    var value: Stored {
        get { UncompiledValue.with(type) { makeReference().value } }
        set { UncompiledValue.with(type) { makeReference().value = newValue } }
    }
}

/// A stored nil, of a key whose default is unknown: nil itself would reset the key.
private struct StoredNil: PreferenceConvertible {
    init() {}
    init(preferenceValue: PreferenceValue) {}
    func preferenceValue() -> PreferenceValue { .null }
}

/// A reference to a key with values of a type. `Stored` is that type or, if the default is unknown, its optional.
private struct TypedReference<Value: PreferenceConvertible, Stored: PreferenceConvertible>: TypedKey {
    let key: PreferenceKeyDescription
    let traits: [PreferenceTrait<Value>]
    let accessor: KeyAccessor<Stored>
    let unwrap: @Sendable (Stored) -> Value?
    let wrap: @Sendable (Value) -> Stored

    private var preferences: Preferences { accessor.preferences }

    var value: PreferenceValue? {
        if let value = encoded(accessor.value) { return value }
        // The default is unknown, and nil may be stored.
        guard key.type.isOptional, !resolution.isDefault else { return nil }
        return .null
    }

    var isSet: Bool { accessor.isSet(\.value) }

    var isManaged: Bool { accessor.isManaged(\.value) }

    var resolution: PreferenceResolution { accessor.resolution(of: \.value) }

    func set(_ value: PreferenceValue) throws(PreferenceProblem) {
        try set(decoded(value))
    }

    func set(text: String) throws(PreferenceProblem) {
        try set(decoded(text: text))
    }

    private func set(_ value: Value) throws(PreferenceProblem) {
        if Value.self != Stored.self, (try? value.preferenceValue()) == .null {
            try preferences.reference(key.storageName, default: StoredNil(), key.storageTraits()).set(StoredNil())
        } else {
            try accessor.set(\.value, to: wrap(value))
        }
    }

    func validated(_ value: PreferenceValue) throws(PreferenceProblem) -> PreferenceValue {
        try validated(decoded(value, isTyped: true))
    }

    func value(text: String) throws(PreferenceProblem) -> PreferenceValue {
        try validated(decoded(text: text))
    }

    private func validated(_ value: Value) throws(PreferenceProblem) -> PreferenceValue {
        if let message = traits.violationMessage(by: value, isSecret: key.isSecret) {
            throw problem(.constraintViolation, message)
        }
        do {
            return try value.preferenceValue()
        } catch {
            throw problem(.unencodable, key.isSecret ? "it cannot be encoded" : "\(ErrorText(error))")
        }
    }

    func reset() throws(PreferenceProblem) {
        do {
            // Outside of a transaction, a failure would be reported.
            try preferences.transaction { _ in accessor.reset(\.value) }
        } catch {
            throw error as? PreferenceProblem ?? problem(.storeUnwritable, "\(ErrorText(error))")
        }
    }

    func watch(
        options: PreferenceWatchOptions,
        on queue: DispatchQueue,
        _ body: @escaping @Sendable (PreferenceChange<PreferenceValue?>) -> Void
    ) -> PreferenceWatcher {
        accessor.watch(\.value, options: options, on: queue) { change in
            body(
                PreferenceChange(
                    old: change.old.map { encoded($0) },
                    new: encoded(change.new),
                    origin: change.origin
                )
            )
        }
    }

    func converted(_ value: PreferenceValue, of name: String, in store: any PreferenceStore) -> PreferenceValue {
        let converted = try? UncompiledValue.with(key.type) {
            try store.read(value, of: name, as: Value.self).preferenceValue()
        }
        return converted ?? value
    }

    private func encoded(_ value: Stored) -> PreferenceValue? {
        unwrap(value).flatMap { try? $0.preferenceValue() }
    }

    /// - Parameter isTyped: Whether someone has typed the value, and may have misspelled the name of an enum's case.
    private func decoded(_ value: PreferenceValue, isTyped: Bool = false) throws(PreferenceProblem) -> Value {
        do {
            return try UncompiledValue.with(key.type) { try Value(preferenceValue: value) }
        } catch {
            let message = isTyped ? key.type.message(aboutTyped: error) : "\(ErrorText(error))"
            throw problem(.typeMismatch, key.isSecret ? "expected \(key.type)" : message)
        }
    }

    private func decoded(text: String) throws(PreferenceProblem) -> Value {
        if key.type.isOptional, text == "null" || text.isEmpty && !key.type.unwrapped.hasEmptyText {
            return try decoded(.null)
        }
        let json = text
        let text = text.unquoted
        // Stored values may have fields of later versions of the program. In a typed one, they are mistakes, which a
        // generated struct would leave out.
        if case .structure = key.type.innermost, let value = PreferenceValue(jsonText: text),
            let message = key.type.messagesAboutUnknownFields(in: value).first
        {
            throw problem(.typeMismatch, key.isSecret ? "expected \(key.type)" : message)
        }
        switch key.type.unwrapped {
        case .external(_, nil):
            // The program does not know how the type is stored.
            return try decoded(PreferenceValue(jsonText: json) ?? .string(json))
        case .enumeration(let type):
            if let enumCase = type.enumCase(text) { return try decoded(enumCase.rawValue) }
            if let value = try? UncompiledValue.with(key.type, { try Value(text: text) }) { return value }
            throw problem(.typeMismatch, key.isSecret ? "expected \(key.type)" : type.message(about: text))
        default: break
        }
        do {
            return try UncompiledValue.with(key.type) { try Value(text: text) }
        } catch {
            // The fault in a part of JSON says more than that a string was found.
            switch PreferenceValue(jsonText: text) {
            case .array(let parts)?: return try decoded(key.type.storedValue(.array(parts)), isTyped: true)
            case .dictionary(let parts)?: return try decoded(key.type.storedValue(.dictionary(parts)), isTyped: true)
            default: break
            }
            // A list of the names of cases of an enum with integers.
            if let parts = key.type.namedParts(of: text) {
                return try decoded(key.type.storedValue(parts), isTyped: true)
            }
            throw problem(.typeMismatch, key.isSecret ? "expected \(key.type)" : key.type.message(aboutTyped: error))
        }
    }

    private func problem(_ code: PreferenceProblem.Code, _ message: String) -> PreferenceProblem {
        let store = (key.isSecret ? preferences.secrets : nil) ?? preferences.store
        return PreferenceProblem(code, key: key.storageName, store: store.destinationLabel, message: message)
    }
}

// MARK: - Texts

extension PreferenceType {
    /// Returns the message about a typed value that cannot be converted. About an enum, it names the nearest case.
    fileprivate func message(aboutTyped error: any Error) -> String {
        guard case .enumeration(let type) = innermost, let error = error as? PreferenceConversionError,
            case .string(let text) = error.found, error.path.isEmpty == unwrapped.isEnumeration
        else { return "\(ErrorText(error))" }
        let place = error.path.trimmingPrefix(".")
        return (place.isEmpty ? "" : "at '\(place)': ") + type.message(about: text)
    }

    /// Whether an empty text can be that of a value.
    fileprivate var hasEmptyText: Bool {
        switch self {
        case .bool, .integer, .float, .double, .date, .uuid, .duration: false
        default: true
        }
    }

    private var isEnumeration: Bool { if case .enumeration = self { true } else { false } }

    /// Returns the elements or entries of a text for a collection of an enum's cases, as strings; nil for other types.
    fileprivate func namedParts(of text: String) -> PreferenceValue? {
        guard case .enumeration = innermost else { return nil }
        switch unwrapped {
        case .array, .set: return (try? [String](text: text)).map { .array($0.map(PreferenceValue.string)) }
        case .dictionary:
            return (try? [String: String](text: text)).map { .dictionary($0.mapValues(PreferenceValue.string)) }
        default: return nil
        }
    }
}

extension PreferenceType.Enumeration {
    /// Returns the message about a text that is no case.
    fileprivate func message(about text: String) -> String {
        var suggestions = Suggestions()
        let names = Set(cases.flatMap { [$0.rawText, $0.name] })
        let nearest = suggestions.nearest(to: text, among: names.sorted()).map { "; did you mean '\($0)'?" } ?? ""
        // Names say more than integers to someone who has typed neither.
        let error = Int(text) == nil ? errorWithNames(about: text) : error(about: .string(text), isOfTheirType: true)
        return "\(error)\(nearest)"
    }
}

extension PreferenceType {
    /// Returns a message about each field in a value that its struct does not have.
    ///
    /// - Parameter path: The position of the value in the key's value.
    package func messagesAboutUnknownFields(in value: PreferenceValue, at path: String = "") -> [String] {
        switch (self, value) {
        case (.optional(let wrapped), _): wrapped.messagesAboutUnknownFields(in: value, at: path)
        case (.array(let part), .array(let values)), (.set(let part), .array(let values)):
            values.enumerated().flatMap { part.messagesAboutUnknownFields(in: $1, at: "\(path)[\($0)]") }
        case (.dictionary(let part), .dictionary(let values)):
            values.sorted { $0.key < $1.key }.flatMap {
                part.messagesAboutUnknownFields(in: $0.value, at: "\(path).\($0.key)")
            }
        case (.structure(let type), .dictionary(let values)):
            values.sorted { $0.key < $1.key }.flatMap { name, value in
                if let field = type.fields.first(where: { $0.id == name }) {
                    return field.type.messagesAboutUnknownFields(in: value, at: "\(path).\(name)")
                }
                let message = type.message(aboutUnknownField: name)
                return [path.isEmpty ? message : "at '\(path.trimmingPrefix("."))': \(message)"]
            }
        default: []
        }
    }
}

extension PreferenceType.Structure {
    fileprivate func message(aboutUnknownField name: String) -> String {
        let ids = fields.map(\.id)
        var suggestions = Suggestions()
        let nearest = fields.first { $0.name == name }?.id ?? suggestions.nearest(to: name, among: ids)
        let list = ids.map { "'\($0)'" }.joined(separator: ", ")
        let known = "its \(ids.count == 1 ? "only field is" : "fields are") \(list)"
        let advice = nearest.map { "did you mean '\($0)'?" } ?? known
        return "'\(self.name)' has no field '\(name)'; \(advice)"
    }
}

extension String {
    /// The string that a JSON string in quotes represents; any other text as it is.
    fileprivate var unquoted: String {
        guard hasPrefix("\""), case .string(let text)? = PreferenceValue(jsonText: self) else { return self }
        return text
    }
}
