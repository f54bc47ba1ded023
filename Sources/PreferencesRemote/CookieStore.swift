public import Foundation
public import PreferencesRuntime

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The HTTP cookies of a site, by their names.
///
/// ```swift
/// let store = CookieStore(url: URL(string: "https://example.com/")!)
/// try store.value(for: "session")
/// ```
///
/// A cookie has text. What RFC 6265 (§4.1.1) does not allow in names and values is percent-encoded in the cookie, as
/// scripts in browsers do it; numbers and other types are read from the text. Only text can be set.
public final class CookieStore: WriterExcludingStore, CapabilityDeclaringStore {
    /// The most bytes that a cookie's name and value may have together: no browser need take more (RFC 6265, §6.1).
    public static let maximumSize = 4_096

    /// `cookies of`, and the host.
    public let label: String

    private let url: URL
    private let host: String
    private let storage: HTTPCookieStorage
    private let lifetime: Duration?
    private let observers = PreferenceStoreObservers()

    /// Held while cookies are read and changed, so that a batch is seen whole.
    private static let access = NSRecursiveLock()

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - url: The site. Cookies that are sent to it are read; those that are set are for its host, and all its paths.
    ///     The program ends for a URL without a host.
    ///   - storage: Where the cookies are; by default those that the program's requests have.
    ///   - lifetime: How long a cookie lasts after it was set; nil, the default, for as long as the program runs.
    public init(url: URL, storage: HTTPCookieStorage = .shared, lifetime: Duration? = nil) {
        guard let host = url.host(percentEncoded: false) else {
            fatalError("CookieStore needs a URL with a host, not \(url)")
        }
        self.url = url
        self.host = host
        self.storage = storage
        self.lifetime = lifetime
        label = "cookies of \(host)"
    }

    /// The text of a cookie.
    public func value(for name: String) -> PreferenceValue? {
        cookies(named: name).first.map { .string(CookieText.decoded($0.value)) }
    }

    /// The names of all cookies that are sent to the site.
    public func names() -> Set<String> {
        Self.access.withLock { Set(cookies().map { CookieText.decoded($0.name) }) }
    }

    /// Sets and deletes cookies.
    ///
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem`` where nothing was changed: for a value that is no text, for
    ///   cookies that are too large, and where the storage accepts none.
    public func apply(_ batch: PreferenceBatch) throws {
        try apply(batch, by: nil)
    }

    /// Applies a batch, as ``apply(_:)``, and notifies all observers but the writer.
    ///
    /// - Throws: As ``apply(_:)``.
    public func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        try update(by: writer) { _ in batch }
    }

    /// Makes a batch of changes from what the cookies are, with no other thread that uses a ``CookieStore`` changing any in
    /// between. Answers of servers can.
    ///
    /// - Throws: What the closure throws; and as ``apply(_:)``.
    public func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try update(by: nil, makeBatch)
    }

    /// Updates the cookies, as ``update(_:)``, and notifies all observers but the writer.
    ///
    /// - Throws: As ``update(_:)``.
    public func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        let batch = try Self.access.withLock {
            let batch = try makeBatch(value)
            try change(batch.edits)
            return batch
        }
        if !batch.isEmpty { observers.notify(.names(Set(batch.lazy.map(\.name))), except: writer) }
    }

    /// Has an observer told of what is set and removed through this store; not of what servers set.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        observers.add(observer)
    }

    /// Values other than text, and what cookies are too small for; and as nobody but this program has them, or as servers
    /// change them, what durable stores promise.
    public var unsupportedCapabilities: PreferenceStoreCapabilities {
        [
            .typedValues, .null, .largeValues, .emptyName, .longNames, .crashSafety, .exclusiveUpdates, .faultDetection,
        ]
    }
}

// MARK: - Cookies

extension CookieStore {
    private func isOfHost(_ cookie: HTTPCookie) -> Bool {
        // With a dot before it, it is that of a whole domain.
        cookie.domain.lowercased() == host.lowercased()
    }

    /// Those that are sent to the site, of two with one name the host's own before that of a domain which it is in, and then
    /// the one for the longer path first, as they are sent.
    private func cookies() -> [HTTPCookie] {
        let path = url.path().isEmpty ? "/" : url.path()
        return (storage.cookies(for: url) ?? [])
            .filter { Self.path($0.path, includes: path) }
            .sorted { (isOfHost($0) ? 1 : 0, $0.path.count) > (isOfHost($1) ? 1 : 0, $1.path.count) }
    }

    /// Whether a cookie for a path is sent with requests for another (RFC 6265, §5.1.4).
    private static func path(_ path: String, includes other: String) -> Bool {
        other == path || (other.hasPrefix(path) && (path.hasSuffix("/") || other.dropFirst(path.count).first == "/"))
    }

    private func cookies(named name: String) -> [HTTPCookie] {
        Self.access.withLock { cookies().filter { CookieText.decoded($0.name) == name } }
    }

    private func change(_ batch: [String: PreferenceEdit]) throws(PreferenceProblem) {
        if storage.cookieAcceptPolicy == .never, batch.contains(where: { $0.value != .remove }) {
            let message = "its storage accepts no cookies: its 'cookieAcceptPolicy' is 'never'; nothing was changed"
            throw PreferenceProblem(.storeUnwritable, store: label, message: message)
        }
        var added: [HTTPCookie] = []
        for (name, edit) in batch {
            if case .set(let value) = edit { added.append(try cookie(name, value)) }
        }
        for (name, edit) in batch {
            // One of a domain that the host is in, which others of that domain use as well, is not replaced.
            for cookie in cookies(named: name) where edit == .remove || isOfHost(cookie) {
                storage.deleteCookie(cookie)
            }
        }
        for cookie in added { storage.setCookie(cookie) }
    }

    private func cookie(_ name: String, _ value: PreferenceValue) throws(PreferenceProblem) -> HTTPCookie {
        func refusal(_ message: String) -> PreferenceProblem {
            PreferenceProblem(.unsupportedValue, key: name, store: label, message: message)
        }
        guard case .string(let text) = value else { throw refusal("a cookie can only have text") }
        guard !name.isEmpty else { throw refusal("a cookie needs a name") }
        let (encodedName, encodedText) = (CookieText.encoded(name), CookieText.encoded(text))
        guard encodedName.utf8.count + encodedText.utf8.count <= Self.maximumSize else {
            throw refusal("a cookie can have \(Self.maximumSize) bytes, its name included")
        }
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: encodedName, .value: encodedText, .domain: host, .path: "/",
        ]
        if url.scheme == "https" { properties[.secure] = "TRUE" }
        if let lifetime { properties[.expires] = Date(timeIntervalSinceNow: lifetime / .seconds(1)) }
        guard let cookie = HTTPCookie(properties: properties) else { throw refusal("Foundation makes no cookie of it") }
        return cookie
    }
}
