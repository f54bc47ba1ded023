import Synchronization
import Testing

@testable import PreferencesRuntime
import StoreTestSupport

/// What the ends of values do, which cells remember and let go of.
@Suite(.serialized)
struct ReleasedValueTests {
    /// A value that reads other keys of its preferences when it ends.
    private final class Session: Codable, Sendable {
        static let preferences = Mutex<Preferences?>(nil)
        static let counts = Mutex<[Int]>([])

        let number: Int

        init(number: Int) { self.number = number }

        deinit {
            guard let preferences = Self.preferences.withLock({ $0 }) else { return }
            // Not read before, so that it takes the slow path.
            let count = preferences.get(named: "count-of-\(number)", default: number)
            let other = preferences.get("session-count", default: -1)
            preferences.reset(named: "session-count-\(number)")
            Self.counts.withLock { $0 += [count, other] }
        }
    }

    private struct Home: PreferenceAccessors {
        let preferences: Preferences

        var session: Session {
            get { get(codable: "session", default: Session(number: 0)) }
            nonmutating set { set(codable: "session", to: newValue) }
        }
    }

    /// Sets a key whenever it is read.
    private struct Repairing: PreferenceAccessors {
        let preferences: Preferences

        var number: Int {
            let home = Home(preferences: preferences)
            if home.session.number == preferences.launchCount { home.session = Session(number: -home.session.number) }
            return home.session.number
        }
    }

    private final class ObjectHome: PreferenceAccessors, Sendable {
        let preferences: Preferences

        init(_ preferences: Preferences) {
            self.preferences = preferences
        }

        var session: Session {
            get { get(codable: "session", default: Session(number: 0)) }
            set { set(codable: "session", to: newValue) }
        }
    }

    @Test("The old value of a watcher that was cancelled may read keys when it is released with the other watchers")
    func oldValuesOfCancelledWatchers() {
        let preferences = Preferences(store: MemoryStore())
        let home = ObjectHome(preferences)
        home.session = Session(number: 20)
        home.watch(\.session, options: .old) { _ in }.cancel()
        let other = home.watch(anyOf: [\.session]) {}
        home.watch(\.session, options: .old) { _ in }.cancel()
        Session.preferences.withLock { $0 = preferences }
        defer { Session.preferences.withLock { $0 = nil } }
        home.session = Session(number: 21)
        other.cancel()
        #expect(home.session.number == 21)
    }

    @Test func theyMayDoSoWhereAWatchedPropertySetsKeys() {
        let store = MemoryStore()
        let preferences = Preferences(store: store)
        Session.preferences.withLock { $0 = preferences }
        defer { Session.preferences.withLock { $0 = nil } }
        let home = Home(preferences: preferences)
        home.session = Session(number: 10)
        #expect(home.session.number == 10)
        Repairing(preferences: preferences).watch(\.number) { _ in }
        // By another, so that no set of this thread is under way.
        store.apply(["launchCount": .set(10)])
        #expect(home.session.number == -10)
    }

    @Test func theyMayReadAndSetKeys() {
        let store = MemoryStore()
        let preferences = Preferences(store: store)
        let home = Home(preferences: preferences)
        Session.preferences.withLock { $0 = preferences }
        defer { Session.preferences.withLock { $0 = nil } }
        home.session = Session(number: 1)
        #expect(home.session.number == 1)
        // It is let go of by a set, by another's, by a reset and by a transaction.
        home.session = Session(number: 2)
        #expect(home.session.number == 2)
        store.apply(["session": .set(["number": 3])])
        #expect(home.session.number == 3)
        home.reset(\.session)
        #expect(home.session.number == 0)
        home.session = Session(number: 4)
        #expect(home.session.number == 4)
        #expect(throws: Never.self) { try preferences.transaction { _ in home.session = Session(number: 5) } }
        #expect(home.session.number == 5)
        let ended = Session.counts.withLock { Set($0) }
        #expect(ended.isSuperset(of: [-1, 1, 2, 3, 4]))
    }
}
