import Foundation
import PreferencesRemote
import PreferencesRuntime
import PreferencesStoreTesting
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct CookieStoreTests {
    private let site = URL(string: "https://weather.example/map/")!
    /// A separate storage in memory.
    private let storage = URLSessionConfiguration.ephemeral.httpCookieStorage!

    private func serve(_ name: String, _ value: String, path: String = "/", domain: String = "weather.example") throws {
        let cookie = HTTPCookie(properties: [.name: name, .value: value, .path: path, .domain: domain])
        storage.setCookie(try #require(cookie))
    }

    /// The cookies that were taken out of a storage.
    private final class Aside: Sendable {
        let cookies = Mutex<[HTTPCookie]>([])
    }

    @Test("The store passes each check of the conformance kit", arguments: StoreCheck.all)
    func storePassesConformanceCheck(check: StoreCheck) throws {
        // Another part of the program empties the storage and restores the cookies.
        let aside = Aside()
        try check.run(
            on: StoreSubject(
                open: { [site, storage] in CookieStore(url: site, storage: storage) },
                breakBackend: { [storage] in
                    let cookies = storage.cookies ?? []
                    aside.cookies.withLock { $0 = cookies }
                    for cookie in cookies { storage.deleteCookie(cookie) }
                },
                repairBackend: { [storage] in for cookie in aside.cookies.withLock({ $0 }) { storage.setCookie(cookie) }
                }
            )
        )
    }

    @Test("A store of cookies excludes writers")
    func excludesWriters() {
        #expect(CookieStore(url: site, storage: storage).excludesWriters)
    }

    @Test("Cookies of the site are read by name")
    func cookiesAreReadByName() throws {
        try serve("session", "abc")
        try serve("theme", "dark", path: "/map")
        try serve("theme", "light")
        try serve("elsewhere", "x", path: "/news")
        try serve("foreign", "x", domain: "other.example")
        let store = CookieStore(url: site, storage: storage)
        #expect(store.names() == ["session", "theme"])
        #expect(store.value(for: "session") == "abc")
        #expect(store.value(for: "theme") == "dark")
        #expect(store.value(for: "foreign") == nil)
    }

    @Test("A cookie applies to its path and the paths below")
    func cookieAppliesToItsPath() throws {
        try serve("map", "1", path: "/map")
        try serve("maps", "1", path: "/ma")
        try serve("below", "1", path: "/map/")
        try serve("deeper", "1", path: "/map/oslo")
        #expect(CookieStore(url: site, storage: storage).names() == ["map", "below"])
    }

    @Test("Text that is not encoded is read unchanged")
    func unencodedTextIsReadUnchanged() throws {
        for (name, text) in [("plus", "50%+5"), ("end", "100%5"), ("none", "100%")] {
            try serve(name, text)
            #expect(CookieStore(url: site, storage: storage).value(for: name) == .string(text))
        }
    }

    @Test("Characters that a cookie cannot contain are encoded")
    func reservedCharactersAreEncoded() throws {
        let store = CookieStore(url: site, storage: storage)
        try store.apply(["a=b": .set("1; HttpOnly\r\nX: 100%")])
        let cookie = try #require(storage.cookies(for: site)?.first)
        #expect(cookie.name == "a%3Db")
        #expect(cookie.value == "1%3B%20HttpOnly%0D%0AX%3A%20100%25")
        #expect(cookie.isSecure)
        #expect(store.value(for: "a=b") == "1; HttpOnly\r\nX: 100%")
    }

    @Test("Numbers are read from text")
    func numbersAreReadFromText() throws {
        try serve("visits", "3")
        let preferences = Preferences(store: CookieStore(url: site, storage: storage))
        #expect(preferences.get(named: "visits", default: 0) == 3)
        preferences.set(named: "visits", to: "4")
        #expect(preferences.get(named: "visits", default: 0) == 4)
    }

    @Test("A cookie has the given lifetime")
    func cookieHasTheGivenLifetime() throws {
        try CookieStore(url: site, storage: storage, lifetime: .seconds(3_600)).apply(["a": .set("b")])
        let end = try #require(storage.cookies(for: site)?.first?.expiresDate)
        #expect((3_500...3_601).contains(end.timeIntervalSinceNow))
    }

    @Test("A storage that accepts no cookies is left unchanged")
    func storageThatAcceptsNoCookiesIsUnchanged() throws {
        try serve("session", "a")
        let store = CookieStore(url: site, storage: storage)
        storage.cookieAcceptPolicy = .never
        let problem = PreferenceProblem(
            .storeUnwritable,
            store: "cookies of weather.example",
            message: "its storage accepts no cookies: its 'cookieAcceptPolicy' is 'never'; nothing was changed"
        )
        #expect(throws: problem) { try store.apply(["session": .set("b")]) }
        #expect(store.value(for: "session") == "a")
        try store.apply(["session": .remove])
        #expect(store.value(for: "session") == nil)
    }

    @Test(
        "A cookie of the host hides that of a domain, and does not replace it",
        arguments: [".example", ".weather.example"]
    )
    func cookieOfTheHostHidesTheDomains(domain: String) throws {
        try serve("session", "all", domain: domain)
        let store = CookieStore(url: site, storage: storage)
        #expect(store.value(for: "session") == "all")
        try store.apply(["session": .set("own")])
        #expect(store.value(for: "session") == "own")
        #expect(Set(storage.cookies?.map(\.value) ?? []) == ["all", "own"])
        // Removing the value also removes the cookie of the domain.
        try store.apply(["session": .remove])
        #expect(store.value(for: "session") == nil)
    }

    @Test("Values that are not valid cookies are rejected")
    func invalidCookiesAreRejected() throws {
        let store = CookieStore(url: site, storage: storage)
        func refusal(_ name: String, _ value: PreferenceValue) -> String? {
            do {
                try store.apply([name: .set(value), "other": .set("x")])
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(refusal("n", 1) == "cookies of weather.example: 'n': a cookie can only hold text")
        #expect(refusal("", "a") == "cookies of weather.example: '': a cookie needs a name")
        #expect(
            refusal("n", .string(String(repeating: "a", count: 4_096)))
                == "cookies of weather.example: 'n': a cookie can hold 4096 bytes, including its name"
        )
        #expect(store.names().isEmpty)
    }
}
