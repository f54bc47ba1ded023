import Foundation
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import PreferencesObjects
@testable import PreferencesRuntime
@testable import PreferencesSystem

/// External changes of the stored value.
struct PersistentObjectExternalChangeTests {
    private static let conflict = PreferenceProblem(
        .conflictingChange,
        store: "logged",
        message: "the stored value was changed externally while the object had an unsaved change; "
            + "the object keeps its value, which replaces the external one when it is saved"
    )

    private let repository = LoggedRepository(1)

    @Test("An external change replaces the object, and notifies")
    func anExternalChangeReplacesTheObjectAndNotifies() {
        let object = PersistentObject(repository)
        let seen = Recorder<PersistentObjectChange<Int>>()
        object.watch { [weak object] change in
            // The object is replaced before its watchers are notified.
            #expect(object?.value == change.new)
            seen.add(change)
        }
        repository.changeExternally(to: 2)
        repository.changeExternally(to: 2)
        repository.changeExternally(to: nil)
        #expect(seen.all == [PersistentObjectChange(old: 1, new: 2), PersistentObjectChange(old: 2, new: nil)])
        #expect(object.value == nil)
        #expect(!object.hasUnsavedChange)
    }

    @Test("The object's own saves do not notify")
    func theObjectsOwnSavesDoNotNotify() throws {
        let object = PersistentObject(repository)
        let seen = Recorder<PersistentObjectChange<Int>>()
        object.watch { seen.add($0) }
        object.reset(to: 2)
        try object.save()
        #expect(seen.all.isEmpty)
        // The next notification shows that no earlier one is pending.
        repository.changeExternally(to: 3)
        #expect(seen.all == [PersistentObjectChange(old: 2, new: 3)])
    }

    @Test("An unsaved change wins over an external one, and the conflict is notified and reported")
    func anUnsavedChangeWinsOverAnExternalOneAndTheConflictIsNotifiedAndReported() async throws {
        let object = PersistentObject(repository)
        let seen = Recorder<PersistentObjectChange<Int>>()
        object.watch { seen.add($0) }
        object.reset(to: 2)
        repository.changeExternally(to: 3)
        #expect(object.value == 2)
        #expect(repository.stored == 3)
        #expect(seen.all == [PersistentObjectChange(old: 2, new: 3, isConflict: true)])
        try object.save()
        #expect(repository.stored == 2)
        #expect(await object.reportedProblems() == [Self.conflict])
    }

    @Test("A program can reset the object to the external value of a conflict")
    func aProgramCanResetTheObjectToTheExternalValueOfAConflict() throws {
        let object = PersistentObject(repository)
        object.watch { [weak object] change in
            if change.isConflict { object?.reset(to: change.new) }
        }
        object.reset(to: 2)
        repository.changeExternally(to: 3)
        #expect(object.value == 3)
        try object.save()
        #expect(repository.stored == 3)
    }

    @Test("A change without a notification is found before it is overwritten")
    func aChangeWithoutANotificationIsFoundBeforeItIsOverwritten() async throws {
        let object = PersistentObject(repository)
        object.reset(to: 2)
        repository.changeExternally(to: 3, notifies: false)
        try object.save()
        #expect(repository.stored == 2)
        #expect(await object.reportedProblems() == [Self.conflict])
    }

    @Test("A change at the last moment is found before it is overwritten", arguments: [false, true])
    func aChangeAtTheLastMomentIsFoundBeforeItIsOverwritten(inPreferences: Bool) async throws {
        let store = LastMomentStore()
        let object =
            inPreferences
            ? PersistentObject<Int>(named: "object", in: Preferences(store: store))
            : PersistentObject<Int>(named: "object", in: store)
        let seen = Recorder<PersistentObjectChange<Int>>()
        object.watch { seen.add($0) }
        object.reset(to: 2)
        store.others.withLock { $0 = ["object": .set(3)] }
        try object.save()
        #expect(try store.value(for: "object") == 2)
        #expect(seen.all == [PersistentObjectChange(old: 2, new: 3, isConflict: true)])
        #expect(await object.reportedProblems().map(\.code) == [.conflictingChange])
    }

    @Test("A value that only compares as equal is a change")
    func aValueThatOnlyComparesAsEqualIsAChange() throws {
        struct Session: Codable, Equatable {
            var id: Int
            var tokens: [String]

            static func == (first: Session, second: Session) -> Bool { first.id == second.id }
        }
        let store: MemoryStore = ["session": ["id": 1, "tokens": ["a", "b"]]]
        let object = PersistentObject<Session>(named: "session", in: store)
        store.apply(["session": .set(["id": 1, "tokens": ["c"]])])
        #expect(object.value?.tokens == ["c"])
    }

    @Test("The program's own change of an object is not an external change")
    func theProgramsOwnChangeOfAnObjectIsNotAnExternalChange() async throws {
        final class Session: Codable, Sendable {
            let user: Mutex<String>

            init(from decoder: any Decoder) throws { user = Mutex(try String(from: decoder)) }
            func encode(to encoder: any Encoder) throws { try user.withLock { $0 }.encode(to: encoder) }
        }
        let store: MemoryStore = ["session": "ada"]
        let object = PersistentObject<Session>(named: "session", in: store)
        let session = try #require(object.value)
        let seen = Recorder<Bool>()
        object.watch { seen.add($0.isConflict) }
        session.user.withLock { $0 = "grace" }
        object.reset(to: session)
        try object.save()
        #expect(store.value(for: "session") == "grace")
        #expect(seen.all.isEmpty)
    }

    @Test("A set that is encoded in another order is not a change")
    func aSetThatIsEncodedInAnotherOrderIsNotAChange() async throws {
        struct Point: Codable, Hashable {
            var x: Int
        }
        let store = MemoryStore()
        let object = PersistentObject<Set<Point>>(named: "points", in: store)
        let seen = Recorder<Bool>()
        object.watch { seen.add($0.isConflict) }
        for count in 10...30 {
            object.reset(to: Set((0..<count).map(Point.init)))
            try object.save()
            try object.synchronize()
        }
        #expect(seen.all.isEmpty)
        // The next notification shows that no earlier one is pending.
        store.apply(["points": .set([["x": 1]])])
        #expect(seen.all == [false])
        #expect(object.value == [Point(x: 1)])
    }

    @Test("A change without a notification is found by synchronizing")
    func aChangeWithoutANotificationIsFoundBySynchronizing() throws {
        let object = PersistentObject(repository)
        repository.changeExternally(to: 3, notifies: false)
        #expect(object.value == 1)
        try object.synchronize()
        #expect(object.value == 3)
    }

    @Test("Another object over the store is notified while no lock of the preferences is held")
    func anotherObjectOverTheStoreIsNotifiedWhileNoLockOfThePreferencesIsHeld() throws {
        let preferences = Preferences.inMemory()
        let saved = PersistentObject<Int>(named: "launchCount", in: preferences)
        let notified = PersistentObject<Int>(named: "launchCount", in: preferences.store)
        let seen = Recorder<Int?>()
        notified.watch { change in
            let isHeld = preferences.writing.isHeldByThisThread
            #expect(!isHeld)
            seen.add(change.new)
        }
        saved.reset(to: 2)
        try saved.save()
        preferences.launchCount = 3
        #expect(seen.all == [2, 3])
        #expect(notified.value == 3)
    }

    @Test("A change by another process notifies")
    func aChangeByAnotherProcessNotifies() async throws {
        try await withFile { url in
            let object = PersistentObject<Int>(named: "object", in: FileStore(url: url))
            var changes = object.changes().makeAsyncIterator()
            for number in 1...3 {
                let program = try BuiltWithTests.executable("StoreChild").path
                let arguments = ["set", url.filePath, "object", "\(number)"]
                let run = try await CommandLineRun(program, arguments, mergesErrors: true)
                #expect(run.succeeded, "\(run.output)")
                let change = await changes.next(isolation: #isolation)
                #expect(change == PersistentObjectChange(old: number == 1 ? nil : number - 1, new: number))
                #expect(object.value == number)
            }
        }
    }

    @Test("A change of an object's file by another process notifies")
    func aChangeOfAnObjectsFileByAnotherProcessNotifies() async throws {
        try await withFile { url in
            let object = PersistentObject<Int>(file: url)
            var changes = object.changes().makeAsyncIterator()
            let run = try await CommandLineRun("sh", ["-c", "echo 7 > it && mv it \(url.filePath)"], in: url.folder)
            #expect(run.succeeded)
            let change = await changes.next(isolation: #isolation)
            #expect(change == PersistentObjectChange(old: nil, new: 7))
            #expect(object.value == 7)
        }
    }
}

extension URL {
    fileprivate var folder: URL { deletingLastPathComponent() }
}

/// A store that changes externally, without a notification, just when an update begins.
private final class LastMomentStore: PreferenceStoreAdapter {
    let base: any PreferenceStore = MemoryStore()
    let others = Locked<[String: PreferenceEdit]>([:])

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        PreferenceStoreObservation {}
    }

    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        let batch = others.withLock { others in
            defer { others = [:] }
            return others
        }
        try base.commit(PreferenceBatch(batch))
        try base.commit(by: writer?.parts.first, makeBatch)
    }

    var notifiesAllChanges: Bool { false }

    /// A value whose comparison reads the object that has it.
    private struct Bag: Codable, Equatable {
        var items: [Int]
        static let object = Mutex<PersistentObject<Bag>?>(nil)

        static func == (first: Bag, second: Bag) -> Bool {
            _ = object.withLock { $0 }?.value
            return first.items.sorted() == second.items.sorted()
        }
    }

    @Test("A value's comparison may read the object")
    func comparison() {
        let store: MemoryStore = ["bag": ["items": [1, 2]]]
        let object = PersistentObject<Bag>(named: "bag", in: store)
        #expect(object.value?.items == [1, 2])
        Bag.object.withLock { $0 = object }
        defer { Bag.object.withLock { $0 = nil } }
        store.apply(["bag": .set(["items": [2, 1]])])
        #expect(object.value?.items == [1, 2])
        store.apply(["bag": .set(["items": [3]])])
        #expect(object.value?.items == [3])
    }
}
