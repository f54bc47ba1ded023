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
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem`` if etcd does not answer, or refuses them. They stay queued.
    public func sendQueuedChanges() throws {
        let names = try writing.withLock { try reportingFailures { try sendQueue() } }
        notifyOfSentChanges(names)
    }

    /// Sends the queued changes of all processes that share the cache. Call it with `writing` held.
    ///
    /// - Returns: The names whose values are not those that this store has queued.
    /// - Throws: ``EtcdFailure``; ``/PreferencesRuntime/PreferenceProblem``.
    func sendQueue() throws -> Set<String> {
        guard queuesWrites, let cache, !queuedNames.isEmpty else { return [] }
        let sent = try cache.sendQueue { batch in
            _ = try write(operations(of: batch), EtcdWriter.Conditions(), until: Deadline(after: timeout))
        }
        let own = client.state.read(\.queue)
        // Another process has sent the others.
        if own.keys.contains(where: { sent[$0] == nil }), let change = try client.reload() { client.notify(change) }
        client.state.change { $0.queue = [:] }
        return Set(sent.merging(own) { $1 }.keys.filter { sent[$0] != own[$0] })
    }

    func notifyOfSentChanges(_ names: Set<String>) {
        if !names.isEmpty { client.observers.notify(.names(names)) }
    }

    /// Sends the queued changes from a thread of its own.
    func sendQueuedChangesLater() {
        if queuedNames.isEmpty { return }
        DispatchQueue(label: "preferences.etcd.queue").async { [weak self] in
            do {
                try self?.sendQueuedChanges()
            } catch let problem as PreferenceProblem {
                self?.client.observers.notify(.problem(problem))
            } catch {}
        }
    }

    /// Applies a batch, or queues it while etcd does not answer.
    func applyOrQueue(_ batch: PreferenceBatch, in cache: EtcdCache, by writer: PreferenceStoreObservation?) throws {
        if batch.isEmpty { return }
        var sentNames: Set<String> = []
        defer { notifyOfSentChanges(sentNames) }
        let problem = try writing.withLock { () throws -> PreferenceProblem? in
            let operations = try operations(of: batch)
            var reason = client.state.read { $0.isAway && $0.failure?.kind != .denied ? $0.failure : nil }
            if reason == nil {
                do {
                    sentNames = try sendQueue()
                    _ = try write(operations, EtcdWriter.Conditions(), until: Deadline(after: timeout))
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
    }
}

extension PreferenceProblem.Code {
    /// A store on a server has queued changes, because the server does not answer. The message says where.
    public static let changesQueued = PreferenceProblem.Code(rawValue: "changesQueued")
}
