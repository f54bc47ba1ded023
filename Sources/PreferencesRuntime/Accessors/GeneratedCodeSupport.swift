/// The functions that generated accessors call. They take less compile time and code than `get` and `set`.
///
/// These functions have no overloads, among which the compiler would have to choose, take the name in one register and,
/// for frequent types, pass the value without generic parameters. Keys with traits, of types that are only `Codable`, and
/// with defaults that are made once or at each read, use the overloads of `get` and `set`. `Performance.md` has the cost.
extension PreferenceAccessors {
    /// Returns the value of a key of any type, or its default.
    @inlinable
    @inline(never)
    public func _get<Value: PreferenceConvertible>(_ name: _StorageName, default: consuming Value) -> Value {
        fetch(name, `default`)
    }

    // Specializing the slow paths of setting and reading for each of the types below would add 45 KB to every program.
    /// Sets a key of any type. Nil resets it.
    @_semantics("optimize.sil.specialize.generic.never")
    public func _set<Value: PreferenceConvertible>(_ name: _StorageName, to value: consuming Value) {
        preferences.write(CellKey(storageName: name), PreferenceEntry(String(storageName: name)), value) { _ in nil }
    }

    @inlinable
    @inline(__always)
    func fetch<Value: PreferenceConvertible>(_ name: _StorageName, _ fallback: Value) -> Value {
        preferences.fetch(CellKey(storageName: name), default: { fallback }) { $0.find(name, $1) }
    }
}

extension PreferenceAccessors {
    /// Returns the value of a `Bool` key, or its default.
    @inlinable
    @inline(never)
    public func _getBool(_ name: _StorageName, default: Bool) -> Bool { fetch(name, `default`) }

    /// Sets a `Bool` key.
    public func _setBool(_ name: _StorageName, to value: Bool) { _set(name, to: value) }

    /// Returns the value of an `Int` key, or its default.
    @inlinable
    @inline(never)
    public func _getInt(_ name: _StorageName, default: Int) -> Int { fetch(name, `default`) }

    /// Sets an `Int` key.
    public func _setInt(_ name: _StorageName, to value: Int) { _set(name, to: value) }

    /// Returns the value of a `Double` key, or its default.
    @inlinable
    @inline(never)
    public func _getDouble(_ name: _StorageName, default: Double) -> Double { fetch(name, `default`) }

    /// Sets a `Double` key.
    public func _setDouble(_ name: _StorageName, to value: Double) { _set(name, to: value) }

    /// Returns the value of a `String` key, or its default.
    @inlinable
    @inline(never)
    public func _getString(_ name: _StorageName, default: String) -> String {
        preferences.string(name, default: `default`)
    }

    /// Sets a `String` key.
    public func _setString(_ name: _StorageName, to value: consuming String) { _set(name, to: value) }

    /// Returns the value of a `[String]` key, or its default.
    @inlinable
    @inline(never)
    public func _getStrings(_ name: _StorageName, default: consuming [String]) -> [String] { fetch(name, `default`) }

    /// Sets a `[String]` key.
    public func _setStrings(_ name: _StorageName, to value: consuming [String]) { _set(name, to: value) }

    /// Returns the value of an `Int?` key, or its default.
    @inlinable
    @inline(never)
    public func _getOptionalInt(_ name: _StorageName, default: Int?) -> Int? { fetch(name, `default`) }

    /// Sets an `Int?` key. Nil resets it.
    public func _setOptionalInt(_ name: _StorageName, to value: Int?) { _set(name, to: value) }

    /// Returns the value of a `String?` key, or its default.
    @inlinable
    @inline(never)
    public func _getOptionalString(_ name: _StorageName, default: String?) -> String? {
        preferences.optionalString(name, default: `default`)
    }

    /// Sets a `String?` key. Nil resets it.
    public func _setOptionalString(_ name: _StorageName, to value: consuming String?) { _set(name, to: value) }
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
        case .uncached: return find(name, key) ?? `default`
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
            let text: String?? = find(name, key)
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
/// Each generated file contains the line `private typealias RequiredRuntime = PreferencesRuntimeForGeneratedCode1`. The
/// compiler error "cannot find type 'PreferencesRuntimeForGeneratedCode…'" means that the generator is newer than the
/// runtime: both must come from one version of the package. The number grows when generated code needs something that
/// older runtimes do not have. The earlier names stay for as long as older generated code still works.
public enum PreferencesRuntimeForGeneratedCode1 {}
