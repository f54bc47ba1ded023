import Foundation
import PreferencesSystem

/// A store in Foundation's user defaults.
///
/// It is the default store of apps on Apple platforms, which ``Preferences/shared`` uses.
///
/// - Warning: On Linux, Foundation's user defaults lose data; use ``FileStore`` there. Foundation truncates the file
///   before it writes it: a program with 10 keys that was killed during the write left an empty file in 16 of 50
///   trials. Two processes that write at the same time overwrite each other's changes: of 400 new keys, 109 to 360 were
///   lost. A damaged file reads as empty without an error, and the next write replaces it. On a full disk, all 1,000
///   keys of a file were lost, although `synchronize()` returned true.
///
/// Booleans, numbers, strings, data, dates, arrays and dictionaries are stored as property-list types, which other code
/// can read. Values without a property-list type are stored as <doc:FileFormats> describes.
///
/// A value is read from the domains that `UserDefaults` searches: the command line and managed settings take precedence
/// over the suite; the global domain and registered defaults follow it. ``names()`` returns the names of the suite
/// alone.
///
/// Until the device has been unlocked for the first time after it starts, user defaults look empty. Reads and writes
/// then throw ``PreferenceProblem/Code/storeUnreadable``, and observers are notified when the device is unlocked.
///
/// Observers are notified of changes through the store that they observe. On Apple platforms they are also notified
/// when other code in this process changes user defaults, and when another process changes a value that was read
/// through this store since the observation began, unless its name contains a dot or begins with `@`. ``reload()``
/// notifies them that everything may have changed. On Linux, Foundation reports no changes.
public final class UserDefaultsStore: WriterExcludingStore, CapabilityDeclaringStore {
    /// The store of `UserDefaults.standard`.
    public static let standard = UserDefaultsStore(
        SharedDefaults(.standard),
        domain: Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName,
        label: "user defaults"
    )

    /// `user defaults`, followed by the name of the suite, if any.
    public let label: String

    let defaults: SharedDefaults
    let observers = PreferenceStoreObservers()
    package let domain: String
    private let protection: DataProtection
    #if canImport(Darwin)
        /// Held while values are changed through this store.
        let writing = RecursiveLock()
        /// The observers of external changes; nil if the store has no observers.
        let externalChanges = Locked<ExternalChangeObservers?>(nil)
    #endif

    /// Creates a store in the defaults of a suite, such as those of an app group.
    ///
    /// - Parameter suite: The name of the suite. The program ends if it is the global domain, or the program's own
    ///   defaults, for which there is ``standard``. On Linux, the program also ends if the name is empty or contains a
    ///   slash, because it is used as a file name.
    public convenience init(suite: String) {
        guard Self.isName(suite), let defaults = UserDefaults(suiteName: suite) else {
            fatalError(
                "'\(suite)' is not the name of a suite; for the program's own defaults use UserDefaultsStore.standard"
            )
        }
        self.init(SharedDefaults(defaults), domain: suite, label: "user defaults '\(suite)'")
    }

    /// Whether Foundation on Linux uses a file of this name in the folder of user defaults alone.
    private static func isName(_ suite: String) -> Bool {
        #if canImport(Darwin)
            true
        #else
            !suite.isEmpty && suite != UserDefaults.globalDomain && !suite.contains { "/\0".contains($0) }
        #endif
    }

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

    /// Returns the value that is stored under a name; nil if the name is not set.
    ///
    /// - Throws: ``PreferenceProblem`` if the stored object is not a value, such as one with a tag of this store and
    ///   unsuitable content; and while the defaults are protected.
    public func value(for name: String) throws -> PreferenceValue? {
        try checkReadable()
        #if canImport(Darwin)
            // Before the read, so that no change is missed.
            externalChanges.withLock { $0 }?.byName.observe(name)
        #endif
        do {
            return try defaults.withAccess { defaults in
                for form in [name] + name.otherNormalizations {
                    guard let object = defaults.object(forKey: form) else { continue }
                    return try SharedDefaults.coding.value(from: object)
                }
                return nil
            }
        } catch let error as StoreFileValueError {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: error.message)
        }
    }

    /// Applies a batch that is made from the current values, while no other thread changes them through this store; on
    /// Linux, through any ``UserDefaultsStore``. On Linux, the batch is in the file when this returns.
    ///
    /// Other processes, and code that uses `UserDefaults`, cannot be excluded. If several processes count something,
    /// use ``FileStore``.
    ///
    /// - Parameters:
    ///   - writer: The observation of the observer that writes, which is not notified; nil for none.
    ///   - makeBatch: Returns the batch; an empty one changes nothing. `current` returns the current value of a name.
    /// - Throws: Any error of the closure; ``PreferenceProblem`` if nothing was changed: a value cannot be stored, or
    ///   the file cannot be written.
    public func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try checkReadable()
        let batch = try withWriteLock {
            let batch = try makeBatch(value)
            if !batch.isEmpty { try write(batch) }
            return batch
        }
        if !batch.isEmpty { observers.notify(.names(Set(batch.lazy.map(\.name))), except: writer) }
    }

    /// Returns the names of the suite's values, without those of the global domain and registered defaults.
    ///
    /// - Throws: ``PreferenceProblem`` while the defaults are protected.
    public func names() throws -> Set<String> {
        try checkReadable()
        return defaults.withAccess { Set($0.persistentDomain(forName: domain).map { Array($0.keys) } ?? []) }
    }

    /// Exclusive updates, since other processes cannot be excluded. On Linux, also crash safety, fault detection, and
    /// control characters in names, which XML cannot represent.
    public var unsupportedCapabilities: PreferenceStoreCapabilities {
        #if canImport(Darwin)
            .exclusiveUpdates
        #else
            [.exclusiveUpdates, .crashSafety, .faultDetection, .controlCharactersInNames]
        #endif
    }

    /// Waits until Foundation has saved all changes.
    ///
    /// - Throws: ``PreferenceProblem`` if Foundation reports a failure.
    public func flush() throws {
        guard defaults.withAccess({ $0.synchronize() }) else {
            throw PreferenceProblem(.storeUnwritable, store: label, message: "\(label) cannot be saved")
        }
    }

    /// Reads the changes that other processes have saved, and notifies observers that everything may have changed.
    public func reload() {
        _ = defaults.withAccess { $0.synchronize() }
        observers.notify(.everything)
    }

    /// Throws until the device has been unlocked for the first time after it starts: user defaults look empty, and
    /// edits would be lost, or replace stored values.
    private func checkReadable() throws(PreferenceProblem) {
        guard protection.isActive else { return }
        // The unlock causes no other notification.
        protection.whenItEnds(for: self) { [weak self] in self?.observers.notify(.everything) }
        let message = "\(label) are protected until the device has been unlocked for the first time after its start"
        throw PreferenceProblem(.storeUnreadable, store: label, message: message, isMessagePublic: true)
    }

    /// Runs a body while no other thread changes values through this store.
    private func withWriteLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        #if canImport(Darwin)
            return try writing.withLock(body)
        #else
            // A second lock could deadlock with a closure that writes to another store.
            return try defaults.withAccess { _ in try body() }
        #endif
    }

    private func write(_ batch: PreferenceBatch) throws {
        let objects = try batch.map { name, edit in (name, try object(for: name, edit)) }
        let isSaved = defaults.withAccess { defaults in
            #if canImport(Darwin)
                // The values are then in the system's preferences service, even if this process is killed.
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
            guard SharedDefaults.coding.canRepresent(for: name) else {
                throw StoreFileValueError("XML cannot represent a character of this name")
            }
            return try SharedDefaults.coding.object(from: value)
        } catch {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: ErrorText(error).description)
        }
    }

    private static func set(_ objects: [(String, Any?)], in defaults: UserDefaults) {
        for (name, object) in objects {
            for form in name.otherNormalizations where defaults.object(forKey: form) != nil {
                defaults.removeObject(forKey: form)
            }
            #if !canImport(Darwin)
                // Foundation on Linux does not replace 1 by 1.0, which it considers equal.
                defaults.removeObject(forKey: name)
            #endif
            if let object { defaults.set(object, forKey: name) } else { defaults.removeObject(forKey: name) }
        }
    }
}

/// User defaults that can be used by any thread.
///
/// The conformance to `Sendable` is unchecked because `UserDefaults` is not `Sendable` in Foundation on Linux. Apple
/// documents it as thread-safe. On Linux it is used with a lock held: one for all suites, because these share the
/// domains behind them. The lock is recursive, because a closure that makes a batch is called with it, and reads.
struct SharedDefaults: @unchecked Sendable {  // Locked where not thread-safe.
    private let defaults: UserDefaults

    #if !canImport(Darwin)
        private static let access = RecursiveLock()
    #endif

    init(_ defaults: UserDefaults) {
        self.defaults = defaults
    }

    /// The conversion of values to objects. Foundation on Linux saves XML.
    static var coding: PropertyListValue {
        #if canImport(Darwin)
            PropertyListValue(isXML: false)
        #else
            PropertyListValue(isXML: true)
        #endif
    }

    func withAccess<Result>(_ body: (UserDefaults) throws -> Result) rethrows -> Result {
        #if canImport(Darwin)
            // Without a lock, since setters call observers, which may read.
            return try body(defaults)
        #else
            return try Self.access.withLock { try body(defaults) }
        #endif
    }
}

extension String {
    /// The other Unicode normalizations of a name: equal strings with different bytes, which user defaults distinguish.
    var otherNormalizations: [String] {
        if utf8.allSatisfy({ $0 < 0x80 }) { return [] }
        return [precomposedStringWithCanonicalMapping, decomposedStringWithCanonicalMapping]
            .filter { !$0.utf8.elementsEqual(utf8) }
    }
}
