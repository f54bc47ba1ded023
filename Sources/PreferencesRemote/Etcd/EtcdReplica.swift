import Foundation
import PreferencesRuntime

/// The keys of a store in etcd: a prefix, followed by the name of a preference or of one of the store's own entries.
struct EtcdKeys: Sendable, Hashable {
    /// The beginning of the names of the store's own entries.
    static let reservedPrefix = "::writer:"

    let prefix: String

    /// The first key with the prefix.
    var first: Data { Data(prefix.utf8) }

    /// The key after the last one with the prefix.
    var end: Data {
        var bytes = Array(prefix.utf8)
        // The prefix is UTF-8, in which no byte is 255.
        bytes[bytes.count - 1] += 1
        return Data(bytes)
    }

    /// Returns the key of a name. Canonically equivalent names are equal, and have one key.
    func key(of name: String) -> Data {
        Data((prefix + name.precomposedStringWithCanonicalMapping).utf8)
    }

    /// Returns the name of a key; nil if the key is no text, or that of a store's own entry, or has another prefix.
    func name(of key: Data) -> String? {
        guard key.starts(with: prefix.utf8) else { return nil }
        return String(validating: key.dropFirst(prefix.utf8.count), as: UTF8.self).flatMap {
            Self.isReserved($0) ? nil : $0
        }
    }

    /// Returns whether a name is that of an entry of this store, or of another one whose prefix begins with this prefix.
    static func isReserved(_ name: String) -> Bool {
        name.hasPrefix(reservedPrefix) || name.contains("/\(reservedPrefix)")
    }
}

/// The values of a store, as etcd had them at a revision.
struct EtcdReplica: Sendable {
    /// A value, with the revision at which it was set.
    struct Entry: Sendable {
        /// The key; nil if it is the one that the store would use for the name.
        var key: Data?
        var content: Content
        var revision: Int64
    }

    enum Content: Sendable, Equatable {
        case value(PreferenceValue)
        /// A value that is not JSON, or JSON without a value.
        case malformed(Data)

        init(_ data: Data) {
            let text = String(validating: data, as: UTF8.self)
            self = text.flatMap { PreferenceValue(jsonText: $0) }.map { .value($0) } ?? .malformed(data)
        }
    }

    /// The cluster that the values are from. A cluster that is created from a backup has another identifier, but one that
    /// is created anew by the same members has the same.
    var clusterID: Int64
    /// The number of the last election that is known.
    var raftTerm: Int64
    /// The last revision whose changes are included.
    var revision: Int64
    var entries: [String: Entry] = [:]

    init(clusterID: Int64, raftTerm: Int64, revision: Int64) {
        (self.clusterID, self.raftTerm, self.revision) = (clusterID, raftTerm, revision)
    }

    /// Creates the replica of all keys of a store.
    init(_ reply: EtcdRangeReply, _ keys: EtcdKeys) {
        self.init(
            clusterID: reply.header.clusterId?.value ?? 0,
            raftTerm: reply.header.raftTerm?.value ?? 0,
            revision: reply.header.revision?.value ?? 0
        )
        for pair in reply.kvs ?? [] { set(pair, keys) }
    }

    /// Returns the message for a malformed value.
    static func fault(of data: Data) -> String {
        guard let text = String(validating: data, as: UTF8.self) else {
            return "the value is not JSON, but other bytes"
        }
        if let fault = PreferenceValue.fault(ofJSON: text) { return "the value is JSON that cannot be read: \(fault)" }
        return "the value is not JSON; put strings into quotation marks: etcdctl put KEY '\"text\"'"
    }

    private mutating func set(_ pair: EtcdKeyValue, _ keys: EtcdKeys) {
        guard let name = keys.name(of: pair.key) else { return }
        // Another program can use several keys whose names are canonically equivalent.
        if let other = entries[name], other.revision > pair.revision { return }
        entries[name] = Entry(
            key: keys.key(of: name) == pair.key ? nil : pair.key,
            content: Content(pair.value ?? Data()),
            revision: pair.revision
        )
    }

    /// Applies the changes of a revision, unless they are included already.
    ///
    /// - Returns: The names that were changed.
    mutating func apply(_ events: some Sequence<EtcdEvent>, of revision: Int64, _ keys: EtcdKeys) -> Set<String> {
        guard revision > self.revision else { return [] }
        self.revision = revision
        var changed: Set<String> = []
        for event in events {
            guard let name = keys.name(of: event.kv.key) else { continue }
            changed.insert(name)
            if !event.isDeletion {
                set(event.kv, keys)
            } else if (entries[name]?.key ?? keys.key(of: name)) == event.kv.key {
                entries[name] = nil
            }
        }
        return changed
    }

    /// Returns the names whose values differ from those of an earlier replica.
    func changedNames(since other: EtcdReplica) -> Set<String> {
        var names = Set(other.entries.keys.filter { entries[$0] == nil })
        for (name, entry) in entries {
            let last = other.entries[name]
            // In a cluster that was created anew, the same revision can be another change.
            if last?.revision != entry.revision || last?.content != entry.content { names.insert(name) }
        }
        return names
    }

    /// Returns the key and the entry that were set last; nil if there are no entries.
    func newestEntry(_ keys: EtcdKeys) -> (key: Data, entry: Entry)? {
        entries.max { $0.value.revision < $1.value.revision }.map { ($1.key ?? keys.key(of: $0), $1) }
    }

    /// Returns whether a member's values continue these.
    ///
    /// A cluster that was erased and created anew has the same identifier, and in time a higher revision, but another
    /// history: the change that was made last here is then another one there.
    ///
    /// - Parameters:
    ///   - reply: The answer to a request for the key of the newest entry, if there is one.
    ///   - isOfRevision: Whether the request was for this revision, with the value. Otherwise it was for the current one,
    ///     which may be later.
    func isContinued(by reply: EtcdRangeReply, isOfRevision: Bool, _ keys: EtcdKeys) -> Bool {
        guard reply.header.clusterId?.value == clusterID, revision <= reply.header.revision?.value ?? 0,
            raftTerm <= reply.header.raftTerm?.value ?? 0
        else { return false }
        guard let newest = newestEntry(keys)?.entry else { return true }
        guard let pair = reply.kvs?.first else { return false }
        if !isOfRevision { return pair.revision == newest.revision || pair.revision > revision }
        return pair.revision == newest.revision && Content(pair.value ?? Data()) == newest.content
    }
}
