public import Foundation
public import PreferencesRuntime
import PreferencesSystem

/// A store in etcd, whose values the programs of a whole fleet read, set and watch.
///
/// ```swift
/// let endpoints = ["https://etcd-1.example:2379", "https://etcd-2.example:2379"].compactMap { URL(string: $0) }
/// let fleet = EtcdStore(endpoints: endpoints, prefix: "weather/", cache: cacheURL)
/// let preferences = Preferences(store: LayeredStore([FileStore.default, fleet]))
/// ```
///
/// A key is the prefix followed by the key's storage name, and its value is JSON in the format of `FileStore`, so that
/// administrators use etcd's own tools:
///
/// ```sh
/// etcdctl put weather/weather-service:unit '"kelvin"'
/// etcdctl get --prefix weather/
/// ```
///
/// Reads come from memory. One watch keeps the values up to date, and observers are notified of its changes. Without a
/// cache, the first read waits for the values, at most as long as ``timeout``. With a cache, the last values are
/// available at once, also without a network.
///
/// A batch is one transaction of etcd. An update is repeated if another client has changed a value that it has read: its
/// closure is then called again. A call returns when etcd has committed the change and reads return it, and throws
/// `storeUnwritable` after ``timeout``. If a member does not answer, another one is asked, and a change whose answer was
/// lost is not made twice. ``OfflineWrites/queued`` queues changes in the cache while etcd is away.
///
/// Problems contain the endpoints without user and password. Each store has a thread that receives changes.
public final class EtcdStore: WriterExcludingStore, SourceReportingStore, CapabilityDeclaringStore {
    /// The default time limit of calls: 5 seconds, the time in which a cluster with default settings elects a leader and
    /// repeats the call several times.
    public static let defaultTimeout: Duration = .seconds(5)

    /// The maximum size of a value in bytes of JSON: 1,000,000. By default, etcd refuses transactions with more than
    /// 1,572,864 bytes (`--max-request-bytes`), which several smaller values can exceed as well.
    public static let maximumValueSize = 1_000_000

    /// `etcd`, the prefix and the endpoints.
    public let label: String
    /// The endpoints, without user, password and query.
    public let endpoints: [URL]
    /// The beginning of the store's keys.
    public let prefix: String
    /// The time limit of calls. A change that etcd has made within it is waited for, until reads return it, for at most
    /// the same time again.
    public let timeout: Duration

    let client: EtcdClient
    let writer: EtcdWriter
    let cache: EtcdCache?
    /// Whether changes are queued while etcd does not answer.
    let queuesWrites: Bool
    /// Held while a batch is made and written.
    let writing = TimedRecursiveLock()
    /// The values that the running update has read.
    let reads = Locked<Reads?>(nil)

    /// Creates a store, and begins to connect.
    ///
    /// - Parameters:
    ///   - endpoints: The URLs of the members, such as `http://127.0.0.1:2379`, in any order: each store begins with
    ///     another one. An empty list, or a URL that is not an HTTP URL with a host, is a programming error and stops
    ///     the program.
    ///   - prefix: The beginning of the store's keys. A `/` is added if it does not end with one, so that no other
    ///     prefix begins with it. An empty prefix is a programming error and stops the program.
    ///   - credentials: The user and the password; by default those in the URL of an endpoint, or none.
    ///   - transport: The way in which requests are sent, with the trusted authorities and the client's certificate; by
    ///     default the authorities of the system, and no certificate.
    ///   - cache: The file for the last values, in the format of a `FileStore`; none by default.
    ///   - offlineWrites: The effect of setting values while etcd does not answer; by default they are refused. To queue
    ///     them without a cache is a programming error and stops the program.
    ///   - timeout: The time limit of calls, in which all endpoints are tried; for changes, see ``timeout``.
    public convenience init(
        endpoints: [URL],
        prefix: String,
        credentials: Credentials? = nil,
        transport: Transport = .system,
        cache: URL? = nil,
        offlineWrites: OfflineWrites = .refused,
        timeout: Duration = EtcdStore.defaultTimeout
    ) {
        self.init(
            endpoints,
            prefix,
            EtcdClient.Options(limit: timeout),
            credentials: credentials,
            cache: cache,
            offlineWrites: offlineWrites,
            over: transport.makeSource()
        )
    }

    init(
        _ endpoints: [URL],
        _ prefix: String,
        _ options: EtcdClient.Options,
        credentials: Credentials? = nil,
        cache: URL? = nil,
        offlineWrites: OfflineWrites = .refused,
        over source: some HTTPStreamSource
    ) {
        guard !endpoints.isEmpty, endpoints.allSatisfy({ HTTPOrigin($0) != nil }) else {
            let texts = endpoints.map { "'\($0.withoutUser.absoluteString)'" }.joined(separator: ", ")
            fatalError(
                "EtcdStore needs at least one endpoint, such as http://127.0.0.1:2379, and not "
                    + (endpoints.isEmpty ? "none" : texts)
            )
        }
        if prefix.isEmpty { fatalError("EtcdStore needs a prefix of its keys, such as 'weather/'") }
        queuesWrites = offlineWrites == .queued
        if queuesWrites, cache == nil { fatalError("EtcdStore needs a cache to queue changes") }
        let keys = EtcdKeys(prefix: prefix.hasSuffix("/") ? prefix : prefix + "/")
        self.prefix = keys.prefix
        self.endpoints = endpoints.map { URL(string: EtcdGateway.label(of: $0)) ?? $0 }
        timeout = options.limit
        label = "etcd '\(keys.prefix)' at \(endpoints.map(EtcdGateway.label).joined(separator: ", "))"
        self.cache = cache.map { EtcdCache(file: $0, keys) }
        let gateway = EtcdGateway(
            endpoints.map(\.withoutUser),
            credentials ?? endpoints.lazy.compactMap(Credentials.init).first,
            limit: options.limit,
            maximumAnswerSize: options.maximumAnswerSize,
            over: source
        )
        client = EtcdClient(
            gateway,
            keys,
            label: label,
            cache: self.cache,
            queuesWrites: queuesWrites,
            options
        )
        writer = EtcdWriter(gateway, keys)
        client.start { [weak self] in self?.sendQueuedChangesLater(wasAway: $0) }
    }

    deinit {
        writer.end(until: Deadline(after: client.options.releaseLimit))
        client.end()
    }

    /// The revision of the cluster whose values reads return; nil before they were received. It never decreases, unless
    /// the cluster was replaced, or restored from a backup.
    public var revision: Int64? { client.state.read { $0.replica?.revision } }

    /// Whether changes by other clients are being received.
    public var isConnected: Bool { client.state.read { $0.endpoint != nil } }

    /// Asks each endpoint for itself, and returns the messages of those that fail.
    package func failuresOfEndpoints() -> [String] {
        let gateway = client.gateway
        return gateway.endpoints.compactMap { endpoint in
            let request = EtcdRangeRequest(key: client.keys.first, keysOnly: true)
            let deadline = Deadline(after: gateway.attemptLimit)
            do throws(EtcdFailure) {
                _ = try gateway.call(
                    "v3/kv/range",
                    request,
                    at: endpoint,
                    until: deadline,
                    returning: EtcdRangeReply.self
                )
                return nil
            } catch {
                return error.message + error.advice
            }
        }.sorted()
    }

    // MARK: - Reading

    /// Returns the value in memory.
    ///
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem``: `storeUnreadable` if no values have been received within
    ///   ``timeout`` of the store's creation, and there is no cache; `unsupportedValue` if the value is not JSON.
    public func value(for name: String) throws -> PreferenceValue? {
        if let edit = client.state.read({ $0.queue[name] }) { return edit.value }
        let (entry, revision) = try read { ($0.entries[name], $0.revision) }
        noteRead(of: name, entry, at: revision)
        switch entry?.content {
        case nil: return nil
        case .value(let value): return value
        case .malformed(let data):
            throw PreferenceProblem(
                .unsupportedValue,
                key: name,
                store: label,
                message: EtcdReplica.fault(of: data),
                isMessagePublic: true
            )
        }
    }

    /// Returns the names in memory.
    ///
    /// - Throws: As ``value(for:)``.
    public func names() throws -> Set<String> {
        // First, as changes move from the queue to the values.
        let queue = client.state.read(\.queue)
        let (entries, revision) = try read { ($0.entries, $0.revision) }
        noteList(entries, at: revision)
        return queue.reduce(into: Set(entries.keys)) { names, change in
            if change.value == .remove { names.remove(change.key) } else { names.insert(change.key) }
        }
    }

    /// Returns the key in etcd, the endpoint that values were received from last, and the revision at which the value was
    /// set: `etcd http://127.0.0.1:2379, revision 12`. Nil if there is no value.
    ///
    /// - Throws: `storeUnreadable`, as ``value(for:)``.
    public func source(of name: String) throws -> PreferenceSource? {
        if let edit = client.state.read({ $0.queue[name] }) {
            guard edit != .remove else { return nil }
            return PreferenceSource(store: label, name: prefix + name, description: "changes that are queued for etcd")
        }
        guard let entry = try client.read({ $0.entries[name] }) else { return nil }
        let place = client.state.read(\.source).map { "etcd \(EtcdGateway.label(of: $0))" } ?? "the cache of etcd"
        return PreferenceSource(
            store: label,
            name: prefix + name,
            description: "\(place), revision \(entry.revision)"
        )
    }

    /// Reads all values from etcd: those of all changes that were made before.
    ///
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem`` with `storeUnreadable` if no endpoint answers within
    ///   ``timeout``. The values in memory are unchanged then.
    public func reload() throws {
        do throws(EtcdFailure) {
            let change = try client.reload()
            endSnapshot()
            if let change { client.observers.notify(change) }
        } catch {
            let message = error.message + error.advice
            throw PreferenceProblem(.storeUnreadable, store: label, message: message, isMessagePublic: true)
        }
    }

    /// Writes the values in memory to the cache, or waits for the thread that does. Changes of values are durable already.
    ///
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem`` if the cache cannot be written, or is locked for ten seconds.
    public func flush() throws {
        try client.flush()
    }

    /// True: reads come from memory, which changes only with notifications.
    public var notifiesAllChanges: Bool { true }

    /// Notifies an observer of the changes of all clients, and of a connection that was lost. A connection that was made
    /// again is a change of no names.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        client.observe(observer)
    }

    /// Large values: see ``maximumValueSize``.
    public var unsupportedCapabilities: PreferenceStoreCapabilities { .largeValues }
}
