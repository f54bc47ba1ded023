public import PreferencesRuntime

/// Another store, in which the values are encrypted.
///
/// ```swift
/// let file = FileStore(url: .applicationSupportDirectory.appending(components: "Weather", "secrets.json"))
/// let preferences = Preferences(store: FileStore.default, secrets: EncryptedStore(file, key: key))
/// ```
///
/// Each value is encrypted and signed with its name, by AES-256-GCM of CryptoKit, or of OpenSSL on other systems than
/// Apple's. Whoever has the medium and not the key learns the names, how long the values are and when they change, and
/// not the values; they cannot change one or move it to another name without it being found out. They can remove
/// values, and put earlier ones back under the same name.
///
/// With another key than the one that the medium was first written with, every read and every write throws
/// ``PreferencesRuntime/PreferenceProblem/Code/wrongKey``, and nothing is changed. A value that was damaged, moved or
/// put there unencrypted throws ``PreferencesRuntime/PreferenceProblem/Code/notAuthentic`` when it is read, and stays
/// until its key is set or reset; keys read as their defaults meanwhile. <doc:PreferencesSecrets> says what is in the
/// medium.
///
/// A file or database of the base that is damaged as a whole throws `storeMalformed` when it is read. The next write sets
/// it aside as the base does, keeps it whole under another name, begins a new one with this key, and reports `setAside`.
/// Which key the damaged one had cannot be known.
///
/// Everything else is as in the base: observers, updates, several processes over one file.
public struct EncryptedStore: PreferenceStoreAdapter {
    /// The store that the encrypted values are in. Whoever writes to it goes past the encryption.
    public let base: any PreferenceStore

    let key: EncryptionKey
    let library: SystemCryptography.Library
    let check = KeyCheck()

    /// Makes a store. Nothing is read or written yet: that the key is right is found out by the first read or write.
    ///
    /// - Parameters:
    ///   - base: The store that the encrypted values are in; best one that has nothing else.
    ///   - key: The key that they are encrypted with. A new key takes a new base, to which a migration moves the values:
    ///     `.moveAll(from: EncryptedStore(old, key: oldKey), isSecret: true)`. Without `isSecret` they would be moved to the
    ///     main store, where they are not encrypted.
    public init(_ base: any PreferenceStore, key: EncryptionKey) {
        self.init(base, key: key, library: SystemCryptography.library)
    }

    init(_ base: any PreferenceStore, key: EncryptionKey, library: SystemCryptography.Library) {
        self.base = base
        self.key = key
        self.library = library
    }

    /// What the base lacks, but for kinds of values: all of them become one that it has.
    public var unsupportedCapabilities: PreferenceStoreCapabilities {
        PreferenceStoreCapabilities(unsupportedBy: base).subtracting([.null, .typedValues])
    }

    /// The name of the base; nil for that of the entry by which a wrong key is found out.
    public func name(ofBaseName baseName: String) -> String? {
        baseName == KeyCheck.name ? nil : baseName
    }

    /// The value kept under a name.
    ///
    /// - Throws: `PreferenceProblem` with ``PreferencesRuntime/PreferenceProblem/Code/wrongKey`` for any name, or with
    ///   ``PreferencesRuntime/PreferenceProblem/Code/notAuthentic`` for this one; and where the base cannot be read, with
    ///   `storeMalformed` where it is damaged.
    public func value(for name: String) throws -> PreferenceValue? {
        try requireRightKey()
        return try openedValue(for: name, base.value)
    }

    /// The names of all values, those included that cannot be read.
    ///
    /// - Throws: `PreferenceProblem` where the key is wrong or the base cannot be read.
    public func names() throws -> Set<String> {
        try requireRightKey()
        return try base.names().subtracting([KeyCheck.name])
    }

    /// Makes all changes of a batch, or none. A base that is damaged is set aside.
    ///
    /// - Throws: `PreferenceProblem` where the key is wrong or the base refuses it. Nothing was changed then. A file that
    ///   is damaged, and was changed just now, is refused with `storeMalformed` for half a second, as it may be half written.
    public func apply(_ batch: PreferenceBatch) throws {
        try apply(batch, by: nil)
    }

    /// Applies a batch, as ``apply(_:)``, and notifies all observers but the writer if the base excludes writers.
    ///
    /// - Throws: As ``apply(_:)``.
    public func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        if batch.isEmpty { return }
        // The first writer determines the key. Of a damaged base the key is unknown: its update sets it aside first, and
        // makes sure that nothing else is there.
        guard try standingUnlessDamaged() == .right else { return try update(by: writer) { _ in batch } }
        try base.commit(sealed(batch), by: writer?.parts.first)
    }

    /// Returns the result of the key check; nil if the base is damaged.
    private func standingUnlessDamaged() throws -> KeyCheck.Standing? {
        do {
            return try standing(base.value)
        } catch let problem as PreferenceProblem where problem.code == .storeMalformed && problem.key == nil {
            return nil
        }
    }

    /// Makes a batch of changes from what is kept at the moment, as the base's `update`. A base that is damaged is set
    /// aside, and `current` gives what takes its place.
    ///
    /// - Throws: What the closure throws; and as ``apply(_:)``.
    public func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try update(by: nil, makeBatch)
    }

    /// Updates the base, as ``update(_:)``, and notifies all observers but the writer if the base excludes writers.
    ///
    /// - Throws: As ``update(_:)``.
    public func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try base.commit(by: writer?.parts.first) { current in
            // The compiler cannot see that what is given to the closure does not call the closure.
            try withoutActuallyEscaping(current) { current in
                let standing = try standing(current)
                if standing == .unwritten { try requireKeyOfSomeValue(current) }
                var batch = try sealed(makeBatch { name in try openedValue(for: name, current) })
                if standing == .unwritten, !batch.onlyRemoves { batch[KeyCheck.name] = try checkEdit() }
                return batch
            }
        }
    }

    /// The base's source, of a value that can be read.
    public func source(of name: String) throws -> String? {
        try value(for: name) == nil ? nil : base.origin(of: name)
    }

    /// Reads it as what it was when it was encrypted.
    ///
    /// - Throws: `PreferenceProblem` with `typeMismatch` where it is of another type. It does not show the value.
    public func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value {
        do {
            return try Value(preferenceValue: value)
        } catch {
            throw problem(.typeMismatch, name, "expected \(Value.self), found something else")
        }
    }
}
