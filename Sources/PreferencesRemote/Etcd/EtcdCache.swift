import Dispatch
import Foundation
import PreferencesRuntime
import PreferencesSystem

/// A file with the last values of a store in etcd, for a start without a network.
///
/// It is one entry of a `FileStore`, whose other entries are left unchanged. Several processes may share the file: it has
/// the values of the latest revision that any of them has received.
final class EtcdCache: Sendable {
    /// The entries, which contain the prefix: stores of several prefixes may share a file.
    private let entryName: String
    private let queueName: String
    private let batchesName: String
    /// How long changes are collected before they are written.
    private static let delay: DispatchTimeInterval = .milliseconds(500)

    let file: URL
    private let keys: EtcdKeys
    private let writes = DispatchQueue(label: "preferences.etcd.cache")
    /// Held while values are written, so that the release of a store waits for a write that another thread has begun.
    private let flushing = TimedRecursiveLock()
    private let unwritten = Locked(Unwritten())
    /// The caches with values to write, which are also written when the program ends.
    private static let unwrittenCaches = Locked<[ObjectIdentifier: EtcdCache]>([:])
    private static let exitHandler: Void = {
        _ = atexit {
            // All of them together wait as long as one. A failure is not reported, as no observer is left.
            let deadline = Deadline(after: FileStore.defaultLockTimeout)
            for cache in EtcdCache.unwrittenCaches.withLock({ Array($0.values) }) { try? cache.flush(until: deadline) }
        }
    }()

    /// Values to write.
    struct Values: Sendable {
        /// Whether they replace those of a later revision, because the cluster was restored from a backup.
        var replacesLaterOnes = false
        /// Returns the values, when they are written; nil if their store was released meanwhile.
        let replica: @Sendable () -> EtcdReplica?

        /// Returns the values, to be written instead of earlier ones.
        func replacing(_ earlier: Values?) -> Values {
            Values(replacesLaterOnes: replacesLaterOnes || earlier?.replacesLaterOnes == true, replica: replica)
        }
    }

    private struct Unwritten {
        /// The values to write; nil if they have been written.
        var values: Values?
        /// Whether they will be written soon.
        var isScheduled = false
    }

    init(file: URL, _ keys: EtcdKeys) {
        (self.file, self.keys) = (file, keys)
        entryName = "etcd \(keys.prefix)"
        (queueName, batchesName) = ("queue \(keys.prefix)", "batches \(keys.prefix)")
    }

    /// Created for each use, as it would keep a second copy of the values in memory.
    private var store: FileStore { FileStore(url: file, format: .json, durability: .immediate) }

    /// Returns the values; nil if there are none of this prefix, or if the file cannot be read.
    func read() -> EtcdReplica? {
        (try? store.value(for: entryName)).flatMap { $0 }.flatMap { EtcdReplica(cached: $0, keys) }
    }

    /// Writes the values soon.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - report: Receives the problem of a failed write.
    func save(_ values: Values, report: @escaping @Sendable (PreferenceProblem) -> Void) {
        let isScheduled = unwritten.withLock { unwritten in
            defer { unwritten.isScheduled = true }
            unwritten.values = values.replacing(unwritten.values)
            return unwritten.isScheduled
        }
        if isScheduled { return }
        _ = Self.exitHandler
        Self.unwrittenCaches.withLock { $0[ObjectIdentifier(self)] = self }
        writes.runLater(at: .now() + Self.delay) {
            self.unwritten.withLock { $0.isScheduled = false }
            do throws(PreferenceProblem) { try self.flush() } catch { report(error) }
        }
    }

    /// Writes the values that have not been written yet. After a failure, they are written with the next ones.
    ///
    /// - Parameter deadline: When to stop waiting for a write that another thread has begun, and for other processes; by
    ///   default after the time for which a `FileStore` waits.
    func flush(until deadline: Deadline = Deadline(after: FileStore.defaultLockTimeout)) throws(PreferenceProblem) {
        let outcome = flushing.withLock(until: deadline) {
            Result { () throws(PreferenceProblem) in try write(until: deadline) }
        }
        guard let outcome else {
            let message = "\(Self.consequence): another thread has been writing them for \(deadline.duration)"
            throw PreferenceProblem(.storeBusy, store: file.path(percentEncoded: false), message: message)
        }
        try outcome.get()
    }

    /// Writes the last values of a store that is released. A failure is not reported, as no observer is left.
    ///
    /// - Parameters:
    ///   - limit: The time to wait for a write that another thread has begun, and for other processes.
    ///   - lastValues: Ends the store, and returns its values. It is called while no other thread writes values, so that
    ///     whoever finds that the store has ended can wait for the write by a flush.
    func flush(within limit: Duration, lastValues: () -> EtcdReplica?) {
        let deadline = Deadline(after: limit)
        let isDone = flushing.withLock(until: deadline) {
            if let replica = lastValues() {
                unwritten.withLock { $0.values = Values { replica }.replacing($0.values) }
                try? write(until: deadline)
            }
            return true
        }
        if isDone == nil { _ = lastValues() }
        // Also after a failure, nothing is written from now on.
        unwritten.withLock { $0.values = nil }
        Self.unwrittenCaches.withLock { $0[ObjectIdentifier(self)] = nil }
    }

    private static let consequence = "the last values of etcd cannot be kept for the next start"

    private func write(until deadline: Deadline) throws(PreferenceProblem) {
        guard let values = unwritten.withLock({ $0.values.take() }) else { return }
        if let replica = values.replica() {
            do throws(PreferenceProblem) { try write(replica, values, until: deadline) } catch {
                unwritten.withLock { $0.values = $0.values?.replacing(values) ?? values }
                throw error
            }
        }
        unwritten.withLock { unwritten in
            // Not before they are written, because the end of the program waits for that.
            if unwritten.values == nil { Self.unwrittenCaches.withLock { $0[ObjectIdentifier(self)] = nil } }
        }
    }

    private func write(
        _ replica: EtcdReplica,
        _ values: Values,
        until deadline: Deadline
    ) throws(PreferenceProblem) {
        let lockTimeout = Duration.milliseconds(deadline.remainingMilliseconds)
        let store = FileStore(url: file, format: .json, durability: .immediate, lockTimeout: lockTimeout)
        try update(Self.consequence, in: store) { current in
            if !values.replacesLaterOnes,
                let cached = try current(entryName).flatMap({ EtcdReplica(cached: $0, keys) }),
                cached.clusterID == replica.clusterID, cached.revision >= replica.revision
            {
                return [:]
            }
            return [entryName: .set(replica.cachedValue(keys))]
        }
    }

    // MARK: - Queued changes

    /// Returns the queued changes of all processes that share the file, with those that may have been sent.
    func queue() throws(PreferenceProblem) -> PreferenceBatch {
        do {
            let store = store
            let batches = EtcdQueuedBatch.batches(in: try store.value(for: batchesName))
            let queue = EtcdQueuedBatch.edits(in: try store.value(for: queueName))
            return PreferenceBatch((batches.map(\.edits) + [queue]).reduce(into: [:]) { $0.merge($1) { $1 } })
        } catch {
            throw problem(.storeUnreadable, "the queued changes cannot be read", error)
        }
    }

    /// Adds changes to the queue, durably.
    ///
    /// - Parameter sent: The batch of the changes, if they have been sent already.
    func enqueue(_ batch: PreferenceBatch, sentAs sent: EtcdQueuedBatch?) throws(PreferenceProblem) {
        try changeQueue("the change cannot be queued") { queue, batches in
            guard let sent else { return queue.merge(batch.edits) { $1 } }
            // Earlier changes of the names would be sent after the batch.
            queue = queue.filter { sent.edits[$0.key] == nil }
            batches.append(sent)
        }
    }

    /// Removes changes from the queue.
    func discard(_ names: Set<String>) throws(PreferenceProblem) {
        try changeQueue("the queued changes cannot be removed") { queue, batches in
            queue = queue.filter { !names.contains($0.key) }
            for index in batches.indices {
                batches[index].edits = batches[index].edits.filter { !names.contains($0.key) }
            }
        }
    }

    /// Returns whether there are queued changes that belong to no batch.
    ///
    /// - Parameter names: The names of changes that do not count.
    func hasUnsentChanges(except names: Set<String>) throws(PreferenceProblem) -> Bool {
        do {
            return try !EtcdQueuedBatch.edits(in: store.value(for: queueName)).keys.allSatisfy(names.contains)
        } catch {
            throw problem(.storeUnreadable, "the queued changes cannot be read", error)
        }
    }

    /// Returns the batches to send, in their order.
    ///
    /// - Parameters:
    ///   - lease: The lease of a new batch, the last one, with the queued changes; nil, the default, for none.
    ///   - names: The names of changes that stay in the queue.
    func batches(
        withLease lease: Int64? = nil,
        except names: Set<String> = []
    ) throws(PreferenceProblem) -> [EtcdQueuedBatch] {
        var result: [EtcdQueuedBatch] = []
        try changeQueue("the queued changes cannot be sent") { queue, batches in
            let unsent = queue.filter { !names.contains($0.key) }
            if let lease, !unsent.isEmpty {
                batches.append(EtcdQueuedBatch(lease: lease, edits: unsent))
                queue = queue.filter { names.contains($0.key) }
            }
            result = batches
        }
        return result
    }

    /// Replaces a batch by others with the same changes.
    ///
    /// - Returns: Whether the batch was there. Otherwise another process has sent it.
    func replace(_ batch: EtcdQueuedBatch, with parts: [EtcdQueuedBatch]) throws(PreferenceProblem) -> Bool {
        var isThere = false
        try changeQueue("the queued changes cannot be sent in parts") { _, batches in
            guard let index = batches.firstIndex(where: { $0.id == batch.id }) else { return }
            isThere = true
            batches.replaceSubrange(index...index, with: parts)
        }
        return isThere
    }

    /// Removes batches.
    ///
    /// - Parameters:
    ///   - sent: The batches that were sent.
    ///   - returned: The batches whose changes return to the queue, unless that has later ones of their names.
    func remove(sent: [EtcdQueuedBatch], returned: [EtcdQueuedBatch]) throws(PreferenceProblem) {
        if sent.isEmpty, returned.isEmpty { return }
        try changeQueue("the changes that were sent cannot be removed from the queue") { queue, batches in
            let returnedIDs = Set(returned.lazy.map(\.id))
            for (index, batch) in batches.enumerated() where returnedIDs.contains(batch.id) {
                let later = Set(batches[(index + 1)...].flatMap(\.edits.keys))
                queue.merge(batch.edits.filter { !later.contains($0.key) }) { later, _ in later }
            }
            let ids = returnedIDs.union(sent.lazy.map(\.id))
            batches.removeAll { ids.contains($0.id) }
        }
    }

    private func changeQueue(
        _ consequence: String,
        _ body: (_ queue: inout [String: PreferenceEdit], _ batches: inout [EtcdQueuedBatch]) -> Void
    ) throws(PreferenceProblem) {
        try update(consequence) { current in
            var queue = EtcdQueuedBatch.edits(in: try current(queueName))
            var batches = EtcdQueuedBatch.batches(in: try current(batchesName))
            body(&queue, &batches)
            batches.removeAll { $0.edits.isEmpty }
            return [
                queueName: queue.isEmpty ? .remove : .set(EtcdQueuedBatch.value(of: queue)),
                batchesName: batches.isEmpty ? .remove : .set(.array(batches.map(\.value))),
            ]
        }
    }

    private func update(
        _ consequence: String,
        in store: FileStore? = nil,
        _ makeBatch: (_ current: (String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws(PreferenceProblem) {
        do { try (store ?? self.store).update(makeBatch) } catch { throw problem(.storeUnwritable, consequence, error) }
    }

    private func problem(_ code: PreferenceProblem.Code, _ consequence: String, _ error: any Error) -> PreferenceProblem
    {
        let reason = (error as? PreferenceProblem)?.message ?? String(describing: error)
        return PreferenceProblem(code, store: file.path(percentEncoded: false), message: "\(consequence): \(reason)")
    }
}

/// Queued changes that are sent in one transaction, which may have been made already.
///
/// They are in the cache, with the identifier, before they are sent. The transaction also sets an entry with the identifier,
/// on condition that it has not changed: if the program ends before it has removed the batch from the cache, and sends it
/// again, the transaction is not made twice. A write whose answer was lost is queued as a batch with the entry of its
/// writer, so that it is not made twice either.
struct EtcdQueuedBatch: Sendable {
    /// The name of the entry, without the prefix of the store's own ones.
    var id = "queue " + UUID().uuidString.lowercased()
    /// The lease of the entry.
    var lease: Int64
    /// The number that the entry is set to.
    var number: Int64 = 1
    /// The revision of the entry before; 0 if there is none.
    var revision: Int64 = 0
    var edits: [String: PreferenceEdit]

    /// Returns batches with the same changes in parts.
    ///
    /// - Parameter count: The number of the parts, if there are as many changes.
    func parts(_ count: Int) -> [EtcdQueuedBatch] {
        let (names, size) = (edits.keys.sorted(), (edits.count + count - 1) / count)
        return stride(from: 0, to: names.count, by: size).map { start in
            let part = Set(names[start..<min(start + size, names.count)])
            return EtcdQueuedBatch(lease: lease, edits: edits.filter { part.contains($0.key) })
        }
    }
}

// MARK: - Format

extension EtcdQueuedBatch {
    fileprivate var value: PreferenceValue {
        .dictionary([
            "id": .string(id), "lease": .int(lease), "number": .int(number), "revision": .int(revision),
            "changes": Self.value(of: edits),
        ])
    }

    fileprivate static func batches(in value: PreferenceValue?) -> [EtcdQueuedBatch] {
        guard case .array(let batches)? = value else { return [] }
        return batches.compactMap { batch in
            guard case .dictionary(let fields) = batch, case .string(let id)? = fields["id"],
                case .int(let lease)? = fields["lease"]
            else { return nil }
            var result = EtcdQueuedBatch(id: id, lease: lease, edits: edits(in: fields["changes"]))
            if case .int(let number)? = fields["number"] { result.number = number }
            if case .int(let revision)? = fields["revision"] { result.revision = revision }
            return result
        }
    }

    fileprivate static func value(of edits: [String: PreferenceEdit]) -> PreferenceValue {
        .dictionary(edits.mapValues { edit in .dictionary(edit.value.map { ["value": $0] } ?? [:]) })
    }

    /// Reads changes: a dictionary for each name, with the entry `value` unless the name is to be removed.
    fileprivate static func edits(in value: PreferenceValue?) -> [String: PreferenceEdit] {
        guard case .dictionary(let changes)? = value else { return [:] }
        return changes.compactMapValues { change in
            guard case .dictionary(let fields) = change else { return nil }
            return fields["value"].map { .set($0) } ?? .remove
        }
    }
}

extension EtcdReplica {
    fileprivate init?(cached: PreferenceValue, _ keys: EtcdKeys) {
        guard case .dictionary(let fields) = cached, fields["prefix"] == .string(keys.prefix),
            case .int(let clusterID)? = fields["cluster"], case .int(let revision)? = fields["revision"],
            (0..<Int64.max).contains(revision),
            case .dictionary(let values)? = fields["values"]
        else { return nil }
        var raftTerm: Int64 = 0
        if case .int(let term)? = fields["term"] { raftTerm = term }
        self.init(clusterID: clusterID, raftTerm: raftTerm, revision: revision)
        for (name, value) in values {
            guard case .dictionary(let fields) = value, case .int(let revision)? = fields["revision"] else {
                return nil
            }
            let content: Content
            switch fields["json"] {
            case .string(let text): content = Content(Data(text.utf8))
            case .data(let data): content = .malformed(data)
            default: return nil
            }
            var key: Data?
            if case .data(let data)? = fields["key"] { key = data }
            entries[name] = Entry(key: key, content: content, revision: revision)
        }
    }

    fileprivate func cachedValue(_ keys: EtcdKeys) -> PreferenceValue {
        let values = entries.mapValues { entry -> PreferenceValue in
            var fields: [String: PreferenceValue] = ["revision": .int(entry.revision)]
            switch entry.content {
            // A value that was read from JSON can be written as JSON.
            case .value(let value): fields["json"] = .string((try? value.jsonText()) ?? "null")
            case .malformed(let data): fields["json"] = .data(data)
            }
            fields["key"] = entry.key.map { .data($0) }
            return .dictionary(fields)
        }
        return .dictionary([
            "prefix": .string(keys.prefix), "cluster": .int(clusterID), "term": .int(raftTerm),
            "revision": .int(revision), "values": .dictionary(values),
        ])
    }
}
