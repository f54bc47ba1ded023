import Foundation

/// Preferences in Foundation's user defaults.
///
/// On Apple platforms this is where an app's preferences belong, and ``Preferences/shared`` uses it.
///
/// - Warning: On Linux, Foundation's user defaults lose data; use ``FileStore`` there. They are written by emptying the
///   file and filling it again: killed while it wrote, a program with 10 keys left an empty file in 16 of 50 trials. Of
///   two processes that write at the same time each overwrites what the other wrote: of 400 new keys 109 to 360 were
///   lost. A damaged file reads as empty without an error, and the next write replaces it by the one key written. On a
///   full disk all 1,000 keys of a file were lost, while `synchronize()` returned true.
///
/// Booleans, numbers, strings, data, dates, arrays and dictionaries are stored as the property-list types that they
/// are, for other code to read. What property lists have no word for is stored as <doc:FileFormats> says.
///
/// A value is looked for where `UserDefaults` looks for it: after the suite itself also among the values that were
/// registered and those of the global domain, and before it among those of the command line and of managed devices.
/// ``names()`` lists the suite's own.
///
/// Before the first unlock after a start of the device, user defaults look empty. Reading and writing throw
/// ``PreferenceProblem/Code/storeUnreadable`` then, and observers are notified once the device is unlocked.
///
/// Observers are told of what is changed through the store that they observe. On Apple platforms they are told as well
/// when anything else in this process changes user defaults, and when another process changes a value that was read
/// through this store since they observe it. Of a name with a dot in it, or an `@` at its beginning, Foundation cannot
/// tell the latter. ``reload()`` tells them that everything may have changed. On Linux, Foundation tells of nothing at
/// all.
public final class UserDefaultsStore: PreferenceStore {
    /// The program's own defaults, as `UserDefaults.standard` has them.
    public static let standard = UserDefaultsStore(
        SharedDefaults(.standard),
        domain: Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName,
        label: "user defaults"
    )

    /// `user defaults`, and the suite's name if it has one.
    public let label: String

    let defaults: SharedDefaults
    let observers = PreferenceStoreObservers()
    private let domain: String
    #if canImport(Darwin)
        /// Held by whoever changes values through this store.
        let writing = RecursiveLock()
        /// Nil without observers.
        let externalChanges = Locked<ExternalDefaultsChanges?>(nil)
    #endif

    /// The defaults of a suite, such as those of an app group.
    ///
    /// - Parameter suite: The name of the suite. The global domain and the program's own defaults are not suites: use
    ///   ``standard`` for the latter.
    public convenience init(suite: String) {
        guard let defaults = UserDefaults(suiteName: suite) else {
            fatalError(
                "'\(suite)' is no suite's name; for the program's own defaults use UserDefaultsStore.standard"
            )
        }
        self.init(SharedDefaults(defaults), domain: suite, label: "user defaults '\(suite)'")
    }

    private let protection: DataProtection

    init(
        _ defaults: SharedDefaults,
        domain: String,
        label: String,
        protection: DataProtection = .system
    ) {
        self.protection = protection
        self.defaults = defaults
        self.domain = domain
        self.label = label
    }

    /// The value kept under a name.
    ///
    /// - Throws: ``PreferenceProblem`` where what is kept is no value: an archived object with a tag of this store's; and
    ///   while the defaults are protected.
    public func value(for name: String) throws -> PreferenceValue? {
        try checkReadable()
        #if canImport(Darwin)
            // Before it is read, so that no change is missed.
            externalChanges.withLock { $0 }?.byName.observe(name)
        #endif
        do {
            return try defaults.withAccess { defaults in
                for form in [name] + name.otherNormalForms {
                    guard let object = defaults.object(forKey: form) else { continue }
                    return try SharedDefaults.coding.value(from: object)
                }
                return nil
            }
        } catch let error as StoreFileValueError {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: error.message)
        }
    }

    /// Makes all changes of a batch. On Linux they are in the file when it returns.
    ///
    /// - Throws: ``PreferenceProblem`` where nothing was changed: a value cannot be stored, or the file not be written.
    public func apply(_ batch: [String: PreferenceEdit]) throws {
        try apply(PreferenceBatch(batch), by: nil)
    }

    /// Applies a batch, as ``apply(_:)``, and notifies all observers but the writer.
    ///
    /// - Throws: As ``apply(_:)``.
    public func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        try update(by: writer) { _ in batch }
    }

    /// Always true.
    public var excludesWriters: Bool { true }

    /// Makes a batch of changes from what is kept at the moment, with no other thread that uses this store changing
    /// anything in between; on Linux none that uses any ``UserDefaultsStore``.
    ///
    /// Other processes can, and so can code that uses `UserDefaults`: those cannot be locked. Where several processes
    /// count something, use ``FileStore``.
    ///
    /// - Parameter makeBatch: Gives the batch; an empty one changes nothing. `current` gives the value kept under a
    ///   name now, as ``value(for:)``.
    /// - Throws: What the closure throws; and as ``apply(_:)``.
    public func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) throws {
        try updateWithoutWriter(makeBatch)
    }

    /// Updates the defaults, as ``update(_:)``, and notifies all observers but the writer.
    ///
    /// - Throws: As ``update(_:)``.
    public func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try checkReadable()
        let batch = try whileWriting {
            let batch = try makeBatch(value)
            if !batch.isEmpty { try write(batch) }
            return batch
        }
        if !batch.isEmpty { observers.notify(.names(Set(batch.lazy.map(\.name))), except: writer) }
    }

    /// The names of the suite's own values, without those of the global domain and those that were registered.
    ///
    /// - Throws: ``PreferenceProblem`` while the defaults are protected.
    public func names() throws -> Set<String> {
        try checkReadable()
        return defaults.withAccess { Set($0.persistentDomain(forName: domain).map { Array($0.keys) } ?? []) }
    }

    /// Exclusive updates, as other processes cannot be locked out. On Linux, what the warning above says as well, and
    /// control characters in names, as XML has no words for them.
    public var unsupportedCapabilities: PreferenceStoreCapabilities {
        #if canImport(Darwin)
            .exclusiveUpdates
        #else
            [.exclusiveUpdates, .crashSafety, .faultDetection, .controlCharactersInNames]
        #endif
    }

    /// Waits until everything is saved, as far as Foundation knows.
    ///
    /// - Throws: ``PreferenceProblem`` where it says that it is not.
    public func flush() throws {
        guard defaults.withAccess({ $0.synchronize() }) else {
            throw PreferenceProblem(.storeUnwritable, store: label, message: "\(label) cannot be saved")
        }
    }

    /// Reads what other processes have saved, and tells observers that anything may have changed.
    public func reload() {
        _ = defaults.withAccess { $0.synchronize() }
        observers.notify(.everything)
    }

    /// Throws until the device has been unlocked for the first time after its start: user defaults look empty, and what is
    /// set would be lost, or replace what is stored.
    private func checkReadable() throws(PreferenceProblem) {
        guard protection.isActive else { return }
        // Nothing else reports that values can be read then.
        protection.whenItEnds(for: self) { [weak self] in self?.observers.notify(.everything) }
        let message = "\(label) are protected until the device has been unlocked for the first time after its start"
        throw PreferenceProblem(.storeUnreadable, store: label, message: message, isMessagePublic: true)
    }

    /// Runs a body while no other thread changes anything through this store.
    private func whileWriting<Result>(_ body: () throws -> Result) rethrows -> Result {
        #if canImport(Darwin)
            return try writing.withLock(body)
        #else
            // A second lock could be taken in another order by a closure that writes to another store.
            return try defaults.withAccess { _ in try body() }
        #endif
    }

    private func write(_ batch: PreferenceBatch) throws {
        let objects = try batch.map { name, edit in (name, try object(for: name, edit)) }
        let isSaved = defaults.withAccess { defaults in
            #if canImport(Darwin)
                // The system's preferences service has them then, whatever becomes of this process.
                Self.set(objects, in: defaults)
                return true
            #else
                let domain = defaults.persistentDomain(forName: domain) ?? [:]
                Self.set(objects, in: defaults)
                if defaults.synchronize() { return true }
                Self.set(objects.map { name, _ in (name, domain[name]) }, in: defaults)
                return false
            #endif
        }
        if !isSaved { throw PreferenceProblem(.storeUnwritable, store: label, message: "\(label) cannot be saved") }
    }

    private func object(for name: String, _ edit: PreferenceEdit) throws(PreferenceProblem) -> Any? {
        guard case .set(let value) = edit else { return nil }
        do {
            guard SharedDefaults.coding.hasWords(for: name) else {
                throw StoreFileValueError("XML has no word for a character of this name")
            }
            return try SharedDefaults.coding.object(from: value)
        } catch {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: ErrorText(error).description)
        }
    }

    private static func set(_ objects: [(String, Any?)], in defaults: UserDefaults) {
        for (name, object) in objects {
            for form in name.otherNormalForms where defaults.object(forKey: form) != nil {
                defaults.removeObject(forKey: form)
            }
            #if !canImport(Darwin)
                // Setting 1.0 changes nothing where 1 is kept: Foundation on Linux takes them for equal.
                defaults.removeObject(forKey: name)
            #endif
            if let object { defaults.set(object, forKey: name) } else { defaults.removeObject(forKey: name) }
        }
    }
}
