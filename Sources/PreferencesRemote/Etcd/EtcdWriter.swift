import Foundation
import PreferencesRuntime
import PreferencesSystem
import Synchronization

/// The writes of a store, one after the other.
///
/// Each write is one transaction, which also sets an entry of the writer's own to the number of the write, on condition
/// that the entry has not changed since the writer's last one. A transaction whose answer was lost can therefore be sent
/// again, to another member: if the first one was made, or is made later, the second one is not. The entry belongs to a
/// lease, so that etcd removes it when the program has ended without doing so.
final class EtcdWriter: Sendable {
    /// The writer's own entry.
    private struct Session {
        /// The name of the entry, without the prefix of the store's own ones.
        let id: String
        let key: Data
        let lease: Int64
        /// Whether the session is that of a queued batch. It makes one write, and no other session may make that.
        let isOfBatch: Bool
        /// The revision of the last write; 0 before the first one.
        var revision: Int64 = 0
        /// Whether a write may still be made whose outcome is unknown.
        var isAbandoned = false
        /// When to use another lease.
        let expiry: Deadline

        init(_ id: String, _ keys: EtcdKeys, lease: Int64, for duration: Duration, isOfBatch: Bool = false) {
            (self.id, self.lease, self.isOfBatch) = (id, lease, isOfBatch)
            key = keys.key(of: EtcdKeys.reservedPrefix + id)
            expiry = Deadline(after: duration)
        }
    }

    /// The time for which etcd keeps the entry: one hour, many times the limit of any call. Another lease is used after half
    /// of it.
    private static let timeToLive = Duration.seconds(3_600)
    /// The time for which etcd keeps the entry of a queued batch: 30 days. The entry is needed if a program has sent the
    /// batch, was killed before it could remove it from the queue, and is started again within this time.
    fileprivate static let timeToLiveOfBatches = Duration.seconds(30 * 24 * 3_600)
    /// etcd's default limit of operations and conditions in a transaction (`--max-txn-ops`).
    static let maximumOperations = 128

    private let gateway: EtcdGateway
    private let keys: EtcdKeys
    private let session: Locked<Session?>
    /// The number of the last write, also of one that has failed: its number is not used again, as it may have been made
    /// in spite of the failure.
    private let lastNumber: Atomic<Int64>

    init(_ gateway: EtcdGateway, _ keys: EtcdKeys) {
        (self.gateway, self.keys) = (gateway, keys)
        session = Locked(nil)
        lastNumber = Atomic(0)
    }

    /// Creates the writer of a queued batch. It makes one write, unless an earlier writer of the batch has made it.
    init(_ gateway: EtcdGateway, _ keys: EtcdKeys, of batch: EtcdQueuedBatch) {
        (self.gateway, self.keys) = (gateway, keys)
        var session = Session(batch.id, keys, lease: batch.lease, for: Self.timeToLiveOfBatches, isOfBatch: true)
        session.revision = batch.revision
        self.session = Locked(session)
        lastNumber = Atomic(batch.number - 1)
    }

    /// The values that a write depends on.
    struct Conditions {
        /// The maximum number of values that are conditions one by one. Together with those for the writer's own entry and
        /// for the list of names, they fit into a level of the deepest transaction.
        static let maximumCount = maximumOperations / 4 - 2

        /// The revision of each value; 0 for a name that is not set.
        var revisions: [Data: Int64] = [:]
        /// The revision after which no value may have been set, if the write depends on the list of names.
        var listRevision: Int64?
        /// The revision of the values when the first of them was read.
        var firstRevision: Int64?

        /// The revision after which no value may have been set, if the write depends on the list of names, or on too many
        /// values.
        var rangeRevision: Int64? { revisions.count > Self.maximumCount ? firstRevision : listRevision }

        fileprivate func compares(_ keys: EtcdKeys) -> [EtcdCompare] {
            var compares =
                revisions.count > Self.maximumCount
                ? [] : revisions.map { EtcdCompare(key: $0, modRevision: EtcdInteger($1)) }
            if let rangeRevision {
                compares.append(
                    EtcdCompare(
                        result: .less,
                        key: keys.first,
                        rangeEnd: keys.end,
                        modRevision: EtcdInteger(rangeRevision + 1)
                    )
                )
            }
            return compares
        }
    }

    enum Outcome {
        /// The write was made at the revision, by this call or an earlier one.
        case made(revision: Int64)
        /// A value that the write depends on has changed.
        case conflict
    }

    /// Makes a write. One thread at a time calls it.
    ///
    /// - Parameters:
    ///   - operations: The operations, each of another key.
    ///   - conditions: The values that the write depends on.
    ///   - willSend: Called before each attempt with the number of the write and the key of the writer's own entry, so that
    ///     its effect is not missed.
    /// - Throws: ``EtcdFailure``. With `mayBeDone`, the write may still be made until the next one.
    func write(
        _ operations: [EtcdTransaction.Operation],
        _ conditions: Conditions,
        until deadline: Deadline,
        willSend: (_ number: Int64, _ key: Data) -> Void
    ) throws(EtcdFailure) -> Outcome {
        // Other writes of the same call have taken the time.
        if deadline.hasPassed {
            throw EtcdFailure(.unavailable, "the time limit of \(deadline.duration) has passed")
        }
        let number = lastNumber.add(1, ordering: .sequentiallyConsistent).newValue
        var retries = Retries(at: gateway.endpoints, until: deadline)
        var mayBeDone = false
        while true {
            let session: Session
            do throws(EtcdFailure) { session = try usableSession(until: deadline, isFirstAttempt: !mayBeDone) } catch {
                var error = error
                // Only an earlier attempt has sent the write.
                error.mayBeDone = mayBeDone
                throw error
            }
            willSend(number, session.key)
            let endpoint = gateway.current
            let reply: EtcdTransactionReply
            do throws(EtcdFailure) {
                reply = try gateway.call(
                    "v3/kv/txn",
                    transaction(operations, conditions, session, number),
                    at: endpoint,
                    until: deadline.orEarlier(Deadline(after: gateway.attemptLimit)),
                    returning: EtcdTransactionReply.self
                )
            } catch {
                mayBeDone = mayBeDone || error.mayBeDone
                if error.kind == .leaseExpired, !mayBeDone, !session.isOfBatch {
                    abandonSession()
                    continue
                }
                if error.kind == .unavailable {
                    gateway.moveOn(from: endpoint)
                    if retries.wait(after: error) { continue }
                }
                if mayBeDone { abandonSession() }
                var error = error
                error.mayBeDone = mayBeDone
                throw error
            }
            if reply.succeeded == true {
                return made(at: reply.header.revision?.value ?? 0)
            }
            let entry = reply.responses?.first?.responseRange?.kvs?.first
            if let entry, entry.value == Data(String(number).utf8) {
                // The answer to an earlier attempt was lost.
                return made(at: entry.revision)
            }
            if (entry?.revision ?? 0) != session.revision {
                // The entry was removed: by its lease, or by hand.
                abandonSession()
                if mayBeDone || session.isOfBatch { throw unknownOutcome(of: endpoint, session) }
                continue
            }
            // An earlier attempt that has not been made yet must not be made either.
            if mayBeDone { abandonSession() }
            return .conflict
        }
    }

    private func unknownOutcome(of endpoint: URL, _ session: Session) -> EtcdFailure {
        EtcdFailure(
            session.isOfBatch ? .leaseExpired : .unavailable,
            "\(EtcdGateway.label(of: endpoint)): the answer was lost, and it can no longer be found out whether the change was made",
            mayBeDone: true
        )
    }

    // MARK: - Transactions

    private func transaction(
        _ operations: [EtcdTransaction.Operation],
        _ conditions: Conditions,
        _ session: Session,
        _ number: Int64
    ) -> EtcdTransaction {
        let put = EtcdPut(key: session.key, value: Data(String(number).utf8), lease: EtcdInteger(session.lease))
        return Self.divided(
            compares: [EtcdCompare(key: session.key, modRevision: EtcdInteger(session.revision))]
                + conditions.compares(keys),
            operations: [EtcdTransaction.Operation(requestPut: put)] + operations,
            failure: [EtcdTransaction.Operation(requestRange: EtcdRangeRequest(key: session.key))]
        )
    }

    /// Returns a transaction of any number of operations.
    ///
    /// etcd limits the operations of a transaction; but an operation can be a transaction itself, with the operations
    /// that the outer one leaves of the limit: two levels of 64 have 4,096 operations, three of 42 have 74,088.
    static func divided(
        compares: [EtcdCompare],
        operations: [EtcdTransaction.Operation],
        failure: [EtcdTransaction.Operation]
    ) -> EtcdTransaction {
        var operations = operations
        let levels = (1...4).first { level in
            var capacity = 1
            for _ in 0..<level { capacity *= maximumOperations / level }
            return operations.count <= capacity
        }
        let size = maximumOperations / (levels ?? 4)
        while operations.count > size {
            operations = stride(from: 0, to: operations.count, by: size).map { start in
                let part = operations[start..<min(start + size, operations.count)]
                return EtcdTransaction.Operation(requestTxn: EtcdTransaction(success: Array(part)))
            }
        }
        return EtcdTransaction(compare: compares, success: operations, failure: failure)
    }

    // MARK: - Sessions

    /// - Parameter isFirstAttempt: Whether the write was not sent yet, so that a session that expires soon can be replaced.
    private func usableSession(until deadline: Deadline, isFirstAttempt: Bool) throws(EtcdFailure) -> Session {
        let last = session.withLock { $0 }
        if let last, !last.isAbandoned, !isFirstAttempt || !last.expiry.hasPassed { return last }
        try endAbandonedSession(until: deadline)
        let new = Session(
            UUID().uuidString.lowercased(),
            keys,
            lease: try gateway.grantLease(of: Self.timeToLive, until: deadline),
            for: Self.timeToLive / 2
        )
        session.withLock { $0 = new }
        return new
    }

    /// Removes the entry of a session that was given up. An earlier write whose outcome is unknown can then no longer be made.
    func endAbandonedSession(until deadline: Deadline) throws(EtcdFailure) {
        guard let last = session.withLock({ $0 }), last.isAbandoned else { return }
        try gateway.revokeLease(last.lease, until: deadline)
        session.withLock { $0 = nil }
    }

    /// Returns the last write, whose outcome is unknown, as a batch to send again; nil if the session was not given up.
    func abandonedWrite(of edits: [String: PreferenceEdit]) -> EtcdQueuedBatch? {
        guard let last = session.withLock({ $0 }), last.isAbandoned else { return nil }
        let number = lastNumber.load(ordering: .sequentiallyConsistent)
        return EtcdQueuedBatch(id: last.id, lease: last.lease, number: number, revision: last.revision, edits: edits)
    }

    /// Leaves the session to a batch with its last write. The next write uses another one.
    func leaveSession() {
        session.withLock { $0 = nil }
    }

    /// Removes the writer's own entry and its lease. If that fails, etcd removes them when the lease expires.
    ///
    /// A write whose outcome is unknown can then no longer be made.
    func end(until deadline: Deadline) {
        guard let last = session.withLock({ $0.take() }) else { return }
        try? gateway.revokeLease(last.lease, until: deadline)
    }

    private func made(at revision: Int64) -> Outcome {
        session.withLock { $0?.revision = revision }
        return .made(revision: revision)
    }

    private func abandonSession() {
        session.withLock { $0?.isAbandoned = true }
    }
}

// MARK: - Leases

extension EtcdGateway {
    /// Returns a new lease for the entries of queued batches.
    func grantLeaseOfBatches(until deadline: Deadline) throws(EtcdFailure) -> Int64 {
        try grantLease(of: EtcdWriter.timeToLiveOfBatches, until: deadline)
    }

    fileprivate func grantLease(of duration: Duration, until deadline: Deadline) throws(EtcdFailure) -> Int64 {
        // With an identifier of the client's, a call whose answer was lost can be repeated.
        let earlier = unansweredLeases.withLock { $0.removeValue(forKey: duration) }
        let lease =
            earlier.flatMap { $0.limit.hasPassed ? nil : $0 }
            ?? UnansweredLease(id: .random(in: 1 ... .max), limit: Deadline(after: duration / 12))
        do throws(EtcdFailure) {
            _ = try call(
                "v3/lease/grant",
                ["ID": String(lease.id), "TTL": String(duration.components.seconds)],
                until: deadline,
                returning: EtcdEmptyReply.self
            )
        } catch {
            guard error.message.hasSuffix("lease already exists") else {
                unansweredLeases.withLock { $0[duration] = lease }
                throw error
            }
        }
        return lease.id
    }

    /// Removes the entries of a lease. A write with the lease, whose outcome is unknown, can then no longer be made.
    func revokeLease(_ lease: Int64, until deadline: Deadline) throws(EtcdFailure) {
        do throws(EtcdFailure) {
            _ = try call("v3/lease/revoke", ["ID": String(lease)], until: deadline, returning: EtcdEmptyReply.self)
        } catch {
            guard error.kind == .leaseExpired else { throw error }
        }
    }
}
