public import Foundation
public import PreferencesRuntime

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A store in the HTTP cookies of a site, by their names.
///
/// ```swift
/// let store = CookieStore(url: URL(string: "https://example.com/")!)
/// try store.value(for: "session")
/// ```
///
/// Cookies hold text. Characters that RFC 6265 (§4.1.1) does not allow in names and values are percent-encoded, as
/// scripts in browsers do it. Numbers and other types can be read from text, but only text can be set.
public final class CookieStore: WriterExcludingStore, CapabilityDeclaringStore {
    /// The maximum size of a cookie's name and value in bytes, which all browsers support (RFC 6265, §6.1): 4,096.
    public static let maximumSize = 4_096

    /// `cookies of` and the host.
    public let label: String

    private let url: URL
    private let host: String
    private let storage: HTTPCookieStorage
    private let lifetime: Duration?
    private let observers = PreferenceStoreObservers()

    /// Held while cookies are read and changed, so that batches are seen as a whole.
    private static let access = NSRecursiveLock()

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - url: The site. Cookies that are sent to it are read; new ones are set for its host and all paths. A URL
    ///     without a host is a programming error and stops the program.
    ///   - storage: The storage of the cookies; by default that of the program's requests.
    ///   - lifetime: How long a cookie lasts after it was set; nil, the default, until the program ends.
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

    /// Returns the text of a cookie.
    public func value(for name: String) -> PreferenceValue? {
        cookies(named: name).first.map { .string(CookieText.decoded($0.value)) }
    }

    /// Returns the names of all cookies that are sent to the site.
    public func names() -> Set<String> {
        Self.access.withLock { Set(cookies().map { CookieText.decoded($0.name) }) }
    }

    /// Sets and deletes cookies, made from the current ones without changes by other threads through a ``CookieStore``
    /// in between. Responses of servers may still change cookies. All observers but the writer are notified.
    ///
    /// - Throws: Any error of the closure; ``/PreferencesRuntime/PreferenceProblem`` if nothing was changed: a value is
    ///   not text or is too large, or the storage accepts no cookies.
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

    /// Notifies an observer of changes through this store, not of changes by servers.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        observers.add(observer)
    }

    /// Values other than text, large values, and the promises of durable stores, which neither session cookies nor
    /// cookies that servers change can keep.
    public var unsupportedCapabilities: PreferenceStoreCapabilities {
        [
            .typedValues, .null, .largeValues, .emptyName, .longNames, .crashSafety, .exclusiveUpdates, .faultDetection,
        ]
    }
}

// MARK: - Cookies

extension CookieStore {
    private func belongsToHost(_ cookie: HTTPCookie) -> Bool {
        // The domain of a cookie that is shared by subdomains begins with a dot.
        cookie.domain.lowercased() == host.lowercased()
    }

    /// Returns the cookies that are sent to the site. Of those with the same name, cookies of the host precede those of
    /// its domains, and longer paths precede shorter ones, as in requests.
    private func cookies() -> [HTTPCookie] {
        let path = url.path().isEmpty ? "/" : url.path()
        return (storage.cookies(for: url) ?? [])
            .filter { Self.path($0.path, includes: path) }
            .sorted { (belongsToHost($0) ? 1 : 0, $0.path.count) > (belongsToHost($1) ? 1 : 0, $1.path.count) }
    }

    /// Returns whether a cookie for a path is sent with requests for another path (RFC 6265, §5.1.4).
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
            // A cookie of a parent domain is not replaced, as other hosts use it as well.
            for cookie in cookies(named: name) where edit == .remove || belongsToHost(cookie) {
                storage.deleteCookie(cookie)
            }
        }
        for cookie in added { storage.setCookie(cookie) }
    }

    private func cookie(_ name: String, _ value: PreferenceValue) throws(PreferenceProblem) -> HTTPCookie {
        func refusal(_ message: String) -> PreferenceProblem {
            PreferenceProblem(.unsupportedValue, key: name, store: label, message: message)
        }
        guard case .string(let text) = value else { throw refusal("a cookie can only hold text") }
        guard !name.isEmpty else { throw refusal("a cookie needs a name") }
        let (encodedName, encodedText) = (CookieText.encoded(name), CookieText.encoded(text))
        guard encodedName.utf8.count + encodedText.utf8.count <= Self.maximumSize else {
            throw refusal("a cookie can hold \(Self.maximumSize) bytes, including its name")
        }
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: encodedName, .value: encodedText, .domain: host, .path: "/",
        ]
        if url.scheme == "https" { properties[.secure] = "TRUE" }
        if let lifetime { properties[.expires] = Date(timeIntervalSinceNow: lifetime / .seconds(1)) }
        guard let cookie = HTTPCookie(properties: properties) else {
            throw refusal("Foundation cannot create this cookie")
        }
        return cookie
    }
}

/// The percent-encoding of names and values of cookies, for characters that RFC 6265 (§4.1.1) does not allow.
enum CookieText {
    /// The characters of a token (RFC 9110, §5.6.2) without the percent sign.
    private static let allowed = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$&'*+-.^_`|~"
    )

    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: allowed) ?? text
    }

    /// Returns decoded text; text that is not percent-encoded correctly is returned unchanged. Decodes UTF-8 itself
    /// because Foundation on Linux removes a byte order mark.
    static func decoded(_ text: String) -> String {
        // Every read decodes all names, and few are encoded.
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let first = rest.popFirst() {
            guard first == UInt8(ascii: "%") else {
                bytes.append(first)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let byte = UInt8(Substring(digits), radix: 16)
            else { return text }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self) ?? text
    }
}
