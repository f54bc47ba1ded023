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
    /// One in memory, of its own.
    private let storage = URLSessionConfiguration.ephemeral.httpCookieStorage!

    private func serve(_ name: String, _ value: String, path: String = "/", domain: String = "weather.example") throws {
        let cookie = HTTPCookie(properties: [.name: name, .value: value, .path: path, .domain: domain])
        storage.setCookie(try #require(cookie))
    }

    /// The cookies that somebody has taken out of a storage.
    private final class Aside: Sendable {
        let cookies = Mutex<[HTTPCookie]>([])
    }

    @Test(arguments: StoreCheck.all)
    func itKeepsItsPromises(check: StoreCheck) throws {
        // Somebody else empties the storage, and brings the cookies back.
        let aside = Aside()
        try check.run(
            on: StoreSubject(
                open: { [site, storage] in CookieStore(url: site, storage: storage) },
                breakBackend: { [storage] in
                    let cookies = storage.cookies ?? []
                    aside.cookies.withLock { $0 = cookies }
                    for cookie in cookies { storage.deleteCookie(cookie) }
                },
                repairBackend: { [storage] in for cookie in aside.cookies.withLock({ $0 }) { storage.setCookie(cookie) } }
            )
        )
    }

    @Test("A store of cookies excludes writers")
    func excludesWriters() {
        #expect(CookieStore(url: site, storage: storage).excludesWriters)
    }

    @Test func cookiesOfTheSiteAreReadByName() throws {
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

    @Test func aCookieIsForItsPathAndWhatIsBelow() throws {
        try serve("map", "1", path: "/map")
        try serve("maps", "1", path: "/ma")
        try serve("below", "1", path: "/map/")
        try serve("deeper", "1", path: "/map/oslo")
        #expect(CookieStore(url: site, storage: storage).names() == ["map", "below"])
    }

    @Test func whatIsNotEncodedIsReadAsItStands() throws {
        for (name, text) in [("plus", "50%+5"), ("end", "100%5"), ("none", "100%")] {
            try serve(name, text)
            #expect(CookieStore(url: site, storage: storage).value(for: name) == .string(text))
        }
    }

    @Test func whatACookieCannotHaveIsEncodedInIt() throws {
        let store = CookieStore(url: site, storage: storage)
        try store.apply(["a=b": .set("1; HttpOnly\r\nX: 100%")])
        let cookie = try #require(storage.cookies(for: site)?.first)
        #expect(cookie.name == "a%3Db")
        #expect(cookie.value == "1%3B%20HttpOnly%0D%0AX%3A%20100%25")
        #expect(cookie.isSecure)
        #expect(store.value(for: "a=b") == "1; HttpOnly\r\nX: 100%")
    }

    @Test func numbersAreReadFromTheText() throws {
        try serve("visits", "3")
        let preferences = Preferences(store: CookieStore(url: site, storage: storage))
        #expect(preferences.get(named: "visits", default: 0) == 3)
        preferences.set(named: "visits", to: "4")
        #expect(preferences.get(named: "visits", default: 0) == 4)
    }

    @Test func aCookieLastsAsLongAsItIsToldTo() throws {
        try CookieStore(url: site, storage: storage, lifetime: .seconds(3_600)).apply(["a": .set("b")])
        let end = try #require(storage.cookies(for: site)?.first?.expiresDate)
        #expect((3_500...3_601).contains(end.timeIntervalSinceNow))
    }

    @Test func aStorageThatAcceptsNoneIsNotEmptied() throws {
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

    @Test(arguments: [".example", ".weather.example"])
    func aCookieOfTheWholeDomainIsHiddenAndNotReplaced(domain: String) throws {
        try serve("session", "all", domain: domain)
        let store = CookieStore(url: site, storage: storage)
        #expect(store.value(for: "session") == "all")
        try store.apply(["session": .set("own")])
        #expect(store.value(for: "session") == "own")
        #expect(Set(storage.cookies?.map(\.value) ?? []) == ["all", "own"])
        // What is removed is not read any more.
        try store.apply(["session": .remove])
        #expect(store.value(for: "session") == nil)
    }

    @Test func whatIsNoCookieIsRefused() throws {
        let store = CookieStore(url: site, storage: storage)
        func refusal(_ name: String, _ value: PreferenceValue) -> String? {
            do {
                try store.apply([name: .set(value), "other": .set("x")])
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(refusal("n", 1) == "cookies of weather.example: 'n': a cookie can only have text")
        #expect(refusal("", "a") == "cookies of weather.example: '': a cookie needs a name")
        #expect(
            refusal("n", .string(String(repeating: "a", count: 4_096)))
                == "cookies of weather.example: 'n': a cookie can have 4096 bytes, its name included"
        )
        #expect(store.names().isEmpty)
    }
}
