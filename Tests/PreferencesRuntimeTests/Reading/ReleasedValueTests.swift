import StoreTestSupport
import Synchronization
import Testing

@testable import PreferencesRuntime

/// Cached values whose deinitializers use preferences.
@Suite("Values that use preferences when they are released", .serialized)
struct ReleasedValueTests {
    /// A value that reads other keys of its preferences when it is released.
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

    private struct Owner: PreferenceAccessors {
        let preferences: Preferences

        var session: Session {
            get { get(codable: "session", default: Session(number: 0)) }
            nonmutating set { set(codable: "session", to: newValue) }
        }
    }

    /// An owner whose property sets a key when it is read.
    private struct Repairing: PreferenceAccessors {
        let preferences: Preferences

        var number: Int {
            let owner = Owner(preferences: preferences)
            if owner.session.number == preferences.launchCount {
                owner.session = Session(number: -owner.session.number)
            }
            return owner.session.number
        }
    }

    private final class ObjectOwner: PreferenceAccessors, Sendable {
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
        let owner = ObjectOwner(preferences)
        owner.session = Session(number: 20)
        owner.watch(\.session, options: .old) { _ in }.cancel()
        let other = owner.watch(anyOf: [\.session]) {}
        owner.watch(\.session, options: .old) { _ in }.cancel()
        Session.preferences.withLock { $0 = preferences }
        defer { Session.preferences.withLock { $0 = nil } }
        owner.session = Session(number: 21)
        other.cancel()
        #expect(owner.session.number == 21)
    }

    @Test("A released value may read and set keys while a watched property sets keys")
    func releasedValuesMayUseKeysDuringAnEvaluation() {
        let store = MemoryStore()
        let preferences = Preferences(store: store)
        Session.preferences.withLock { $0 = preferences }
        defer { Session.preferences.withLock { $0 = nil } }
        let owner = Owner(preferences: preferences)
        owner.session = Session(number: 10)
        #expect(owner.session.number == 10)
        Repairing(preferences: preferences).watch(\.number) { _ in }
        // An external change, so that this thread is not in a setter.
        store.apply(["launchCount": .set(10)])
        #expect(owner.session.number == -10)
    }

    @Test("A released value may read and set keys")
    func releasedValuesMayReadAndSetKeys() {
        let store = MemoryStore()
        let preferences = Preferences(store: store)
        let owner = Owner(preferences: preferences)
        Session.preferences.withLock { $0 = preferences }
        defer { Session.preferences.withLock { $0 = nil } }
        owner.session = Session(number: 1)
        #expect(owner.session.number == 1)
        // The value is released by a set, an external change, a reset and a transaction.
        owner.session = Session(number: 2)
        #expect(owner.session.number == 2)
        store.apply(["session": .set(["number": 3])])
        #expect(owner.session.number == 3)
        owner.reset(\.session)
        #expect(owner.session.number == 0)
        owner.session = Session(number: 4)
        #expect(owner.session.number == 4)
        #expect(throws: Never.self) { try preferences.transaction { _ in owner.session = Session(number: 5) } }
        #expect(owner.session.number == 5)
        let ended = Session.counts.withLock { Set($0) }
        #expect(ended.isSuperset(of: [-1, 1, 2, 3, 4]))
    }
}
