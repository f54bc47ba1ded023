import Foundation
public import PreferencesRuntime
import PreferencesSystem

/// A store that encrypts the values of another store.
///
/// ```swift
/// let file = FileStore(url: .applicationSupportDirectory.appending(components: "Weather", "secrets.json"))
/// let preferences = Preferences(store: FileStore.default, secrets: EncryptedStore(file, key: key))
/// ```
///
/// Each value is encrypted, and authenticated together with its name, by AES-256-GCM of CryptoKit, or of OpenSSL on
/// other platforms than Apple's. An attacker who can read the base store, but does not have the key, learns the names,
/// the sizes of the values and when they change, but not the values. Changing a value or moving it to another name is
/// detected. Removing a value, and restoring an earlier one under the same name, is not.
///
/// The key can also be kept in another store, such as the keychain, which creates it when the first value is set:
///
/// ```swift
/// let secrets = EncryptedStore(file, keyIn: KeychainStore())
/// ```
///
/// If the key is not the one that the base was first written with, every read and write throws
/// ``PreferencesRuntime/PreferenceProblem/Code/wrongKey`` and changes nothing. Reading a value that was damaged,
/// moved or not encrypted throws ``PreferencesRuntime/PreferenceProblem/Code/notAuthentic``. Such a value remains, and
/// its key reads as its default, until the key is set or reset. <doc:PreferencesSecrets> describes the format.
///
/// If the file or database of the base is damaged as a whole, reads throw `storeMalformed`. The next write lets the
/// base set it aside, starts a new one with this key, and reports `setAside`. Whether the damaged one had the same key
/// cannot be determined.
///
/// Everything else is as in the base: observation, updates, and sharing a file between processes.
public struct EncryptedStore: PreferenceStoreAdapter {
    /// The store that holds the encrypted values. Writing to it directly bypasses the encryption.
    public let base: any PreferenceStore

    private let key: StoredKey
    private let library: SystemCryptography.Library

    /// Creates a store. The first read or write checks the key.
    ///
    /// - Parameters:
    ///   - base: The store that holds the encrypted values, preferably nothing else.
    ///   - key: The key of the values. To change the key, use a new base and move the values with a migration:
    ///     `.moveAll(from: EncryptedStore(old, key: oldKey), isSecret: true)`. Without `isSecret` they would be moved
    ///     to the main store, unencrypted.
    public init(_ base: some PreferenceStore, key: EncryptionKey) {
        self.init(base, key: key, library: SystemCryptography.library)
    }

    init(_ base: any PreferenceStore, key: EncryptionKey, library: SystemCryptography.Library) {
        // A fixed key is one in a store that never changes.
        let store = MemoryStore([EncryptionKey.defaultName: .data(key.data)])
        self.init(base, StoredKey(in: store, named: EncryptionKey.defaultName, of: base.label), library)
    }

    /// Creates a store whose key is kept in another store, such as the keychain.
    ///
    /// ```swift
    /// let secrets = EncryptedStore(.file(path: path), keyIn: KeychainStore())
    /// ```
    ///
    /// The key is read when a value is first decrypted or encrypted, and created when the first value is set; reading
    /// creates nothing. It then stays in memory until its store notifies of a change. If that store becomes locked, reads
    /// and writes throw its problem, such as ``PreferencesRuntime/PreferenceProblem/Code/keychainLocked``, until it is
    /// unlocked again. Observers are notified of both, so that watchers and cached values follow. If the key's store
    /// does not notify of changes, as the keychain does not, call ``reload()`` to read the key again.
    ///
    /// If the base has encrypted values, and the key's store has no key, every read and write throws
    /// ``PreferencesRuntime/PreferenceProblem/Code/missingKey``, and nothing is created or changed. An entry that is not
    /// a key is never replaced: it is a ``PreferencesRuntime/PreferenceProblem/Code/wrongKey``.
    ///
    /// - Parameters:
    ///   - base: The store that holds the encrypted values, preferably nothing else.
    ///   - keyStore: The store that keeps the key: see ``EncryptionKey/init(in:named:)``. It is another one than the base.
    ///   - name: The storage name of the key in its store; ``EncryptionKey/defaultName`` by default. Encrypted stores
    ///     with the same name share the key.
    public init(
        _ base: some PreferenceStore,
        keyIn keyStore: some PreferenceStore,
        named name: String = EncryptionKey.defaultName
    ) {
        self.init(base, StoredKey(in: keyStore, named: name, of: base.label), SystemCryptography.library)
    }

    private init(_ base: any PreferenceStore, _ key: StoredKey, _ library: SystemCryptography.Library) {
        self.base = base
        self.key = key
        self.library = library
    }

    /// The base with the key in memory, if it is there. Otherwise, the key is read if it is needed.
    private var keyedBase: KeyedBase { KeyedBase(base: base, storedKey: key, check: key.cached, library: library) }

    /// Returns the base with the key, which is read now; without a key if there is none.
    private func readKeyedBase() throws -> KeyedBase {
        KeyedBase(base: base, storedKey: key, check: try key.read(), library: library)
    }

    /// The unsupported capabilities of the base, except those about types of values, which are all encrypted as one
    /// type.
    public var unsupportedCapabilities: PreferenceStoreCapabilities {
        PreferenceStoreCapabilities(unsupportedBy: base).subtracting([.null, .typedValues])
    }

    /// Returns the name of a base entry; nil for the entry that identifies the key.
    public func name(ofBaseName baseName: String) -> String? {
        baseName == KeyCheck.name ? nil : baseName
    }

    /// Returns the value of a name.
    ///
    /// - Throws: `PreferenceProblem` with ``PreferencesRuntime/PreferenceProblem/Code/wrongKey`` for a wrong key; with
    ///   ``PreferencesRuntime/PreferenceProblem/Code/notAuthentic`` for a value that cannot be decrypted; with the
    ///   errors of the base, `storeMalformed` if it is damaged; with the errors of the key's store.
    public func value(for name: String) throws -> PreferenceValue? {
        var keyed = keyedBase
        _ = try keyed.status(base.value)
        return try keyed.openedValue(for: name, base.value)
    }

    /// Returns the names of all values, including unreadable ones.
    ///
    /// - Throws: `PreferenceProblem` if the key is wrong or the base cannot be read.
    public func names() throws -> Set<String> {
        var keyed = keyedBase
        _ = try keyed.status(base.value)
        return try base.names().subtracting([KeyCheck.name])
    }

    /// Applies a batch completely or not at all. A damaged base is set aside. All observers but the writer are
    /// notified, if the base excludes writers.
    ///
    /// - Throws: `PreferenceProblem` if the key is wrong or the base cannot be written; nothing was changed then. A
    ///   damaged file is refused with `storeMalformed` for half a second after its last change, as it may be partly
    ///   written.
    public func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        if batch.isEmpty { return }
        // The first writer determines the key. The key of a damaged base is unknown: `update` sets the base aside
        // first, and makes sure that no other values are there.
        var keyed = try readKeyedBase()
        guard try keyed.statusUnlessDamaged() == .valid else { return try update(by: writer) { _ in batch } }
        try base.commit(keyed.sealed(batch), by: writer?.parts.first)
    }

    /// Applies a batch that is made from the current values, as the base's `update` does. A damaged base is set aside,
    /// and `current` returns the values of its replacement.
    ///
    /// - Throws: Any error of the closure; and as ``apply(_:by:)``.
    public func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        // The key's store may ask the user to unlock it, which must not happen while the base is locked.
        _ = try key.read()
        try base.commit(by: writer?.parts.first) { current in
            // The compiler cannot prove that the inner closure does not outlive the call.
            try withoutActuallyEscaping(current) { current in
                var keyed = try readKeyedBase()
                let status = try keyed.status(current)
                if status == .missing { try keyed.requireKeyOfSomeValue(current) }
                let batch = try makeBatch { [keyed] name in try keyed.openedValue(for: name, current) }
                // Nothing is encrypted yet if there is no key. The base excludes other processes that would create one.
                if keyed.check == nil, !batch.onlyRemoves { keyed.check = try key.read(orCreate: true) }
                var sealed = try keyed.sealed(batch)
                if status == .missing, !batch.onlyRemoves { sealed[KeyCheck.name] = try keyed.checkEdit() }
                return sealed
            }
        }
    }

    /// Returns the decrypted value of a base value.
    ///
    /// - Throws: `PreferenceProblem` with ``PreferencesRuntime/PreferenceProblem/Code/notAuthentic`` if the value was
    ///   not encrypted with this key for this name; with `unsupportedValue` if it was written by a later version of
    ///   this package.
    public func value(ofBaseValue baseValue: PreferenceValue, for name: String) throws -> PreferenceValue? {
        try keyedBase.value(ofBaseValue: baseValue, for: name)
    }

    /// Returns an encrypted value for the base, different each time.
    ///
    /// - Throws: `PreferenceProblem` with `unsupportedValue` if the value is nested too deeply or the name is reserved;
    ///   with ``PreferencesRuntime/PreferenceProblem/Code/missingKey`` if there is no key; with `storeUnwritable` if
    ///   the system has no library for encryption.
    public func baseValue(of value: PreferenceValue, for name: String) throws -> PreferenceValue {
        try keyedBase.baseValue(of: value, for: name)
    }

    /// Reads the external changes of the key's store and of the base.
    ///
    /// - Throws: The first error of the two stores, after both were reloaded.
    public func reload() throws {
        let result = Result { try key.reload() }
        try base.reload()
        try result.get()
    }

    /// Restricts access to the contents of the base and of the key's store.
    public func protectSecrets() -> [PreferenceProblem] {
        base.restrictAccess() + key.store.restrictAccess()
    }

    /// Notifies an observer of the changes of the base, and of those that concern the key: of
    /// `PreferenceStoreChange.unreadable(_:)` when the key's store can no longer be read, and of
    /// `PreferenceStoreChange.everything` when the key may have changed.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        let ofBase = observeBase(observer)
        let ofKey = key.observers.add(observer)
        return PreferenceStoreObservation(parts: ofBase.parts) { [key] in
            ofBase.cancel()
            // The key's store is observed as long as the key exists.
            withExtendedLifetime(key) { ofKey.cancel() }
        }
    }

    /// Returns the base's source of a value, if the value can be read.
    public func source(of name: String) throws -> PreferenceSource? {
        try value(for: name) == nil ? nil : base.origin(of: name)
    }

    /// Converts a value from the type that it was encrypted with.
    ///
    /// - Throws: `PreferenceProblem` with `typeMismatch` for another type. The message does not contain the value.
    public func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value {
        do {
            return try Value(preferenceValue: value)
        } catch {
            throw base.problem(.typeMismatch, name, "expected \(Value.self), found something else")
        }
    }
}

/// The base of an encrypted store, with the key that one operation uses.
private struct KeyedBase {
    let base: any PreferenceStore
    let storedKey: StoredKey
    /// The key; nil if it was not read yet, or its store has none.
    var check: KeyCheck?
    let library: SystemCryptography.Library

    typealias ValueReader = (_ name: String) throws -> PreferenceValue?

    /// Checks the key against the entries of the base. The key that was checked is used from then on.
    ///
    /// - Throws: `PreferenceProblem` if the key is wrong or cannot be checked.
    mutating func status(_ baseValue: ValueReader) throws -> KeyCheck.Status {
        guard let entry = try baseValue(KeyCheck.name) else { return .missing }
        let check = try requiredCheck()
        self.check = check
        let status = try check.status(of: entry) { [self] entry in
            try opened(entry, KeyCheck.name)
        } opensAny: { [self] in
            try opensAnyValue(baseValue)
        }
        if status == .wrong { throw wrongKey }
        return status
    }

    /// Returns the result of the key check; nil if the base is damaged.
    mutating func statusUnlessDamaged() throws -> KeyCheck.Status? {
        do {
            return try status(base.value)
        } catch let problem as PreferenceProblem where problem.code == .storeMalformed && problem.key == nil {
            return nil
        }
    }

    /// Returns the key, which is read now if it is not in memory. A key is stored before anything is encrypted with it,
    /// so that the key of a value that was found is there.
    ///
    /// - Throws: `PreferenceProblem` if there is no key; the errors of its store.
    private func requiredCheck() throws -> KeyCheck {
        try check ?? storedKey.required()
    }

    /// Checks the key without an entry that identifies it: it must decrypt some value, unless there is no encrypted
    /// value.
    func requireKeyOfSomeValue(_ baseValue: ValueReader) throws {
        if try opensAnyValue(baseValue) == false { throw wrongKey }
    }

    /// Returns the decrypted value of a name, read through a given function.
    func openedValue(for name: String, _ baseValue: ValueReader) throws -> PreferenceValue? {
        guard name != KeyCheck.name, let stored = try baseValue(name) else { return nil }
        do {
            return try value(ofBaseValue: stored, for: name)
        } catch let problem as PreferenceProblem where problem.code == .notAuthentic {
            // Without an entry that identifies the key, the cause may be a wrong key.
            if try baseValue(KeyCheck.name) == nil { try requireKeyOfSomeValue(baseValue) }
            throw problem
        }
    }

    /// Returns whether the key decrypts any value; nil if there is no encrypted value.
    private func opensAnyValue(_ baseValue: ValueReader) throws -> Bool? {
        var isAnySealed = false
        let names: Set<String>
        do {
            names = try base.names()
        } catch let problem as PreferenceProblem where problem.code == .storeMalformed {
            // A damaged base cannot list names, but may still return salvaged values. It will be set aside with all its
            // contents.
            _ = try baseValue(KeyCheck.name)
            names = []
        }
        for name in names where name != KeyCheck.name {
            // A value that the base cannot read proves nothing.
            guard let stored = try? baseValue(name), SealedValue(stored) != nil else { continue }
            isAnySealed = true
            if try opened(stored, name) != nil { return true }
        }
        return isAnySealed ? false : nil
    }

    private var wrongKey: PreferenceProblem {
        let message =
            "it was encrypted with another key; nothing is read or changed: use the key that it was first written with, or, "
            + "if that is lost, move the file away to start a new one"
        return base.problem(.wrongKey, nil, message)
    }

    /// Returns the decrypted value of a base value.
    func value(ofBaseValue baseValue: PreferenceValue, for name: String) throws -> PreferenceValue? {
        guard SealedValue(baseValue) != nil else {
            throw base.problem(
                .notAuthentic,
                name,
                "it is not encrypted, is truncated, or was written by a later version of this package"
            )
        }
        guard let bytes = try opened(baseValue, name) else {
            throw base.problem(
                .notAuthentic,
                name,
                "it was not encrypted with this key for this name, or was changed since; "
                    + "it remains until it is set or reset"
            )
        }
        guard let kind = bytes.first.flatMap(ValueBytes.Kind.init), let value = value(kind, bytes.dropFirst()) else {
            throw base.problem(.unsupportedValue, name, "it was encrypted by a later version of this package")
        }
        return value
    }

    /// Returns an encrypted value for the base.
    func baseValue(of value: PreferenceValue, for name: String) throws -> PreferenceValue {
        try rejectReservedName(name)
        let plain: ValueBytes
        do {
            plain = try ValueBytes(value)
        } catch {
            throw base.problem(.unsupportedValue, name, String(describing: error))
        }
        let key = try requiredCheck().key
        let sealed = try withLibrary(.storeUnwritable) { library throws(CryptographyError) in
            try SealedValue([plain.kind.rawValue] + plain.bytes, under: name, with: key, by: library)
        }
        return sealed.value(asText: storesOnlyText)
    }

    func sealed(_ batch: PreferenceBatch) throws -> PreferenceBatch {
        try batch.mapEdits { name, edit in
            try rejectReservedName(name)
            return (name, try edit.value.map { .set(try baseValue(of: $0, for: name)) } ?? .remove)
        }
    }

    /// Returns the edit that writes the entry that identifies the key.
    func checkEdit() throws -> PreferenceEdit {
        let check = try requiredCheck()
        let entry = try withLibrary(.storeUnwritable) { library throws(CryptographyError) in
            try check.entry(by: library)
        }
        return .set(entry.value(asText: storesOnlyText))
    }

    /// Returns the decrypted bytes of a base value; nil if they were not encrypted with this key for this name.
    func opened(_ baseValue: PreferenceValue, _ name: String) throws -> [UInt8]? {
        guard let sealed = SealedValue(baseValue) else { return nil }
        let key = try requiredCheck().key
        return try withLibrary(.storeUnreadable) { library throws(CryptographyError) in
            try sealed.bytes(under: name, with: key, by: library)
        }
    }

    private var storesOnlyText: Bool { !base.supports(.typedValues) }

    private func value(_ kind: ValueBytes.Kind, _ bytes: ArraySlice<UInt8>) -> PreferenceValue? {
        ValueBytes(kind, Data(bytes)).value
    }

    private func rejectReservedName(_ name: String) throws(PreferenceProblem) {
        if name != KeyCheck.name { return }
        throw base.problem(.unsupportedValue, name, "encrypted stores reserve this name")
    }

    private func withLibrary<Result>(
        _ code: PreferenceProblem.Code,
        _ body: (any CryptographyLibrary) throws(CryptographyError) -> Result
    ) throws(PreferenceProblem) -> Result {
        do {
            return try body(library.get())
        } catch {
            throw base.problem(code, nil, error.description)
        }
    }
}

extension PreferenceStore {
    fileprivate func problem(_ code: PreferenceProblem.Code, _ name: String?, _ message: String) -> PreferenceProblem {
        PreferenceProblem(code, key: name, store: label, message: message, isMessagePublic: true)
    }
}

extension PreferenceProblem.Code {
    /// The key of an ``EncryptedStore`` is not the one that its values were encrypted with, or the entry that should be
    /// the key is something else. Nothing was read or changed.
    public static let wrongKey = PreferenceProblem.Code(rawValue: "wrongKey")
    /// An ``EncryptedStore`` has values, and the store that keeps its key has no key. Nothing was read, changed or
    /// created.
    public static let missingKey = PreferenceProblem.Code(rawValue: "missingKey")
    /// A value of an ``EncryptedStore`` was not encrypted with its key for its name, or was changed since. It remains
    /// until its key is set or reset.
    public static let notAuthentic = PreferenceProblem.Code(rawValue: "notAuthentic")
}
