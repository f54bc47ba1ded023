public import Foundation
public import PreferencesRuntime
import PreferencesSystem

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A read-only store of a document that a server provides.
///
/// ```swift
/// let remote = HTTPStore(url: URL(string: "https://weather.example/preferences.json")!, cache: cacheURL)
/// let preferences = Preferences(store: LayeredStore([FileStore.default, remote]))
/// try await remote.refresh()
/// ```
///
/// Only ``refresh()`` and ``refreshPeriodically(every:clock:)`` send requests; reads never do. Before the first
/// response, the store has the values of the cache or none, and keys read as their defaults. A response replaces all
/// values at once, and observers are notified of the changed names. An invalid response changes nothing.
///
/// A document is a JSON object or the dictionary of a property list, in the format of `FileStore`: tags such as `$date`
/// are supported, and null is a value. ``Layout`` determines the names. As in every store, values are checked when they
/// are read: a value of another type, or one that breaks its key's constraints, reads as the default and is reported.
///
/// At most 20 redirects are followed, and none from HTTPS to HTTP. The request's headers, credentials and content are
/// sent only to the origin of the URL: its scheme, host and port. Another origin receives only headers without secrets:
/// `Accept` and its variants, `Cache-Control`, `Pragma`, `User-Agent`, and the conditional ones. Cookies are those of
/// the session's configuration for each URL.
///
/// With a cache, the last response is stored on disk and is available at the next launch without a network. The cache
/// belongs to the URL; that of another URL is ignored. Requests that differ only in their headers share it, so use a
/// cache for each user. Several processes may share a cache; each reads the documents of others at launch and after
/// ``reload()``.
public final class HTTPStore: CapabilityDeclaringStore {
    /// The default maximum size of a response: 10 MB, some hundred thousand values.
    public static let defaultMaximumSize = 10_000_000
    /// The default timeout of a response: 60 seconds, the default of URL loading.
    public static let defaultTimeout: Duration = .seconds(60)

    /// The URL without user, password and query, which may be secret.
    public let label: String
    /// The format of documents; nil to determine it from each response.
    public let format: Format?
    /// The mapping of documents to names.
    public let layout: Layout

    let exchange: HTTPExchange
    let cache: ResponseCache?
    let state: Locked<State>
    /// Held while values are replaced. Acquired before `state`.
    let replacing = NSLock()
    let refreshes = SharedCall<Bool>()
    let observers = PreferenceStoreObservers()

    /// Creates a store of a URL, with the defaults of
    /// ``init(request:format:layout:cache:session:maximumSize:timeout:)``.
    ///
    /// - Parameters:
    ///   - url: The URL of the document. Anything but an HTTP URL with a host is a programming error and stops the
    ///     program.
    ///   - layout: The mapping of documents to names. By default, objects are also namespaces.
    ///   - cache: The file for the last response, to be used at the next launch; none by default.
    public convenience init(url: URL, layout: Layout = .nested, cache: URL? = nil) {
        self.init(request: URLRequest(url: url), layout: layout, cache: cache)
    }

    /// Creates a store and reads the cache. No request is sent yet.
    ///
    /// - Parameters:
    ///   - request: The request for the document, to which conditional headers are added. A URL that is not an HTTP URL
    ///     with a host is a programming error and stops the program.
    ///   - format: The format of documents. By default it is determined from each response: see ``Format``.
    ///   - layout: The mapping of documents to names. By default, objects are also namespaces.
    ///   - cache: The file for the last response, to be used at the next launch, in the format of a `FileStore`; none
    ///     by default.
    ///   - session: The session whose configuration the requests use, and whose delegate answers challenges. The store
    ///     creates a session of its own for each request, to limit memory and to follow redirects itself; other methods
    ///     of the delegate are not called. On Linux the delegate receives only `Basic` challenges, as
    ///     FoundationNetworking supports no other method.
    ///   - maximumSize: The maximum size of a response in bytes after decompression. Loading stops when it is exceeded,
    ///     so a response takes at most a few times this size in memory.
    ///   - timeout: The maximum time from sending the request to the last byte of the response. The request's own
    ///     `timeoutInterval` applies as well.
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
        self.cache = cache.map { ResponseCache(file: $0, address: address) }
        state = Locked(State(readFrom: self.cache, layout: layout))
    }

    /// Returns the value of the last response or of the cache.
    ///
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem`` for an unsupported value, such as a number that is too
    ///   large.
    public func value(for name: String) throws -> PreferenceValue? {
        let values = state.withLock { $0.values }
        do {
            return try values?.value(for: name)
        } catch {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: error.message)
        }
    }

    /// Returns the names of all values, including objects that are namespaces, which can be read as dictionaries.
    public func names() -> Set<String> {
        state.withLock { $0.values }?.names ?? []
    }

    /// Always true: values change only with a response.
    public var notifiesAllChanges: Bool { true }

    /// Notifies an observer of the names that a response or ``reload()`` has changed, and of errors of the cache and of
    /// ``refreshPeriodically(every:clock:)``.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        observers.add(observer)
    }

    /// Persistence, if there is no cache.
    public var unsupportedCapabilities: PreferenceStoreCapabilities { cache == nil ? .persistence : [] }
}

extension HTTPStore {
    /// The current values and their origin.
    struct State: Sendable {
        /// The current values; nil before the first response.
        var values: ParsedDocument?
        /// The validators of the values; nil to fetch the document again because it could not be written to the cache.
        var validators: CacheValidators?
        /// The date of the response.
        var date: Date?
        /// The error of reading the cache, until it has been reported.
        var cacheError: String?
        /// The last reported failure, until a refresh succeeds.
        var reportedFailure: PreferenceProblem?

        init(readFrom cache: ResponseCache?, layout: Layout) {
            do {
                try install(cache?.read(), layout)
            } catch {
                cacheError = Self.reason(of: error)
            }
        }

        /// - Throws: ``ParsedDocument/Fault`` if the document is not in its format.
        private mutating func install(_ document: HTTPDocument?, _ layout: Layout) throws {
            guard let document else { return }
            values = try document.parsed(in: layout)
            (validators, date) = (document.validators, document.date)
        }

        /// Returns the reason of an error.
        static func reason(of error: any Error) -> String {
            switch error {
            case let problem as PreferenceProblem: problem.message
            case let fault as ParsedDocument.Fault: fault.message
            default: String(describing: error)
            }
        }
    }
}

extension HTTPStore {
    /// The format of a document.
    ///
    /// By default, the response's `Content-Type` determines the format: JSON if it ends in `json`, a property list if
    /// it ends in `plist` or `xml`. For any other, such as `text/plain`, the URL does: a property list if its path ends
    /// in `.plist`, and JSON otherwise.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// JSON, as `FileStore` reads it.
        case json
        /// A property list, in XML or in Apple's binary format.
        case propertyList
    }
}

extension HTTPStore.Format {
    /// Determines the format of a response.
    ///
    /// - Parameters:
    ///   - mimeType: The MIME type of the response, without parameters.
    ///   - pathExtension: The path extension of the URL.
    init(mimeType: String?, pathExtension: String) {
        let mimeType = mimeType?.lowercased() ?? ""
        self =
            if mimeType.hasSuffix("json") {
                .json
            } else if mimeType.hasSuffix("plist") || mimeType.hasSuffix("xml") {
                .propertyList
            } else {
                pathExtension.lowercased() == "plist" ? .propertyList : .json
            }
    }

    /// A human-readable name.
    var displayName: String { self == .json ? "JSON" : "a property list" }
}

extension HTTPStore {
    /// The mapping of documents to storage names.
    public typealias Layout = FileStore.Layout
}
