import Foundation
public import PreferencesRuntime
import PreferencesSystem

extension EtcdStore {
    /// The values that an update has read, with their revisions.
    struct Reads {
        var conditions = EtcdWriter.Conditions()
        var revisions: [String: Int64] = [:]
        /// The values that the update reads, which are those of one revision; nil before it has read any.
        fileprivate var replica: EtcdReplica?

        /// Notes the first read of a value: a later one may have found another value.
        fileprivate mutating func note(
            _ name: String,
            _ entry: EtcdReplica.Entry?,
            _ key: Data,
            at revision: Int64
        ) {
            conditions.firstRevision = conditions.firstRevision ?? revision
            guard revisions[name] == nil else { return }
            revisions[name] = entry?.revision ?? 0
            conditions.revisions[key] = entry?.revision ?? 0
        }
    }

    /// Reads the values: during an update of this thread always the same ones, so that it never reads half of a batch.
    func read<Result: Sendable>(_ body: (EtcdReplica) -> Result) throws -> Result {
        guard writing.isHeldByThisThread else { return try client.read(body) }
        if let replica = reads.withLock({ $0?.replica }) { return body(replica) }
        let replica = try client.read { $0 }
        reads.withLock { $0?.replica = replica }
        return body(replica)
    }

    /// Causes the running update of this thread to read the current values next.
    func endSnapshot() {
        if writing.isHeldByThisThread { reads.withLock { $0?.replica = nil } }
    }

    /// Notes a value that the running update of this thread has read.
    ///
    /// - Parameter revision: The revision of the values that it was read from.
    func noteRead(of name: String, _ entry: EtcdReplica.Entry?, at revision: Int64) {
        guard writing.isHeldByThisThread else { return }
        reads.withLock { $0?.note(name, entry, entry?.key ?? client.keys.key(of: name), at: revision) }
    }

    /// Notes that the running update of this thread has read the list of names.
    ///
    /// - Parameter revision: The revision of the values that it was read from.
    func noteList(_ entries: [String: EtcdReplica.Entry], at revision: Int64) {
        guard writing.isHeldByThisThread else { return }
        reads.withLock { reads in
            if reads?.conditions.listRevision == nil { reads?.conditions.listRevision = revision }
            // The condition of the list does not include removals, which leave no revision.
            guard entries.count <= EtcdWriter.Conditions.maximumCount else { return }
            for (name, entry) in entries {
                reads?.note(name, entry, entry.key ?? client.keys.key(of: name), at: revision)
            }
        }
    }

    /// Runs a body while no other thread writes.
    ///
    /// - Parameter deadline: The deadline of the call, which includes the time to wait for other threads.
    /// - Throws: An error of the body; ``/PreferencesRuntime/PreferenceProblem`` with `storeBusy`.
    func excludingWriters<Result>(until deadline: Deadline, _ body: () throws -> Result) throws -> Result {
        if let result = try writing.withLock(until: deadline, body) { return result }
        throw PreferenceProblem(
            .storeBusy,
            store: label,
            message: "other threads have been writing for \(deadline.duration), so that nothing was changed; try again",
            isMessagePublic: true
        )
    }

    /// Applies a batch in one transaction of etcd.
    ///
    /// - Throws: As ``update(by:_:)``.
    public func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        if queuesWrites, let cache {
            try applyOrQueue(batch, in: cache, by: writer)
        } else {
            try update(by: writer) { _ in batch }
        }
    }

    /// Applies the batch that the closure returns in one transaction of etcd.
    ///
    /// - Parameters:
    ///   - writer: The observation of the observer that makes the changes; nil for none.
    ///   - makeBatch: Returns the batch. It is called again, until ``timeout`` has passed, if another client has changed
    ///     a value that it has read. If these are more than 30, any change with the prefix counts, except that a removal
    ///     by another program, such as `etcdctl`, is then not noticed.
    /// - Throws: Any error of the closure; ``/PreferencesRuntime/PreferenceProblem``: `storeUnwritable` if etcd does not
    ///   answer or refuses the change, `accessDenied` if the user may not make it, `storeBusy` if other clients have
    ///   changed the values each time, or other threads write until ``timeout`` has passed, `unsupportedValue` for what
    ///   etcd's limits exclude, `quotaExceeded` if its database is full. Nothing has been changed then. With
    ///   ``PreferencesRuntime/PreferenceProblem/Code/outcomeUnknown``, the change may have been made.
    public func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        var sentNames: Set<String> = []
        // With no lock held.
        defer { notifyOfSentChanges(sentNames) }
        let deadline = Deadline(after: timeout)
        let names = try excludingWriters(until: deadline) { () throws -> Set<String> in
            sentNames = try reportingFailures { try sendQueueIfPossible(until: deadline) }
            if client.state.read({ $0.replica == nil }) { try readAll(until: deadline) }
            var conflicts = 0
            while true {
                let (batch, reads) = try recordingReads { try makeBatch(value) }
                if batch.isEmpty { return [] }
                let operations = try operations(of: batch)
                let outcome = try reportingFailures(of: batch) {
                    try write(operations, reads.conditions, until: deadline)
                }
                if case .made = outcome {
                    discardSuperseded(by: batch)
                    return Set(batch.lazy.map(\.name))
                }
                conflicts += 1
                try waitForChange(of: reads, conflicts, until: deadline)
            }
        }
        if !names.isEmpty { client.observers.notify(.names(names), except: writer) }
    }

    /// Reads the first values, before an update.
    private func readAll(until deadline: Deadline) throws {
        do throws(EtcdFailure) {
            if let change = try client.reload(until: deadline) { client.notify(change) }
        } catch {
            var failure = error
            // Nothing has been written yet.
            failure.mayBeDone = false
            throw problem(of: failure, [:])
        }
    }

    private func recordingReads<Result>(_ body: () throws -> Result) rethrows -> (Result, Reads) {
        let outer = reads.withLock { reads in
            defer { reads = Reads() }
            return reads
        }
        defer { reads.withLock { $0 = outer } }
        let result = try body()
        // Otherwise the values would be copied when they change.
        endSnapshot()
        return (result, reads.withLock { $0 ?? Reads() })
    }

    /// Makes a write, and waits until it is among the values that reads return.
    ///
    /// - Parameters:
    ///   - writer: The writer; nil for that of the store.
    ///   - deadline: When to give up the write. The wait ends at the latest after the same time again.
    func write(
        _ operations: [EtcdTransaction.Operation],
        _ conditions: EtcdWriter.Conditions,
        by writer: EtcdWriter? = nil,
        until deadline: Deadline
    ) throws(EtcdFailure) -> EtcdWriter.Outcome {
        defer {
            client.state.change { _ = $0.endWrite() }
            // The write may be one in the closure of an update, which then reads it.
            endSnapshot()
        }
        let outcome: EtcdWriter.Outcome
        do throws(EtcdFailure) {
            outcome = try (writer ?? self.writer).write(operations, conditions, until: deadline) { number, key in
                client.state.change { $0.awaitWrite(number, of: key) }
            }
        } catch {
            // The watch may have delivered a write whose answer was lost. If it does so later, observers are notified.
            if client.state.change({ $0.endWrite() }) {
                return .made(revision: client.state.read { $0.replica?.revision ?? 0 })
            }
            throw error
        }
        guard case .made(let revision) = outcome else { return outcome }
        let limit = Deadline(after: timeout / 2)
        let isInstalled = client.state.wait(until: limit.orEarlier(deadline.extended(by: timeout / 2))) { state in
            // A queued batch may have been made, and read, before this call.
            if writer != nil, let replica = state.replica, replica.revision >= revision { return true }
            return state.awaitedWrite?.isInstalled == true ? true : nil
        }
        if isInstalled == nil {
            // The watch was lost. All values include the change.
            do throws(EtcdFailure) {
                let limit = Deadline(after: timeout / 2).orEarlier(deadline.extended(by: timeout))
                if let change = try client.reload(until: limit) { client.notify(change) }
            } catch {
                throw EtcdFailure(.unread, error.message)
            }
        }
        return outcome
    }

    /// - Throws: ``/PreferencesRuntime/PreferenceProblem`` with `unsupportedValue`.
    func operations(of batch: PreferenceBatch) throws(PreferenceProblem) -> [EtcdTransaction.Operation] {
        var operations: [EtcdTransaction.Operation] = []
        for (name, edit) in batch { operations.append(try operation(name, edit)) }
        return operations
    }

    private func operation(
        _ name: String,
        _ edit: PreferenceEdit
    ) throws(PreferenceProblem) -> EtcdTransaction.Operation {
        func refusal(_ message: String) -> PreferenceProblem {
            PreferenceProblem(.unsupportedValue, key: name, store: label, message: message, isMessagePublic: true)
        }
        guard !EtcdKeys.isReserved(name) else {
            throw refusal("names with '\(EtcdKeys.reservedPrefix)' belong to the store")
        }
        let key = client.state.read { $0.replica?.entries[name]?.key } ?? client.keys.key(of: name)
        guard case .set(let value) = edit else {
            return EtcdTransaction.Operation(requestDeleteRange: EtcdDeletion(key: key))
        }
        let text: String
        do { text = try value.jsonText() } catch {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, error: error)
        }
        guard text.utf8.count <= Self.maximumValueSize else {
            throw refusal("the value has \(text.utf8.count) bytes, and at most \(Self.maximumValueSize) can be stored")
        }
        return EtcdTransaction.Operation(requestPut: EtcdPut(key: key, value: Data(text.utf8)))
    }

    /// Waits until a change that conflicts with an update is received.
    private func waitForChange(of reads: Reads, _ conflicts: Int, until deadline: Deadline) throws {
        let hasChanged = client.state.wait(until: deadline) { state -> Bool? in
            guard let replica = state.replica else { return nil }
            if let revision = reads.conditions.rangeRevision, replica.revision > revision { return true }
            return reads.revisions.contains { (replica.entries[$0]?.revision ?? 0) != $1 } ? true : nil
        }
        if hasChanged != nil, !deadline.hasPassed { return }
        throw PreferenceProblem(
            .storeBusy,
            store: label,
            message: "other clients have changed the values \(conflicts == 1 ? "once" : "\(conflicts) times") within "
                + "\(timeout), so that nothing was changed; try again",
            isMessagePublic: true
        )
    }

    /// Runs a body, and throws the failures of its writes as problems.
    ///
    /// - Parameter batch: The edits that are written; none, the default, for those of other calls.
    func reportingFailures<Result>(of batch: PreferenceBatch = [:], _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let failure as EtcdFailure { throw problem(of: failure, batch) }
    }

    /// Returns the problem of a failed write.
    func problem(of failure: EtcdFailure, _ batch: PreferenceBatch) -> PreferenceProblem {
        let code: PreferenceProblem.Code =
            switch failure.kind {
            case .databaseFull: .quotaExceeded
            case .tooLarge: .unsupportedValue
            case .unread: .storeBusy
            case .denied: .accessDenied
            default: failure.mayBeDone ? .outcomeUnknown : .storeUnwritable
            }
        let consequence =
            if failure.kind == .unread {
                "the change was made, and is read when etcd answers again"
            } else if failure.mayBeDone {
                "the change may have been made, or may still be made before the next one"
            } else {
                "nothing was changed"
            }
        let advice =
            switch failure.kind {
            case .databaseFull: "; compact and defragment etcd, or increase its --quota-backend-bytes"
            case .tooLarge: "; set less at once, or increase etcd's --max-request-bytes and --max-txn-ops"
            default: failure.advice
            }
        return PreferenceProblem(
            code,
            key: failure.kind == .tooLarge && batch.count == 1 ? batch.first?.name : nil,
            store: label,
            message: "\(failure.message); \(consequence)\(advice)",
            isMessagePublic: true
        )
    }
}

extension PreferenceProblem.Code {
    /// A server may have made a change, or may still make it: its answer was lost. After the next change of an
    /// ``EtcdStore``, it can no longer be made.
    public static let outcomeUnknown = PreferenceProblem.Code(rawValue: "outcomeUnknown")

    /// A server does not permit the user to make a change, or does not know the user. Nothing was changed.
    public static let accessDenied = PreferenceProblem.Code(rawValue: "accessDenied")
}
