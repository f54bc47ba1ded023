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
    /// How long changes are collected before they are written.
    private static let delay: DispatchTimeInterval = .milliseconds(500)

    let file: URL
    private let keys: EtcdKeys
    private let queue = DispatchQueue(label: "preferences.etcd.cache")
    private let state = Locked<(@Sendable () -> EtcdReplica?)?>(nil)
    /// Receives the problem of a failed write.
    let problems = Locked<(@Sendable (PreferenceProblem) -> Void)?>(nil)

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
    /// - Parameter replica: Returns the values, when they are written.
    func save(_ replica: @escaping @Sendable () -> EtcdReplica?) {
        let isFirst = state.withLock { state in
            defer { state = replica }
            return state == nil
        }
        guard isFirst else { return }
        queue.runLater(at: .now() + Self.delay) { [weak self] in
            guard let self else { return }
            do throws(PreferenceProblem) { try flush() } catch { problems.withLock { $0 }?(error) }
        }
    }

    /// Writes the values that have not been written yet.
    func flush() throws(PreferenceProblem) {
        guard let replica = state.withLock({ $0.take() })?() else { return }
        do {
            try store.update { current in
                if let cached = try current(Self.entryName).flatMap({ EtcdReplica(cached: $0, keys) }),
                    cached.clusterID == replica.clusterID, cached.revision >= replica.revision
                {
                    return [:]
                }
                return [Self.entryName: .set(replica.cachedValue(keys))]
            }
        } catch {
            let reason = (error as? PreferenceProblem)?.message ?? String(describing: error)
            throw PreferenceProblem(
                .storeUnwritable,
                store: file.path(percentEncoded: false),
                message: "the last values of etcd cannot be kept for the next start: \(reason)"
            )
        }
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
