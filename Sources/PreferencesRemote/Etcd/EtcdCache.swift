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
    /// How long changes are collected before they are written.
    private static let delay: DispatchTimeInterval = .milliseconds(500)

    let file: URL
    private let keys: EtcdKeys
    private let writes = DispatchQueue(label: "preferences.etcd.cache")
    /// The values to write; nil if they have been written.
    private let unwritten = Locked<Values?>(nil)

    /// Values to write.
    struct Values: Sendable {
        /// Whether they replace those of a later revision, because the cluster was restored from a backup.
        var replacesLaterOnes = false
        /// Returns the values, when they are written.
        let replica: @Sendable () -> EtcdReplica?
    }

    init(file: URL, _ keys: EtcdKeys) {
        (self.file, self.keys) = (file, keys)
        (entryName, queueName) = ("etcd \(keys.prefix)", "queue \(keys.prefix)")
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
        let isFirst = unwritten.withLock { unwritten in
            var values = values
            if unwritten?.replacesLaterOnes == true { values.replacesLaterOnes = true }
            defer { unwritten = values }
            return unwritten == nil
        }
        guard isFirst else { return }
        writes.runLater(at: .now() + Self.delay) { [weak self] in
            do throws(PreferenceProblem) { try self?.flush() } catch { report(error) }
        }
    }

    /// Writes the values that have not been written yet.
    func flush() throws(PreferenceProblem) {
        guard let values = unwritten.withLock({ $0.take() }), let replica = values.replica() else { return }
        try update("the last values of etcd cannot be kept for the next start") { current in
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

    /// Returns the queued changes of all processes that share the file.
    func queue() throws(PreferenceProblem) -> PreferenceBatch {
        do {
            return PreferenceBatch(Self.edits(in: try store.value(for: queueName)))
        } catch {
            throw problem(.storeUnreadable, "the queued changes cannot be read", error)
        }
    }

    /// Adds changes to the queue, durably.
    func enqueue(_ batch: PreferenceBatch) throws(PreferenceProblem) {
        try update("the change cannot be queued") { current in
            let queue = Self.edits(in: try current(queueName)).merging(batch.edits) { $1 }
            return [queueName: Self.entry(of: queue)]
        }
    }

    /// Sends the queued changes of all processes that share the file, and removes them from the queue.
    ///
    /// The file is locked meanwhile. Another process could otherwise send the same changes later, in place of newer values.
    ///
    /// - Parameter send: Sends the changes, and returns the names of those that stay in the queue. Not called if there are
    ///   none.
    /// - Returns: The changes that were sent.
    /// - Throws: An error of the closure; ``PreferenceProblem``.
    func sendQueue(_ send: (PreferenceBatch) throws -> Set<String>) throws -> [String: PreferenceEdit] {
        var edits: [String: PreferenceEdit] = [:]
        var failure: (any Error)?
        try update("the queue cannot be read, or its changes cannot be removed, and are sent again") { current in
            edits = Self.edits(in: try current(queueName))
            if edits.isEmpty { return [:] }
            do {
                let left = try send(PreferenceBatch(edits))
                let rest = edits.filter { left.contains($0.key) }
                edits = edits.filter { !left.contains($0.key) }
                return [queueName: Self.entry(of: rest)]
            } catch {
                failure = error
                return [:]
            }
        }
        if let failure { throw failure }
        return edits
    }

    private static func entry(of queue: [String: PreferenceEdit]) -> PreferenceEdit {
        if queue.isEmpty { return .remove }
        return .set(
            .dictionary(queue.mapValues { edit in .dictionary(edit.value.map { ["value": $0] } ?? [:]) })
        )
    }

    /// Reads a queue: a dictionary for each name, with the entry `value` unless the name is to be removed.
    private static func edits(in value: PreferenceValue?) -> [String: PreferenceEdit] {
        guard case .dictionary(let changes)? = value else { return [:] }
        return changes.compactMapValues { change in
            guard case .dictionary(let fields) = change else { return nil }
            return fields["value"].map { .set($0) } ?? .remove
        }
    }

    private func update(
        _ consequence: String,
        _ makeBatch: (_ current: (String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws(PreferenceProblem) {
        do { try store.update(makeBatch) } catch { throw problem(.storeUnwritable, consequence, error) }
    }

    private func problem(_ code: PreferenceProblem.Code, _ consequence: String, _ error: any Error) -> PreferenceProblem
    {
        let reason = (error as? PreferenceProblem)?.message ?? String(describing: error)
        return PreferenceProblem(code, store: file.path(percentEncoded: false), message: "\(consequence): \(reason)")
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
