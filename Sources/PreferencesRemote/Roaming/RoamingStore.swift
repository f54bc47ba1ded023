import Dispatch
import Foundation
public import PreferencesRuntime
import PreferencesSystem
import Synchronization

/// A store whose shared values follow a user, or a fleet, from machine to machine, also while a machine is offline.
///
/// ```swift
/// let users = EtcdStore(endpoints: endpoints, prefix: "weather/users/anna/", cache: cacheURL)
/// let roaming = RoamingStore(local: FileStore.default, shared: [.user: users])
/// let preferences = Preferences(store: LayeredStore([roaming] + FileStore.siteStores))
/// ```
///
/// Names that are not declared as shared, and those whose scope has no shared store, live in the local store and never
/// leave the machine. A change of a shared name is written to the local store, as a pending change, before the setter
/// returns. It is moved to the shared store soon after, or when the shared store can be reached again. If another
/// machine has changed the name meanwhile, the key's ``/PreferencesRuntime/PreferenceMergeRule`` determines the value.
/// Reads return the pending change, or else the value of the shared store.
///
/// Each change reaches the shared store exactly once, even if the program is killed at any point, or several processes
/// of a machine use the same local store. <doc:Roaming> describes scopes, rules, conflicts and limits.
///
/// The local store must list its names, store values of all types, and exclude other processes from updates if there
/// are any: `FileStore` and `SQLiteStore` do. The shared stores must also exclude other machines from updates, or
/// detect that a value has changed since it was read, and then call the closure of the update again. After an update,
/// they must read what it has written. The layout of files must be flat. A change of a shared name is an update of the
/// local store, which a `FileStore` writes to the disk before it returns.
public final class RoamingStore: WriterExcludingStore, ScopedStore, ValueConvertingStore, SourceReportingStore,
    CapabilityDeclaringStore, SecretProtectingStore
{
    /// The store of values that stay on this machine, and of changes that are not shared yet.
    public let local: any PreferenceStore
    /// The stores that several machines share.
    public let shared: [PreferenceScope: any PreferenceStore]
    /// Whether changes are shared without calls of ``synchronize()``.
    public let synchronizesAutomatically: Bool
    /// The labels of the local store and of the shared ones.
    public let label: String

    let mechanism: Mechanism
    let observers = PreferenceStoreObservers()
    let automation = Locked(AutomaticSynchronization())
    let queue = DispatchQueue(label: "preferences.roaming", qos: .utility)
    /// The conflicts that were reported to observers, by their names.
    let reportedConflicts = Locked<[String: Conflict]>([:])

    private let declarations = Locked<[String: Declaration]>([:])
    /// The observation of the local store, while this store is observed.
    private let localObservation = Locked<PreferenceStoreObservation?>(nil)
    private let observesSharedStores = Atomic(false)
    /// The observations of the shared stores, from the first declaration or observer.
    private let sharedObservations = Locked<[PreferenceScope: PreferenceStoreObservation]>([:])

    private struct Declaration: Hashable {
        var scope: PreferenceScope
        var rule: PreferenceMergeRule
    }

    /// The shared store of a name.
    struct Sharing {
        let scope: PreferenceScope
        let rule: PreferenceMergeRule
        let store: any PreferenceStore
    }

    /// The system's part in a store, which tests replace.
    struct Mechanism: Sendable {
        var now: @Sendable () -> Date = { Date() }
        /// Runs a body after a delay; nil to use a private queue.
        var runLater: (@Sendable (Duration, @escaping @Sendable () -> Void) -> Void)?
        var merge: @Sendable (PreferenceMergeRule, ConcurrentChanges) -> MergeResult = PreferenceMergeRule.merge
    }

    /// Creates a store. Changes that an earlier run of the program has not shared are shared soon, on another thread.
    ///
    /// - Parameters:
    ///   - local: The store of values that stay on this machine, and of changes that are not shared yet.
    ///   - shared: The stores of each scope. A scope without a store stays on the machine.
    ///   - synchronizesAutomatically: Whether changes are shared soon after they are made, and again when a shared
    ///     store can be reached; true by default. Otherwise, call ``synchronize()``.
    public convenience init(
        local: any PreferenceStore,
        shared: [PreferenceScope: any PreferenceStore],
        synchronizesAutomatically: Bool = true
    ) {
        self.init(
            local: local,
            shared: shared,
            synchronizesAutomatically: synchronizesAutomatically,
            mechanism: Mechanism()
        )
    }

    init(
        local: any PreferenceStore,
        shared: [PreferenceScope: any PreferenceStore],
        synchronizesAutomatically: Bool,
        mechanism: Mechanism
    ) {
        self.local = local
        self.shared = shared.filter { $0.key != .machine }
        self.synchronizesAutomatically = synchronizesAutomatically
        self.mechanism = mechanism
        let labels = self.shared.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value.label)
        label = labels.isEmpty ? local.label : "\(local.label) roaming with \(labels.joined(separator: " and "))"
        if !self.shared.isEmpty { synchronizeSoon() }
    }

    // MARK: - Declaring

    /// Declares that several machines share the value of a name, and of its former names.
    ///
    /// ``/PreferencesRuntime/Preferences`` declare the keys of schemas themselves. If this changes what a name reads
    /// as, observers are notified.
    ///
    /// ```swift
    /// roaming.declareShared("weather:visits", formerNames: [], scope: .user, mergeRule: .sum)
    /// ```
    public func declareShared(
        _ name: String,
        formerNames: [String],
        scope: PreferenceScope,
        mergeRule: PreferenceMergeRule
    ) {
        let declaration = Declaration(scope: scope, rule: mergeRule)
        let changed = declarations.withLock { declarations in
            ([name] + formerNames).filter { declarations.updateValue(declaration, forKey: $0) != declaration }
        }
        guard shared[scope] != nil, !changed.isEmpty else { return }
        observeSharedStores()
        if !observers.isEmpty {
            let different = changed.filter { name in
                (try? value(for: name).isIdentical(to: local.value(for: name))) != true
            }
            notify(of: Set(different))
        }
        synchronizeSoon()
    }

    /// Returns the shared store of a name; nil if the name stays on the machine.
    func sharing(of name: String) -> Sharing? {
        guard let declaration = declarations.withLock({ $0[name] }), let store = shared[declaration.scope] else {
            return nil
        }
        return Sharing(scope: declaration.scope, rule: declaration.rule, store: store)
    }

    /// Returns whether several machines share the value of a name.
    package func isShared(_ name: String) -> Bool { sharing(of: name) != nil }

    /// Returns whether a store is the local one of a `RoamingStore` that has changed shared values.
    package static func isUsed(over local: any PreferenceStore) -> Bool {
        (try? local.value(for: RoamingName.state)) ?? nil != nil
    }

    /// Returns the names that are declared to have a scope.
    func declaredNames(in scope: PreferenceScope) -> Set<String> {
        Set(declarations.withLock { $0.filter { $0.value.scope == scope } }.keys)
    }

    // MARK: - Observing

    /// Notifies an observer of changes of the local store, and of declared names in the shared stores; of names that
    /// have another value after they were merged; of conflicts; and of changes that cannot be shared.
    ///
    /// A change through this store is notified on its thread, before the call that makes it returns; others on any
    /// thread.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        observeSharedStores()
        return observers.add(observer) {
            let observation = local.observe { [weak self] in self?.handleLocalChange($0) }
            localObservation.withLock { $0 = observation }
            return PreferenceStoreObservation { [weak self] in
                self?.localObservation.withLock { $0 = nil }
                observation.cancel()
            }
        }
    }

    /// Whether all stores notify of all changes.
    public var notifiesAllChanges: Bool { local.notifiesAllChanges && shared.values.allSatisfy(\.notifiesAllChanges) }

    /// Whether the local store excludes writers.
    public var excludesWriters: Bool { (local as? any WriterExcludingStore)?.excludesWriters ?? false }

    /// The observation of this store in the local one, which is not notified of this store's own writes.
    var localWriter: PreferenceStoreObservation? { localObservation.withLock { $0 } }

    /// The observation of this store in a shared one.
    func sharedWriter(in scope: PreferenceScope) -> PreferenceStoreObservation? {
        sharedObservations.withLock { $0[scope] }
    }

    private func observeSharedStores() {
        guard !observesSharedStores.exchange(true, ordering: .relaxed) else { return }
        for (scope, store) in shared {
            let observation = store.observe { [weak self] in self?.handleChange($0, in: scope) }
            sharedObservations.withLock { $0[scope] = observation }
        }
    }

    private func handleLocalChange(_ change: PreferenceStoreChange) {
        func ownNames(_ names: Set<String>) -> Set<String> {
            Set(names.compactMap { RoamingName.isReserved($0) ? RoamingName.journaledName($0) : $0 })
        }
        switch change {
        case .names(let names): notify(of: ownNames(names))
        case .reported(let names?, let origin):
            let names = ownNames(names)
            if !names.isEmpty { observers.notify(.reported(names, origin)) }
        case .problem(let problem): report(problem)
        case .everything, .reported(nil, _), .unreadable: observers.notify(change)
        }
    }

    private func handleChange(_ change: PreferenceStoreChange, in scope: PreferenceScope) {
        let declared = declaredNames(in: scope)
        switch change {
        case .names(let names), .reported(let names?, _):
            let changed = names.intersection(declared)
            if case .reported(_, let origin) = change, !changed.isEmpty {
                observers.notify(.reported(changed, origin))
            } else {
                notify(of: changed)
            }
            let conflicting = names.compactMap(RoamingName.conflictingName)
            if !conflicting.isEmpty { reportConflicts(of: declared.intersection(conflicting)) }
            // Entries of other machines alone do not mean that a refused change would be accepted now: two machines would
            // wake each other for ever.
            if !names.isEmpty, names.allSatisfy(RoamingName.isReserved) { return }
        case .everything, .reported(nil, _):
            notify(of: declared)
            reportConflicts(in: scope)
        case .unreadable: return observers.notify(change)
        case .problem(let problem): return report(problem)
        }
        synchronizeIfFailing()
    }

    func notify(of names: Set<String>, except writer: PreferenceStoreObservation? = nil) {
        if !names.isEmpty { observers.notify(.names(names), except: writer) }
    }

    /// Reports a problem that is not thrown to observers, or to the log if there are none.
    func report(_ problem: PreferenceProblem) {
        if observers.isEmpty { return ProblemLog.write(problem) }
        observers.notify(.problem(withOwnName(problem)))
    }

    // MARK: - Other operations

    /// Makes all changes durable in the local store. It does not wait for the shared stores: see ``synchronize()``.
    public func flush() throws {
        try withOwnNames { try local.flush() }
    }

    /// Reads the external changes of all stores.
    ///
    /// - Throws: The error of the first store that fails, after all were reloaded.
    public func reload() throws {
        let stores = [local] + shared.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
        let outcomes = stores.map { store in Result { try store.reload() } }
        for outcome in outcomes { try outcome.get() }
    }

    /// The unsupported capabilities of the local store. If any names are shared, also listing, exact values and the
    /// detection of faults, unless all shared stores support them.
    public var unsupportedCapabilities: PreferenceStoreCapabilities {
        let unsupported = shared.map { scope, store -> PreferenceStoreCapabilities in
            declaredNames(in: scope).isEmpty ? [] : PreferenceStoreCapabilities(unsupportedBy: store)
        }
        return unsupported.reduce(PreferenceStoreCapabilities(unsupportedBy: local)) {
            $0.union($1.intersection([.listing, .exactValues, .faultDetection]))
        }
    }

    /// Restricts access to the contents of all stores.
    public func protectSecrets() -> [PreferenceProblem] {
        ([local] + shared.values).flatMap { $0.restrictAccess() }
    }
}

extension RoamingStore: SharedBackendStore {
    /// The backend of the local store, so that `Preferences` over it and over this store commit one after another.
    package var backend: AnyObject {
        if let store = local as? any SharedBackendStore { return store.backend }
        return type(of: local) is AnyClass ? local as AnyObject : self
    }
}
