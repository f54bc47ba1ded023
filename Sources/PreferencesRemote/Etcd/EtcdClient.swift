import Foundation
import PreferencesRuntime
import PreferencesSystem

/// The replica of a store in etcd, which one thread keeps up to date by a watch.
///
/// The watch is the only thing that changes the values, one revision after the other, apart from reading all of them at
/// once. A write is therefore seen by reads when the watch delivers it: the writer waits for that.
final class EtcdClient: Sendable {
    struct Options: Sendable {
        /// The maximum time of a call.
        var limit: Duration
        /// How long the watch may be silent before the member is asked whether it still answers.
        var heartbeat: Duration = .seconds(10)
        /// The maximum pause between two attempts to connect, which varies at random by a fifth.
        var longestPause: Duration = .seconds(25)
        /// The maximum time that the release of a store waits for etcd, and then for the cache.
        var releaseLimit: Duration = .milliseconds(250)
        /// The maximum number of keys that are read at once.
        var pageSize: Int64 = 10_000
        /// The maximum size of a response in bytes.
        var maximumAnswerSize = EtcdGateway.maximumSize
    }

    struct State: Sendable {
        /// The values; nil before they were read for the first time.
        var replica: EtcdReplica?
        /// The member that the watch is at; nil while there is none.
        var endpoint: URL?
        /// The member that the values are from; nil if they are from the cache.
        var source: URL?
        /// The reason that there is no watch; nil while there is one, and before the first attempt.
        var failure: EtcdFailure?
        /// The problem of the failure, if there was no observer to report it to.
        var unreported: PreferenceProblem?
        /// The problem of a queue that cannot be read, until there is an observer to report it to.
        var unreportedQueueProblem: PreferenceProblem?
        /// Whether every member has failed since the last success.
        var isAway = false
        /// The changes that are queued while etcd does not answer.
        var queue: [String: PreferenceEdit] = [:]
        /// The names of queued changes that etcd has refused, which are sent again after a new connection.
        var refusedNames: Set<String> = []
        /// The names of the queued changes that etcd has not refused.
        var unrefusedNames: Set<String> { Set(queue.keys).subtracting(refusedNames) }
        var sending = Sending()
        /// The write that a thread waits for.
        var awaitedWrite: EtcdWrite?
        /// Whether the thread that keeps the values up to date should try again now.
        var isAwaited = false
        /// The maximum number of keys that the next page has.
        var pageSize: Int64
        var isEnded = false
    }

    /// The sending of queued changes by a thread of the store's own.
    struct Sending: Sendable {
        enum Attempt: Equatable {
            case none
            case scheduled(UUID)
            case running
        }

        var attempt = Attempt.none
        /// The number of consecutive failed attempts.
        var failures = 0

        /// Lets the next attempt begin at once, in place of one that is scheduled.
        mutating func forgetFailures() {
            failures = 0
            if case .scheduled = attempt { attempt = .none }
        }
    }

    let gateway: EtcdGateway
    let keys: EtcdKeys
    let options: Options
    let label: String
    let observers = PreferenceStoreObservers()
    let state: Monitor<State>
    private let cache: EtcdCache?
    /// Delivers notifications, since observers may write, and so wait for the thread that receives changes.
    private let notifications = DispatchQueue(label: "preferences.etcd.notifications")
    /// When reads stop waiting for the first values.
    private let firstRead: Deadline

    /// - Parameter queuesWrites: Whether the cache has queued changes to send.
    init(
        _ gateway: EtcdGateway,
        _ keys: EtcdKeys,
        label: String,
        cache: EtcdCache?,
        queuesWrites: Bool,
        _ options: Options
    ) {
        (self.gateway, self.keys, self.label, self.cache, self.options) = (gateway, keys, label, cache, options)
        var initial = State(replica: cache?.read(), pageSize: options.pageSize)
        do throws(PreferenceProblem) {
            if queuesWrites { initial.queue = try cache?.queue().edits ?? [:] }
        } catch {
            initial.unreportedQueueProblem = error
        }
        state = Monitor(initial)
        firstRead = Deadline(after: options.limit)
    }

    /// Starts the thread.
    ///
    /// - Parameter onConnect: Called on the thread when changes can be received, with whether all endpoints had failed. It
    ///   must return soon.
    func start(onConnect: @escaping @Sendable (_ wasAway: Bool) -> Void) {
        let thread = Thread { self.run(onConnect) }
        thread.name = "preferences.etcd"
        thread.start()
    }

    /// Ends the thread, and writes the values to the cache. No write to the cache begins afterwards; one that another
    /// thread has begun may end later if it takes longer than the limit.
    func end() {
        let endAndRead = { [state] in
            state.change { state in
                state.isEnded = true
                return state.replica
            }
        }
        if let cache {
            cache.flush(within: options.releaseLimit, lastValues: endAndRead)
        } else {
            _ = endAndRead()
        }
        gateway.end()
    }

    /// Reads the values.
    ///
    /// - Throws: The problem if there are none yet.
    func read<Result: Sendable>(_ body: (EtcdReplica) throws -> Result) throws -> Result {
        if let replica = state.read(\.replica) { return try body(replica) }
        _ = state.wait(until: firstRead) { $0.replica != nil || $0.isAway ? true : nil }
        if let replica = state.read(\.replica) { return try body(replica) }
        let failure =
            state.read(\.failure) ?? EtcdFailure(.unavailable, "etcd has not answered within \(options.limit)")
        throw PreferenceProblem(
            .storeUnreadable,
            store: label,
            message: failure.message + failure.advice,
            isMessagePublic: true
        )
    }
}

// MARK: - Keeping the values up to date

extension EtcdClient {
    /// How long a watch must have worked before an earlier failure is forgotten. Otherwise a member that ends each watch at
    /// once would be asked without a pause, and reported each time.
    private static let establishedAfter: Duration = .seconds(5)

    private func run(_ onConnect: (_ wasAway: Bool) -> Void) {
        var failures = 0
        var reported: EtcdFailure.Kind?
        while !state.read(\.isEnded) {
            let endpoint = gateway.current
            var isEstablished: Deadline?
            var failure: EtcdFailure?
            do throws(EtcdFailure) {
                try follow(endpoint) { wasAway in
                    isEstablished = Deadline(after: Self.establishedAfter)
                    onConnect(wasAway)
                    // A store over this one may wait for the connection to send its changes.
                    if failures > 0 { notify(.names([])) }
                }
            } catch {
                failure = error
            }
            if state.read(\.isEnded) { return }
            if isEstablished?.hasPassed == true { (failures, reported) = (0, nil) }
            // A call has failed, so that another member is the current one.
            if failure?.isCancelled == true { continue }
            failures += 1
            if let failure {
                gateway.moveOn(from: endpoint)
                note(failure, isAway: failures >= gateway.endpoints.count, isNew: failure.kind != reported)
                reported = failure.kind
            }
            // All values were read again, which is no failure if it happens once.
            if failure != nil || failures > 1 { pause(afterFailures: failures) }
        }
    }

    /// Receives changes from one member until it fails.
    private func follow(_ endpoint: URL, onConnect: (_ wasAway: Bool) -> Void) throws(EtcdFailure) {
        if state.read({ $0.replica == nil }) { try readAll(at: endpoint) } else { _ = try isUnreplaced(endpoint) }
        let revision = state.read { $0.replica?.revision ?? 0 }
        let deadline = Deadline(after: gateway.attemptLimit)
        let creation = EtcdWatchRequest.Creation(
            key: keys.first,
            rangeEnd: keys.end,
            startRevision: EtcdInteger(revision + 1)
        )
        let stream = try gateway.watch(EtcdWatchRequest(createRequest: creation), at: endpoint, until: deadline)
        defer {
            stream.cancel()
            state.change { $0.endpoint = nil }
        }
        var limit = deadline
        while !state.read(\.isEnded) {
            guard let reply = try next(of: stream, at: endpoint, until: limit) else {
                guard state.read(\.endpoint) != nil else {
                    throw EtcdFailure(
                        .unavailable,
                        "\(EtcdGateway.label(of: endpoint)): the watch was not begun in time"
                    )
                }
                guard try isUnreplaced(endpoint, asksLeader: false) else { return }
                limit = Deadline(after: options.heartbeat)
                continue
            }
            if reply.canceled == true {
                guard (reply.compactRevision?.value ?? 0) > 0 else {
                    let reason = reply.cancelReason ?? "no reason is given"
                    throw EtcdFailure(EtcdErrorReply(message: reason), status: 200, at: endpoint)
                }
                // The changes since the last one that was received are no longer there.
                try readAll(at: endpoint)
                return
            }
            if reply.created == true {
                // All values may have been read again meanwhile.
                let (clusterID, current) = state.read { ($0.replica?.clusterID, $0.replica?.revision ?? 0) }
                guard reply.header.clusterId?.value == clusterID, current >= revision else {
                    // The revision of the watch means another state there.
                    let label = EtcdGateway.label(of: endpoint)
                    throw EtcdFailure(.unavailable, "\(label): the watch was begun in another cluster than before")
                }
                let wasAway = state.change { state in
                    let wasAway = state.isAway
                    (state.endpoint, state.source) = (endpoint, endpoint)
                    (state.failure, state.unreported) = (nil, nil)
                    (state.isAway, state.isAwaited, state.refusedNames) = (false, false, [])
                    return wasAway
                }
                onConnect(wasAway)
            }
            if let events = reply.events, !events.isEmpty {
                install(events)
            } else if reply.created != true, let revision = reply.header.revision?.value {
                // All changes up to this revision were sent.
                state.change { state in
                    if let current = state.replica?.revision, current < revision { state.replica?.revision = revision }
                }
                save()
            }
            limit = Deadline(after: options.heartbeat)
        }
    }

    /// Waits for the next reply of a watch.
    ///
    /// etcd sends all that a client has missed at once. If that is too much, the present values are read instead, which may
    /// be fewer.
    private func next(
        of stream: EtcdStream,
        at endpoint: URL,
        until deadline: Deadline
    ) throws(EtcdFailure) -> EtcdWatchReply? {
        do throws(EtcdFailure) { return try stream.next(until: deadline) } catch {
            if error.kind == .answerTooLarge { try readAll(at: endpoint) }
            throw error
        }
    }

    /// Asks a member whether its values continue those in memory, and reads all of them if they are those of another
    /// cluster, or of a backup, whose revisions mean other states.
    ///
    /// A member that hangs does not answer, and one that has lost the leader refuses. A token that the member does not know
    /// is renewed, which a watch cannot do.
    ///
    /// - Parameter asksLeader: Whether the answer is that of the whole cluster, at the revision in memory. Otherwise the
    ///   member answers by itself, and asks the leader only if its values seem to be others: it may lag behind.
    /// - Returns: Whether later changes continue the values in memory.
    private func isUnreplaced(_ endpoint: URL, asksLeader: Bool = true) throws(EtcdFailure) -> Bool {
        guard let replica = state.read(\.replica),
            let key = replica.newestEntry(keys)?.key ?? (asksLeader ? nil : keys.first)
        else {
            // There is no value by which to notice it, and nothing that is dear to read.
            try readAll(at: endpoint)
            return false
        }
        let request = EtcdRangeRequest(
            key: key,
            // The history of a watch that is silent may have been compacted.
            revision: asksLeader ? EtcdInteger(replica.revision) : nil,
            keysOnly: !asksLeader,
            serializable: !asksLeader
        )
        let limit = Deadline(after: gateway.attemptLimit)
        do throws(EtcdFailure) {
            let reply = try gateway.call(
                "v3/kv/range",
                request,
                at: endpoint,
                until: limit,
                returning: EtcdRangeReply.self
            )
            if replica.isContinued(by: reply, isOfRevision: asksLeader, keys) {
                let raftTerm = reply.header.raftTerm?.value ?? 0
                if raftTerm > replica.raftTerm { state.change { $0.replica?.raftTerm = raftTerm } }
                return true
            }
        } catch {
            guard error.kind == .unknownRevision else { throw error }
            try readAll(at: endpoint)
            return false
        }
        if !asksLeader { return try isUnreplaced(endpoint) }
        try readAll(at: endpoint, replacing: true)
        return false
    }

    /// Notes that there is no watch.
    ///
    /// - Parameters:
    ///   - isAway: Whether every member has failed.
    ///   - isNew: Whether to report it.
    private func note(_ failure: EtcdFailure, isAway: Bool, isNew: Bool) {
        let consequence = state.change { state in
            (state.failure, state.isAway) = (failure, state.isAway || isAway)
            return state.replica == nil ? "keys read as their defaults" : "external changes are not received"
        }
        guard isNew else { return }
        let message = failure.message(withConsequence: consequence)
        let problem = PreferenceProblem(.storeUnreadable, store: label, message: message, isMessagePublic: true)
        state.change { $0.unreported = problem }
        if !observers.isEmpty { reportProblems() }
    }

    private func reportProblems() {
        let problems = state.change { [$0.unreported.take(), $0.unreportedQueueProblem.take()].compactMap(\.self) }
        for problem in problems { notify(.problem(problem)) }
    }

    /// Adds an observer, and reports a failure that there was no observer for.
    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        let observation = observers.add(observer)
        reportProblems()
        return observation
    }

    /// Notifies observers, on a thread that may wait for changes.
    func notify(_ change: PreferenceStoreChange) {
        notifications.async { [observers] in observers.notify(change) }
    }

    /// Writes the values to the cache now.
    func flush() throws(PreferenceProblem) {
        // The thread that has changed them may not have done so yet.
        save()
        try cache?.flush()
    }

    func save(replacingLaterValues isReplacement: Bool = false) {
        let values = EtcdCache.Values(replacesLaterOnes: isReplacement) { [state] in
            state.read { $0.isEnded ? nil : $0.replica }
        }
        cache?.save(values) { [observers] in observers.notify(.problem($0)) }
    }

    /// Waits before the next attempt to connect, if every member has failed.
    private func pause(afterFailures failures: Int) {
        guard failures % gateway.endpoints.count == 0 else { return }
        let limit = Deadline(after: delay(afterFailures: failures / gateway.endpoints.count))
        _ = state.wait(until: limit) { state -> Bool? in
            defer { state.isAwaited = false }
            return state.isEnded || state.isAwaited ? true : nil
        }
    }

    /// Returns the time before the next attempt: a second, then 1.6 times as long, as gRPC does ("Connection Backoff
    /// Protocol").
    func delay(afterFailures failures: Int) -> Duration {
        let delay = RefreshSchedule(every: RefreshSchedule.shortestInterval).delay(afterFailures: failures, chance: 0)
        // Otherwise the clients of a fleet would all begin at the same time.
        return min(delay, options.longestPause) * (1 + RefreshSchedule.jitter * Double.random(in: -1...1))
    }
}
