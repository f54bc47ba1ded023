import PreferencesSystem
public import Foundation
public import PreferencesRuntime

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Preferences that a server gives, to be read.
///
/// ```swift
/// let served = HTTPStore(url: URL(string: "https://weather.example/preferences.json")!, cache: cacheURL)
/// let preferences = Preferences(store: LayeredStore([FileStore.default, served]))
/// try await served.refresh()
/// ```
///
/// The server is asked by ``refresh()`` and ``refreshPeriodically(every:clock:)``, and never by who reads: until the first
/// answer the store has what is in the cache, or else nothing, and keys read as their defaults. An answer takes the place
/// of all values at once, and observers are told of the names that it changes. An answer that cannot be used changes
/// nothing.
///
/// A document is an object in JSON, or a dictionary in a property list, as a `FileStore` has them: its tags, `$date` for
/// one, are read, and null is a value. ``Layout`` says which names it gives. Values are checked when they are read, as those
/// of every store: what does not fit its key, or breaks its constraints, reads as the default and is reported.
///
/// At most 20 redirects are followed, and none from HTTPS to HTTP. Headers of the request, credentials and content are sent
/// only to the origin of the URL, which is its scheme, host and port. Another origin gets headers without secrets:
/// `Accept` and its variants, `Cache-Control`, `Pragma`, `User-Agent`, and those that make the request conditional. Cookies
/// are those that the session's configuration has for each URL.
///
/// With a cache the last answer is kept on disk, whole, and is there at the next start before any network is. It belongs
/// to this URL: that of another one is not read. Requests that differ in their headers alone share it, so give each user
/// one. Several processes may have one cache; what one of them has fetched another reads when it starts, and after
/// ``reload()``.
public final class HTTPStore: CapabilityDeclaringStore {
    /// The most bytes that an answer may have where a store is not told otherwise: 10 MB, some hundred thousand values.
    public static let defaultMaximumSize = 10_000_000
    /// How long an answer may take where a store is not told otherwise: 60 seconds, as long as URL loading waits for a
    /// server by default.
    public static let defaultTimeout: Duration = .seconds(60)

    /// The URL, without user, password and query, which may be secret.
    public let label: String
    /// What documents are written in; nil where each answer says so.
    public let format: Format?
    /// Which names a document gives.
    public let layout: Layout

    let exchange: HTTPExchange
    let copy: ServedCopy?
    let state: Locked<State>
    /// Held by whoever replaces values. Taken before `state`.
    let replacing = NSLock()
    let refreshes = SharedCall<Bool>()
    let observers = PreferenceStoreObservers()

    /// Makes a store that asks for a URL, with all else as ``init(request:format:layout:cache:session:maximumSize:timeout:)``
    /// has it by default.
    ///
    /// - Parameters:
    ///   - url: What the server is asked for: a URL of HTTP with a host. The program ends for another.
    ///   - layout: Which names a document gives. By default objects are namespaces, too.
    ///   - cache: The file that the last answer is kept in, for the next start. None by default.
    public convenience init(url: URL, layout: Layout = .nested, cache: URL? = nil) {
        self.init(request: URLRequest(url: url), layout: layout, cache: cache)
    }

    /// Makes a store. The cache is read, and nobody asked yet.
    ///
    /// - Parameters:
    ///   - request: What the server is asked, with headers of yours; those that make it conditional are added. The program
    ///     ends where its URL is not one of HTTP with a host.
    ///   - format: What documents are written in. By default that is found out: see ``Format``.
    ///   - layout: Which names a document gives. By default objects are namespaces, too.
    ///   - cache: The file that the last answer is kept in, for the next start; a `FileStore` writes it. None by default.
    ///   - session: The session whose configuration the requests use, and whose delegate answers challenges. The store
    ///     makes its own session for each request, so that it bounds memory and follows redirects itself; other methods
    ///     of the delegate are not called. On Linux the delegate is asked about `Basic` alone, because FoundationNetworking
    ///     has no other method.
    ///   - maximumSize: The most bytes that an answer may have after decompression. Loading ends with the first byte above
    ///     it, so that an answer takes at most a few times this size in memory.
    ///   - timeout: How long an answer may take, from asking to its last byte. The request's own `timeoutInterval` holds,
    ///     too.
    public convenience init(
        request: URLRequest,
        format: Format? = nil,
        layout: Layout = .nested,
        cache: URL? = nil,
        session: URLSession = .shared,
        maximumSize: Int = HTTPStore.defaultMaximumSize,
        timeout: Duration = HTTPStore.defaultTimeout
    ) {
        let exchange = HTTPExchange(
            request: request,
            session: session,
            maximumSize: maximumSize,
            timeout: timeout,
            clock: ContinuousClock()
        )
        self.init(exchange, format: format, layout: layout, cache: cache)
    }

    init(_ exchange: HTTPExchange, format: Format? = nil, layout: Layout = .nested, cache: URL? = nil) {
        guard let address = exchange.address else { fatalError("HTTPStore needs a URL of HTTP with a host") }
        (label, self.format, self.layout) = (address.label, format, layout)
        self.exchange = exchange
        copy = cache.map { ServedCopy(file: $0, address: address) }
        state = Locked(State(readFrom: copy, layout: layout))
    }

    /// The value that the last answer has, or the cache.
    ///
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem`` for what is no value, as a number that is too large.
    public func value(for name: String) throws -> PreferenceValue? {
        let values = state.withLock { $0.values }
        do {
            return try values?.value(for: name)
        } catch {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: error.message)
        }
    }

    /// The names of all values. An object that is a namespace has its own among them: it can be read as a dictionary.
    public func names() -> Set<String> {
        state.withLock { $0.values }?.names ?? []
    }

    /// True: values are those of the last answer, until the next.
    public var notifiesAllChanges: Bool { true }

    /// Has an observer told of the names whose values an answer, or ``reload()``, has changed, and of what the cache and
    /// ``refreshPeriodically(every:clock:)`` fail with.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        observers.add(observer)
    }

    /// Persistence, if there is no cache.
    public var unsupportedCapabilities: PreferenceStoreCapabilities { copy == nil ? .persistence : [] }
}
