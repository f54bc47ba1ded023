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
        /// one transaction, in place of those that other clients have set in the meantime. Updates are still refused,
        /// since they depend on the present values.
        ///
        /// A ``RoamingStore`` merges the changes of several machines by the rules of each key instead.
        case queued
    }

    /// The names whose changes are queued.
    public var queuedNames: Set<String> { client.state.read { Set($0.queue.keys) } }

    /// Sends the queued changes now. Does nothing if there are none.
    ///
    /// If etcd refuses some of them, for example because the user has no role for their names, the others are sent.
    ///
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem`` if etcd does not answer, or for the first change that it refuses.
    ///   These changes stay queued.
    public func sendQueuedChanges() throws {
        let deadline = Deadline(after: timeout)
        let sent = try excludingWriters(until: deadline) { try reportingFailures { try sendQueue(until: deadline) } }
        notifyOfSentChanges(sent.names)
        if let refusal = sent.refusal { throw refusal }
    }

    /// Discards queued changes, so that their names read as in etcd.
    ///
    /// - Parameter names: The names; nil, the default, for all.
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem`` if the cache cannot be written.
    public func discardQueuedChanges(of names: Set<String>? = nil) throws {
        guard let cache else { return }
        let discarded = try excludingWriters(until: Deadline(after: timeout)) { () throws -> Set<String> in
            let discarded = queuedNames.intersection(names ?? queuedNames)
            if discarded.isEmpty { return [] }
            _ = try cache.sendQueue { queue in Set(queue.lazy.map(\.name)).subtracting(discarded) }
            client.state.change { state in state.queue = state.queue.filter { !discarded.contains($0.key) } }
            return discarded
        }
        notifyOfSentChanges(discarded)
    }

    /// The result of sending the queue.
    struct SentQueue {
        /// The names whose values are not those that this store has queued.
        var names: Set<String> = []
        /// The problem of the first change that etcd has refused.
        var refusal: PreferenceProblem?
    }

    /// Sends the queued changes of all processes that share the cache. Call it with `writing` held.
    ///
    /// - Throws: ``EtcdFailure``; ``/PreferencesRuntime/PreferenceProblem``.
    func sendQueue(until deadline: Deadline) throws -> SentQueue {
        guard queuesWrites, let cache, !queuedNames.isEmpty else { return SentQueue() }
        var result = SentQueue()
        let sent = try cache.sendQueue { queue in
            do throws(EtcdFailure) {
                try send(queue, until: deadline)
                return []
            } catch {
                if error.kind == .unavailable { throw error }
                return try sendOneByOne(queue, &result.refusal, until: deadline)
            }
        }
        let own = client.state.read(\.queue)
        let left = Set(try cache.queue().lazy.map(\.name))
        // Another process has sent the others.
        if own.keys.contains(where: { sent[$0] == nil && !left.contains($0) }),
            let change = try client.reload(until: deadline.extended(by: timeout))
        {
            client.notify(change)
        }
        client.state.change { $0.queue = $0.queue.filter { left.contains($0.key) } }
        result.names = Set(sent.merging(own) { $1 }.keys.filter { sent[$0] != own[$0] && !left.contains($0) })
        return result
    }

    private func send(_ batch: PreferenceBatch, until deadline: Deadline) throws(EtcdFailure) {
        let operations: [EtcdTransaction.Operation]
        do throws(PreferenceProblem) { operations = try self.operations(of: batch) } catch {
            throw EtcdFailure(.refused, error.message)
        }
        _ = try write(operations, EtcdWriter.Conditions(), until: deadline)
    }

    /// - Returns: The names that etcd has refused.
    private func sendOneByOne(
        _ batch: PreferenceBatch,
        _ refusal: inout PreferenceProblem?,
        until deadline: Deadline
    ) throws(EtcdFailure) -> Set<String> {
        var refused: Set<String> = []
        for (name, edit) in batch {
            do throws(EtcdFailure) { try send(PreferenceBatch(name, edit), until: deadline) } catch {
                if error.kind == .unavailable { throw error }
                refused.insert(name)
                let problem = problem(of: error, [name: edit])
                refusal =
                    refusal
                    ?? PreferenceProblem(
                        problem.code,
                        key: name,
                        store: label,
                        message: "\(problem.message); the change stays queued: send it again, or discard it",
                        isMessagePublic: true
                    )
            }
        }
        return refused
    }

    /// Sends the queued changes before an update. Changes that etcd refuses do not prevent it.
    ///
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem`` if etcd does not answer.
    func sendQueueIfPossible(until deadline: Deadline) throws -> Set<String> {
        try reportingFailures { try sendQueue(until: deadline) }.names
    }

    func notifyOfSentChanges(_ names: Set<String>) {
        if !names.isEmpty { client.observers.notify(.names(names)) }
    }

    /// Sends the queued changes from a thread of its own, and again after growing delays while there is a connection.
    func sendQueuedChangesLater(afterFailures failures: Int = 0) {
        if queuedNames.isEmpty { return }
        let queue = DispatchQueue(label: "preferences.etcd.queue")
        let send: @Sendable () -> Void = { [weak self] in
            guard let self else { return }
            do {
                try sendQueuedChanges()
            } catch {
                if failures == 0, let problem = error as? PreferenceProblem {
                    client.observers.notify(.problem(problem))
                }
                // After a new connection, they are sent at once.
                if isConnected { sendQueuedChangesLater(afterFailures: failures + 1) }
            }
        }
        if failures == 0 { return queue.async(execute: send) }
        let delay = RefreshSchedule(every: RefreshSchedule.shortestInterval).delay(afterFailures: failures)
        queue.runLater(at: Deadline(after: delay).time, send)
    }

    /// Applies a batch, or queues it while etcd does not answer.
    func applyOrQueue(_ batch: PreferenceBatch, in cache: EtcdCache, by writer: PreferenceStoreObservation?) throws {
        if batch.isEmpty { return }
        var sentNames: Set<String> = []
        defer { notifyOfSentChanges(sentNames) }
        let deadline = Deadline(after: timeout)
        // Other threads wait for etcd until their own deadlines, and then for the cache. The change is then queued without
        // asking etcd.
        let lockDeadline = deadline.extended(by: max(timeout, FileStore.defaultLockTimeout))
        let problem = try excludingWriters(until: lockDeadline) { () throws -> PreferenceProblem? in
            let operations = try operations(of: batch)
            var reason = client.state.read { $0.isAway && $0.failure?.kind != .denied ? $0.failure : nil }
            if reason == nil, deadline.hasPassed {
                reason = EtcdFailure(.unavailable, "other threads have been writing for \(timeout)")
            }
            if reason == nil {
                do {
                    sentNames = try sendQueue(until: deadline).names
                    _ = try write(operations, EtcdWriter.Conditions(), until: deadline)
                    return nil
                } catch let failure as EtcdFailure {
                    guard failure.kind == .unavailable else { throw self.problem(of: failure, batch) }
                    reason = failure
                }
            }
            try cache.enqueue(batch)
            let isFirst = client.state.change { state in
                defer { state.queue.merge(batch.edits) { $1 } }
                return state.queue.isEmpty
            }
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
        if isConnected { sendQueuedChangesLater() }
    }
}

extension PreferenceProblem.Code {
    /// A store on a server has queued changes, because the server does not answer. The message says where.
    public static let changesQueued = PreferenceProblem.Code(rawValue: "changesQueued")
}
