/// Accessors whose storage name is derived from the property that calls them.
///
/// ```swift
/// extension Preferences {
///     fileprivate var volume: Int {
///         get { get(default: 50) }
///         set { set(newValue) }
///     }
///
///     fileprivate var nickname: String? {
///         get { get() }
///         set { set(newValue) }
///     }
/// }
/// ```
///
/// The storage name consists of the file, the type and the property: `App/Player.swift:Preferences.volume`. `App` is the
/// module, and the file has no folders. In an extension of a protocol it consists of the file and the property,
/// `App/Player.swift:volume`, since the property is one key, whichever type it is used through. Therefore properties of
/// one name in two files, or in two types of one file, are two keys in every run.
///
/// - Two protocols of one file must not have a property of one name. The one that is used second in a run reads as its
///   default, cannot be set, and is reported as ``PreferenceProblem/Code/nameClash``. The same holds for a second call of
///   `get`, or of `set`, on another line of one property.
/// - When the file, the type or the property is renamed, the key is a new one, which is not set. A migration keeps the
///   value: ``PreferenceMigration/Step/move(_:from:to:isSecret:overwrites:)``, as in
///   `.move("App/Player.swift:Preferences.volume", to: "App/Sound.swift:Preferences.volume")`. So does a storage name, as in
///   `get("volume", default: 50)`.
extension PreferenceAccessors {
    /// Returns the value of the key that is named after the calling property, or its default.
    ///
    /// - Parameters:
    ///   - default: As of ``get(_:default:)-(_,Value)``.
    ///   - name: The property, as `#function` has it.
    ///   - fileID: The file, as `#fileID` has it.
    ///   - line: The line of the call, which tells two properties of one name apart.
    public func get<Value: PreferenceConvertible>(
        default: @autoclosure () -> Value,
        name: StaticString = #function,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Value {
        preferences.value(of: NamedProperty(nil, name, fileID, line)) ?? `default`()
    }

    /// Returns the value of the optional key that is named after the calling property, or nil.
    ///
    /// - Parameters:
    ///   - name: The property, as `#function` has it.
    ///   - fileID: The file, as `#fileID` has it.
    ///   - line: The line of the call, which tells two properties of one name apart.
    public func get<Value: PreferenceConvertible>(
        name: StaticString = #function,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Value? {
        preferences.value(of: NamedProperty(nil, name, fileID, line))
    }

    /// Sets the key that is named after the calling property. Nil resets it.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - name: The property, as `#function` has it.
    ///   - fileID: The file, as `#fileID` has it.
    ///   - line: The line of the call, which tells two properties of one name apart.
    public func set<Value: PreferenceConvertible>(
        _ value: Value,
        name: StaticString = #function,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        preferences.set(NamedProperty(nil, name, fileID, line), to: value)
    }

    /// Sets the optional key that is named after the calling property, and has a default other than nil, as
    /// ``set(_:to:default:)``.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - default: The key's default.
    ///   - name: The property, as `#function` has it.
    ///   - fileID: The file, as `#fileID` has it.
    ///   - line: The line of the call, which tells two properties of one name apart.
    public func set<Value: PreferenceConvertible>(
        _ value: Value?,
        default: @autoclosure () -> Value?,
        name: StaticString = #function,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        preferences.set(NamedProperty(nil, name, fileID, line), to: value, keepsNil: { `default`() != nil })
    }
}

/// The accessors of properties that are declared in a type, other than in an extension of a protocol.
extension PreferenceAccessors where _PropertyOwner == _DeclaredInType {
    /// Returns the value of the key that is named after the calling property, or its default.
    ///
    /// - Parameters:
    ///   - default: As of ``get(_:default:)-(_,Value)``.
    ///   - name: The property, as `#function` has it.
    ///   - fileID: The file, as `#fileID` has it.
    ///   - line: The line of the call, which tells two properties of one name apart.
    public func get<Value: PreferenceConvertible>(
        default: @autoclosure () -> Value,
        name: StaticString = #function,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Value {
        preferences.value(of: NamedProperty(Self.self, name, fileID, line)) ?? `default`()
    }

    /// Returns the value of the optional key that is named after the calling property, or nil.
    ///
    /// - Parameters:
    ///   - name: The property, as `#function` has it.
    ///   - fileID: The file, as `#fileID` has it.
    ///   - line: The line of the call, which tells two properties of one name apart.
    public func get<Value: PreferenceConvertible>(
        name: StaticString = #function,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Value? {
        preferences.value(of: NamedProperty(Self.self, name, fileID, line))
    }

    /// Sets the key that is named after the calling property. Nil resets it.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - name: The property, as `#function` has it.
    ///   - fileID: The file, as `#fileID` has it.
    ///   - line: The line of the call, which tells two properties of one name apart.
    public func set<Value: PreferenceConvertible>(
        _ value: Value,
        name: StaticString = #function,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        preferences.set(NamedProperty(Self.self, name, fileID, line), to: value)
    }

    /// Sets the optional key that is named after the calling property, and has a default other than nil, as
    /// ``set(_:to:default:)``.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - default: The key's default.
    ///   - name: The property, as `#function` has it.
    ///   - fileID: The file, as `#fileID` has it.
    ///   - line: The line of the call, which tells two properties of one name apart.
    public func set<Value: PreferenceConvertible>(
        _ value: Value?,
        default: @autoclosure () -> Value?,
        name: StaticString = #function,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        preferences.set(NamedProperty(Self.self, name, fileID, line), to: value, keepsNil: { `default`() != nil })
    }
}

/// A property that its key is named after, as one call of its getter or setter describes it.
private struct NamedProperty {
    /// The type that declares the property; nil if a protocol's extension does.
    let type: Any.Type?
    let name: StaticString
    let fileID: StaticString
    let line: UInt

    init(_ type: Any.Type?, _ name: StaticString, _ fileID: StaticString, _ line: UInt) {
        self.type = type
        self.name = name
        self.fileID = fileID
        self.line = line
    }

    var storageName: String { "\(fileID):\(type.map { "\(shortName(of: $0))." } ?? "")\(name)" }

    /// A type's name, without the module if it is the file's own or this library. The names of private types include
    /// addresses, which differ from run to run.
    private func shortName(of type: Any.Type) -> String {
        let parts = String(reflecting: type).split(separator: "(unknown context at ", omittingEmptySubsequences: false)
        let name = parts[0] + parts.dropFirst().map { $0.drop { $0 != "." }.dropFirst() }.joined()
        let ownModules = [String(fileID.description.prefix { $0 != "/" }), "PreferencesRuntime"]
        guard let module = ownModules.first(where: { name.hasPrefix("\($0).") }) else { return String(name) }
        return String(name.dropFirst(module.count + 1))
    }

    /// Identifies the call in memory, without hashing text. The keys of two calls differ in at least one of two sums of
    /// the addresses that describe them.
    var cellKey: CellKey {
        let type = type.map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0
        let quarter = UInt(UInt.bitWidth / 4)
        return CellKey(
            name: (CellKey.place(of: name) ^ type &<< quarter) &<< 1,
            file: CellKey.place(of: fileID) ^ type &* 0x9E37_79B1 ^ line &<< (quarter * 3)
        )
    }
}

extension Preferences {
    /// The line of the first call of each getter, and of each setter, by the storage name of the property.
    struct PropertyLines {
        fileprivate var ofGetters: [String: UInt] = [:]
        fileprivate var ofSetters: [String: UInt] = [:]
    }

    /// Returns the stored value of a property; nil if its default is to be used.
    fileprivate func value<Value: PreferenceConvertible>(of property: NamedProperty) -> Value? {
        let key = property.cellKey
        switch remembered(key, as: Value.self) {
        case .value(let value): return value
        case .unset: return nil
        case .nothing: break
        }
        if let clash = clash(over: property, \.ofGetters) {
            let subject = ProblemSubject(key: "\(property.fileID):\(property.line)", isAmongSecrets: false)
            reporter.reportUnreadable(nil, clash, of: subject)
            return nil
        }
        return read(
            key,
            { PreferenceEntry(property.storageName) },
            violation: { _ in nil },
            constantDefault: { nil }
        )
    }

    fileprivate func set<Value: PreferenceConvertible>(
        _ property: NamedProperty,
        to value: Value,
        keepsNil: () -> Bool = { false }
    ) {
        if let clash = clash(over: property, \.ofSetters) { return tell(clash) }
        write(property.cellKey, PreferenceEntry(property.storageName), value, keepsNil: keepsNil)
    }

    /// Returns why a property must not use the key of its name, since another property does; nil if it may.
    private func clash(
        over property: NamedProperty,
        _ lines: WritableKeyPath<PropertyLines, [String: UInt]>
    ) -> PreferenceProblem? {
        let name = property.storageName
        let first = state.withLock { state in
            let first = state.propertyLines[keyPath: lines][name] ?? property.line
            state.propertyLines[keyPath: lines][name] = first
            return first
        }
        if first == property.line { return nil }
        let message =
            "another property, at \(property.fileID):\(first), has this key: the one at \(property.fileID):\(property.line) "
            + "reads as its default and cannot be set; give one of them a storage name of its own, as in "
            + "get(\"NAME\", default:)"
        return PreferenceProblem(.nameClash, key: name, store: store.label, message: message)
    }
}
