/// Where raw values are kept.
///
/// ``MemoryStore``, ``FileStore`` and ``UserDefaultsStore`` are such; anything that can keep named values can be
/// another. A store is shared by threads, and by more than one ``Preferences`` where the program wants that.
///
/// Errors are best thrown as ``PreferenceProblem``; any other error becomes one, with ``label`` as its store. One that
/// is thrown for a value is a problem of that key, unless it is a ``PreferenceProblem`` without a key, of the store.
///
/// A store is reflected by its ``label`` alone, so that neither `dump` nor a description shows the values in it.
public protocol PreferenceStore: Sendable, CustomReflectable {
    /// The store's name in problem reports, for people: a path, `memory`, `user defaults 'group.example'`.
    var label: String { get }

    /// The value kept under a name.
    ///
    /// Reading never writes: no default is stored, no file or folder made.
    ///
    /// - Parameter name: Any string, empty and very long ones included.
    /// - Returns: The value, or nil where none is kept. ``PreferenceValue/null`` is a value.
    /// - Throws: Where the store, or this one value, cannot be read.
    func value(for name: String) throws -> PreferenceValue?

    /// Makes all changes of a batch, or none.
    ///
    /// When it returns they are kept as durably as the store ever does without ``flush()``, and reading gives them.
    ///
    /// - Parameter batch: What becomes of each name. Others stay as they are.
    /// - Throws: Where nothing was changed; with ``PreferenceProblem/Code/notDurable``, where all was, but may not last.
    func apply(_ batch: [String: PreferenceEdit]) throws

    /// All names that a value is kept under.
    ///
    /// - Throws: Where the store cannot be read.
    func names() throws -> Set<String>

    /// Makes everything applied so far durable before it returns. Stores for which it is so already do nothing.
    ///
    /// - Throws: Where that failed.
    func flush() throws

    /// Forgets what it remembers of its medium, so that changes made there by others are seen.
    ///
    /// - Throws: Where the medium cannot be read.
    func reload() throws

    /// Makes a batch of changes from what is kept at the moment, with nobody else changing anything in between: no other
    /// thread, and no other process where several can use the medium.
    ///
    /// The closure runs once. It may read this store. It must not wait for other threads: these may be waiting for the
    /// update to end.
    ///
    /// - Parameter makeBatch: Gives the batch; an empty one changes nothing. `current` gives the value kept under a
    ///   name now, as ``value(for:)``.
    /// - Throws: What the closure throws; and as ``apply(_:)``.
    func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) throws

    /// Restricts access to what the store keeps to its owner, from now on, because it holds secrets.
    ///
    /// ``Preferences`` call it for their secrets store before they read or write it for the first time. A store whose file
    /// other users can access reports that with ``PreferenceProblem/Code/secretsExposed``, and takes their access away
    /// where the file belongs to the user of the process. Contents are neither read nor changed. A store that finds the same
    /// later, such as in a file that another program has replaced, notifies its observers.
    ///
    /// - Returns: What other users could access so far. Nothing by default.
    func protectSecrets() -> [PreferenceProblem]

    /// Applies a batch, as ``apply(_:)-([String:PreferenceEdit])`` does, and notifies all observers but the writer.
    ///
    /// ``Preferences`` write through this method. By default it calls the other one, which notifies the writer too: see
    /// ``excludesWriters``. A store whose other method calls this one must implement it, or both call each other without end;
    /// ``WriterExcludingStore`` implements the other one.
    ///
    /// - Parameters:
    ///   - batch: The edits. Other names keep their values.
    ///   - writer: The observation of the observer that makes the changes, as this store returned it; nil for none.
    /// - Throws: As ``apply(_:)-([String:PreferenceEdit])``.
    func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws

    /// Makes a batch from the current values, as ``update(_:)`` does, and notifies all observers but the writer.
    ///
    /// By default it calls the other method. A store whose other method calls this one must implement it.
    ///
    /// - Parameters:
    ///   - writer: As in ``apply(_:by:)``.
    ///   - makeBatch: Returns the batch; an empty one changes nothing.
    /// - Throws: As ``update(_:)``.
    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws

    /// Whether ``apply(_:by:)`` and ``update(by:_:)`` leave the writer out when they notify observers. False by default.
    ///
    /// If it is false, ``Preferences`` ask for a value again after they have set it, because the notification may be of another
    /// change. ``WriterExcludingStore`` is the shortest way to a store for which it is true.
    var excludesWriters: Bool { get }

    /// Whether ``observe(_:)`` tells of all changes: those made through this store, and those made at its medium by
    /// others.
    ///
    /// Where it does, ``Preferences`` remember the values that they have read, and reading costs some nanoseconds. Where
    /// it does not, they ask for the value at each read.
    var notifiesAllChanges: Bool { get }

    /// Notifies an observer of changes after they were made, from any thread, and with no lock of the store held.
    ///
    /// A change made through this store is notified before ``apply(_:)`` or ``update(_:)`` returns, on that thread.
    ///
    /// - Parameter observer: Receives what may have changed. It may read and change the store, and must be quick. It must not
    ///   wait for another thread that changes the store: while ``Preferences`` commit, others over the store wait.
    /// - Returns: What ends the observation, when it is cancelled or gone.
    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation

    /// Reads one of this store's values as a type.
    ///
    /// By default a value is read as what it is. Where the store lacks
    /// ``PreferenceStoreCapabilities/typedValues``, as the environment does, it is read from its text: `21.5`, `yes`,
    /// `2026-11-22T08:00:00Z`, base64 for data, `Oslo,Bergen` for a list, and JSON for any of them. That is never done
    /// with text from a store that could have kept a number.
    ///
    /// - Parameters:
    ///   - value: What ``value(for:)`` gave.
    ///   - name: The name that it is kept under.
    ///   - type: What it is to be.
    /// - Throws: ``PreferenceConversionError`` where it does not fit; any other error is reported in its own words.
    func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value

    /// Whether ``convert(_:of:to:)`` decodes a value from an encoding that other stores do not read. False by default.
    ///
    /// A migration reports the encoded values that it has moved to a store that does not decode them.
    func decodes(_ value: PreferenceValue) -> Bool

    /// What the store cannot do, of what stores can. Nothing by default: the checks of `PreferencesStoreTesting` hold a
    /// store to all that it does not name here, and to refusing what it does.
    var unsupportedCapabilities: PreferenceStoreCapabilities { get }

    /// Where a value comes from, for people.
    ///
    /// - Parameter name: The name that it is kept under.
    /// - Returns: The ``label`` of this store, or of the one behind it that has the value, or more precisely where it is:
    ///   `environment variable WEATHER_UNIT`; nil where none is kept.
    /// - Throws: Where the store, or this one value, cannot be read.
    func source(of name: String) throws -> String?
}

extension PreferenceStore {
    /// The ``label``, and no value.
    public var customMirror: Mirror {
        Mirror(self, children: ["label": label], ancestorRepresentation: .suppressed)
    }

    /// Refuses every batch that is not empty: a store without this method is read-only, and declares
    /// ``PreferenceStoreCapabilities/writing`` unsupported.
    public func apply(_ batch: [String: PreferenceEdit]) throws {
        try refuse(batch)
    }

    /// Does nothing: a store without this method is durable as soon as a batch is applied.
    public func flush() throws {}

    /// Does nothing: a store without this method remembers nothing.
    public func reload() throws {}

    /// Does nothing: a store without this method keeps nothing where other users have access.
    public func protectSecrets() -> [PreferenceProblem] { [] }

    /// Applies what the closure makes, without keeping others from changing values in between.
    public func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) throws {
        let batch = try makeBatch(value)
        if !batch.isEmpty { try apply(batch) }
    }

    /// Applies the batch with ``apply(_:)-([String:PreferenceEdit])``.
    public func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        try apply(batch.edits)
    }

    /// Updates with ``update(_:)``.
    public func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try update { current in try withoutActuallyEscaping(current) { try makeBatch($0).edits } }
    }

    /// False: a store without this property notifies writers too.
    public var excludesWriters: Bool { false }

    /// False: a store without this property tells of nothing.
    public var notifiesAllChanges: Bool { false }

    /// Tells of nothing.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        PreferenceStoreObservation {}
    }

    /// Reads the value as what it is, or from its text where the store has nothing else.
    public func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value {
        try unsupportedCapabilities.contains(.typedValues)
            ? TextReading().convert(value, to: type) : Value(preferenceValue: value)
    }

    /// False.
    public func decodes(_ value: PreferenceValue) -> Bool { false }

    /// Nothing.
    public var unsupportedCapabilities: PreferenceStoreCapabilities { [] }

    /// The store's ``label`` where it has a value of the name.
    public func source(of name: String) throws -> String? {
        try value(for: name) == nil ? nil : label
    }
}

extension PreferenceStore {
    /// Implements ``update(_:)`` in stores that implement ``update(by:_:)``.
    package func updateWithoutWriter(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) throws {
        try update(by: nil) { current in
            // The compiler cannot see that the closure calls this one alone.
            try withoutActuallyEscaping(current) { PreferenceBatch(try makeBatch($0)) }
        }
    }
}
