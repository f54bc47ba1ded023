/// Where raw values are kept.
///
/// ``MemoryStore``, ``FileStore`` and ``UserDefaultsStore`` are such; anything that can keep named values can be
/// another. A store is shared by threads, and by more than one ``Preferences`` where the program wants that.
///
/// Errors are best thrown as ``PreferenceProblem``; any other error becomes one, with ``label`` as its store. One that
/// is thrown for a value is a problem of that key, unless it is a ``PreferenceProblem`` without a key, of the store.
public protocol PreferenceStore: Sendable {
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
}

extension PreferenceStore {
    /// Does nothing: a store without this method is durable as soon as a batch is applied.
    public func flush() throws {}

    /// Does nothing: a store without this method remembers nothing.
    public func reload() throws {}
}
