import PreferencesSystem

/// A type whose properties are keys that are stored under the properties' own names.
///
/// ```swift
/// nonisolated struct Player: PropertyNamedAccessors {
///     let preferences: Preferences
///
///     var volume: Int {
///         get { get(default: 50) }
///         nonmutating set { set(newValue) }
///     }
///
///     var nickname: String? {
///         get { get() }
///         nonmutating set { set(newValue) }
///     }
///
///     var speed: Double {
///         get { get(default: 1, [.range(0.5...2)]) }
///         nonmutating set { set(newValue, [.range(0.5...2)]) }
///     }
/// }
/// ```
///
/// The storage name consists of the file, the type and the property: `App/Player.swift:Player.volume`, where `App` is
/// the module, and the file is given without folders. It is the same in every run. Properties of the same name in two
/// files, or in two types of one file, are two keys. A call looks its key up in a global table, behind a lock; calls
/// with a storage name do not need that.
///
/// - Properties of generic types and of types that are declared in functions cannot be keys of this kind, nor can
///   subscripts and functions, since their names are not unique. They read as their defaults, cannot be set, and are
///   reported as ``PreferenceProblem/Code/nameClash``.
/// - In an extension of a protocol or of ``Preferences``, a property needs a storage name, as in
///   `get("volume", default: 50)`. The compiler rejects these calls without one, since the declaration that they belong
///   to cannot be determined there.
/// - Only the type's own properties may make these calls. If a property of another type, or a second local variable of
///   the same name, made them on an instance, it would have the same key. The one that is used second in a run reads as
///   its default, cannot be set, and is reported as ``PreferenceProblem/Code/nameClash``. So is a second call of `get`,
///   or of `set`, on another line of one property.
/// - Renaming the file, the type or the property makes a new key, which is not set. To keep the value, use a migration
///   with ``PreferenceMigration/Step/move(_:from:to:isSecret:overwrites:)``, as in
///   `.move("App/Player.swift:Player.volume", to: "App/Sound.swift:Player.volume")`, or the storage name itself:
///   `get("App/Player.swift:Player.volume", default: 50)`.
public protocol PropertyNamedAccessors: PreferenceAccessors {
    /// Lets the compiler distinguish a property of a type, where this is ``_DeclaredInType``, from one in an extension
    /// of a protocol, where it is unspecified. Do not declare it.
    associatedtype _PropertyOwner = _DeclaredInType
}

/// The ``PropertyNamedAccessors/_PropertyOwner`` of all types.
public enum _DeclaredInType {}

extension PropertyNamedAccessors where _PropertyOwner == _DeclaredInType {
    /// Returns the value of the key that is named after the calling property, or its default.
    ///
    /// - Parameters:
    ///   - default: The value to return while the key is not set or cannot be read. It is never stored.
    ///   - traits: The key's traits, such as constraints; none by default.
    ///   - name: The property, `#function` by default.
    ///   - fileID: The file, `#fileID` by default.
    ///   - line: The line of the call, which distinguishes two properties of the same name.
    public func get<Value: PreferenceConvertible>(
        default: @autoclosure () -> Value,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>] = [],
        name: StaticString = #function,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Value {
        read(name, fileID, line, traits) ?? `default`()
    }

    /// Returns the value of the optional key that is named after the calling property, or its default.
    ///
    /// - Parameters:
    ///   - default: The value to return while the key is not set. A key that was set to nil reads as nil.
    ///   - traits: The key's traits, such as constraints; none by default.
    ///   - name: The property, `#function` by default.
    ///   - fileID: The file, `#fileID` by default.
    ///   - line: The line of the call, which distinguishes two properties of the same name.
    public func get<Value: PreferenceConvertible>(
        default: @autoclosure () -> Value?,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>] = [],
        name: StaticString = #function,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Value? {
        let value: Value?? = read(name, fileID, line, traits)
        return if let value { value } else { `default`() }
    }

    /// Returns the value of the optional key that is named after the calling property, or nil.
    ///
    /// - Parameters:
    ///   - traits: The key's traits, such as constraints; none by default.
    ///   - name: The property, `#function` by default.
    ///   - fileID: The file, `#fileID` by default.
    ///   - line: The line of the call, which distinguishes two properties of the same name.
    public func get<Value: PreferenceConvertible>(
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>] = [],
        name: StaticString = #function,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Value? {
        // `?? nil` would make the compiler read the key as its wrapped type.
        let value: Value?? = read(name, fileID, line, traits)
        return value.flatMap(\.self)
    }

    /// Sets the key that is named after the calling property. Nil resets it.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - traits: The key's traits, such as constraints; none by default.
    ///   - name: The property, `#function` by default.
    ///   - fileID: The file, `#fileID` by default.
    ///   - line: The line of the call, which distinguishes two properties of the same name.
    public func set<Value: PreferenceConvertible>(
        _ value: Value,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>] = [],
        name: StaticString = #function,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        write(name, fileID, line, value, traits())
    }

    /// Sets the optional key that is named after the calling property, and whose default is not nil. See
    /// `set(_:to:default:)`.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - default: The key's default.
    ///   - traits: The key's traits, such as constraints; none by default.
    ///   - name: The property, `#function` by default.
    ///   - fileID: The file, `#fileID` by default.
    ///   - line: The line of the call, which distinguishes two properties of the same name.
    public func set<Value: PreferenceConvertible>(
        _ value: Value?,
        default: @autoclosure () -> Value?,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>] = [],
        name: StaticString = #function,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        write(name, fileID, line, value, traits(), keepsNil: { `default`() != nil })
    }
}

/// Types that are `Codable` but not ``PreferenceConvertible``, such as types of other modules.
extension PropertyNamedAccessors where _PropertyOwner == _DeclaredInType {
    /// Returns the value of the key that is named after the calling property, or its default.
    ///
    /// ```swift
    /// var span: Range<Int> {
    ///     get { get(codable: Range<Int>.self, default: 0..<1) }
    ///     nonmutating set { set(codable: newValue) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the property.
    ///   - default: The value to return while the key is not set or cannot be read. It is never stored.
    ///   - traits: The key's traits, such as constraints; none by default.
    ///   - name: The property, `#function` by default.
    ///   - fileID: The file, `#fileID` by default.
    ///   - line: The line of the call, which distinguishes two properties of the same name.
    @_disfavoredOverload  // An optional property selects the method for optional keys.
    public func get<Value: Codable & Sendable>(
        codable type: Value.Type,
        default: @autoclosure () -> Value,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>] = [],
        name: StaticString = #function,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Value {
        read(codable: name, fileID, line, traits) ?? `default`()
    }

    /// Returns the value of the optional key that is named after the calling property, or its default.
    ///
    /// - Parameters:
    ///   - type: The type that the property's optional wraps.
    ///   - default: The value to return while the key is not set. A key that was set to nil reads as nil.
    ///   - traits: The key's traits, such as constraints; none by default.
    ///   - name: The property, `#function` by default.
    ///   - fileID: The file, `#fileID` by default.
    ///   - line: The line of the call, which distinguishes two properties of the same name.
    public func get<Value: Codable & Sendable>(
        codable type: Value.Type,
        default: @autoclosure () -> Value?,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>] = [],
        name: StaticString = #function,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Value? {
        let value: Value?? = read(codable: name, fileID, line, traits)
        return if let value { value } else { `default`() }
    }

    /// Returns the value of the optional key that is named after the calling property, or nil.
    ///
    /// ```swift
    /// var lastSpan: Range<Int>? {
    ///     get { get(codable: Range<Int>.self) }
    ///     nonmutating set { set(codable: newValue) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type that the property's optional wraps.
    ///   - traits: The key's traits, such as constraints; none by default.
    ///   - name: The property, `#function` by default.
    ///   - fileID: The file, `#fileID` by default.
    ///   - line: The line of the call, which distinguishes two properties of the same name.
    public func get<Value: Codable & Sendable>(
        codable type: Value.Type,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>] = [],
        name: StaticString = #function,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Value? {
        let value: Value?? = read(codable: name, fileID, line, traits)
        return value.flatMap(\.self)
    }

    /// Sets the key that is named after the calling property. Nil resets it.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - traits: The key's traits, such as constraints; none by default.
    ///   - name: The property, `#function` by default.
    ///   - fileID: The file, `#fileID` by default.
    ///   - line: The line of the call, which distinguishes two properties of the same name.
    public func set<Value: Codable & Sendable>(
        codable value: Value,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>] = [],
        name: StaticString = #function,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        write(codable: name, fileID, line, value, traits())
    }

    /// Sets the optional key that is named after the calling property, and whose default is not nil. See
    /// `set(_:to:default:)`.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - default: The key's default.
    ///   - traits: The key's traits, such as constraints; none by default.
    ///   - name: The property, `#function` by default.
    ///   - fileID: The file, `#fileID` by default.
    ///   - line: The line of the call, which distinguishes two properties of the same name.
    public func set<Value: Codable & Sendable>(
        codable value: Value?,
        default: @autoclosure () -> Value?,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>] = [],
        name: StaticString = #function,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        write(codable: name, fileID, line, value, traits(), keepsNil: { `default`() != nil })
    }
}

extension PreferenceAccessors {
    /// Unavailable, except in types that conform to ``PropertyNamedAccessors``.
    @available(
        *,
        unavailable,
        message: """
            add a storage name, get(\"NAME\", default:), \
            or declare the property in a type that conforms to PropertyNamedAccessors
            """
    )
    public func get<Value: PreferenceConvertible>(
        default: @autoclosure () -> Value,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>] = []
    ) -> Value { fatalError() }

    /// Unavailable, except in types that conform to ``PropertyNamedAccessors``.
    @available(
        *,
        unavailable,
        message: """
            add a storage name, get(\"NAME\"), \
            or declare the property in a type that conforms to PropertyNamedAccessors
            """
    )
    public func get<Value: PreferenceConvertible>(
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>] = []
    ) -> Value? { fatalError() }

    /// Unavailable, except in types that conform to ``PropertyNamedAccessors``.
    @available(
        *,
        unavailable,
        message: """
            add a storage name, set(\"NAME\", to:), \
            or declare the property in a type that conforms to PropertyNamedAccessors
            """
    )
    public func set<Value: PreferenceConvertible>(
        _ value: Value,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>] = []
    ) { fatalError() }

    /// Unavailable, except in types that conform to ``PropertyNamedAccessors``.
    @available(
        *,
        unavailable,
        message: """
            add a storage name, set(\"NAME\", to:default:), \
            or declare the property in a type that conforms to PropertyNamedAccessors
            """
    )
    public func set<Value: PreferenceConvertible>(
        _ value: Value?,
        default: @autoclosure () -> Value?,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>] = []
    ) { fatalError() }

    /// Unavailable, except in types that conform to ``PropertyNamedAccessors``.
    @available(
        *,
        unavailable,
        message: """
            add a storage name, get(codable: \"NAME\", default:), \
            or declare the property in a type that conforms to PropertyNamedAccessors
            """
    )
    public func get<Value: Codable & Sendable>(
        codable type: Value.Type,
        default: @autoclosure () -> Value,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>] = []
    ) -> Value { fatalError() }

    /// Unavailable, except in types that conform to ``PropertyNamedAccessors``.
    @available(
        *,
        unavailable,
        message: """
            add a storage name, get(codable: \"NAME\"), \
            or declare the property in a type that conforms to PropertyNamedAccessors
            """
    )
    public func get<Value: Codable & Sendable>(
        codable type: Value.Type,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>] = []
    ) -> Value? { fatalError() }

    /// Unavailable, except in types that conform to ``PropertyNamedAccessors``.
    @available(
        *,
        unavailable,
        message: """
            add a storage name, set(codable: \"NAME\", to:), \
            or declare the property in a type that conforms to PropertyNamedAccessors
            """
    )
    public func set<Value: Codable & Sendable>(
        codable value: Value,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>] = []
    ) { fatalError() }

    /// Unavailable, except in types that conform to ``PropertyNamedAccessors``.
    @available(
        *,
        unavailable,
        message: """
            add a storage name, set(codable: \"NAME\", to:default:), \
            or declare the property in a type that conforms to PropertyNamedAccessors
            """
    )
    public func set<Value: Codable & Sendable>(
        codable value: Value?,
        default: @autoclosure () -> Value?,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>] = []
    ) { fatalError() }
}

extension Preferences {
    /// Makes these calls unavailable: properties of `Preferences` are declared in extensions.
    public typealias _PropertyOwner = Never
}

/// A call of `get` or `set` without a storage name.
private struct PropertyCall: Hashable {
    let type: ObjectIdentifier
    // The addresses of the literals.
    let name, fileID: UInt
    let line: UInt
    let isSetter: Bool
}

/// The key of a call without a storage name.
private struct PropertyKey {
    let storageName: String
    let cell: CellKey
    /// The reason why the call must not use the key, if there is one.
    let fault: String?
}

/// The keys of all calls in this process.
private struct PropertyKeys {
    static let shared = Locked(PropertyKeys())

    private struct Use {
        let cell: CellKey
        var getterLine, setterLine: UInt?
    }

    private var keys: [PropertyCall: PropertyKey] = [:]
    private var uses: [String: Use] = [:]

    mutating func key(
        of call: PropertyCall,
        _ type: Any.Type,
        _ name: StaticString,
        _ fileID: StaticString
    ) -> PropertyKey {
        if let key = keys[call] { return key }
        let (typeName, isLocal) = Self.name(of: type, in: fileID)
        // A raw identifier may contain a dot.
        let propertyName = name.description.contains(".") ? "`\(name)`" : "\(name)"
        let storageName = "\(fileID):\(typeName).\(propertyName)"
        var use = uses[storageName] ?? Use(cell: CellKey(number: UInt(uses.count + 1)))
        let line = call.isSetter ? \Use.setterLine : \Use.getterLine
        let firstLine = use[keyPath: line] ?? call.line
        use[keyPath: line] = firstLine
        uses[storageName] = use
        let reason: String? =
            if isLocal {
                "\(typeName) is declared in a function, and another function may have a type of this name"
            } else if typeName.contains("<") {
                "\(typeName) is generic, and another extension of it may have a property of this name"
            } else if propertyName.contains("(") {
                "'\(propertyName)' is not a property, and others may have this name"
            } else if firstLine != call.line {
                "the call at \(fileID):\(firstLine) has this key"
            } else {
                nil
            }
        var fault: String?
        if let reason {
            fault =
                "\(reason): the property at \(fileID):\(call.line) reads as its default and cannot be set; "
                + "give it a storage name, as in get(\"NAME\", default:)"
        }
        let key = PropertyKey(storageName: storageName, cell: use.cell, fault: fault)
        keys[call] = key
        return key
    }

    /// Returns a type's name, without the module if the file is in the same one, and whether the type or one that it
    /// contains is declared in a function.
    private static func name(of type: Any.Type, in fileID: StaticString) -> (String, isLocal: Bool) {
        // A private type and each function around a type add "(unknown context at ADDRESS)." to its name. The addresses
        // differ from run to run.
        let parts = String(reflecting: type).split(separator: "(unknown context at ", omittingEmptySubsequences: false)
        let names = parts.dropFirst().map { $0.drop { $0 != "." }.dropFirst() }
        let name = parts[0] + names.joined()
        let module = fileID.description.prefix { $0 != "/" }
        let shortName = name.hasPrefix("\(module).") ? name.dropFirst(module.count + 1) : name[...]
        return (String(shortName), names.contains { $0.isEmpty })
    }
}

extension PropertyNamedAccessors {
    fileprivate func read<Value: PreferenceConvertible>(
        _ name: StaticString,
        _ fileID: StaticString,
        _ line: UInt,
        _ makeTraits: () -> [PreferenceTrait<Value>]
    ) -> Value? {
        guard let key = usableKey(name, fileID, line) else { return nil }
        return preferences.cachedValue(key.cell) {
            let traits = makeTraits()
            return preferences.read(
                key.cell,
                { preferences.entry(key.storageName, traits) },
                violation: traits.violation,
                default: { nil }
            )
        }
    }

    fileprivate func read<Value: Codable & Sendable>(
        codable name: StaticString,
        _ fileID: StaticString,
        _ line: UInt,
        _ makeTraits: () -> [PreferenceTrait<Value>]
    ) -> Value? {
        guard let key = usableKey(name, fileID, line) else { return nil }
        let coded: CodedValue<Value>? = preferences.cachedValue(key.cell) {
            let traits = makeTraits()
            return preferences.read(
                key.cell,
                { preferences.entry(codable: key.storageName, traits) },
                violation: { traits.violation(by: $0.value) },
                default: { nil }
            )
        }
        return coded.map(\.value)
    }

    /// Returns the key of a getter; nil, with a report, if it must not be used.
    private func usableKey(_ name: StaticString, _ fileID: StaticString, _ line: UInt) -> PropertyKey? {
        let key = key(name, fileID, line, isSetter: false)
        guard let problem = problem(of: key) else { return key }
        let id = RecordID(name: "\(fileID):\(line)", isAmongSecrets: false)
        preferences.reporter.reportUnreadable(nil, problem, of: id)
        return nil
    }

    fileprivate func write<Value: PreferenceConvertible>(
        _ name: StaticString,
        _ fileID: StaticString,
        _ line: UInt,
        _ value: Value,
        _ traits: [PreferenceTrait<Value>],
        keepsNil: () -> Bool = { false }
    ) {
        let key = key(name, fileID, line, isSetter: true)
        if let problem = problem(of: key) { return preferences.report(failure: problem) }
        preferences.write(
            key.cell,
            preferences.entry(key.storageName, traits),
            traits.processed(value),
            violation: traits.violation,
            keepsNil: keepsNil
        )
    }

    fileprivate func write<Value: Codable & Sendable>(
        codable name: StaticString,
        _ fileID: StaticString,
        _ line: UInt,
        _ value: Value,
        _ traits: [PreferenceTrait<Value>],
        keepsNil: () -> Bool = { false }
    ) {
        let key = key(name, fileID, line, isSetter: true)
        if let problem = problem(of: key) { return preferences.report(failure: problem) }
        preferences.write(
            key.cell,
            preferences.entry(codable: key.storageName, traits),
            CodedValue(value: traits.processed(value)),
            violation: { traits.violation(by: $0.value) },
            keepsNil: keepsNil
        )
    }

    private func key(_ name: StaticString, _ fileID: StaticString, _ line: UInt, isSetter: Bool) -> PropertyKey {
        let call = PropertyCall(
            type: ObjectIdentifier(Self.self),
            name: CellKey.address(of: name),
            fileID: CellKey.address(of: fileID),
            line: line,
            isSetter: isSetter
        )
        return PropertyKeys.shared.withLock { $0.key(of: call, Self.self, name, fileID) }
    }

    private func problem(of key: PropertyKey) -> PreferenceProblem? {
        key.fault.map {
            PreferenceProblem(.nameClash, key: key.storageName, store: preferences.store.label, message: $0)
        }
    }
}
