import Foundation
import PreferencesRuntime
import PreferencesSystem
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRemote

/// Runs a body with a cluster of one member, and with a temporary folder.
///
/// - Parameters:
///   - syncsWrites: Whether writes are durable, so that the member can be killed. Default: false.
///   - body: The body.
func withCluster(
    syncsWrites: Bool = false,
    file: String = #fileID,
    line: Int = #line,
    _ body: (EtcdCluster, URL) async throws -> Void
) async throws {
    try await EtcdCluster.run(file: file, line: line, configure: { $0.syncsWrites = syncsWrites }) { cluster in
        try await withCaches(file: file, line: line) { folder in try await body(cluster, folder) }
    }
}

/// Runs a body with a folder for caches of stores, which is removed when these stores have been released.
///
/// A thread of a store, which sends queued changes or notifies observers, may hold it for longer than the body does. The
/// store would then create the folder again.
func withCaches(
    file: String = #fileID,
    line: Int = #line,
    _ body: (URL) async throws -> Void
) async throws {
    try await withTemporaryDirectory(file: file, line: line) { folder in
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(folder)) } catch { outcome = .failure(error) }
        let stores = EtcdStore.storesWithCaches.withLock { stores in
            let count = stores.partition { $0.cache.file.path.hasPrefix(folder.path + "/") }
            defer { stores.removeSubrange(count...) }
            return Array(stores[count...])
        }
        do {
            try await onOwnThread {
                for store in stores {
                    try EtcdStore.wait(for: store.state, until: \.isEnded)
                    // Waits for a write that another thread has begun.
                    try store.cache.flush()
                }
            }
        } catch {
            // The error of the body is thrown.
            Issue.record(error)
        }
        try outcome.get()
    }
}

func makeStreams() -> any HTTPStreamSource { EtcdStore.Transport.system.makeSource() }

extension EtcdStore {
    /// Creates a store whose limits do not end on a busy machine.
    ///
    /// - Parameters:
    ///   - limit: The time limit of calls, for tests in which it ends.
    ///   - heartbeat: The time after which a silent watch is checked.
    convenience init(
        testing endpoints: [URL],
        prefix: String = "weather/",
        credentials: Credentials? = nil,
        cache: URL? = nil,
        offlineWrites: OfflineWrites = .refused,
        limit: Duration = .seconds(600),
        heartbeat: Duration = .seconds(600)
    ) {
        self.init(
            testing: endpoints,
            prefix: prefix,
            credentials: credentials,
            cache: cache,
            offlineWrites: offlineWrites,
            limit: limit,
            heartbeat: heartbeat,
            over: makeStreams()
        )
    }

    convenience init(
        testing endpoints: [URL],
        prefix: String = "weather/",
        credentials: Credentials? = nil,
        cache: URL? = nil,
        offlineWrites: OfflineWrites = .refused,
        limit: Duration = .seconds(600),
        heartbeat: Duration = .seconds(600),
        releaseLimit: Duration = .milliseconds(250),
        pageSize: Int64 = 10_000,
        maximumAnswerSize: Int = EtcdGateway.maximumSize,
        over source: some HTTPStreamSource
    ) {
        self.init(
            endpoints,
            prefix,
            EtcdClient.Options(
                limit: limit,
                heartbeat: heartbeat,
                longestPause: .milliseconds(50),
                releaseLimit: releaseLimit,
                pageSize: pageSize,
                maximumAnswerSize: maximumAnswerSize
            ),
            credentials: credentials,
            cache: cache,
            offlineWrites: offlineWrites,
            over: source
        )
        awaitRelease()
    }

    /// The caches of stores, with the states that show whether the stores have been released.
    fileprivate static let storesWithCaches = Locked<[(cache: EtcdCache, state: Monitor<EtcdClient.State>)]>([])

    /// Makes ``withCaches(file:line:_:)`` wait for the store's release before it removes the folder.
    func awaitRelease() {
        guard let cache else { return }
        Self.storesWithCaches.withLock { [state = client.state] in $0.append((cache, state)) }
    }

    /// The condition of a test has not become true.
    struct Late: Error {}

    /// Waits until a condition holds, which is evaluated after each change of the store's state.
    func wait(until isTrue: @escaping @Sendable (EtcdClient.State) -> Bool) async throws {
        let state = client.state
        try await onOwnThread { try Self.wait(for: state, until: isTrue) }
    }

    fileprivate static func wait(
        for state: Monitor<EtcdClient.State>,
        until isTrue: (EtcdClient.State) -> Bool
    ) throws {
        let limit = Deadline(after: .seconds(1_200))
        guard state.wait(until: limit, for: { isTrue($0) ? true : nil }) != nil else { throw Late() }
    }

    /// Waits until reads return a value; nil for none.
    func wait(for value: PreferenceValue?, of name: String) async throws {
        try await wait { $0.value(of: name) == value }
    }

    /// Waits until changes are received.
    func waitForConnection() async throws {
        try await wait { $0.endpoint != nil }
    }

    /// Waits until changes are not received, and no member can be reached.
    func waitUntilAway() async throws {
        try await wait { $0.isAway && $0.failure?.isUnsent == true }
    }

    /// Returns the problem that a call throws; nil if it succeeds.
    func problem(of body: (EtcdStore) throws -> Void) throws -> PreferenceProblem? {
        do {
            try body(self)
            return nil
        } catch let problem as PreferenceProblem {
            return problem
        }
    }
}

extension EtcdClient.State {
    /// The value of a name in the replica.
    func value(of name: String) -> PreferenceValue? {
        if case .value(let value)? = replica?.entries[name]?.content { value } else { nil }
    }
}

/// An entry of etcd, as `etcdctl` prints it.
struct EtcdEntry: Decodable {
    private struct Answer: Decodable {
        var kvs: [EtcdEntry]?
    }

    let key: Data
    let value: Data?
    /// The number of changes since the key was set first.
    let version: Int64
    let modRevision: Int64

    var name: String { String(decoding: key, as: UTF8.self) }
    var text: String { String(decoding: value ?? Data(), as: UTF8.self) }

    fileprivate static func entries(in json: Data) throws -> [EtcdEntry] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Answer.self, from: json).kvs ?? []
    }
}

extension EtcdCluster {
    /// `etcdctl` has not succeeded.
    struct CommandFailure: Error {
        let errors: String
    }

    /// Runs `etcdctl`, and returns its output.
    @discardableResult
    func command(_ arguments: String..., endpoints: [URL]? = nil) async throws -> Data {
        let run = try await etcdctl(arguments, endpoints: endpoints)
        guard run.succeeded else { throw CommandFailure(errors: run.errors) }
        return run.outputBytes
    }

    func put(_ key: String, _ value: String) async throws {
        try await command("put", "--", key, value)
    }

    func delete(_ key: String) async throws {
        try await command("del", key)
    }

    /// Returns the entries with a prefix, without those of stores themselves, by key.
    func entries(_ prefix: String) async throws -> [String: EtcdEntry] {
        let all = try EtcdEntry.entries(in: await command("get", "--prefix", prefix, "--write-out=json"))
        let own = prefix + EtcdKeys.reservedPrefix
        return Dictionary(uniqueKeysWithValues: all.filter { !$0.name.hasPrefix(own) }.map { ($0.name, $0) })
    }

    /// Returns the entries of the stores with a prefix themselves, one for each that has written.
    func writerEntries(_ prefix: String) async throws -> [EtcdEntry] {
        try EtcdEntry.entries(
            in: await command("get", "--prefix", prefix + EtcdKeys.reservedPrefix, "--write-out=json")
        )
    }

    /// The identifiers of the leases.
    var leases: [String] {
        get async throws {
            // "found 2 leases", and one in each line
            String(decoding: try await command("lease", "list"), as: UTF8.self).split(separator: "\n").dropFirst()
                .map(String.init)
        }
    }

    /// Ends all leases, as if they had expired.
    func revokeLeases() async throws {
        for lease in try await leases { try await command("lease", "revoke", lease) }
    }

    /// Waits until a key has a value.
    func wait(for text: String?, of key: String) async throws {
        while try await entries(key)[key]?.text != text {}
    }

    /// Returns the values that a key has had, up to one that it has.
    func history(of key: String, until last: PreferenceValue) async throws -> [String] {
        let gateway = EtcdGateway(endpoints, nil, limit: .seconds(600), over: makeStreams())
        let creation = EtcdWatchRequest.Creation(
            key: Data(key.utf8),
            rangeEnd: Data((key + "\0").utf8),
            startRevision: .init(1)
        )
        return try await onOwnThread {
            let limit = Deadline(after: .seconds(1_200))
            let stream = try gateway.watch(.init(createRequest: creation), at: gateway.current, until: limit)
            defer { stream.cancel() }
            var values: [String] = []
            while try values.last != last.jsonText() {
                guard let reply = try stream.next(until: limit) else { throw EtcdStore.Late() }
                values += (reply.events ?? []).map { String(decoding: $0.kv.value ?? Data(), as: UTF8.self) }
            }
            return values
        }
    }

    /// Sets a key of any bytes.
    func put(bytes key: [UInt8], _ value: [UInt8]) throws {
        let gateway = EtcdGateway(endpoints, nil, limit: .seconds(600), over: makeStreams())
        _ = try gateway.call(
            "v3/kv/put",
            EtcdPut(key: Data(key), value: Data(value)),
            until: Deadline(after: .seconds(600)),
            returning: EtcdEmptyReply.self
        )
    }
}

extension EtcdStore {
    /// Adds one to a number.
    func increment(_ name: String) throws {
        try update { current in
            guard case .int(let value)? = try current(name) else { return [name: .set(1)] }
            return [name: .set(.int(value + 1))]
        }
    }
}

extension EtcdStore {
    /// Applies a batch, repeatedly if the limit of the store ends.
    func persist(_ batch: PreferenceBatch) throws {
        while true {
            do { return try apply(batch) } catch let problem as PreferenceProblem where problem.code == .storeUnwritable
            {
            }
        }
    }
}

extension StoreChanges {
    /// The changes without the notification of the first values, which a store without a cache sends at any time.
    var later: [PreferenceStoreChange] { soFar.filter { $0 != .everything } }

    /// The notified names, without the notifications of new connections, which have none.
    var names: [Set<String>] {
        soFar.compactMap { if case .names(let names) = $0, !names.isEmpty { names } else { nil } }
    }

    /// The notified problems.
    var problems: [PreferenceProblem] {
        soFar.compactMap { if case .problem(let problem) = $0 { problem } else { nil } }
    }
}

/// Waits for a task on a thread that does not run tasks. An error is an issue of the test.
func waitForTask(_ body: @escaping @Sendable () async throws -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task {
        do { try await body() } catch { Issue.record(error) }
        done.signal()
    }
    done.wait()
}

extension PreferenceStoreChange {
    /// Whether it is the notification that no changes are received.
    var isLostConnection: Bool {
        guard case .problem(let problem) = self else { return false }
        return problem.code == .storeUnreadable
    }
}
