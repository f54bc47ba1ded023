import Foundation
public import PreferencesRuntime
import PreferencesSystem

extension EtcdStore {
    /// The effect of setting values while etcd does not answer.
    public enum OfflineWrites: Sendable, Hashable {
        /// Nothing is changed, and the call throws `storeUnwritable`.
        case refused
        /// The values are queued in the cache, and reads return them. Observers are notified of
        /// ``PreferencesRuntime/PreferenceProblem/Code/changesQueued``. When etcd answers, the values are set there, in
        /// one transaction, in place of those that other clients have set in the meantime. Updates, and transactions of
        /// `Preferences`, are still refused, since they depend on the present values.
        ///
        /// A ``RoamingStore`` merges the changes of several machines by the rules of each key instead.
        case queued
    }

    /// The names whose changes are queued.
    public var queuedNames: Set<String> { client.state.read { Set($0.queue.keys) } }

    /// Sends the queued changes now. Does nothing if there are none.
    ///
    /// If etcd refuses some of them, for example because the user has no role for their names, the others are sent. The
    /// refused ones are sent again by this method, or after a new connection.
    ///
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem`` if etcd does not answer, if other threads write until
    ///   ``EtcdStore/timeout`` has passed (`storeBusy`), or for the first change that etcd refuses. These changes stay queued.
    public func sendQueuedChanges() throws {
        client.state.change { $0.refusedNames = [] }
        do {
            if let refusal = try sendUnrefusedChanges() { throw refusal }
        } catch {
            // Those that were refused before have not been sent again.
            sendQueuedChangesLater()
            throw error
        }
    }

    /// Sends the queued changes that etcd has not refused, and returns the problem of the first that it refuses now.
    private func sendUnrefusedChanges() throws -> PreferenceProblem? {
        let deadline = Deadline(after: timeout)
        let sent = try excludingWriters(until: deadline) { try reportingFailures { try sendQueue(until: deadline) } }
        notifyOfSentChanges(sent.names)
        return sent.refusal
    }

    /// Discards queued changes, so that their names read as in etcd.
    ///
    /// - Parameter names: The names; nil, the default, for all.
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem`` if the cache cannot be written, or if other threads write until
    ///   ``EtcdStore/timeout`` has passed (`storeBusy`).
    public func discardQueuedChanges(of names: Set<String>? = nil) throws {
        let discarded = try excludingWriters(until: Deadline(after: timeout)) {
            try discardWithoutNotification(names ?? queuedNames)
        }
        notifyOfSentChanges(discarded)
    }

    @discardableResult
    private func discardWithoutNotification(_ names: Set<String>) throws(PreferenceProblem) -> Set<String> {
        let discarded = queuedNames.intersection(names)
        guard let cache, !discarded.isEmpty else { return [] }
        try cache.discard(discarded)
        client.state.change { state in
            state.queue = state.queue.filter { !discarded.contains($0.key) }
            state.refusedNames.subtract(discarded)
        }
        return discarded
    }

    /// Discards the queued changes, which etcd has refused, of names that have been set since. Call it with `writing`
    /// held.
    func discardSuperseded(by batch: PreferenceBatch) {
        do throws(PreferenceProblem) { try discardWithoutNotification(Set(batch.lazy.map(\.name))) } catch {
            // The new change was made.
            client.notify(.problem(error))
        }
    }

    /// The result of sending the queue.
    struct SentQueue {
        /// The names that read as other values than before.
        var names: Set<String> = []
        /// The problem of the first change that etcd has refused.
        var refusal: PreferenceProblem?
        fileprivate var sent: [EtcdQueuedBatch] = []
        fileprivate var returned: [EtcdQueuedBatch] = []
        fileprivate var refusedNames: Set<String> = []
        /// Whether the lease of a batch has ended, so that its changes returned to the queue.
        fileprivate var hasLostLease = false
    }

    /// Sends the queued changes of all processes that share the cache, except those of names that etcd has refused. Call
    /// it with `writing` held.
    ///
    /// - Throws: ``EtcdFailure``; ``/PreferencesRuntime/PreferenceProblem``.
    func sendQueue(until deadline: Deadline) throws -> SentQueue {
        let (refusedNames, hasChanges) = client.state.read { ($0.refusedNames, !$0.unrefusedNames.isEmpty) }
        guard queuesWrites, let cache, hasChanges else { return SentQueue() }
        // An update that was given up must not be made after the queue.
        try writer.endAbandonedSession(until: deadline)
        var (result, failure) = (SentQueue(), (any Error)?.none)
        do {
            let earlier = try cache.batches()
            try send(earlier, of: Set(earlier.map(\.lease)), in: cache, &result, until: deadline)
            // New batches are made when the earlier ones have been sent. Otherwise each failed attempt would leave one more.
            let excluded = refusedNames.union(result.refusedNames)
            if try cache.hasUnsentChanges(except: excluded) {
                let lease = try client.gateway.grantLeaseOfBatches(until: deadline)
                let batches = try cache.batches(withLease: lease, except: excluded)
                result.hasLostLease = false
                try send(batches, of: Set(batches.map(\.lease) + [lease]), in: cache, &result, until: deadline)
                if result.hasLostLease { throw EtcdFailure(.unavailable, "the lease of the queued changes has ended") }
            }
        } catch {
            failure = error
        }
        client.state.change { [names = result.refusedNames] in $0.refusedNames.formUnion(names) }

        let own = client.state.read(\.queue)
        let left = Set(try cache.queue().lazy.map(\.name))
        let sent = result.sent.reduce(into: [String: PreferenceEdit]()) { $0.merge($1.edits) { $1 } }
        // The others were sent by another process. That can wait if etcd does not answer.
        let done = Set(sent.keys).union(failure == nil ? Array(own.keys) : []).subtracting(left)
        if done.contains(where: { sent[$0] == nil }),
            let change = try client.reload(until: deadline.extended(by: timeout))
        {
            client.notify(change)
        }
        result.names = client.state.change { [hasFailed = failure != nil] state in
            state.queue = state.queue.filter { !done.contains($0.key) }
            if !hasFailed { state.sending.forgetFailures() }
            // Other clients may have changed a value after it was sent, while reads returned the queued one.
            return done.filter { name in
                sent[name] != own[name] || state.replica?.entries[name]?.content != own[name]?.content
            }
        }
        guard let failure else { return result }
        if !result.names.isEmpty { client.notify(.names(result.names)) }
        if let refusal = result.refusal { client.notify(.problem(refusal)) }
        throw failure
    }

    /// Sends batches in their order, and removes those that were made or refused from the cache.
    ///
    /// - Parameter leases: The leases to end, unless another process still uses them.
    private func send(
        _ batches: [EtcdQueuedBatch],
        of leases: Set<Int64>,
        in cache: EtcdCache,
        _ result: inout SentQueue,
        until deadline: Deadline
    ) throws {
        var failure: (any Error)?
        do {
            for batch in batches where !result.returned.contains(where: { $0.id == batch.id }) {
                try send(batch, in: cache, &result, until: deadline)
            }
        } catch {
            failure = error
        }
        try cache.remove(sent: result.sent, returned: result.returned)
        if let failure { throw failure }
        // Another process may still send the parts of a batch.
        endLeases(leases.subtracting(try cache.batches().map(\.lease)), until: deadline)
    }

    /// Sends a batch or, if etcd refuses it, its parts.
    private func send(
        _ batch: EtcdQueuedBatch,
        in cache: EtcdCache,
        _ result: inout SentQueue,
        until deadline: Deadline
    ) throws {
        do throws(EtcdFailure) {
            let operations: [EtcdTransaction.Operation]
            do throws(PreferenceProblem) { operations = try self.operations(of: PreferenceBatch(batch.edits)) } catch {
                throw EtcdFailure(.refused, error.message)
            }
            let writer = EtcdWriter(client.gateway, client.keys, of: batch)
            _ = try write(operations, EtcdWriter.Conditions(), by: writer, until: deadline)
            result.sent.append(batch)
        } catch {
            if error.kind == .leaseExpired {
                // Another process has sent it, unless the program was away for longer than the lease.
                let done = Set((result.sent + result.returned).lazy.map(\.id))
                let lost = try cache.batches().filter { $0.lease == batch.lease && !done.contains($0.id) }
                guard lost.contains(where: { $0.id == batch.id }) else { return }
                result.returned += lost
                result.hasLostLease = true
                return
            }
            // It stays in the cache. If it was made, the next attempt finds that.
            if error.kind == .unavailable { throw error }
            if error.mayBeDone || error.kind == .unread {
                throw EtcdFailure(.unavailable, error.message, mayBeDone: true)
            }
            guard batch.edits.count == 1 else {
                let parts = batch.parts(error.kind == .tooLarge ? 2 : batch.edits.count)
                guard try cache.replace(batch, with: parts) else { return }
                for part in parts { try send(part, in: cache, &result, until: deadline) }
                return
            }
            result.returned.append(batch)
            result.refusedNames.formUnion(batch.edits.keys)
            let problem = problem(of: error, PreferenceBatch(batch.edits))
            result.refusal =
                result.refusal
                ?? PreferenceProblem(
                    problem.code,
                    key: batch.edits.keys.first,
                    store: label,
                    message: "\(problem.message); the change stays queued: send it again, or discard it",
                    isMessagePublic: true
                )
        }
    }

    /// Removes the entries of batches that have been sent. If that fails, etcd removes them when their leases expire.
    private func endLeases(_ leases: Set<Int64>, until deadline: Deadline) {
        for lease in leases where !deadline.hasPassed { try? client.gateway.revokeLease(lease, until: deadline) }
    }

    /// Sends the queued changes before a write. Changes that etcd refuses do not prevent it, and are reported.
    ///
    /// - Throws: ``EtcdFailure`` if etcd does not answer; ``/PreferencesRuntime/PreferenceProblem``.
    func sendQueueIfPossible(until deadline: Deadline) throws -> Set<String> {
        let sent = try sendQueue(until: deadline)
        if let refusal = sent.refusal { client.notify(.problem(refusal)) }
        return sent.names
    }

    func notifyOfSentChanges(_ names: Set<String>) {
        if !names.isEmpty { client.observers.notify(.names(names)) }
    }

    /// Schedules an attempt to send the queued changes from another thread, unless one is scheduled or runs, or there is
    /// no connection. After failed attempts, it begins after a delay.
    ///
    /// - Parameter wasAway: Whether every endpoint had failed before. The attempt then begins at once.
    func sendQueuedChangesLater(wasAway: Bool = false) {
        let id = UUID()
        let failures = client.state.change { state -> Int? in
            if wasAway || state.unrefusedNames.isEmpty { state.sending.forgetFailures() }
            guard state.endpoint != nil, !state.unrefusedNames.isEmpty, state.sending.attempt == .none else {
                return nil
            }
            state.sending.attempt = .scheduled(id)
            return state.sending.failures
        }
        guard let failures else { return }
        let queue = DispatchQueue(label: "preferences.etcd.queue")
        let body: @Sendable () -> Void = { [weak self] in self?.sendQueuedChanges(attempt: id) }
        if failures == 0 { return queue.async(execute: body) }
        queue.runLater(at: Deadline(after: client.delay(afterFailures: failures)).time, body)
    }

    /// Makes an attempt that was scheduled, unless another one has replaced it.
    private func sendQueuedChanges(attempt id: UUID) {
        let isCurrent = client.state.change { state in
            guard state.sending.attempt == .scheduled(id) else { return false }
            // Without a connection, no attempt is made: the next connection schedules one.
            state.sending.attempt = state.endpoint == nil ? .none : .running
            return state.endpoint != nil
        }
        guard isCurrent else { return }
        var problem: PreferenceProblem?
        var hasFailed = false
        do { problem = try sendUnrefusedChanges() } catch {
            problem = error as? PreferenceProblem
            hasFailed = true
        }
        // The attempt has waited for other threads that write, and asked nothing.
        let isBusy = hasFailed && problem?.code == .storeBusy
        let failures = client.state.change { state in
            state.sending.attempt = .none
            if !isBusy { state.sending.failures = hasFailed ? state.sending.failures + 1 : 0 }
            return state.sending.failures
        }
        // Only the first of consecutive failures is reported.
        if let problem, failures <= 1, !isBusy { client.observers.notify(.problem(problem)) }
        // Other changes may have been queued meanwhile.
        sendQueuedChangesLater()
    }

    /// Applies a batch, or queues it while etcd does not answer.
    func applyOrQueue(_ batch: PreferenceBatch, in cache: EtcdCache, by writer: PreferenceStoreObservation?) throws {
        if batch.isEmpty { return }
        var sentNames: Set<String> = []
        defer { notifyOfSentChanges(sentNames) }
        let deadline = Deadline(after: timeout)
        // A thread whose deadline has passed while it waited queues its change without asking etcd. The other threads are
        // therefore waited for in any case: none of them waits for etcd after its own deadline.
        var isQueued = false
        let problem = try excludingWriters(until: .never) { () throws -> PreferenceProblem? in
            let operations = try operations(of: batch)
            var sent: EtcdQueuedBatch?
            var reason = client.state.read { state -> EtcdFailure? in
                if state.isAway, state.failure?.kind != .denied { return state.failure }
                // They are sent after a delay, together with the new one.
                guard state.sending.failures > 0, !state.unrefusedNames.isEmpty else { return nil }
                return EtcdFailure(.unavailable, "etcd has not made the changes that were queued before")
            }
            if reason == nil, deadline.hasPassed {
                reason = EtcdFailure(.unavailable, "other threads have been writing for \(timeout)")
            }
            if reason == nil {
                do {
                    sentNames = try sendQueueIfPossible(until: deadline)
                    do throws(EtcdFailure) {
                        _ = try write(operations, EtcdWriter.Conditions(), until: deadline)
                    } catch {
                        if error.mayBeDone { sent = self.writer.abandonedWrite(of: batch.edits) }
                        throw error
                    }
                    discardSuperseded(by: batch)
                    return nil
                } catch let failure as EtcdFailure {
                    guard failure.kind == .unavailable else { throw self.problem(of: failure, batch) }
                    reason = failure
                }
            }
            try cache.enqueue(batch, sentAs: sent)
            if sent != nil { self.writer.leaveSession() }
            let isFirst = client.state.change { state in
                defer { state.queue.merge(batch.edits) { $1 } }
                state.refusedNames.subtract(batch.edits.keys)
                return state.queue.isEmpty
            }
            isQueued = true
            guard isFirst, let reason else { return nil }
            return PreferenceProblem(
                .changesQueued,
                store: label,
                message: "\(reason.message); changes are queued in \(cache.file.path(percentEncoded: false)), and sent "
                    + "when etcd answers",
                isMessagePublic: true
            )
        }
        client.observers.notify(.names(Set(batch.lazy.map(\.name))), except: writer)
        if let problem { client.observers.notify(.problem(problem)) }
        // The connection may have been made in the meantime.
        if isQueued { sendQueuedChangesLater() }
    }
}

extension PreferenceEdit {
    /// The content of an entry after the change; nil for a removal.
    fileprivate var content: EtcdReplica.Content? { value.map { .value($0) } }
}

extension PreferenceProblem.Code {
    /// A store on a server has queued changes, because the server does not answer. The message says where.
    public static let changesQueued = PreferenceProblem.Code(rawValue: "changesQueued")
}
