import Dispatch
import Foundation
import PreferencesRuntime
import PreferencesSystem

// A push has three steps, each an update of one store:
//
// 1. The local store: the pending changes are marked as in flight, with the number of the push.
// 2. The shared store: the changes are applied, together with the number as the marker of the machine.
// 3. The local store: the changes in flight are removed from the journal.
//
// Any process of the machine can be killed after any step, or repeat one: as long as changes are in flight, no process
// begins another push, and the second step does nothing if the marker shows that the push was applied. No step holds
// the locks of both stores, except that the first one reads the shared store.

extension RoamingStore {
    /// Moves all pending changes to the shared stores, and merges them with the changes of other machines.
    ///
    /// It waits for the stores, and so for the network. Several threads and processes may call it at the same time.
    ///
    /// ```swift
    /// do {
    ///     try roaming.synchronize()
    /// } catch {
    ///     print("Your changes will be shared later:", error)
    /// }
    /// ```
    ///
    /// - Throws: The problem of the first store that fails, after the others were synchronized. The changes stay
    ///   pending.
    public func synchronize() throws {
        let outcomes = shared.keys.sorted { $0.rawValue < $1.rawValue }.map { scope in
            Result { try synchronize(scope) }
        }
        for scope in shared.keys { reportConflicts(in: scope) }
        for outcome in outcomes { try outcome.get() }
    }

    /// The number of names that a push changes, so that it stays below the limits of shared stores: with the stamps, it
    /// has two edits for each.
    private static let largestPush = 1_000

    /// Changes that were marked as in flight.
    private struct Push {
        let id: PushID
        let changes: [String: JournalEntry]
    }

    /// The outcome of applying a push.
    private struct PushOutcome {
        var marker: PushMarker
        /// The merged values; empty if the push had been applied before.
        var values: [String: PreferenceValue?] = [:]
    }

    /// The changes that a shared store has refused: it does not support their values, or the user may not write them.
    private struct Refusals {
        /// The problems of the names.
        var problems: [String: PreferenceProblem] = [:]
        /// Halved while pushes are refused without the name of a value: they may be too large, or have one such value.
        var largestPush = RoamingStore.largestPush

        /// Returns one problem for all the changes, which stay in the local store.
        func problem(keptIn local: any PreferenceStore) -> PreferenceProblem? {
            guard let (name, problem) = problems.min(by: { $0.key < $1.key }) else { return nil }
            let consequence =
                problems.count == 1
                ? "the change is kept in \(local.label), and is not shared"
                : "the changes of \(RoamingStore.list(problems.keys)) are kept in \(local.label), and are not shared"
            return PreferenceProblem(problem, key: name, consequence: consequence)
        }
    }

    private func synchronize(_ scope: PreferenceScope) throws {
        guard let store = shared[scope] else { return }
        var refusals = Refusals()
        while let push = try beginPush(in: scope, to: store, refusals) {
            let outcome: PushOutcome
            do {
                outcome = try apply(push, to: store, in: scope, &refusals)
            } catch {
                throw PreferenceProblem(describing: error, or: .storeUnwritable, key: nil, store: store.label)
            }
            // An offline start of the program reads the changes from what the shared store keeps on this machine. A store
            // that cannot keep its values reports that itself.
            try? store.flush()
            try finish(push, outcome, in: store)
        }
        if let problem = refusals.problem(keptIn: local) { throw problem }
    }

    // MARK: - Step 1

    /// Marks pending changes as in flight, unless there are such changes already.
    ///
    /// - Returns: The changes in flight; nil if there are none.
    private func beginPush(
        in scope: PreferenceScope,
        to store: any PreferenceStore,
        _ refusals: Refusals
    ) throws -> Push? {
        guard try hasUnsharedChanges(in: scope) else { return nil }
        awaitFirstValues(of: store)
        var push: Push?
        var adopted: Set<String> = []
        // Also after an error: the batch may have been applied, but not be durable.
        defer { notify(of: adopted) }
        try withOwnNames {
            try local.commit(by: localWriter) { current in
                var state = try MachineState(current(RoamingName.state)) ?? .new()
                var entries = try entries(in: scope, current)
                if let id = entries.values.compactMap(\.inFlight?.push).min(by: { $0.number < $1.number }) {
                    let changes = entries.filter { $0.value.inFlight?.push == id }
                    push = Push(id: id, changes: changes)
                    return [:]
                }
                var edits: [String: PreferenceEdit] = [:]
                for (name, var entry) in entries where entry.rule == .last && sharing(of: name)?.scope == scope {
                    guard let own = try current(name) else { continue }
                    edits[name] = .remove
                    (entry.value, entry.stamp) = (own, entry.stamp.successor(on: state.machine))
                    entries[name] = entry
                    edits[RoamingName.journal(of: name)] = .set(entry.preferenceValue)
                }
                for name in declaredNames(in: scope) where entries[name] == nil {
                    guard let own = try current(name), let sharing = sharing(of: name),
                        try current(RoamingName.journal(of: name)) == nil
                    else { continue }
                    edits[name] = .remove
                    let isLater = try isLater(thanSharedValueOf: name, sharing, current)
                    guard let entry = try adoptedEntry(of: name, own, isLater: isLater, sharing, &state) else {
                        continue
                    }
                    entries[name] = entry
                    edits[RoamingName.journal(of: name)] = .set(entry.preferenceValue)
                    adopted.insert(name)
                }
                let chosen = Self.oldest(refusals.largestPush, of: entries.filter { refusals.problems[$0.key] == nil })
                if !chosen.isEmpty {
                    let id = PushID(
                        machine: state.machine,
                        number: state.pushes[scope, default: 0] + 1,
                        token: .randomIdentifier()
                    )
                    state.pushes[scope] = id.number
                    let changes = chosen.mapValues { entry in
                        var entry = entry
                        entry.inFlight = .init(push: id, value: entry.value, stamp: entry.stamp)
                        return entry
                    }
                    for (name, entry) in changes { edits[RoamingName.journal(of: name)] = .set(entry.preferenceValue) }
                    push = Push(id: id, changes: changes)
                }
                if edits.isEmpty { return [:] }
                edits[RoamingName.state] = .set(state.preferenceValue)
                return PreferenceBatch(edits)
            }
            // The shared store must not have changes that a power failure could leave unmarked here.
            if push != nil { try local.flush() }
        }
        return push
    }

    /// Whether the local store has pending changes of a scope, or values from before their names were shared.
    private func hasUnsharedChanges(in scope: PreferenceScope) throws -> Bool {
        let names = try local.names()
        return try !names.isDisjoint(with: declaredNames(in: scope)) || !entries(in: scope, local.value).isEmpty
    }

    /// Returns the pending changes of a scope. Damaged ones are not among them: they are thrown when their names are
    /// read.
    func entries(
        in scope: PreferenceScope,
        _ current: (_ name: String) throws -> PreferenceValue?
    ) throws -> [String: JournalEntry] {
        var entries: [String: JournalEntry] = [:]
        for name in try local.names().compactMap(RoamingName.journaledName) {
            guard let entry = try current(RoamingName.journal(of: name)).flatMap({ JournalEntry($0) }),
                entry.scope == scope
            else { continue }
            entries[name] = entry
        }
        return entries
    }

    /// Returns a pending change for a value that was set while its name was not shared.
    ///
    /// - Parameter isLater: Whether the value was set after the shared one.
    /// - Returns: Nil if the shared value takes precedence, or contains it.
    private func adoptedEntry(
        of name: String,
        _ own: PreferenceValue,
        isLater: Bool,
        _ sharing: Sharing,
        _ state: inout MachineState
    ) throws -> JournalEntry? {
        let shared: JournalEntry.Version
        do {
            shared = try SharedRecord(of: name, in: sharing.store).version
        } catch {
            throw PreferenceProblem(describing: error, or: .storeUnreadable, key: nil, store: sharing.store.label)
        }
        let now = mechanism.now()
        // The oldest stamp: a value that another machine has published meanwhile takes precedence.
        var entry = JournalEntry(scope: sharing.scope, rule: sharing.rule, value: own, stamp: .oldest, since: now)
        guard shared.value != nil else {
            entry.base = shared
            return entry
        }
        let changes = ConcurrentChanges(base: nil, wanted: own, current: shared.value, isLater: isLater)
        guard case .value(let merged) = mechanism.merge(sharing.rule, changes) else { return entry }
        if merged.isIdentical(to: shared.value) { return nil }
        (entry.value, entry.base) = (merged, shared)
        if isLater, let stamp = shared.stamp {
            // The time of the change is not known: a value that another machine has published meanwhile takes
            // precedence.
            entry.stamp = stamp.successor(on: state.machine)
            return entry
        }
        let seen = [shared.stamp, state.clock].compactMap(\.self)
        entry.stamp = ClockStamp.next(after: seen, at: now, on: state.machine)
        state.clock = entry.stamp
        return entry
    }

    /// Returns the oldest changes. Those of one batch have one stamp, and are not separated unless there are too many.
    private static func oldest(_ count: Int, of entries: [String: JournalEntry]) -> [String: JournalEntry] {
        let sorted = entries.sorted { ($0.value.stamp, $0.key) < ($1.value.stamp, $1.key) }
        guard sorted.count > count else { return entries }
        let next = sorted[count].value.stamp
        let whole = sorted.prefix(count).filter { $0.value.stamp < next }
        return Dictionary(uniqueKeysWithValues: (whole.isEmpty ? Array(sorted.prefix(count)) : whole).map { ($0, $1) })
    }

    // MARK: - Step 2

    /// Applies the changes in flight to the shared store, except those that it refuses.
    private func apply(
        _ push: Push,
        to store: any PreferenceStore,
        in scope: PreferenceScope,
        _ refusals: inout Refusals
    ) throws -> PushOutcome {
        var refused: Set<String> = []
        while true {
            do {
                return try apply(push, to: store, in: scope, refusing: refused)
            } catch let problem as PreferenceProblem where refused.count < push.changes.count {
                let culprit = push.changes.keys.first { name in
                    !refused.contains(name)
                        && [name, RoamingName.stamp(of: name), RoamingName.conflict(of: name)].contains(problem.key)
                }
                // Other problems concern the whole store.
                let isRefusal = [.unsupportedValue, .accessDenied].contains(problem.code)
                guard culprit != nil || isRefusal else { throw problem }
                if let culprit = culprit ?? (push.changes.count == 1 ? push.changes.keys.first : nil) {
                    refused.insert(culprit)
                    refusals.problems[culprit] = problem
                    if push.changes.count == 1 { refusals.largestPush = Self.largestPush }
                } else {
                    refused = Set(push.changes.keys)
                    refusals.largestPush = push.changes.count / 2
                }
            }
        }
    }

    private func apply(
        _ push: Push,
        to store: any PreferenceStore,
        in scope: PreferenceScope,
        refusing refused: Set<String>
    ) throws -> PushOutcome {
        let markerName = RoamingName.marker(of: push.id.machine, in: scope)
        var outcome = PushOutcome(marker: PushMarker(push: push.id, refused: refused))
        // The store calls the closure again if another machine has changed a value that it has read.
        try store.commit(by: sharedWriter(in: scope)) { current in
            outcome = PushOutcome(marker: PushMarker(push: push.id, refused: refused))
            if let marker = PushMarker(try SharedRecord.entry(markerName, current)),
                marker.push.number >= push.id.number
            {
                outcome.marker = marker
                return [:]
            }
            var batch: [String: PreferenceEdit] = [markerName: .set(outcome.marker.preferenceValue)]
            for (name, entry) in push.changes where !refused.contains(name) {
                let record = try SharedRecord(of: name, current)
                outcome.values[name] = merge(entry, of: name, into: record, on: push.id.machine, &batch)
            }
            return PreferenceBatch(batch)
        }
        return outcome
    }

    /// Merges a change in flight with the shared value.
    ///
    /// - Parameter batch: Receives the edits of the shared store.
    /// - Returns: The merged value.
    private func merge(
        _ entry: JournalEntry,
        of name: String,
        into record: SharedRecord,
        on machine: String,
        _ batch: inout [String: PreferenceEdit]
    ) -> PreferenceValue? {
        guard let change = entry.inFlight else { return entry.value }
        let current = record.version
        let base = entry.base ?? .init()
        let isKnown = record.isMalformed || base.stamp == current.stamp && base.value.isIdentical(to: current.value)
        // A value that was edited by hand has the stamp of the value that it has replaced.
        let isEditedByHand = entry.base != nil && base.stamp == current.stamp && !isKnown
        let hasLaterStamp = current.stamp.map { $0 < change.stamp } ?? true
        let changes = ConcurrentChanges(
            base: base.value,
            wanted: change.value,
            current: current.value,
            isLater: hasLaterStamp && !isEditedByHand
        )
        var alternatives = record.alternatives(notSettledBy: entry)
        let merged: PreferenceValue?
        switch isKnown ? .value(change.value) : mechanism.merge(entry.rule, changes) {
        case .value(let value): merged = value
        case .conflict:
            merged = current.value
            alternatives[machine] = .init(value: change.value, stamp: change.stamp)
        }
        let isChanged = record.isMalformed || !merged.isIdentical(to: current.value)
        if isChanged { batch[name] = merged.map { .set($0) } ?? .remove }
        if isChanged || (hasLaterStamp && merged.isIdentical(to: change.value)) {
            let stamp = hasLaterStamp ? change.stamp : current.stamp?.successor(on: machine)
            batch[RoamingName.stamp(of: name)] = stamp.map { .set($0.preferenceValue) }
        }
        if alternatives != record.alternatives {
            let conflict = PreferenceValue.dictionary(alternatives.mapValues(\.preferenceValue))
            batch[RoamingName.conflict(of: name)] = alternatives.isEmpty ? .remove : .set(conflict)
        }
        return merged
    }

    // MARK: - Step 3

    /// Removes the changes in flight from the journal, and notifies observers of the names that have another value now.
    private func finish(_ push: Push, _ outcome: PushOutcome, in store: any PreferenceStore) throws {
        var changed: Set<String> = []
        defer { notify(of: changed) }
        try withOwnNames {
            try local.commit(by: localWriter) { current in
                var entries: [String: JournalEntry] = [:]
                for name in push.changes.keys {
                    let entry = try current(RoamingName.journal(of: name)).flatMap { JournalEntry($0) }
                    if let entry, entry.inFlight?.push == push.id { entries[name] = entry }
                }
                // Another process may have finished the push.
                if entries.isEmpty { return [:] }
                if outcome.marker.push != push.id { return try separateFromCopy(entries, current) }
                var edits: [String: PreferenceEdit] = [:]
                for (name, var entry) in entries {
                    let flight = entry.inFlight
                    entry.inFlight = nil
                    if let decided = flight?.decided { entry.base = decided }
                    if !outcome.marker.refused.contains(name), let flight {
                        if entry.stamp == flight.stamp {
                            edits[RoamingName.journal(of: name)] = .remove
                            let isAsWanted = outcome.values[name].map { $0.isIdentical(to: entry.value) } ?? false
                            if !isAsWanted { changed.insert(name) }
                            continue
                        }
                        // The later change was made with knowledge of the one that is shared now. If it decides a conflict,
                        // the shared value may still be the one that the user has seen, with the earlier change beside it.
                        if flight.decided != nil { entry.settled[push.id.machine] = flight.stamp }
                        if flight.decided == nil || (try? SharedRecord(of: name, in: store).version) != flight.decided {
                            entry.base = .init(value: flight.value, stamp: flight.stamp)
                        }
                    }
                    edits[RoamingName.journal(of: name)] = .set(entry.preferenceValue)
                }
                return PreferenceBatch(edits)
            }
        }
    }

    /// Returns the edits that give this machine another identifier, and begin the push again.
    ///
    /// While a push of this local store is in flight, no later push of it is begun. If the shared store has one,
    /// another machine uses a copy of this local store, or this one was restored from a backup.
    private func separateFromCopy(
        _ entries: [String: JournalEntry],
        _ current: (_ name: String) throws -> PreferenceValue?
    ) throws -> PreferenceBatch {
        var state = MachineState.new()
        state.clock = try MachineState(current(RoamingName.state))?.clock
        var edits: [String: PreferenceEdit] = [RoamingName.state: .set(state.preferenceValue)]
        for (name, var entry) in entries {
            entry.base = entry.inFlight?.decided ?? entry.base
            entry.inFlight = nil
            edits[RoamingName.journal(of: name)] = .set(entry.preferenceValue)
        }
        return PreferenceBatch(edits)
    }
}
