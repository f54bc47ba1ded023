import Foundation
import PreferencesRuntime
import PreferencesSystem

extension EtcdClient {
    /// Reads all values from a member.
    ///
    /// If it does not answer in time, the next attempt reads smaller pages, and the attempt after a success larger ones.
    ///
    /// - Parameter isReplacement: Whether they are known to be those of another cluster.
    func readAll(at endpoint: URL, replacing isReplacement: Bool = false) throws(EtcdFailure) {
        let before = state.read { $0.replica?.revision ?? 0 }
        let reply: EtcdRangeReply
        do throws(EtcdFailure) {
            reply = try readPages { request throws(EtcdFailure) in
                let limit = Deadline(after: options.limit)
                return try gateway.call(
                    "v3/kv/range",
                    request,
                    at: endpoint,
                    until: limit,
                    returning: EtcdRangeReply.self
                )
            }
        } catch {
            if error.isLate { state.change { $0.pageSize = max(1, $0.pageSize / 10) } }
            throw error
        }
        state.change { $0.pageSize = min(options.pageSize, $0.pageSize * 10) }
        if let change = install(reply, from: endpoint, before, replacing: isReplacement) { notify(change) }
    }

    /// Reads all values from any member.
    ///
    /// - Returns: The change to notify of; nil for none.
    func reload(until deadline: Deadline? = nil) throws(EtcdFailure) -> PreferenceStoreChange? {
        let before = state.read { $0.replica?.revision ?? 0 }
        let deadline = deadline ?? Deadline(after: options.limit)
        // The watch is begun again, too, if there is none.
        state.change { $0.isAwaited = true }
        let reply = try readPages { request throws(EtcdFailure) in
            try gateway.call("v3/kv/range", request, until: deadline, returning: EtcdRangeReply.self)
        }
        return install(reply, from: gateway.current, before)
    }

    /// Reads all values of one revision, in several answers of limited size.
    private func readPages(
        _ read: (EtcdRangeRequest) throws(EtcdFailure) -> EtcdRangeReply
    ) throws(EtcdFailure) -> EtcdRangeReply {
        var size = state.read(\.pageSize)
        var result: EtcdRangeReply?
        while true {
            let last = result?.kvs?.last?.key
            let request = EtcdRangeRequest(
                key: last.map { $0 + [0] } ?? keys.first,
                rangeEnd: keys.end,
                limit: EtcdInteger(size),
                revision: result?.header.revision.map { EtcdInteger($0.value) }
            )
            let page: EtcdRangeReply
            do throws(EtcdFailure) { page = try read(request) } catch {
                switch error.kind {
                case .answerTooLarge where size > 1: size = max(1, size / 10)
                // The history was compacted meanwhile.
                case .unknownRevision where result != nil: result = nil
                default: throw error
                }
                continue
            }
            if result == nil { result = page } else { result?.kvs?.append(contentsOf: page.kvs ?? []) }
            guard page.more == true else { return result ?? page }
            // Keys that do not follow those of the last page would be read without end.
            guard let key = page.kvs?.last?.key, !key.lexicographicallyPrecedes(request.key) else {
                throw EtcdFailure(.malformed, "the values are not in the order of their keys")
            }
        }
    }

    /// Replaces all values.
    ///
    /// - Parameters:
    ///   - revision: The revision of the values when the request was sent. Those of the reply are at least as new, unless
    ///     the cluster was restored from a backup.
    ///   - isReplacement: Whether the values are known to be those of another cluster.
    /// - Returns: The change to notify of; nil for none.
    private func install(
        _ reply: EtcdRangeReply,
        from endpoint: URL,
        _ revision: Int64,
        replacing isReplacement: Bool = false
    ) -> PreferenceStoreChange? {
        let new = EtcdReplica(reply, keys)
        var isReplacement = isReplacement
        let change = state.change { state -> PreferenceStoreChange? in
            state.source = endpoint
            let old = state.replica
            let isSameCluster =
                !isReplacement && old.map { $0.clusterID == new.clusterID && new.revision >= revision } ?? false
            // The watch may have been faster.
            if isSameCluster, let old, new.revision < old.revision { return nil }
            state.replica = new
            // A write that was made before the watch began is not delivered by it.
            let ownRevision = state.awaitedWrite?.noteInstalled(reply.kvs ?? [])
            guard isSameCluster, let old else {
                isReplacement = old != nil
                return .everything
            }
            // The writer notifies observers of its own changes. A removal leaves no revision, and is notified twice.
            let names = new.changedNames(since: old).filter {
                ownRevision == nil || new.entries[$0]?.revision != ownRevision
            }
            return names.isEmpty ? nil : .names(names)
        }
        save(replacingLaterValues: isReplacement)
        // The watch continues the former values.
        if isReplacement { gateway.endWatch() }
        return change
    }

    /// Applies the changes that a watch has delivered. All changes of a revision are delivered together.
    func install(_ events: [EtcdEvent]) {
        let names = state.change { state in
            var names: Set<String> = []
            var rest = events[...]
            while let revision = rest.first?.kv.revision {
                let changes = rest.prefix { $0.kv.revision == revision }
                rest = rest.dropFirst(changes.count)
                let changed = state.replica?.apply(changes, of: revision, keys) ?? []
                let isOwn = state.awaitedWrite?.noteInstalled(changes.map(\.kv)) != nil
                // The writer notifies observers of its own changes.
                if !isOwn { names.formUnion(changed) }
            }
            return names
        }
        if !names.isEmpty { notify(.names(names)) }
        save()
    }
}

extension EtcdClient.State {
    /// Begins to wait for a write. What is known of it from an earlier attempt is kept.
    mutating func awaitWrite(_ number: Int64, of key: Data) {
        isAwaited = true
        if awaitedWrite?.key != key || awaitedWrite?.number != number {
            awaitedWrite = EtcdWrite(key: key, number: number)
        }
    }

    /// Stops waiting for a write.
    ///
    /// - Returns: Whether it is among the values.
    mutating func endWrite() -> Bool {
        defer { awaitedWrite = nil }
        return awaitedWrite?.isInstalled == true
    }
}

/// A write that its thread waits for.
struct EtcdWrite: Sendable {
    /// The key of the writer's own entry, which its writes change together with the values.
    let key: Data
    /// The value of the entry.
    let number: Int64
    var isInstalled = false

    /// Notes that values have been installed, and returns the revision of the write if it is among them.
    mutating func noteInstalled(_ pairs: [EtcdKeyValue]) -> Int64? {
        guard let pair = pairs.last(where: { $0.key == key }), pair.value == Data(String(number).utf8) else {
            return nil
        }
        isInstalled = true
        return pair.revision
    }
}
