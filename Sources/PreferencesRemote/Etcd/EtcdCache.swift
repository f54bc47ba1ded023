import Dispatch
import Foundation
import PreferencesRuntime
import PreferencesSystem

/// A file with the last values of a store in etcd, for a start without a network.
///
/// It is one entry of a `FileStore`, whose other entries are left unchanged. Several processes may share the file: it has
/// the values of the latest revision that any of them has received.
final class EtcdCache: Sendable {
    private static let entryName = "etcd"
    private static let queueName = "queue"
    /// How long changes are collected before they are written.
    private static let delay: DispatchTimeInterval = .milliseconds(500)

    let file: URL
    private let keys: EtcdKeys
    private let writes = DispatchQueue(label: "preferences.etcd.cache")
    /// Returns the values to write; nil if they have been written.
    private let unwritten = Locked<(@Sendable () -> EtcdReplica?)?>(nil)

    init(file: URL, _ keys: EtcdKeys) {
        (self.file, self.keys) = (file, keys)
    }

    /// Created for each use, as it would keep a second copy of the values in memory.
    private var store: FileStore { FileStore(url: file, format: .json, durability: .immediate) }

    /// Returns the values; nil if there are none of this prefix, or if the file cannot be read.
    func read() -> EtcdReplica? {
        (try? store.value(for: Self.entryName)).flatMap { $0 }.flatMap { EtcdReplica(cached: $0, keys) }
    }

    /// Writes the values soon.
    ///
    /// - Parameters:
    ///   - replica: Returns the values, when they are written.
    ///   - report: Receives the problem of a failed write.
    func save(
        _ replica: @escaping @Sendable () -> EtcdReplica?,
        report: @escaping @Sendable (PreferenceProblem) -> Void
    ) {
        let isFirst = unwritten.withLock { unwritten in
            defer { unwritten = replica }
            return unwritten == nil
        }
        guard isFirst else { return }
        writes.runLater(at: .now() + Self.delay) { [weak self] in
            do throws(PreferenceProblem) { try self?.flush() } catch { report(error) }
        }
    }

    /// Writes the values that have not been written yet.
    func flush() throws(PreferenceProblem) {
        guard let replica = unwritten.withLock({ $0.take() })?() else { return }
        try update("the last values of etcd cannot be kept for the next start") { current in
            if let cached = try current(Self.entryName).flatMap({ EtcdReplica(cached: $0, keys) }),
                cached.clusterID == replica.clusterID, cached.revision >= replica.revision
            {
                return [:]
            }
            return [Self.entryName: .set(replica.cachedValue(keys))]
        }
    }

    // MARK: - Queued changes

    /// Returns the queued changes of all processes that share the file.
    func queue() throws(PreferenceProblem) -> PreferenceBatch {
        do {
            return PreferenceBatch(Self.edits(in: try store.value(for: Self.queueName)))
        } catch {
            throw problem(.storeUnreadable, "the queued changes cannot be read", error)
        }
    }

    /// Adds changes to the queue, durably.
    func enqueue(_ batch: PreferenceBatch) throws(PreferenceProblem) {
        try changeQueue { $0.merge(batch.edits) { $1 } }
    }

    /// Removes changes that were sent, except those that have changed since.
    func dequeue(_ batch: PreferenceBatch) throws(PreferenceProblem) {
        try changeQueue { queue in
            for (name, edit) in batch where queue[name] == edit { queue[name] = nil }
        }
    }

    private func changeQueue(_ change: (inout [String: PreferenceEdit]) -> Void) throws(PreferenceProblem) {
        try update("the change cannot be queued") { current in
            var queue = Self.edits(in: try current(Self.queueName))
            change(&queue)
            if queue.isEmpty { return [Self.queueName: .remove] }
            let values = queue.mapValues { edit in
                PreferenceValue.dictionary(edit.value.map { ["value": $0] } ?? [:])
            }
            return [Self.queueName: .set(.dictionary(values))]
        }
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
            case .dictionary(let values)? = fields["values"]
        else { return nil }
        self.init(clusterID: clusterID, revision: revision)
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
            "prefix": .string(keys.prefix), "cluster": .int(clusterID), "revision": .int(revision),
            "values": .dictionary(values),
        ])
    }
}
