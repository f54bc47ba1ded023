/// Hooks that are declared once for all ``Preferences`` of a program, beside the schema of their keys.
///
/// ```swift
/// nonisolated enum StationHooks: PreferenceHooks {
///     static func addHooks(to preferences: Preferences) {
///         preferences.weather.processValues(of: \.city) { $0.trimmingCharacters(in: .whitespaces) }
///         preferences.weather.didCommit { print("changed:", $0.names) }
///     }
/// }
/// ```
///
/// In a schema, the field `hooks` of a namespace names the type: `"hooks": "StationHooks"`. Its accessors, and those of
/// the namespaces inside it, then refer to the type. In accessors that are written by hand, the trait
/// ``PreferenceTrait/hooks(_:)`` does.
///
/// Each `Preferences` calls ``addHooks(to:)`` once: after its first use of such an accessor, before the next change.
/// So the hooks also run for a second `Preferences` over the same store, and in every process that links the accessors.
/// A program that changes the keys by their run-time names, or all keys with `Preferences.resetAll()`, before it uses
/// any accessor, calls ``Preferences/addHooks(of:)`` at its start.
public protocol PreferenceHooks: Sendable {
    /// Adds the hooks to some preferences.
    ///
    /// It is called on a thread that is about to make a change, while no other thread can make one. It should not
    /// change values itself. Hooks that use `preferences` should capture it weakly: it retains them.
    ///
    /// - Parameter preferences: The preferences.
    static func addHooks(to preferences: Preferences)
}

/// A change of one key, which the hooks of its traits receive.
public struct PreferenceKeyChange<Value: Sendable>: Sendable {
    /// The key's storage name.
    public let name: String
    /// The value before the change; nil if the key read as its default, which traits do not know.
    public let old: Value?
    /// The value after the change; nil if the key reads as its default.
    public let new: Value?

    /// Creates a change, for tests of code that receives one.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - old: The value before the change; nil for the default.
    ///   - new: The value after the change; nil for the default.
    public init(name: String, old: Value?, new: Value?) {
        self.name = name
        self.old = old
        self.new = new
    }
}

extension PreferenceKeyChange: Equatable where Value: Equatable {}
extension PreferenceKeyChange: Hashable where Value: Hashable {}

/// Hooks of keys, for every ``Preferences`` that uses them.
extension PreferenceTrait {
    /// Declares hooks that are added to each ``Preferences`` once, when it first uses a key with the trait.
    ///
    /// - Parameter type: The type that adds them.
    public static func hooks(_ type: any PreferenceHooks.Type) -> PreferenceTrait {
        PreferenceTrait(kind: .hooks(type))
    }

    /// Processes the values that the key is set to, before they are checked against constraints.
    ///
    /// ```swift
    /// [.processing { $0.lowercased() }]
    /// ```
    ///
    /// Stored values and defaults are not processed, nor are values that are set by the run-time name alone. Processors
    /// that an instance of ``Preferences`` has, from
    /// ``PreferenceAccessors/processValues(of:_:)-(_,(Value)->Value)``, receive the result.
    ///
    /// - Parameter process: Returns the value to set.
    public static func processing(_ process: @escaping @Sendable (Value) -> Value) -> PreferenceTrait {
        PreferenceTrait(kind: .processor(process))
    }

    /// Calls a body before each change of the key, like ``PreferenceAccessors/willChange(of:_:)``.
    ///
    /// The body belongs to the key: it is called once for each change in a ``Preferences``, although several accessors
    /// and references may have the trait. The first one is kept until the `Preferences` end, so that it must not depend
    /// on what it captures. Changes by the run-time name alone call it once an accessor or a reference with the trait
    /// was used.
    ///
    /// - Parameters:
    ///   - fileID: The file of the declaration, `#fileID` by default. The place identifies the trait.
    ///   - line: Its line, `#line` by default.
    ///   - column: Its column, `#column` by default.
    ///   - body: Receives the change.
    public static func willChange(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        column: UInt = #column,
        _ body: @escaping @Sendable (PreferenceKeyChange<Value>) -> Void
    ) -> PreferenceTrait {
        PreferenceTrait(kind: .changeHook(.before, HookSite(fileID, line, column), body))
    }

    /// Calls a body after each change of the key, like ``PreferenceAccessors/didChange(of:_:)``.
    ///
    /// ```swift
    /// [.didChange { NotificationCenter.default.post(name: .preferenceChanged, object: $0.name) }]
    /// ```
    ///
    /// The body belongs to the key: it is called once for each change in a ``Preferences``, although several accessors
    /// and references may have the trait. The first one is kept until the `Preferences` end, so that it must not depend
    /// on what it captures. Changes by the run-time name alone call it once an accessor or a reference with the trait
    /// was used.
    ///
    /// - Parameters:
    ///   - fileID: The file of the declaration, `#fileID` by default. The place identifies the trait.
    ///   - line: Its line, `#line` by default.
    ///   - column: Its column, `#column` by default.
    ///   - body: Receives the change.
    public static func didChange(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        column: UInt = #column,
        _ body: @escaping @Sendable (PreferenceKeyChange<Value>) -> Void
    ) -> PreferenceTrait {
        PreferenceTrait(kind: .changeHook(.after, HookSite(fileID, line, column), body))
    }
}

/// The place in the source where a hook of a trait is declared.
struct HookSite: Hashable, Sendable {
    /// The address of the literal.
    let fileID: UInt
    let line, column: UInt

    init(_ fileID: StaticString, _ line: UInt, _ column: UInt) {
        self.fileID = CellKey.address(of: fileID)
        (self.line, self.column) = (line, column)
    }
}

/// The identity of a hook of a trait.
struct TraitHookID: Hashable, Sendable {
    let key: RecordID
    let site: HookSite
    /// The number of earlier hooks of the same site among the key's traits.
    let index: Int
}

extension Preferences {
    /// Adds declared hooks before the next change, as the first use of an accessor does. Does nothing if they were
    /// added before.
    ///
    /// ```swift
    /// preferences.addHooks(of: StationHooks.self)
    /// preferences.set(named: "weather:city", to: " Oslo")   // processed by the hooks
    /// ```
    ///
    /// - Parameter type: The type that declares the hooks.
    public func addHooks(of type: any PreferenceHooks.Type) {
        hooks.declare(type)
    }

    /// Returns the entry of a key with traits, adds their hooks, and declares that it is managed or shared.
    func entry<Value: PreferenceConvertible>(_ name: String, _ traits: [PreferenceTrait<Value>]) -> PreferenceEntry {
        let entry = PreferenceEntry(name, traits)
        addHooks(of: traits, to: entry) { $0.read(entry, violation: traits.violation) }
        return entry
    }

    /// Returns the entry of a key of a `Codable` type with traits, and adds their hooks.
    func entry<Value: Codable & Sendable>(
        codable name: String,
        _ traits: [PreferenceTrait<Value>]
    ) -> PreferenceEntry {
        let entry = PreferenceEntry(name, traits)
        addHooks(of: traits, to: entry) { preferences in
            let coded: CodedValue<Value>? = preferences.read(entry, violation: { traits.violation(by: $0.value) })
            return coded?.value
        }
        return entry
    }

    /// Returns the entry of a key with traits that is stored in another representation, and adds their hooks.
    func entry<Stored: PreferenceConvertible, Value>(
        _ name: String,
        _ traits: [PreferenceTrait<Value>],
        through transformation: PreferenceTransformation<Stored, Value>
    ) -> PreferenceEntry {
        let entry = PreferenceEntry(name, traits)
        let transformation = transformation.validated(by: traits).optional
        addHooks(of: traits, to: entry) { preferences in
            preferences.value(
                of: entry,
                storedAs: preferences.read(entry),
                default: nil,
                through: transformation
            )
        }
        return entry
    }

    private func addHooks<Value>(
        of traits: [PreferenceTrait<Value>],
        to entry: PreferenceEntry,
        read: @escaping @Sendable (Preferences) -> Value?
    ) {
        var counts: [HookSite: Int] = [:]
        traits.forEachKind { kind in
            switch kind {
            case .hooks(let type): hooks.declare(type)
            case .changeHook(let moment, let site, let body):
                let index = counts[site, default: 0]
                counts[site] = index + 1
                let hook = Hooks.KeyHook(moment: moment) { preferences, old, new in
                    let session = preferences.session
                    let (old, new) = AccessTracker.withoutTracking {
                        (
                            session.with(old, of: preferences) { read(preferences) },
                            session.with(new, of: preferences) { read(preferences) }
                        )
                    }
                    return Hooks.KeyChange(entries: [entry]) {
                        body(PreferenceKeyChange(name: entry.name, old: old, new: new))
                    }
                }
                let id = TraitHookID(key: entry.recordID, site: site, index: index)
                hooks.add(hook, readFrom: Set(entry.recordIDs), once: id)
            case .managed: declareManaged(entry)
            case .shared(let scope, let mergeRule): declareShared(entry, scope, mergeRule)
            case .constraint, .processor, .secret, .formerNames, .combination: break
            }
        }
    }
}
