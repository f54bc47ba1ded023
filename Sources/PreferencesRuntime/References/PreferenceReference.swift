public import Dispatch
import PreferencesSystem

/// A reference to one key, which can be passed around.
///
/// ```swift
/// let volume = PreferenceReference("volume", default: 50, in: preferences)
/// volume.value += 1
/// volume.watch { print($0.new) }    // for the lifetime of the reference
/// volume.reset()
/// try volume.update { $0 *= 2 }
/// ```
///
/// It conforms to ``PreferenceAccessors`` with one accessor, ``value``, so all other operations on key paths are
/// available as well: `volume.resolution(of: \.value)`.
///
/// ``Preference`` creates references for properties, and
/// ``Preferences/functionLocal(_:default:function:fileID:line:)`` for values that belong to one function.
public final class PreferenceReference<Value: Sendable>: PreferenceAccessors, Sendable {
    /// The preferences that contain the key.
    public let preferences: Preferences
    private let read: @Sendable (Preferences) -> Value
    private let write: @Sendable (Preferences, Value) -> Void

    /// The key's value, or its default. A failure to set it is reported through ``Preferences/problems``; ``set(_:)``
    /// throws it instead.
    public var value: Value {
        get { read(preferences) }
        set { write(preferences, newValue) }
    }

    fileprivate init(
        _ preferences: Preferences,
        read: @escaping @Sendable (Preferences) -> Value,
        write: @escaping @Sendable (Preferences, Value) -> Void
    ) {
        self.preferences = preferences
        self.read = read
        self.write = write
    }

    /// Creates a reference to a key that has an accessor.
    ///
    /// - Parameters:
    ///   - key: The key path from ``Preferences`` to the key's accessor: `\.weather.temperature`.
    ///   - preferences: The preferences that contain the key; ``Preferences/shared`` by default.
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
    /// Creates a reference to a key with a storage name.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return while the key is not set, or if the stored value cannot be read as this type.
    ///     It is never stored.
    ///   - traits: The key's traits, such as constraints; none by default.
    ///   - preferences: The preferences that contain the key; ``Preferences/shared`` by default.
    public convenience init(
        _ name: String,
        default: Value,
        _ traits: [PreferenceTrait<Value>] = [],
        in preferences: Preferences = .shared
    ) {
        let entry = preferences.entry(name, traits)
        // An optional key whose default is not nil must be able to store nil.
        let keepsNil = ((`default` as? any OptionalValue)?.wrapped ?? nil) != nil
        self.init(preferences) { preferences in
            preferences.read(entry, violation: traits.violation) ?? `default`
        } write: { preferences, value in
            let value = traits.processed(value)
            preferences.write(to: entry, value, violation: traits.violation, keepsNil: { keepsNil })
        }
    }
}

extension PreferenceReference {
    /// Creates a reference to a key that is stored in another representation. See `get(_:default:through:)`.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return while the key is not set, or if the stored value cannot be transformed. It is
    ///     never stored.
    ///   - transformation: The transformation between the stored and the read values.
    ///   - traits: The traits of the read values, such as constraints; none by default.
    ///   - preferences: The preferences that contain the key; ``Preferences/shared`` by default.
    @_disfavoredOverload  // `default: nil` selects the initializer for optional keys.
    public convenience init<Stored: PreferenceConvertible>(
        _ name: String,
        default: Value,
        through transformation: PreferenceTransformation<Stored, Value>,
        _ traits: [PreferenceTrait<Value>] = [],
        in preferences: Preferences = .shared
    ) {
        let entry = preferences.entry(name, traits, through: transformation)
        let transformation = transformation.validated(by: traits)
        self.init(preferences) { preferences in
            preferences.value(of: entry, storedAs: preferences.read(entry), default: `default`, through: transformation)
        } write: { preferences, value in
            preferences.write(value, to: entry, through: transformation) {
                preferences.write(to: entry, $0, violation: { _ in nil })
            }
        }
    }

    /// Creates a reference to an optional key that is stored in another representation, and whose default is nil.
    /// Setting nil resets the key.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: Nil, which may be omitted.
    ///   - transformation: The transformation between the stored and the read values, which are not optional.
    ///   - traits: The traits of values that are not nil, such as constraints; none by default.
    ///   - preferences: The preferences that contain the key; ``Preferences/shared`` by default.
    public convenience init<Stored: PreferenceConvertible, Wrapped>(
        _ name: String,
        default: Never? = nil,
        through transformation: PreferenceTransformation<Stored, Wrapped>,
        _ traits: [PreferenceTrait<Wrapped>] = [],
        in preferences: Preferences = .shared
    ) where Value == Wrapped? {
        self.init(name, optionalDefault: nil, through: transformation, traits, in: preferences)
    }

    convenience init<Stored: PreferenceConvertible, Wrapped>(
        _ name: String,
        optionalDefault: Wrapped?,
        through transformation: PreferenceTransformation<Stored, Wrapped>,
        _ traits: [PreferenceTrait<Wrapped>],
        in preferences: Preferences
    ) where Value == Wrapped? {
        let entry = preferences.entry(name, traits, through: transformation)
        let transformation = transformation.validated(by: traits).optional
        self.init(preferences) { preferences in
            preferences.value(
                of: entry,
                storedAs: preferences.read(entry),
                default: optionalDefault,
                through: transformation
            )
        } write: { preferences, value in
            preferences.write(value, to: entry, through: transformation) {
                preferences.write(to: entry, $0, violation: { _ in nil }, keepsNil: { optionalDefault != nil })
            }
        }
    }
}

/// The operations on the key, without its key path.
extension PreferenceReference {
    /// The storage name of the key; nil if the reference was created with the key path of a computed property over
    /// several keys, or over none.
    public var storageName: String? {
        let entries = entries(of: \.value)
        return entries.count == 1 ? entries.first?.name : nil
    }

    /// The default of the key, whether the key is set or not.
    public var defaultValue: Value { defaultValue(\.value) }

    /// Whether the key is set, even if it is set to its default or to a value that cannot be read.
    public var isSet: Bool { isSet(\.value) }

    /// The label of the store, or of the store's part, that the value comes from; nil while the key reads as its
    /// default.
    public var source: String? { source(of: \.value) }

    /// Sets the key, and throws the problem that setting ``value`` would report.
    ///
    /// ```swift
    /// try player.$volume.set(60)
    /// ```
    ///
    /// - Parameter value: The new value.
    /// - Throws: As ``PreferenceAccessors/set(_:to:)-(ReferenceWritableKeyPath<Self,Value>,_)``.
    public func set(_ value: Value) throws(PreferenceProblem) {
        try set(\.value, to: value)
    }

    /// Resets the key, so that it reads as its default. A failure is reported through ``Preferences/problems``.
    public func reset() {
        reset(\.value)
    }

    /// Changes the value atomically, as ``PreferenceAccessors/update(_:_:)`` does.
    ///
    /// ```swift
    /// try player.$volume.update { $0 += 1 }
    /// ```
    ///
    /// - Parameter body: Changes the value. If it throws, nothing changes.
    /// - Returns: The result of the body.
    /// - Throws: Any error of the body, or the ``PreferenceProblem`` of the commit.
    @discardableResult
    public func update<Result>(_ body: (inout Value) throws -> Result) throws -> Result {
        try update(\.value, body)
    }

    /// Calls a body after each change of the key, until the watcher is cancelled or the reference is released. See
    /// `watch(_:id:options:isolation:fileID:line:_:)`.
    ///
    /// ```swift
    /// player.$volume.watch { print($0.new) }
    /// ```
    ///
    /// - Parameters:
    ///   - id: An id for the watcher; nil for none. A watcher of this reference with the same id ends.
    ///   - options: Which changes and values the body receives; by default, each change with its new value.
    ///   - isolation: The actor on which a body without isolation runs; by default the actor of the caller.
    ///   - fileID: The file of the registration.
    ///   - line: The line of the registration.
    ///   - body: Receives the change.
    /// - Returns: The watcher, to cancel it. It need not be retained.
    @discardableResult
    public func watch(
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        isolation: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext _ body: sending @escaping @isolated(any) (PreferenceChange<Value>) -> Void
    ) -> PreferenceWatcher {
        watch(\.value, id: id, options: options, isolation: isolation, fileID: fileID, line: line, body)
    }

    /// Calls a body on a queue after each change of the key.
    ///
    /// - Parameters:
    ///   - id: An id for the watcher; nil for none. A watcher of this reference with the same id ends.
    ///   - options: Which changes and values the body receives; by default, each change with its new value.
    ///   - queue: The queue on which the body runs. Calls do not overlap, even on a concurrent queue.
    ///   - fileID: The file of the registration.
    ///   - line: The line of the registration.
    ///   - body: Receives the change.
    /// - Returns: The watcher, to cancel it. It need not be retained.
    @discardableResult
    public func watch(
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        on queue: DispatchQueue,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (PreferenceChange<Value>) -> Void
    ) -> PreferenceWatcher {
        watch(\.value, id: id, options: options, on: queue, fileID: fileID, line: line, body)
    }

    /// Returns an asynchronous sequence of the changes of the key. See
    /// ``PreferenceAccessors/changes(_:options:buffering:)``.
    ///
    /// ```swift
    /// for await change in player.$volume.changes() { print(change.new) }
    /// ```
    ///
    /// - Parameters:
    ///   - options: Which changes and values are delivered; by default, each change with its new value.
    ///   - buffering: The changes to buffer for a slow consumer; by default all.
    /// - Returns: The sequence of changes.
    public func changes(
        options: PreferenceWatchOptions = .new,
        buffering: PreferenceChangeBuffering = .unbounded
    ) -> some AsyncSequence<PreferenceChange<Value>, Never> & Sendable {
        changes(\.value, options: options, buffering: buffering)
    }
}

extension Preferences {
    /// Returns a reference to a stored value that belongs to one function, and persists between its calls and runs of
    /// the program.
    ///
    /// ```swift
    /// func remind() {
    ///     let count = preferences.functionLocal("count", default: 0)
    ///     count.value += 1
    ///     if count.value.isMultiple(of: 10) { showReminder() }
    /// }
    /// ```
    ///
    /// It is stored under the file, the function and the name, as `App/Reminders.swift:remind():count`. A function that
    /// is renamed, or moves to another file, starts with the default again.
    ///
    /// The compiler does not tell functions of one name in a file apart, such as overloads and methods of other types:
    /// their values need names of their own. If calls on two lines give such functions the same name, the one that is
    /// called second in a run gets a reference that reads as its default, cannot be set, and is reported as
    /// ``PreferenceProblem/Code/nameClash``. Call it once for each value, therefore, and keep the reference.
    ///
    /// - Parameters:
    ///   - name: Distinguishes the value from others of the function, and of functions of the same name in the file.
    ///   - default: The initial value.
    ///   - function: The function, `#function` by default.
    ///   - fileID: The file, `#fileID` by default.
    ///   - line: The line of the call, which distinguishes functions of the same name.
    public func functionLocal<Value: PreferenceConvertible>(
        _ name: String,
        default: Value,
        function: StaticString = #function,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> PreferenceReference<Value> {
        let key = "\(fileID):\(function):\(name)"
        let firstLine = state.withLock { state in
            let first = state.functionLocalLines[key] ?? line
            state.functionLocalLines[key] = first
            return first
        }
        if firstLine == line { return PreferenceReference(key, default: `default`, in: self) }
        let message =
            "the call at \(fileID):\(firstLine) has this key: the value at \(fileID):\(line) reads as its default and "
            + "cannot be set; give it another name, or use the reference of the first call"
        let problem = PreferenceProblem(.nameClash, key: key, store: store.label, message: message)
        return PreferenceReference(self) { preferences in
            let id = RecordID(name: "\(fileID):\(line):\(name)", isAmongSecrets: false)
            preferences.reporter.reportUnreadable(nil, problem, of: id)
            return `default`
        } write: { preferences, _ in
            preferences.report(failure: problem)
        }
    }
}
