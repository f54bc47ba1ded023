/// The functions that generated accessors call, with the accessors' object as their first argument.
///
/// They are not members of ``PreferenceAccessors``, where completion would offer them. Overloads differ in their
/// argument labels, so that type checking is fast. Functions for keys without traits take the name in one register,
/// except for constant defaults, and for frequent types they are not generic over the value. `Performance.md` has the
/// cost.
///
/// Values are cached by the literal of the name, the type and, for accessors with traits or constant defaults, the
/// file. Accessors in one file that have the same name and type must therefore have the same default and traits.
public enum _Accessor {
    /// Returns the value of a key of any type, or its default.
    @inlinable
    @inline(never)
    public static func get<Value: PreferenceConvertible>(
        _ owner: some PreferenceAccessors,
        _ name: _StorageName,
        default: consuming Value
    ) -> Value {
        fetch(owner, name, `default`)
    }

    /// Returns the value of an optional key, or its default.
    ///
    /// Given a default that is not optional itself, `get(_:_:default:)` would infer its type as the key's, and could
    /// not read a stored nil.
    @inlinable
    @inline(never)
    public static func getOptional<Value: PreferenceConvertible>(
        _ owner: some PreferenceAccessors,
        _ name: _StorageName,
        default: consuming Value?
    ) -> Value? {
        fetch(owner, name, `default`)
    }

    /// Returns the value of a key, or its default, which is evaluated at each read that returns it.
    @inlinable
    @inline(never)
    public static func getComputed<Value: PreferenceConvertible>(
        _ owner: some PreferenceAccessors,
        _ name: _StorageName,
        default: @autoclosure () -> Value
    ) -> Value {
        let preferences = owner.preferences
        return preferences.fetch(CellKey(storageName: name), default: { preferences.computedDefault(`default`) }) {
            $0.find(name, $1, default: { preferences.computedDefault(`default`) })
        }
    }

    /// Returns the value of a key, or its default, which is expensive to make and therefore cached.
    @inlinable
    @inline(never)
    public static func getConstant<Value: PreferenceConvertible>(
        _ owner: some PreferenceAccessors,
        _ name: StaticString,
        default: @autoclosure () -> Value,
        fileID: StaticString = #fileID
    ) -> Value {
        owner.preferences.fetch(CellKey(name, in: fileID, hasTraits: false), default: `default`) {
            $0.find(name, $1, default: `default`, isConstant: true)
        }
    }

    // Not specialized, because the slow paths for each frequent type would add 45 KB to every program.
    /// Sets a key of any type. Nil resets it.
    @_semantics("optimize.sil.specialize.generic.never")
    public static func set<Value: PreferenceConvertible>(
        _ owner: some PreferenceAccessors,
        _ name: _StorageName,
        to value: consuming Value
    ) {
        owner.preferences.write(CellKey(storageName: name), PreferenceEntry(String(storageName: name)), value) { _ in
            nil
        }
    }

    /// Sets an optional key whose default is not nil, by storing nil as ``PreferenceValue/null``.
    public static func setOptional<Value: PreferenceConvertible>(
        _ owner: some PreferenceAccessors,
        _ name: _StorageName,
        to value: Value?,
        default: @autoclosure () -> Value?
    ) {
        owner.preferences.write(
            CellKey(storageName: name),
            PreferenceEntry(String(storageName: name)),
            value,
            violation: { _ in nil },
            keepsNil: { `default`() != nil }
        )
    }

    @inlinable
    @inline(__always)
    static func fetch<Value: PreferenceConvertible>(
        _ owner: some PreferenceAccessors,
        _ name: _StorageName,
        _ fallback: Value
    ) -> Value {
        owner.preferences.fetch(CellKey(storageName: name), default: { fallback }) {
            $0.find(name, $1, default: { fallback })
        }
    }
}

/// Keys that have traits.
extension _Accessor {
    /// Returns the value of a key of any type, or its default.
    @inlinable
    @inline(never)
    public static func get<Value: PreferenceConvertible>(
        _ owner: some PreferenceAccessors,
        _ name: StaticString,
        default: consuming Value,
        traits: @autoclosure () -> [PreferenceTrait<Value>],
        fileID: StaticString = #fileID
    ) -> Value {
        let fallback = `default`
        return owner.preferences.fetch(CellKey(name, in: fileID, hasTraits: true), default: { fallback }) {
            $0.find(name, $1, traits, default: { fallback })
        }
    }

    /// Returns the value of an optional key, or its default.
    @inlinable
    @inline(never)
    public static func getOptional<Value: PreferenceConvertible>(
        _ owner: some PreferenceAccessors,
        _ name: StaticString,
        default: consuming Value?,
        traits: @autoclosure () -> [PreferenceTrait<Value?>],
        fileID: StaticString = #fileID
    ) -> Value? {
        get(owner, name, default: `default`, traits: traits(), fileID: fileID)
    }

    /// Returns the value of a key, or its default, which is evaluated at each read that returns it.
    @inlinable
    @inline(never)
    public static func getComputed<Value: PreferenceConvertible>(
        _ owner: some PreferenceAccessors,
        _ name: StaticString,
        default: @autoclosure () -> Value,
        traits: @autoclosure () -> [PreferenceTrait<Value>],
        fileID: StaticString = #fileID
    ) -> Value {
        let preferences = owner.preferences
        let key = CellKey(name, in: fileID, hasTraits: true)
        return preferences.fetch(key, default: { preferences.computedDefault(`default`) }) {
            $0.find(name, $1, traits, default: { preferences.computedDefault(`default`) })
        }
    }

    /// Returns the value of a key, or its default, which is expensive to make and therefore cached.
    @inlinable
    @inline(never)
    public static func getConstant<Value: PreferenceConvertible>(
        _ owner: some PreferenceAccessors,
        _ name: StaticString,
        default: @autoclosure () -> Value,
        traits: @autoclosure () -> [PreferenceTrait<Value>],
        fileID: StaticString = #fileID
    ) -> Value {
        owner.preferences.fetch(CellKey(name, in: fileID, hasTraits: true), default: `default`) {
            $0.find(name, $1, traits, default: `default`, isConstant: true)
        }
    }

    /// Sets a key. Nil resets it.
    public static func set<Value: PreferenceConvertible>(
        _ owner: some PreferenceAccessors,
        _ name: StaticString,
        to value: consuming Value,
        traits: @autoclosure () -> [PreferenceTrait<Value>],
        fileID: StaticString = #fileID
    ) {
        let (preferences, traits) = (owner.preferences, traits())
        preferences.write(
            CellKey(name, in: fileID, hasTraits: true),
            preferences.entry(String(literal: name), traits),
            traits.processed(value),
            violation: traits.violation
        )
    }

    /// Sets an optional key whose default is not nil, by storing nil as ``PreferenceValue/null``.
    public static func setOptional<Value: PreferenceConvertible>(
        _ owner: some PreferenceAccessors,
        _ name: StaticString,
        to value: Value?,
        default: @autoclosure () -> Value?,
        traits: @autoclosure () -> [PreferenceTrait<Value?>],
        fileID: StaticString = #fileID
    ) {
        let (preferences, traits) = (owner.preferences, traits())
        preferences.write(
            CellKey(name, in: fileID, hasTraits: true),
            preferences.entry(String(literal: name), traits),
            traits.processed(value),
            violation: traits.violation,
            keepsNil: { `default`() != nil }
        )
    }
}

/// Keys of types that are `Codable` but not ``PreferenceConvertible``.
extension _Accessor {
    /// Returns the value of a key, or its default, which is evaluated at each read that returns it.
    @inlinable
    @inline(never)
    public static func getCodable<Value: Codable & Sendable>(
        _ owner: some PreferenceAccessors,
        _ name: StaticString,
        default: @autoclosure () -> Value,
        traits: @autoclosure () -> [PreferenceTrait<Value>] = [],
        fileID: StaticString = #fileID
    ) -> Value {
        let preferences = owner.preferences
        let key = CellKey(name, in: fileID, hasTraits: true)
        return preferences.fetch(codable: key, default: { preferences.computedDefault(`default`) }) {
            $0.find(codable: name, $1, traits, default: { preferences.computedDefault(`default`) })
        }
    }

    /// Returns the value of a key, or its default, which is expensive to make and therefore cached.
    @inlinable
    @inline(never)
    public static func getCodableConstant<Value: Codable & Sendable>(
        _ owner: some PreferenceAccessors,
        _ name: StaticString,
        default: @autoclosure () -> Value,
        traits: @autoclosure () -> [PreferenceTrait<Value>] = [],
        fileID: StaticString = #fileID
    ) -> Value {
        owner.preferences.fetch(codable: CellKey(name, in: fileID, hasTraits: true), default: `default`) {
            $0.find(codable: name, $1, traits, default: `default`, isConstant: true)
        }
    }

    /// Sets a key. Nil resets it.
    public static func setCodable<Value: Codable & Sendable>(
        _ owner: some PreferenceAccessors,
        _ name: StaticString,
        to value: Value,
        traits: @autoclosure () -> [PreferenceTrait<Value>] = [],
        fileID: StaticString = #fileID
    ) {
        let (preferences, traits) = (owner.preferences, traits())
        preferences.write(
            CellKey(name, in: fileID, hasTraits: true),
            preferences.entry(codable: String(literal: name), traits),
            CodedValue(value: traits.processed(value)),
            violation: { traits.violation(by: $0.value) }
        )
    }

    /// Sets an optional key whose default is not nil, by storing nil as ``PreferenceValue/null``.
    public static func setOptionalCodable<Value: Codable & Sendable>(
        _ owner: some PreferenceAccessors,
        _ name: StaticString,
        to value: Value?,
        default: @autoclosure () -> Value?,
        traits: @autoclosure () -> [PreferenceTrait<Value?>] = [],
        fileID: StaticString = #fileID
    ) {
        let (preferences, traits) = (owner.preferences, traits())
        preferences.write(
            CellKey(name, in: fileID, hasTraits: true),
            preferences.entry(codable: String(literal: name), traits),
            CodedValue(value: traits.processed(value)),
            violation: { traits.violation(by: $0.value) },
            keepsNil: { `default`() != nil }
        )
    }
}

/// Keys of frequent types, without traits.
extension _Accessor {
    /// Returns the value of a `Bool` key, or its default.
    @inlinable
    @inline(never)
    public static func getBool(_ owner: some PreferenceAccessors, _ name: _StorageName, default: Bool) -> Bool {
        fetch(owner, name, `default`)
    }

    /// Sets a `Bool` key.
    public static func setBool(_ owner: some PreferenceAccessors, _ name: _StorageName, to value: Bool) {
        set(owner, name, to: value)
    }

    /// Returns the value of an `Int` key, or its default.
    @inlinable
    @inline(never)
    public static func getInt(_ owner: some PreferenceAccessors, _ name: _StorageName, default: Int) -> Int {
        fetch(owner, name, `default`)
    }

    /// Sets an `Int` key.
    public static func setInt(_ owner: some PreferenceAccessors, _ name: _StorageName, to value: Int) {
        set(owner, name, to: value)
    }

    /// Returns the value of a `Double` key, or its default.
    @inlinable
    @inline(never)
    public static func getDouble(_ owner: some PreferenceAccessors, _ name: _StorageName, default: Double) -> Double {
        fetch(owner, name, `default`)
    }

    /// Sets a `Double` key.
    public static func setDouble(_ owner: some PreferenceAccessors, _ name: _StorageName, to value: Double) {
        set(owner, name, to: value)
    }

    /// Returns the value of a `String` key, or its default.
    @inlinable
    @inline(never)
    public static func getString(_ owner: some PreferenceAccessors, _ name: _StorageName, default: String) -> String {
        owner.preferences.string(name, default: `default`)
    }

    /// Sets a `String` key.
    public static func setString(
        _ owner: some PreferenceAccessors,
        _ name: _StorageName,
        to value: consuming String
    ) { set(owner, name, to: value) }

    /// Returns the value of a `[String]` key, or its default.
    @inlinable
    @inline(never)
    public static func getStrings(
        _ owner: some PreferenceAccessors,
        _ name: _StorageName,
        default: consuming [String]
    ) -> [String] { fetch(owner, name, `default`) }

    /// Sets a `[String]` key.
    public static func setStrings(
        _ owner: some PreferenceAccessors,
        _ name: _StorageName,
        to value: consuming [String]
    ) { set(owner, name, to: value) }

    /// Returns the value of an `Int?` key, or its default.
    @inlinable
    @inline(never)
    public static func getOptionalInt(_ owner: some PreferenceAccessors, _ name: _StorageName, default: Int?)
        -> Int?
    { fetch(owner, name, `default`) }

    /// Sets an `Int?` key. Nil resets it.
    public static func setOptionalInt(_ owner: some PreferenceAccessors, _ name: _StorageName, to value: Int?) {
        set(owner, name, to: value)
    }

    /// Returns the value of a `String?` key, or its default.
    @inlinable
    @inline(never)
    public static func getOptionalString(
        _ owner: some PreferenceAccessors,
        _ name: _StorageName,
        default: String?
    ) -> String? {
        owner.preferences.optionalString(name, default: `default`)
    }

    /// Sets a `String?` key. Nil resets it.
    public static func setOptionalString(
        _ owner: some PreferenceAccessors,
        _ name: _StorageName,
        to value: consuming String?
    ) { set(owner, name, to: value) }
}

extension Preferences {
    /// Returns the value of a `String` key, or its default.
    ///
    /// It is not inlined because a switch over the cached value in the accessors' module would retain these
    /// preferences.
    @usableFromInline
    func string(_ name: _StorageName, default: String) -> String {
        let key = CellKey(storageName: name)
        switch cachedText(key, ObjectIdentifier(String.self)) {
        case .value(let text?): return text
        case .value(nil), .unset: return `default`
        case .uncached: return find(name, key, default: { `default` }) ?? `default`
        }
    }

    /// Returns the value of a `String?` key, or its default.
    @usableFromInline
    func optionalString(_ name: _StorageName, default: String?) -> String? {
        let key = CellKey(storageName: name)
        switch cachedText(key, ObjectIdentifier(String?.self)) {
        case .value(let text): return text
        case .unset: return `default`
        case .uncached:
            // `??` would make the compiler read the key as a `String`.
            let text: String?? = find(name, key, default: { `default` })
            return if let text { text } else { `default` }
        }
    }
}

/// A storage name that is a literal, passed in one register.
@frozen
public struct _StorageName: ExpressibleByStringLiteral {
    /// The UTF-8 bytes, followed by a zero.
    @usableFromInline let start: UnsafePointer<UInt8>

    /// Creates a reference to a literal, which must not contain a zero.
    @_transparent
    public init(stringLiteral literal: StaticString) {
        start = literal.utf8Start
    }
}

/// The marker that generated code refers to, so that only a compatible runtime compiles it.
///
/// Each generated file contains the line `private typealias RequiredRuntime = _PreferencesRuntimeForGeneratedCode1`.
/// The compiler error "cannot find type '_PreferencesRuntimeForGeneratedCode…'" means that the generator is newer than
/// the runtime: both must come from one version of the package. The number grows when generated code needs something
/// that older runtimes do not have. The earlier names stay for as long as older generated code still works.
public enum _PreferencesRuntimeForGeneratedCode1 {}
