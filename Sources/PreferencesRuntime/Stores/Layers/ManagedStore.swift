public import Foundation
import PreferencesSystem

/// A read-only layer whose values an administrator has fixed.
///
/// In a ``LayeredStore``, it takes precedence over all other layers, wherever it stands, for the keys that are declared
/// as manageable: by `"managed": true` in the schema, or ``PreferenceTrait/managed``. Users cannot set such a key while it
/// is fixed. It has no effect on other keys.
///
/// ```swift
/// let preferences = Preferences(store: .layered(.managed(forApp: "weather"), .file))
///
/// preferences.weather.unit                     // the administrator's
/// preferences.weather.isManaged(\.unit)        //=> true
/// try preferences.weather.set(\.unit, to: .fahrenheit)
/// // throws: it is fixed by /etc/xdg/weather/managed.json; it was not set
/// ```
///
/// Files are read only if no user other than the superuser can have written them; a store that you pass is trusted as it
/// is. See <doc:ManagedSettings> for the files, for the rules of trust, and for what this does not protect.
///
/// As a store of its own, it returns all of its values, for declared names and others.
public final class ManagedStore: ManageableStore, ValueConvertingStore, SourceReportingStore, CapabilityDeclaringStore {
    /// The label of the store that contains the values, or the path of the file or folder.
    public let label: String
    /// The folder of the policy files; nil for another store.
    package let folder: String?

    private let policies: [Policy]
    /// The former names of each declared name.
    private let declared = Locked<[String: [String]]>([:])
    private let observers: PreferenceStoreObservers

    init(
        _ label: String,
        _ policies: [(store: any PreferenceStore, locks: (any LockSource)?)],
        folder: String? = nil
    ) {
        let observers = PreferenceStoreObservers()
        self.label = label
        self.folder = folder
        self.observers = observers
        self.policies = policies.map { Policy($0.store, $0.locks, observers) }
    }

    /// Creates a store in which every value of another store is fixed.
    ///
    /// ```swift
    /// let policy = ManagedStore(.memory(["weather:unit": "celsius"]))
    /// ```
    ///
    /// Whether the user can write that store is not checked: use ``init(forApp:)`` or ``init(file:format:layout:)`` for a
    /// file.
    ///
    /// - Parameter store: The store of the values. If it cannot be read, the values that were read last stay fixed.
    public convenience init(_ store: some PreferenceStore) {
        self.init(store.label, [(store, nil)])
    }

    /// Creates a store in which the names on a list are fixed, at the values of another store.
    ///
    /// ```swift
    /// ManagedStore(siteStore, locks: ["weather:unit", "weather:radar:"])
    /// ```
    ///
    /// - Parameters:
    ///   - store: The store of the values. A name on the list without a value there is fixed at its default.
    ///   - locks: The storage names. One that ends with a colon fixes all names under that prefix.
    public convenience init(_ store: some PreferenceStore, locks: [String]) {
        self.init(store.label, [(store, LockList(locks, label: store.label))])
    }

    /// Creates a store in which every value of a file is fixed, if only the superuser can have written it.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which need not exist.
    ///   - format: The format; by default that of the name's extension, as for ``FileStore``.
    ///   - layout: The mapping of the file to names; by default ``FileStore/Layout/flat``.
    public convenience init(file path: String, format: FileStore.Format? = nil, layout: FileStore.Layout = .flat) {
        let file = TrustedFileStore(path, format, layout)
        self.init(file.label, [(file, nil)])
    }

    /// Creates a store of the policy files in a folder, if only the superuser can have written them.
    ///
    /// - `managed.json`: every name in it is fixed, at its value.
    /// - `locks`, a folder: each of its files is a list of names, one a line. They are fixed at their values in
    ///   `preferences.json`, or at their defaults if they have none there. A line that ends with a colon fixes all names
    ///   under that prefix; blank lines, lines that begin with `#`, and files whose names begin with a dot are ignored.
    /// - `preferences.json`: has an effect only on names that are locked.
    ///
    /// - Parameter path: The path of the folder, which need not exist.
    public convenience init(folder path: String) {
        let folder = TrustedFileStore.absolutePath(path)
        self.init(
            "managed settings in \(folder)",
            [
                (TrustedFileStore("\(folder)/managed.json", .json), nil),
                (TrustedFileStore("\(folder)/preferences.json", .json), LockFolder("\(folder)/locks")),
            ],
            folder: folder
        )
    }

    /// Creates a store of an app's policy files, in `/etc/xdg/APP`; on Apple platforms in
    /// `/Library/Application Support/APP`.
    ///
    /// The folder does not depend on `XDG_CONFIG_DIRS`, which the user could change to evade the policy. For the same
    /// reason, pass the name: the default on Linux is the name by which the program was started.
    ///
    /// - Parameter app: The name of the app's folder; by default the one of ``FileStore/default``. The program ends if
    ///   it is empty, `.` or `..`, or contains a slash: it would lead to another folder.
    public convenience init(forApp app: String? = nil) {
        let app = app ?? FileStore.app
        precondition(
            !app.isEmpty && !app.contains("/") && app != "." && app != "..",
            "'\(app)' is not the name of a folder"
        )
        self.init(folder: FileStore.administratorFolder.appending(component: app).path(percentEncoded: false))
    }

    /// Creates a store of the values that mobile device management has fixed in user defaults.
    ///
    /// These are the values for which `objectIsForced(forKey:)` is true; and on iOS, tvOS, watchOS and visionOS, the
    /// entries of the dictionary `com.apple.configuration.managed`. On macOS, where users can write user defaults, that
    /// dictionary counts only if it is itself forced.
    ///
    /// - Parameter defaults: The user defaults, such as `UserDefaults.standard`.
    public convenience init(defaults: UserDefaults) {
        self.init(defaults: SharedDefaults(defaults))
    }

    /// Creates a store of the values that mobile device management has fixed in user defaults of a test.
    ///
    /// - Parameter defaults: What takes the part of the user defaults.
    public convenience init(defaults: some ManagedDefaults) {
        #if os(macOS) || !canImport(Darwin)
            let store = ForcedDefaultsStore(defaults, trustsConfiguration: false)
        #else
            let store = ForcedDefaultsStore(defaults, trustsConfiguration: true)
        #endif
        self.init(store.label, [(store, nil)])
    }

    // MARK: - The fixed values

    /// Always true, since all values of this store are fixed.
    public var hasPolicy: Bool { true }

    /// Declares that a name may be fixed.
    public func declareManaged(_ name: String, formerNames: [String]) {
        let isNew = declared.withLock { declared in
            let known = declared[name]
            let added = formerNames.filter { known?.contains($0) != true }
            if known != nil, added.isEmpty { return false }
            declared[name] = (known ?? []) + added
            return true
        }
        if isNew, !observers.isEmpty, managedValue(of: name) != nil { observers.notify(.names([name])) }
    }

    /// Returns the fixed value of a declared name; nil if the name is not declared or not fixed.
    public func managedValue(of name: String) -> ManagedValue? {
        fixed(name)?.value
    }

    private func fixed(_ name: String) -> (policy: Policy, name: String, value: ManagedValue)? {
        guard let formerNames = declared.withLock({ $0[name] }) else { return nil }
        // A policy for the present name takes precedence over all of those for former names.
        for candidate in CollectionOfOne(name) + formerNames {
            for policy in policies {
                if let value = policy.managedValue(of: candidate) { return (policy, candidate, value) }
            }
        }
        return nil
    }

    /// The declared names that are fixed.
    public func managedNames() -> Set<String> {
        Set(declared.withLock { Array($0.keys) }.filter { managedValue(of: $0) != nil })
    }

    /// Returns nil, since this store has no values but those that are fixed.
    public func unmanagedValue(for name: String) -> PreferenceValue? { nil }

    // MARK: - PreferenceStore

    /// Returns the value at which a name is fixed; nil if it is not fixed, or at its default.
    public func value(for name: String) -> PreferenceValue? {
        fixedOrUndeclared(name)?.value.value
    }

    private func fixedOrUndeclared(_ name: String) -> (policy: Policy, name: String, value: ManagedValue)? {
        if let fixed = fixed(name) { return fixed }
        for policy in policies {
            if let value = policy.managedValue(of: name) { return (policy, name, value) }
        }
        return nil
    }

    /// Returns the names that are fixed at values.
    public func names() throws -> Set<String> {
        let names = try policies.reduce(into: Set<String>()) { $0.formUnion(try $1.names()) }
        return names.union(managedNames()).filter { value(for: $0) != nil }
    }

    /// Returns the source of the value at which a name is fixed.
    public func source(of name: String) -> PreferenceSource? {
        fixedOrUndeclared(name)?.value.source
    }

    /// Converts a value as the store that contains it does.
    public func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value {
        guard let fixed = fixedOrUndeclared(name), fixed.value.value == value else {
            return try Value(preferenceValue: value)
        }
        return try fixed.policy.store.read(value, of: fixed.name, as: type)
    }

    /// Writing, and what a store of values does not support.
    public var unsupportedCapabilities: PreferenceStoreCapabilities {
        policies.reduce(.writing) { $0.union(PreferenceStoreCapabilities(unsupportedBy: $1.store)) }
    }

    /// Whether the stores of the values notify of all changes, and the system watches the lock lists.
    public var notifiesAllChanges: Bool { policies.allSatisfy(\.notifiesAllChanges) }

    /// Reads external changes.
    ///
    /// - Throws: The error of the first store that fails, after all were reloaded.
    public func reload() throws {
        let outcomes = policies.map { policy in Result { try policy.reload() } }
        for outcome in outcomes { try outcome.get() }
    }

    /// Notifies an observer of changes of the fixed values and of what is fixed, and of policies that cannot be used.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        let observations =
            [observers.add(observer)]
            + policies.flatMap { policy in
                policy.observe { [weak self] change in observer(self?.ownChange(change) ?? change) }
            }
        return PreferenceStoreObservation { for observation in observations { observation.cancel() } }
    }

    /// Adds the names whose former names have changed.
    private func ownChange(_ change: PreferenceStoreChange) -> PreferenceStoreChange {
        func own(_ names: Set<String>) -> Set<String> {
            declared.withLock { declared in
                names.union(declared.lazy.filter { !names.isDisjoint(with: $0.value) }.map(\.key))
            }
        }
        return switch change {
        case .names(let names): .names(own(names))
        case .reported(let names?, let origin): .reported(own(names), origin)
        case .everything, .reported(nil, _), .unreadable, .problem: change
        }
    }
}

// MARK: - Examining a policy

extension ManagedStore {
    /// A lock of a list.
    package struct Lock: Sendable {
        /// The storage name, or a prefix that ends with a colon.
        package let name: String
        /// The path of the list, or the label of the store.
        package let list: String

        package var isPrefix: Bool { name.hasSuffix(":") }

        /// Returns whether the lock fixes a name.
        package func applies(to other: String) -> Bool {
            name == ":" || (isPrefix ? other.utf8.starts(with: name.utf8) : other == name)
        }
    }

    /// Returns the names that are fixed without a lock, because they have values.
    package func namesFixedByValue() throws -> Set<String> {
        try policies.reduce(into: []) { names, policy in
            if policy.isUnconditional { names.formUnion(try policy.names()) }
        }
    }

    /// The locks of all lists.
    package var locks: [Lock] {
        policies.flatMap(\.lockLists).flatMap { list in list.locks.map { Lock(name: $0, list: list.label) } }
    }

    /// Returns the problems of files without an effect, and of values that cannot be read.
    package func examine() -> [PreferenceProblem] {
        let found = Locked<[PreferenceProblem]>([])
        let note: @Sendable (any Error, String?) -> Void = { [label] error, name in
            let problem = PreferenceProblem(describing: error, or: .storeUnreadable, key: name, store: label)
            found.withLock { if !$0.contains(problem) { $0.append(problem) } }
        }
        let observation = observe { if case .problem(let problem) = $0 { note(problem, nil) } }
        defer { observation.cancel() }
        do {
            try reload()
        } catch {
            note(error, nil)
        }
        for policy in policies {
            for name in ((try? policy.names()) ?? []).sorted() where policy.fixes(name) {
                do { _ = try policy.store.value(for: name) } catch { note(error, name) }
            }
        }
        return found.withLock { $0 }
    }
}

/// A value that an administrator has fixed.
public struct ManagedValue: Sendable, Hashable {
    /// The value; nil if the key is fixed at its default.
    public let value: PreferenceValue?
    /// The source of the value; nil if there is no value.
    public let source: PreferenceSource?
    /// The policy that fixes the value, for messages: the path of a file or of a lock list, or the label of a store.
    public let policy: String

    /// Creates a fixed value.
    ///
    /// - Parameters:
    ///   - value: The value; nil for the default of the key.
    ///   - source: The source of the value; nil if there is no value.
    ///   - policy: What fixes the value.
    public init(_ value: PreferenceValue?, source: PreferenceSource?, policy: String) {
        self.value = value
        self.source = source
        self.policy = policy
    }
}

/// A store of fixed values, all of them or those on a lock list.
private final class Policy: Sendable {
    let store: any PreferenceStore
    private let locks: (any LockSource)?
    /// The observers of the managed store.
    private let observers: PreferenceStoreObservers
    private let state = Locked(State())
    private let reports = DispatchQueue(label: "preferences.policy-reports")

    private struct State {
        /// The fixed values that were read last, for when the store cannot be read.
        var last: [String: ManagedValue] = [:]
        /// The problems that were reported, by name.
        var reported: [String: PreferenceProblem] = [:]
    }

    init(_ store: any PreferenceStore, _ locks: (any LockSource)?, _ observers: PreferenceStoreObservers) {
        self.store = store
        self.locks = locks
        self.observers = observers
    }

    var notifiesAllChanges: Bool { store.notifiesAllChanges && locks?.notifiesAllChanges != false }

    func names() throws -> Set<String> { try store.names() }

    /// Whether all values are fixed.
    var isUnconditional: Bool { locks == nil }

    var lockLists: [LockList] { locks?.lists ?? [] }

    func fixes(_ name: String) -> Bool { locks.map { $0.lock(on: name) != nil } ?? true }

    func managedValue(of name: String) -> ManagedValue? {
        let lock = locks?.lock(on: name)
        if locks != nil, lock == nil { return nil }
        do {
            guard let value = try store.value(for: name) else {
                note(nil, of: name)
                return lock.map { ManagedValue(nil, source: nil, policy: $0) }
            }
            let source = try store.origin(of: name) ?? PreferenceSource(store: store.label, name: name)
            let managed = ManagedValue(value, source: source, policy: lock ?? source.description)
            note(managed, of: name)
            return managed
        } catch {
            let problem = PreferenceProblem(describing: error, or: .storeUnreadable, key: nil, store: store.label)
            report(problem, of: name)
            let atDefault = ManagedValue(nil, source: nil, policy: lock ?? store.label)
            return state.withLock { state in
                // The policy has a value, though not one that it can return.
                if Self.isOfUnusableValue(error) { state.last[name] = atDefault }
                return state.last[name] ?? (lock == nil ? nil : atDefault)
            }
        }
    }

    /// Whether an error means that there is a value, but not one that can be used. Any other error may be one of the
    /// store, even if it names a key, as those of layers do.
    private static func isOfUnusableValue(_ error: any Error) -> Bool {
        guard let problem = error as? PreferenceProblem else { return error is PreferenceConversionError }
        let codes: [PreferenceProblem.Code] = [.unsupportedValue, .typeMismatch, .constraintViolation]
        return problem.key != nil && codes.contains(problem.code)
    }

    private func note(_ value: ManagedValue?, of name: String) {
        state.withLock { state in
            if state.last[name] != value { state.last[name] = value }
            if !state.reported.isEmpty { state.reported[name] = nil }
        }
    }

    /// Reports a problem once, later, since the caller may hold locks that observers need.
    private func report(_ problem: PreferenceProblem, of name: String) {
        let isNew = state.withLock { state in
            // The same problem of the whole store concerns all names.
            let isKnown =
                problem.key == nil
                ? state.reported.values.contains(problem) : state.reported[name] == problem
            state.reported[name] = problem
            return !isKnown
        }
        guard isNew else { return }
        reports.async { [observers] in observers.report(problem) }
    }

    func reload() throws {
        locks?.reload()
        try store.reload()
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> [PreferenceStoreObservation] {
        [store.observe(observer)] + (locks.map { [$0.observe(observer)] } ?? [])
    }
}

extension PreferenceStoreObservers {
    /// Notifies observers of a problem that cannot be thrown; without observers, writes it to standard error.
    func report(_ problem: PreferenceProblem) {
        if isEmpty { ProblemLog.write(problem) } else { notify(.problem(problem)) }
    }
}
