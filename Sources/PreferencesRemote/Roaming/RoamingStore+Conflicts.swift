public import Foundation
public import PreferencesRuntime
import PreferencesSystem

extension PreferenceProblem.Code {
    /// Several machines have set a key to different values while they were apart. All values are kept, and the key
    /// reads as the first one that was shared: see ``RoamingStore/conflicts()``.
    public static let mergeConflict = PreferenceProblem.Code(rawValue: "mergeConflict")

    /// ``RoamingStore/resolve(_:with:)-(String,_)`` was called for a name without a conflict.
    public static let noConflict = PreferenceProblem.Code(rawValue: "noConflict")
}

extension RoamingStore {
    /// The values of a name between which the user must decide.
    public struct Conflict: Sendable, Hashable {
        /// A value that another change has set.
        public struct Alternative: Sendable, Hashable {
            /// The identifier of the machine that has set the value.
            public let machine: String
            /// The value; nil if the name was removed.
            public let value: PreferenceValue?
            /// The time of the change, by the machine's clock.
            public let date: Date
        }

        /// The name.
        public let name: String
        /// The shared value, which the name reads as; nil if it has none.
        public let value: PreferenceValue?
        /// The other values, latest first: one of each machine.
        public let alternatives: [Alternative]
    }

    /// Returns the conflicts in the shared stores, sorted by name.
    ///
    /// A conflict arises if machines have changed a key with the rule `ask` while they were apart, or have set values
    /// that do not suit another rule. It lasts until the key is set or reset on a machine that has it.
    ///
    /// ```swift
    /// for conflict in try roaming.conflicts() {
    ///     let newest = conflict.alternatives[0].value
    ///     try roaming.resolve(conflict.name, with: askUser(conflict) ?? newest)
    /// }
    /// ```
    ///
    /// - Throws: An error if a store cannot be read.
    public func conflicts() throws -> [Conflict] {
        var conflicts: [Conflict] = []
        for (scope, store) in shared {
            for name in try store.names().compactMap(RoamingName.conflictingName) {
                if let conflict = try conflict(for: name, in: scope) { conflicts.append(conflict) }
            }
        }
        return conflicts.sorted { $0.name < $1.name }
    }

    /// Returns the conflict of a declared name; nil if there is none, or a pending change decides it.
    ///
    /// - Throws: An error if a store cannot be read.
    public func conflict(for name: String) throws -> Conflict? {
        try sharing(of: name).flatMap { try conflict(for: name, in: $0.scope) }
    }

    /// - Parameter includingDecided: Whether to return a conflict that a pending change decides.
    private func conflict(
        for name: String,
        in scope: PreferenceScope,
        includingDecided: Bool = false
    ) throws -> Conflict? {
        guard let store = shared[scope] else { return nil }
        let record = try SharedRecord(of: name, in: store)
        let alternatives = record.alternatives(
            notSettledBy: includingDecided ? nil : try entry(of: name, local.value)
        )
        if alternatives.isEmpty { return nil }
        return Conflict(
            name: name,
            value: record.version.value,
            alternatives: alternatives.sorted { ($0.value.stamp ?? .oldest) > ($1.value.stamp ?? .oldest) }.map {
                Conflict.Alternative(machine: $0, value: $1.value, date: ($1.stamp ?? .oldest).date)
            }
        )
    }

    /// Returns the scope and the conflict of a name, also of one that this program has not used yet.
    ///
    /// - Parameter includingDecided: Whether to return a conflict that a pending change decides.
    func openConflict(
        of name: String,
        includingDecided: Bool = false
    ) throws -> (scope: PreferenceScope, conflict: Conflict)? {
        for scope in sharing(of: name).map({ [$0.scope] }) ?? Array(shared.keys) {
            if let conflict = try conflict(for: name, in: scope, includingDecided: includingDecided) {
                return (scope, conflict)
            }
        }
        return nil
    }

    /// Sets the value of a name that has a conflict, which ends with the next synchronization. Until then, it can be
    /// resolved with another value.
    ///
    /// Setting the key has the same effect. The store does not know the type of the key: a value that the key cannot be
    /// read from is set nevertheless. ``resolve(_:with:)-(ReferenceWritableKeyPath<Preferences,Value>,_)`` takes values
    /// of that type alone.
    ///
    /// ```swift
    /// try roaming.resolve("weather:unit", with: "kelvin")
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value; nil to remove it.
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem`` with `noConflict` if the name has no conflict, for example
    ///   because it was resolved on another machine; an error if a store cannot be read; the errors of
    ///   ``apply(_:by:)``.
    public func resolve(_ name: String, with value: PreferenceValue?) throws {
        // The shared store may refuse the value of a pending change.
        guard let (scope, _) = try openConflict(of: name, includingDecided: true) else {
            throw PreferenceProblem(
                .noConflict,
                key: name,
                store: label,
                message: "it has no conflict that could be resolved: it may be resolved already, or the name may be "
                    + "misspelled; to change its value, set the key",
                isMessagePublic: true
            )
        }
        if sharing(of: name) == nil { declareShared(name, formerNames: [], scope: scope, mergeRule: .ask) }
        try apply([name: value.map { .set($0) } ?? .remove], by: nil)
    }

    /// Reports the conflicts of a scope that were not reported yet, if there are observers.
    func reportConflicts(in scope: PreferenceScope) {
        if observers.isEmpty { return }
        let conflicting = ((try? shared[scope]?.names()) ?? []).compactMap(RoamingName.conflictingName)
        let reported = reportedConflicts.withLock { Set($0.keys) }
        reportConflicts(of: declaredNames(in: scope).intersection(reported.union(conflicting)))
    }

    /// Reports the conflicts of declared names that were not reported yet, if there are observers.
    func reportConflicts(of names: Set<String>) {
        if observers.isEmpty { return }
        for name in names.sorted() {
            // A store that cannot be read reports that itself.
            guard let sharing = sharing(of: name), let conflict = try? conflict(for: name, in: sharing.scope) else {
                reportedConflicts.withLock { $0[name] = nil }
                continue
            }
            let isNew = reportedConflicts.withLock { $0.updateValue(conflict, forKey: name) != conflict }
            if !isNew { continue }
            let dates = conflict.alternatives.map { "\(PreferenceValue.date($0.date))" }.joined(separator: ", ")
            let values = conflict.alternatives.count == 1 ? "another value is" : "other values are"
            let message =
                "it was changed on several machines while they were apart, and \(values) kept beside it, of \(dates); "
                + "set it to the value that you want, or call RoamingStore.resolve(_:with:)"
            let problem = PreferenceProblem(
                .mergeConflict,
                key: name,
                store: sharing.store.label,
                message: message,
                isMessagePublic: true
            )
            observers.notify(.problem(problem))
        }
    }
}
