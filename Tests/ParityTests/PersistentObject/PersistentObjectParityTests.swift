import AppleStoresTestSupport
import Foundation
import PreferencesSQLite
import Synchronization
import TestSupport
import Testing

@testable import PreferencesApple
@testable import PreferencesObjects
@testable import PreferencesRuntime

private struct Person: Codable, Equatable {
    var name: String
    var age: Int

    static let ada = Person(name: "Ada", age: 36)
    static let alan = Person(name: "Alan", age: 41)
}

/// The repositories of the original, and others.
private enum Place: String, CaseIterable, Sendable {
    case memory, file, userDefaults, iCloud, database, ownFile

    /// Runs a body with a factory of objects that share a repository of this kind.
    func use(_ body: (() -> PersistentObject<Person>) throws -> Void) throws {
        switch self {
        case .memory:
            let store = MemoryStore()
            try body { PersistentObject(named: "person", in: store) }
        case .file:
            try withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.json")
                try body { PersistentObject(named: "person", in: FileStore(url: url)) }
            }
        case .userDefaults:
            let suite = "preferences-tests-\(UUID().uuidString)"
            defer {
                UserDefaults(suiteName: suite)?.removePersistentDomain(forName: suite)
                _ = UserDefaults(suiteName: suite)?.synchronize()
            }
            try body { PersistentObject(named: "person", in: UserDefaultsStore(suite: suite)) }
        case .iCloud:
            let store = UbiquitousKeyValues(CloudDouble { Issue.record("\($0)") })
            try body { PersistentObject(named: "person", in: store) }
        case .database:
            try withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.sqlite")
                try body { PersistentObject(named: "person", in: SQLiteStore(url: url)) }
            }
        case .ownFile:
            try withTemporaryDirectory { folder in
                let url = folder.appending(component: "person.json")
                try body { PersistentObject(file: url) }
            }
        }
    }
}

@Suite("PersistentObject")
struct PersistentObjectParityTests {
    @Test(
        "fresh → nil; reset → object; a second instance before save → nil, after save → equal",
        arguments: Place.allCases
    )
    private func saving(_ place: Place) throws {
        try place.use { make in
            let object = make()
            #expect(object.value == nil)
            object.reset(to: .ada)
            #expect(object.value == .ada)
            #expect(make().value == nil)
            try object.save()
            #expect(make().value == .ada)
        }
    }

    @Test("reset(nil) without save → still stored; after save → gone", arguments: Place.allCases)
    private func removing(_ place: Place) throws {
        try place.use { make in
            let object = make()
            object.reset(to: .ada)
            try object.save()
            object.reset(to: nil)
            #expect(object.value == nil)
            #expect(make().value == .ada)
            try object.save()
            #expect(make().value == nil)
        }
    }

    @Test("saved on deinit", arguments: Place.allCases)
    private func released(_ place: Place) throws {
        try place.use { make in
            do {
                let object = make()
                object.reset(to: .ada)
            }
            #expect(make().value == .ada)
        }
    }

    @Test("saved when the app goes to the background")
    func background() async {
        await #expect(processExitsWith: .success) {
            let store = MemoryStore()
            let object = PersistentObject<Int>(named: "count", in: store)
            object.reset(to: 3)
            let name = "UIApplicationDidEnterBackgroundNotification"
            NotificationCenter.default.post(name: Notification.Name(name), object: nil)
            #expect(store.value(for: "count") == 3)
            withExtendedLifetime(object) {}
        }
    }

    @Test("saved at exit on Linux (SIGTERM too, where the app opts in)", arguments: ["exit", "opt-in"])
    func ending(_ end: String) async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let child = try ChildProcess(
                BuiltWithTests.executable("StoreChild").path,
                ["object", url.path(percentEncoded: false), end, "1"],
                output: .pipe
            )
            if end == "opt-in" {
                // The child has reported that it is ready.
                _ = try await onOwnThread { try child.output.readLine() }
                child.send(SIGTERM)
            }
            #expect(await child.ending == (end == "exit" ? .status(0) : .signal(SIGTERM)))
            #expect(PersistentObject<Int>(named: "object", in: FileStore(url: url)).value == 2)
        }
    }

    @Test("saved only if changed since the last load or save: a stale instance does not overwrite newer data")
    func stale() throws {
        let store = NonNotifyingStore()
        do {
            let stale = PersistentObject<Person>(named: "person", in: store)
            let other = PersistentObject<Person>(named: "person", in: store)
            other.reset(to: .ada)
            try other.save()
            #expect(stale.value == nil)
            try stale.save()
        }
        #expect(PersistentObject<Person>(named: "person", in: store).value == .ada)
    }

    @Test("saved only if changed: an unreadable value is not deleted at deinit")
    func unreadable() throws {
        let store: MemoryStore = ["person": ["name": "Ada"]]
        do {
            let object = PersistentObject<Person>(named: "person", in: store)
            #expect(object.value == nil)
            #expect(object.loadProblem?.code == .typeMismatch)
        }
        #expect(store.value(for: "person") == ["name": "Ada"])
    }

    @Test("save(), synchronize() separately visible to a custom repository: both throwing")
    func repository() throws {
        let repository = Repository()
        let object = PersistentObject(repository)
        object.reset(to: .ada)
        try object.save()
        // The value is loaded first, and again before it is overwritten.
        #expect(repository.calls == ["load", "load", "save Ada"])
        repository.forget()
        try object.synchronize()
        // It also looks for external changes.
        #expect(repository.calls == ["synchronize", "load"])
        repository.fail()
        object.reset(to: .alan)
        #expect(throws: PreferenceProblem.self) { try object.save() }
        #expect(throws: PreferenceProblem.self) { try object.synchronize() }
        #expect(object.hasUnsavedChange)
    }

    @Test(
        "external change replaces the object, then notifies: another process, in a file and in a database",
        arguments: ["preferences.json", "preferences.sqlite"]
    )
    func otherProcess(_ name: String) async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: name)
            let store: any PreferenceStore = name.hasSuffix("json") ? FileStore(url: url) : SQLiteStore(url: url)
            let object = PersistentObject<Int>(named: "object", in: store)
            let changes = object.changes()
            let run = try await CommandLineRun(
                BuiltWithTests.executable("StoreChild").path,
                ["object", url.path(percentEncoded: false), "exit", "1"]
            )
            #expect(run.succeeded)
            for await change in changes {
                // The object has the value when it is notified.
                #expect(object.value ?? 0 >= change.new ?? 0)
                if change.new == 2 { break }
            }
            #expect(object.value == 2)
        }
    }

    @Test("external change replaces the object, then notifies: a database, by a watcher, an AsyncSequence and a queue")
    func database() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.sqlite")
            let object = PersistentObject<Person>(named: "person", in: SQLiteStore(url: url))
            let seen = Seen()
            object.watch { seen.add($0.new) }
            object.watch(on: DispatchQueue(label: "changes")) { seen.add($0.new) }
            let changes = object.changes()
            let other = PersistentObject<Person>(named: "person", in: SQLiteStore(url: url))
            other.reset(to: .ada)
            try other.save()
            for await change in changes {
                #expect(change.new == .ada)
                break
            }
            #expect(object.value == .ada)
            await seen.wait(for: 2)
            #expect(seen.all == [.ada, .ada])
        }
    }

    @Test(
        "external change replaces the object, then notifies: iCloud, also of another account, and values over its quota"
    )
    func iCloud() async throws {
        let cloud = CloudDouble { Issue.record("\($0)") }
        let object = PersistentObject<Person>(named: "person", in: UbiquitousKeyValues(cloud))
        let seen = Seen()
        object.watch { [weak object] change in
            // The object is replaced before its watchers are notified.
            #expect(object?.value == change.new)
            seen.add(change.new)
        }
        cloud.change(["person": ["name": "Ada", "age": 36]], reason: 0, names: ["person"])
        // The user has signed out, which the system reports without names.
        cloud.change(["person": nil], reason: 3, names: nil)
        #expect(seen.all == [.ada, nil])

        object.reset(to: .alan)
        try object.save()
        cloud.change(["person": nil], reason: 2, names: ["person"])
        #expect(seen.all == [.ada, nil, nil])
        var problems = object.problems.makeAsyncIterator()
        let problem = await problems.next(isolation: #isolation)
        #expect(problem?.code == .quotaExceeded)
        #expect(problem?.key == "person")
    }
    private final class Repository: PersistentObjectRepository {
        struct Refusal: Error {}

        private let state = Mutex((stored: Person?.none, calls: [String](), isFailing: false))

        var calls: [String] { state.withLock { $0.calls } }
        func forget() { state.withLock { $0.calls = [] } }
        func fail() { state.withLock { $0.isFailing = true } }

        func load() throws -> Person? {
            state.withLock { state in
                state.calls.append("load")
                return state.stored
            }
        }

        func save(_ value: Person?) throws {
            try state.withLock { state in
                if state.isFailing { throw Refusal() }
                state.calls.append("save \(value?.name ?? "nothing")")
                state.stored = value
            }
        }

        func synchronize() throws {
            try state.withLock { state in
                if state.isFailing { throw Refusal() }
                state.calls.append("synchronize")
            }
        }
    }

    private final class Seen: Sendable {
        private let people = Mutex<[Person?]>([])
        private let arrivals = AsyncStream.makeStream(of: Void.self)

        var all: [Person?] { people.withLock { $0 } }

        func add(_ person: Person?) {
            people.withLock { $0.append(person) }
            arrivals.continuation.yield()
        }

        func wait(for count: Int) async {
            for await _ in arrivals.stream where all.count >= count { return }
        }
    }
}

/// A store that does not notify of changes.
final class NonNotifyingStore: WritablePreferenceStore {
    private let memory = MemoryStore()
    var label: String { memory.label }
    func value(for name: String) -> PreferenceValue? { memory.value(for: name) }
    func names() -> Set<String> { memory.names() }
    func apply(_ batch: PreferenceBatch) { memory.apply(batch) }
}
