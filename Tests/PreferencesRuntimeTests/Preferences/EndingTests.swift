import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesObjects
@testable import PreferencesRuntime
@testable import PreferencesSystem

@Suite("The end of preferences, observers and objects")
struct EndingTests {
    /// Sets a value that is lost with its store, and returns the problems that a stream has received.
    ///
    /// - Parameter makeStore: Creates the store of the preferences over a file store that cannot be written.
    private func problemsOfLosing(
        _ makeStore: (FileStore) -> any PreferenceStore
    ) async throws -> [PreferenceProblem] {
        try await withTemporaryDirectory { folder in
            let inner = folder.appending(component: "app", directoryHint: .isDirectory)
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
            let url = inner.appending(component: "preferences.json")
            let problems = {
                // Only the preferences retain the store.
                let preferences = Preferences(
                    store: makeStore(FileStore(url: url, durability: .coalesced(milliseconds: 3_600_000)))
                )
                _ = preferences.launchCount
                // No file can be created, since a file is in the place of the folder.
                try? FileManager.default.removeItem(at: inner)
                try? Data().write(to: inner)
                preferences.launchCount = 7
                return preferences.problems
            }()
            var received: [PreferenceProblem] = []
            for await problem in problems { received.append(problem) }
            return received
        }
    }

    @Test("A value that is lost with the store of released preferences is reported by its name")
    func lostValue() async throws {
        let problems = try await problemsOfLosing { $0 }
        #expect(problems.contains { $0.code == .storeUnwritable && $0.message.contains("'launchCount'") })
    }

    @Test("A lost value is reported also if its store is below layers")
    func lostValueBelowLayers() async throws {
        let problems = try await problemsOfLosing { LayeredStore([EnvironmentStore(prefix: "NONE_"), $0]) }
        #expect(problems.contains { $0.code == .storeUnwritable && $0.message.contains("'launchCount'") })
    }

    @Test("A lost value is reported also if its store is below two prefixes")
    func lostValueBelowPrefixes() async throws {
        let problems = try await problemsOfLosing {
            PrefixedStore(PrefixedStore($0, prefix: "outer"), prefix: "inner")
        }
        #expect(problems.contains { $0.code == .storeUnwritable && $0.message.contains("'outer:inner:launchCount'") })
    }

    // MARK: - Locks

    /// A value that reads its persistent object when it is released.
    private final class Session: Codable, Sendable {
        static let object = Locked<PersistentObject<Session>?>(nil)
        static let ended = Recorder<Int>()

        let number: Int

        init(_ number: Int) {
            self.number = number
        }

        deinit {
            guard let object = Self.object.withLock({ $0 }) else { return }
            _ = (object.value?.number, object.hasUnsavedChange, object.loadProblem)
            Self.ended.add(number)
        }
    }

    @Test("The values of a persistent object may use it when they end")
    func valuesThatUseTheirObject() throws {
        let store: MemoryStore = ["session": ["number": 1]]
        let object = PersistentObject<Session>(named: "session", in: store)
        Session.object.withLock { $0 = object }
        defer { Session.object.withLock { $0 = nil } }
        #expect(object.value?.number == 1)
        object.reset(to: Session(2))
        try object.save()
        store.apply(["session": .set(["number": 3])])
        object.reset(to: nil)
        try object.save()
        #expect(Set(Session.ended.all).isSuperset(of: [1, 2, 3]))
    }

    /// An object that ends an observation when it is released.
    private final class Holder: Sendable {
        let observation: PreferenceStoreObservation

        init(_ observation: PreferenceStoreObservation) {
            self.observation = observation
        }

        deinit {
            observation.cancel()
        }
    }

    @Test("An observer may own the observation of another observer")
    func observersThatOwnOthers() {
        let store = MemoryStore()
        let seen = Recorder<String>()
        let inner = store.observe { _ in seen.add("inner") }
        var holder: Holder? = Holder(inner)
        let outer = store.observe { [holder] _ in
            withExtendedLifetime(holder) { seen.add("outer") }
        }
        holder = nil
        store.apply(["a": .set(1)])
        outer.cancel()
        store.apply(["a": .set(2)])
        #expect(seen.all == ["inner", "outer"])
    }

    @Test("Objects captured by a hook, a watcher or an observer may use the preferences when they are released")
    func closuresThatUsePreferences() {
        let store = MemoryStore()
        let preferences = Preferences(store: store)
        final class Reader: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
            deinit { body() }
        }
        let seen = Recorder<String>()
        func reader(_ name: String) -> Reader {
            Reader { [weak preferences, weak store] in
                preferences?.launchCount += 1
                _ = store?.observe { _ in }
                preferences?.willCommit { _ in }.cancel()
                seen.add(name)
            }
        }
        do {
            let (first, second, third, fourth) = (
                reader("hook"), reader("watcher"), reader("observer"), reader("stream")
            )
            preferences.didChange(of: \.launchCount) { _ in withExtendedLifetime(first) {} }.cancel()
            preferences.watch(\.launchCount) { _ in withExtendedLifetime(second) {} }.cancel()
            store.observe { _ in withExtendedLifetime(third) {} }.cancel()
            let object = PersistentObject<Int>(named: "object", in: store)
            object.watch { _ in withExtendedLifetime(fourth) {} }.cancel()
        }
        #expect(Set(seen.all) == ["hook", "watcher", "observer", "stream"])
        #expect(preferences.launchCount == 4)
    }
}
