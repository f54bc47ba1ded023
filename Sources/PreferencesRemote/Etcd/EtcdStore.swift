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
/// closure is then called again. A call returns when etcd has committed the change, and reads return it; it throws
/// `storeUnwritable` after ``timeout``. If a member does not answer, another one is asked, and a change whose
/// answer was lost is never made twice.
///
/// The store belongs to one thread that receives changes, and ends with the store.
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
    /// The time limit of calls.
    public let timeout: Duration

    private let client: EtcdClient
    private let writer: EtcdWriter
    private let cache: EtcdCache?
    /// Held while a batch is made and written.
    private let writing = RecursiveLock()
    /// The values that the running update has read.
    private let reads = Locked<EtcdReads?>(nil)

    #if canImport(Darwin)
        /// Creates a store, and begins to connect.
        ///
        /// - Parameters:
        ///   - endpoints: The URLs of the members, such as `http://127.0.0.1:2379`, in the order of preference. An empty
        ///     list, or a URL that is not an HTTP URL with a host, is a programming error and stops the program.
        ///   - prefix: The beginning of the store's keys. A `/` is added if it does not end with one, so that no other
        ///     prefix begins with it.
        ///   - credentials: The user and the password; none by default.
        ///   - cache: The file for the last values, in the format of a `FileStore`; none by default.
        ///   - session: The session whose configuration the requests use, and whose delegate answers challenges, for
        ///     example with a client certificate.
        ///   - timeout: The time limit of calls. All endpoints are tried within it.
        public convenience init(
            endpoints: [URL],
            prefix: String,
            credentials: Credentials? = nil,
            cache: URL? = nil,
            session: URLSession = .shared,
            timeout: Duration = EtcdStore.defaultTimeout
        ) {
            self.init(
                endpoints,
                prefix,
                EtcdClient.Options(limit: timeout),
                credentials: credentials,
                cache: cache,
                over: URLSessionStreams(for: session)
            )
        }
    #else
        /// Creates a store, and begins to connect.
        ///
        /// - Parameters:
        ///   - endpoints: The URLs of the members, such as `http://127.0.0.1:2379`, in the order of preference. An empty
        ///     list, or a URL that is not an HTTP URL with a host, is a programming error and stops the program.
        ///   - prefix: The beginning of the store's keys. A `/` is added if it does not end with one, so that no other
        ///     prefix begins with it.
        ///   - credentials: The user and the password; none by default.
        ///   - certificates: The trusted authorities, and the certificate of the client; by default those of the system,
        ///     and none.
        ///   - cache: The file for the last values, in the format of a `FileStore`; none by default.
        ///   - timeout: The time limit of calls. All endpoints are tried within it.
        public convenience init(
            endpoints: [URL],
            prefix: String,
            credentials: Credentials? = nil,
            certificates: Certificates = Certificates(),
            cache: URL? = nil,
            timeout: Duration = EtcdStore.defaultTimeout
        ) {
            self.init(
                endpoints,
                prefix,
                EtcdClient.Options(limit: timeout),
                credentials: credentials,
                cache: cache,
                over: CurlStreams(certificates)
            )
        }
    #endif

    init(
        _ endpoints: [URL],
        _ prefix: String,
        _ options: EtcdClient.Options,
        credentials: Credentials? = nil,
        cache: URL? = nil,
        over source: some HTTPStreamSource
    ) {
        guard !endpoints.isEmpty, endpoints.allSatisfy({ HTTPOrigin($0) != nil }) else {
            fatalError("EtcdStore needs the HTTP URL of at least one endpoint")
        }
        let keys = EtcdKeys(prefix: prefix.hasSuffix("/") ? prefix : prefix + "/")
        self.prefix = keys.prefix
        self.endpoints = endpoints.map { URL(string: EtcdGateway.label(of: $0)) ?? $0 }
        timeout = options.limit
        label = "etcd '\(keys.prefix)' at \(endpoints.map(EtcdGateway.label).joined(separator: ", "))"
        self.cache = cache.map { EtcdCache(file: $0, keys) }
        let gateway = EtcdGateway(endpoints, credentials, limit: options.limit, over: source)
        client = EtcdClient(gateway, keys, label: label, cache: self.cache, options)
        writer = EtcdWriter(gateway, keys)
        let observers = client.observers
        self.cache?.problems.withLock { $0 = { observers.notify(.problem($0)) } }
        client.start()
    }

    deinit {
        client.end()
        // A failure has nobody to be reported to.
        try? cache?.flush()
    }

    /// The revision of the cluster whose values reads return; nil before they were received. It never decreases, unless
    /// the cluster was replaced, or restored from a backup.
    public var revision: Int64? { client.state.read { $0.replica?.revision } }

    /// Whether changes by other clients are being received.
    public var isConnected: Bool { client.state.read { $0.endpoint != nil } }

    // MARK: - Reading

    /// Returns the value in memory.
    ///
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem``: `storeUnreadable` if no values have been received within
    ///   ``timeout`` of the store's creation, and there is no cache; `unsupportedValue` if the value is not JSON.
    public func value(for name: String) throws -> PreferenceValue? {
        let entry = try client.read { $0.entries[name] }
        noteRead(of: name, entry)
        switch entry?.content {
        case nil: return nil
        case .value(let value): return value
        case .malformed:
            throw PreferenceProblem(
                .unsupportedValue,
                key: name,
                store: label,
                message: "the value is not JSON; put strings into quotation marks: etcdctl put KEY '\"text\"'",
                isMessagePublic: true
            )
        }
    }

    /// Returns the names in memory.
    ///
    /// - Throws: As ``value(for:)``.
    public func names() throws -> Set<String> {
        let (names, revision) = try client.read { (Set($0.entries.keys), $0.revision) }
        if writing.isHeldByThisThread { reads.withLock { $0?.conditions.listRevision = revision } }
        return names
    }

    /// Returns the key in etcd, the endpoint from which changes are received, and the revision at which the value was
    /// set: `etcd http://127.0.0.1:2379, revision 12`.
    public func source(of name: String) throws -> PreferenceSource? {
        guard let entry = try client.read({ $0.entries[name] }) else { return nil }
        let place = client.state.read(\.endpoint).map { "etcd \(EtcdGateway.label(of: $0))" } ?? "etcd, which is away"
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
            try client.reload()
        } catch {
            throw PreferenceProblem(.storeUnreadable, store: label, message: error.message, isMessagePublic: true)
        }
    }

    /// Writes the values in memory to the cache. Changes of values are durable already.
    public func flush() throws {
        try cache?.flush()
    }

    /// True: reads come from memory, which changes only with notifications.
    public var notifiesAllChanges: Bool { true }

    /// Notifies an observer of the changes of all clients, and of a connection that was lost.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        client.observers.add(observer)
    }

    /// Large values: see ``maximumValueSize``.
    public var unsupportedCapabilities: PreferenceStoreCapabilities { .largeValues }
}

// MARK: - Writing

/// The values that an update has read.
private struct EtcdReads {
    var conditions = EtcdWriter.Conditions()
    var names: [String: Int64] = [:]
}

extension EtcdStore {
    private func noteRead(of name: String, _ entry: EtcdReplica.Entry?) {
        guard writing.isHeldByThisThread else { return }
        reads.withLock { reads in
            let key = entry?.key ?? client.keys.key(of: name)
            // The first read counts: a later one may have found another value.
            if reads?.names[name] == nil { reads?.names[name] = entry?.revision ?? 0 }
            if reads?.conditions.revisions[key] == nil { reads?.conditions.revisions[key] = entry?.revision ?? 0 }
        }
    }

    /// Applies the batch that the closure returns in one transaction of etcd.
    ///
    /// - Parameters:
    ///   - writer: The observation of the observer that makes the changes; nil for none.
    ///   - makeBatch: Returns the batch. It is called again, until ``timeout`` has passed, if another client has changed
    ///     a value that it has read.
    /// - Throws: Any error of the closure; ``/PreferencesRuntime/PreferenceProblem``: `storeUnwritable` if etcd does not
    ///   answer or refuses the change, `storeBusy` if other clients have changed the values each time,
    ///   `unsupportedValue` for what etcd's limits exclude, `quotaExceeded` if its database is full. If the message does
    ///   not say that the change may still be made, nothing has been changed.
    public func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        let names = try writing.withLock { () throws -> Set<String> in
            let deadline = Deadline(after: timeout)
            var conflicts = 0
            while true {
                let outer = reads.withLock { reads in
                    defer { reads = EtcdReads() }
                    return reads
                }
                defer { reads.withLock { $0 = outer } }
                let batch = try makeBatch(value)
                if batch.isEmpty { return [] }
                let found = reads.withLock { $0 ?? EtcdReads() }
                if try write(batch, found, until: deadline) { return Set(batch.lazy.map(\.name)) }
                conflicts += 1
                try waitForChange(of: found, conflicts, until: deadline)
            }
        }
        if !names.isEmpty { client.observers.notify(.names(names), except: writer) }
    }

    /// - Returns: Whether the write was made; otherwise there was a conflict.
    private func write(_ batch: PreferenceBatch, _ reads: EtcdReads, until deadline: Deadline) throws -> Bool {
        let operations = try batch.map { try operation($0, $1) }
        defer { client.state.change { $0.awaitedWrite = nil } }
        do throws(EtcdFailure) {
            let outcome = try self.writer.write(operations, reads.conditions, until: deadline) { write in
                client.state.change { state in
                    state.awaitedWrite = write
                    state.isAwaited = true
                }
            }
            if case .conflict = outcome { return false }
        } catch {
            throw problem(of: error, batch)
        }
        let isInstalled = client.state.wait(until: Deadline(after: timeout)) {
            $0.awaitedWrite?.isInstalled == true ? true : nil
        }
        if isInstalled == nil {
            // Reading all values includes the change.
            do throws(EtcdFailure) {
                try client.reload()
            } catch {
                throw PreferenceProblem(
                    .storeBusy,
                    store: label,
                    message: "the change was made, but cannot be read before etcd answers again: \(error.message)",
                    isMessagePublic: true
                )
            }
        }
        return true
    }

    private func operation(_ name: String, _ edit: PreferenceEdit) throws -> EtcdTransaction.Operation {
        guard !name.hasPrefix(EtcdKeys.reservedPrefix) else {
            throw PreferenceProblem(
                .unsupportedValue,
                key: name,
                store: label,
                message: "names that begin with '\(EtcdKeys.reservedPrefix)' belong to the store"
            )
        }
        let key = client.state.read { $0.replica?.entries[name]?.key } ?? client.keys.key(of: name)
        switch edit {
        case .remove: return EtcdTransaction.Operation(requestDeleteRange: EtcdDeletion(key: key))
        case .set(let value):
            let text: String
            do { text = try value.jsonText() } catch {
                throw PreferenceProblem(.unsupportedValue, key: name, store: label, error: error)
            }
            guard text.utf8.count <= Self.maximumValueSize else {
                throw PreferenceProblem(
                    .unsupportedValue,
                    key: name,
                    store: label,
                    message: "the value has \(text.utf8.count) bytes, and at most \(Self.maximumValueSize) can be stored",
                    isMessagePublic: true
                )
            }
            return EtcdTransaction.Operation(requestPut: EtcdPut(key: key, value: Data(text.utf8)))
        }
    }

    /// Waits until the conflicting change is received.
    private func waitForChange(of reads: EtcdReads, _ conflicts: Int, until deadline: Deadline) throws {
        let hasChanged = client.state.wait(until: deadline) { state -> Bool? in
            guard let replica = state.replica else { return nil }
            if let revision = reads.conditions.listRevision, replica.revision > revision { return true }
            return reads.names.contains { (replica.entries[$0]?.revision ?? 0) != $1 } ? true : nil
        }
        if hasChanged != nil, !deadline.hasPassed { return }
        throw PreferenceProblem(
            .storeBusy,
            store: label,
            message: "other clients have changed the values \(conflicts == 1 ? "once" : "\(conflicts) times") within "
                + "\(timeout), so that nothing was changed; try again",
            isMessagePublic: true
        )
    }

    private func problem(of failure: EtcdFailure, _ batch: PreferenceBatch) -> PreferenceProblem {
        let code: PreferenceProblem.Code =
            switch failure.kind {
            case .databaseFull: .quotaExceeded
            case .tooLarge: .unsupportedValue
            default: .storeUnwritable
            }
        let consequence =
            failure.mayBeDone
            ? "the change may have been made, or may still be made until the next one" : "nothing was changed"
        let advice =
            switch failure.kind {
            case .databaseFull: "; compact and defragment etcd, or increase its --quota-backend-bytes"
            case .tooLarge: "; set less at once, or increase etcd's --max-request-bytes and --max-txn-ops"
            case .denied: "; check the user, the password and the roles"
            default: ""
            }
        return PreferenceProblem(
            code,
            key: failure.kind == .tooLarge && batch.count == 1 ? batch.first?.name : nil,
            store: label,
            message: "\(failure.message); \(consequence)\(advice)",
            isMessagePublic: true
        )
    }
}

extension EtcdStore {
    /// A user of etcd, for clusters with authentication.
    public struct Credentials: Sendable {
        /// The name of the user.
        public var user: String
        /// The password. It is sent to the endpoints, to receive a token that is renewed when it has expired.
        public var password: String

        /// Creates credentials.
        public init(user: String, password: String) {
            (self.user, self.password) = (user, password)
        }
    }
}

#if !canImport(Darwin)
    extension EtcdStore {
        /// Files with certificates, in PEM format.
        ///
        /// On Apple platforms, the delegate of the session provides the client's certificate, and the keychain has the
        /// trusted authorities.
        public struct Certificates: Sendable {
            /// The certificates of the authorities that the endpoints' certificates must be from; nil for those that the
            /// system trusts.
            public var authorities: URL?
            /// The client's certificate and its key; nil for none.
            public var client: Client?

            /// The certificate of a client.
            public struct Client: Sendable {
                /// The file of the certificate.
                public var certificate: URL
                /// The file of its key.
                public var key: URL

                /// Creates the certificate of a client.
                public init(certificate: URL, key: URL) {
                    (self.certificate, self.key) = (certificate, key)
                }
            }

            /// Creates a set of certificates.
            public init(authorities: URL? = nil, client: Client? = nil) {
                (self.authorities, self.client) = (authorities, client)
            }
        }
    }
#endif
