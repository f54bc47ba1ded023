import AppleStoresTestSupport
import Foundation
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import PreferencesApple
@testable import PreferencesObjects
@testable import PreferencesRuntime
@testable import PreferencesSystem

/// A `Codable` class with variables.
///
/// The conformance to `Sendable` is unchecked because it has variables, which the tests change in updates alone.
private final class Game: Codable, @unchecked Sendable {
    var name = ""
    var scores: [Int] = []
}

/// An `NSCoding` class with variables. Foundation on Linux cannot archive a private one.
///
/// The conformance to `Sendable` is unchecked because it has variables, which the tests change in updates alone.
final class Player: NSObject, NSSecureCoding, @unchecked Sendable {
    static var supportsSecureCoding: Bool { true }
    var name = ""
    var items: [String] = []

    override init() {}

    init?(coder: NSCoder) {
        name = coder.decodeObject(of: NSString.self, forKey: "name").map { "\($0)" } ?? ""
        items = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "items") as? [String] ?? []
    }

    func encode(with coder: NSCoder) {
        coder.encode(name as NSString, forKey: "name")
        coder.encode(items as NSArray, forKey: "items")
    }
}

/// A value whose encoding calls a closure first.
private struct Observed: Codable, Sendable {
    final class Observer: Sendable {
        let willEncode = Locked<(@Sendable () -> Void)?>(nil)

        /// Calls a closure before the next encoding alone.
        func once(_ body: @escaping @Sendable () -> Void) { willEncode.withLock { $0 = body } }
    }

    var observer: Observer?

    init(_ observer: Observer) { self.observer = observer }
    init(from decoder: any Decoder) throws {}
    func encode(to encoder: any Encoder) throws {
        observer?.willEncode.withLock { $0.take() }?()
        var container = encoder.singleValueContainer()
        try container.encode(observer == nil ? 0 : 1)
    }
}

private struct Session: Codable, Equatable, Sendable {
    var name = ""
    var count = 0
}

/// A repository that counts saves, and reports each.
private final class Repository<Value: Codable & Sendable>: PersistentObjectRepository {
    private let stored = Mutex<PreferenceValue?>(nil)
    let saves = Recorder<PreferenceValue?>()
    let (saved, continuation) = AsyncStream.makeStream(of: Void.self)

    func load() throws -> Value? {
        try stored.withLock { $0 }.map { try CodedValue<Value>(preferenceValue: $0).value }
    }

    func save(_ value: Value?) throws {
        let coded = try value.map { try CodedValue(value: $0).preferenceValue() }
        stored.withLock { $0 = coded }
        saves.add(coded)
        continuation.yield()
    }
}

@Suite("PersistentObject: changes in place")
struct ChangedInPlaceParityTests {
    @Test("an object that is changed in place: saved by itself, once for many changes")
    func savedByItself() async {
        let repository = Repository<Session>()
        let object = PersistentObject(repository)
        object.update { session in
            session = Session()
            session?.name = "x"
            session?.count += 1
        }
        for await _ in repository.saved { break }
        #expect(repository.saves.all == [["name": "x", "count": 1]])
        #expect(!object.hasUnsavedChange)
        #expect(object.value == Session(name: "x", count: 1))
    }

    @Test("Several updates cause one save, at the latest when the object is released")
    func onceForMany() throws {
        let repository = Repository<Session>()
        let later = Recorder<@Sendable () -> Void>()
        do {
            let object = PersistentObject(PersistentObjectEngine(repository) { later.add($0) })
            for _ in 1...100 { object.update { $0 = Session(name: "a", count: ($0?.count ?? 0) + 1) } }
            #expect(repository.saves.all.isEmpty)
            #expect(object.hasUnsavedChange)
            #expect(later.all.count == 1)
            later.all[0]()
            #expect(repository.saves.all == [["name": "a", "count": 100]])
            object.update { $0?.count = 101 }
            #expect(later.all.count == 2)
        }
        #expect(repository.saves.all.count == 2)
        later.all[1]()
        #expect(repository.saves.all == [["name": "a", "count": 100], ["name": "a", "count": 101]])
    }

    @Test("An enum names an object of a store, or of preferences")
    func namedByEnum() throws {
        enum Name: String { case session }
        let preferences = Preferences.inMemory()
        let object = PersistentObject<Session>(named: Name.session, in: preferences)
        object.reset(to: Session(name: "x"))
        try object.save()
        #expect(preferences["session"] == ["name": "x", "count": 0])
        #expect(PersistentObject<Session>(named: Name.session, in: preferences.store).value?.name == "x")
    }

    @Test("An update that only reads a stale value saves nothing")
    func readOnly() throws {
        let store = NonNotifyingStore()
        do {
            let stale = PersistentObject<Session>(named: "session", in: store)
            let other = PersistentObject<Session>(named: "session", in: store)
            other.reset(to: Session(name: "new"))
            try other.save()
            stale.update { _ = $0?.count }
            #expect(!stale.hasUnsavedChange)
        }
        #expect(store.value(for: "session") == ["name": "new", "count": 0])
    }

    @Test("An external change during an update that leaves nothing is loaded after it")
    func externalChangeInUpdate() {
        let store = MemoryStore()
        let object = PersistentObject<Session>(named: "session", in: store)
        object.update { session in
            store.apply(["session": .set(["name": "other", "count": 1])])
            session?.name = "x"
        }
        #expect(object.value == Session(name: "other", count: 1))
        #expect(!object.hasUnsavedChange)
    }

    @Test("A delegate can adopt an external change that was made during an update")
    func resettingDelegate() throws {
        let store = MemoryStore()
        let object = PersistentObject<Session>(named: "session", in: store) { session, change in
            if change.isConflict { session.reset(to: change.new) }
        }
        object.update { session in
            session = Session(name: "own")
            store.apply(["session": .set(["name": "other", "count": 1])])
        }
        #expect(object.value == Session(name: "other", count: 1))
        try object.save()
        #expect(store.value(for: "session") == ["name": "other", "count": 1])
    }

    @Test("A stored value that cannot be read is not overwritten by an update, and is by a reset")
    func unreadable() throws {
        let store: MemoryStore = ["session": "text"]
        let object = PersistentObject<Session>(named: "session", in: store)
        object.update { $0 = $0 ?? Session(name: "new") }
        #expect(throws: PreferenceProblem.self) { try object.save() }
        #expect(store.value(for: "session") == "text")
        object.reset(to: object.value)
        try object.save()
        #expect(store.value(for: "session") == ["name": "new", "count": 0])
    }

    @Test("Archived objects inside another value, also as the only one, are saved with their changes")
    func nestedArchive() throws {
        struct Wrapper: Codable, Sendable {
            var player: Archived<Player>

            init() { player = Archived(Player()) }
            init(from decoder: any Decoder) throws { player = try decoder.singleValueContainer().decode(Archived.self) }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(player)
            }
        }
        let store = MemoryStore()
        do {
            let players = PersistentObject<[Archived<Player>]>(named: "players", in: store)
            let wrapper = PersistentObject<Wrapper>(named: "wrapper", in: store)
            players.reset(to: [Archived(Player())])
            wrapper.reset(to: Wrapper())
            try players.save()
            try wrapper.save()
        }
        for name in ["x", "y"] {
            let players = PersistentObject<[Archived<Player>]>(named: "players", in: store)
            let wrapper = PersistentObject<Wrapper>(named: "wrapper", in: store)
            players.update { $0?[0].name = name }
            wrapper.update { $0?.player.name = name }
            try players.save()
            try wrapper.save()
            #expect(PersistentObject<[Archived<Player>]>(named: "players", in: store).value?[0].name == name)
            #expect(PersistentObject<Wrapper>(named: "wrapper", in: store).value?.player.name == name)
            // The own save is no external change.
            let player = players.value?[0].object
            try players.synchronize()
            #expect(players.value?[0].object === player)
        }
    }

    @Test("An update that leaves an archived object as it is saves nothing")
    func unchangedArchive() throws {
        let store = MemoryStore()
        let object = PersistentObject<Archived<Player>>(named: "player", in: store)
        object.reset(to: Archived(Player()))
        try object.save()
        let loaded = PersistentObject<Archived<Player>>(named: "player", in: store)
        for object in [object, loaded] {
            object.update { _ = $0?.name }
            #expect(!object.hasUnsavedChange)
        }
    }

    @Test("Archived objects that a repository keeps are saved with their changes")
    func keptArchive() throws {
        final class Keeper: PersistentObjectRepository {
            let kept = Locked<[Archived<Player>]?>(nil)
            func load() -> [Archived<Player>]? { kept.withLock { $0 } }
            func save(_ value: [Archived<Player>]?) { kept.withLock { $0 = value } }
        }
        let keeper = Keeper()
        let first = PersistentObject(keeper)
        first.reset(to: [Archived(Player())])
        try first.save()
        let second = PersistentObject(keeper)
        second.update { $0?[0].name = "x" }
        #expect(second.hasUnsavedChange)
        try second.save()
        #expect(keeper.load()?[0].name == "x")
    }

    @Test("A value that its decoding changes is saved as it is decoded, which is no external change")
    func normalizedValue() throws {
        struct Level: Codable, Sendable {
            var value: Int
            init(_ value: Int) { self.value = value }
            init(from decoder: any Decoder) throws {
                value = min(try decoder.singleValueContainer().decode(Int.self), 100)
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(value)
            }
        }
        let store = MemoryStore()
        let seen = Recorder<Int?>()
        let object = PersistentObject<Level>(named: "level", in: store) { _, change in seen.add(change.new?.value) }
        object.update { $0 = Level(150) }
        try object.save()
        try object.synchronize()
        #expect(store.value(for: "level") == 100)
        #expect(seen.all.isEmpty)
    }

    @Test("An archive of another class is reported, and remains")
    func otherClass() throws {
        let archive = try NSKeyedArchiver.archivedData(withRootObject: "text" as NSString, requiringSecureCoding: true)
        let store: MemoryStore = ["player": .data(archive)]
        do {
            let object = PersistentObject<Archived<Player>>(named: "player", in: store)
            #expect(object.loadProblem?.code == .typeMismatch)
            #expect(object.loadProblem?.message.contains("the data is not an archive of Player") == true)
        }
        #expect(store.value(for: "player") == .data(archive))
    }

    @Test("A value that could not be loaded again is not saved")
    func notDecodable() throws {
        struct OneWay: Codable, Sendable {
            init() {}
            init(from decoder: any Decoder) throws {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "one way"))
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(1)
            }
        }
        let store: MemoryStore = ["other": 1]
        let object = PersistentObject<OneWay>(named: "value", in: store)
        object.reset(to: OneWay())
        let problem = #expect(throws: PreferenceProblem.self) { try object.save() }
        #expect(
            problem?.message
                == "this OneWay cannot be stored: it could not be loaded again: one way; the object was not saved"
        )
        #expect(store.value(for: "value") == nil)
        object.reset(to: nil)
    }

    @Test("A reset during an update replaces its result")
    func resetDuringUpdate() throws {
        let object = PersistentObject<Session>(named: "session", in: MemoryStore())
        object.update { session in
            object.reset(to: Session(name: "reset"))
            session = Session(name: "update")
        }
        #expect(object.value == Session(name: "reset"))
        #expect(object.hasUnsavedChange)
    }

    @Test("An update may use the object's store while the object is saved", arguments: ["a store", "preferences"])
    private func updateUsingStore(_ place: String) async throws {
        let store = MemoryStore()
        let preferences = Preferences(store: store)
        let object =
            place == "a store"
            ? PersistentObject<Session>(named: "session", in: store)
            : PersistentObject<Session>(named: "session", in: preferences)
        let isDone = Locked(false)
        let saving = OwnThread {
            while !isDone.withLock({ $0 }) { try object.save() }
        }
        for count in 1...2_000 {
            object.update { session in
                session = Session(name: "x", count: count)
                preferences.set(named: "other", to: count)
            }
        }
        isDone.withLock { $0 = true }
        try await saving.result
        try object.save()
        #expect(preferences["session"] == ["name": "x", "count": 2_000])
        #expect(preferences["other"] == 2_000)
    }

    @Test("A save and a synchronization during an update on another thread do not wait: the value before it is saved")
    func saveDuringUpdate() async throws {
        let repository = Repository<Session>()
        let later = Recorder<@Sendable () -> Void>()
        let object = PersistentObject(PersistentObjectEngine(repository) { later.add($0) })
        object.update { $0 = Session(name: "first") }
        let isDone = DispatchSemaphore(value: 0)
        let saving = Locked<OwnThread<Void>?>(nil)
        object.update { session in
            session = Session(name: "second")
            let thread = OwnThread {
                defer { isDone.signal() }
                later.all[0]()
                try object.synchronize()
            }
            saving.withLock { $0 = thread }
            isDone.wait()
            #expect(repository.saves.all == [["name": "first", "count": 0]])
            #expect(!object.hasUnsavedChange)
        }
        try await saving.withLock { $0 }?.result
        #expect(object.hasUnsavedChange)
        later.all[1]()
        #expect(repository.saves.all.last == ["name": "second", "count": 0])
    }

    @Test("A save while an update encodes the value before it does not wait for the body of the update")
    func saveAtBeginOfUpdate() async throws {
        // The save begins during the encoding in most of the attempts.
        for _ in 1...50 {
            let observer = Observed.Observer()
            let object = PersistentObject(Repository<Observed>())
            object.reset(to: Observed(observer))
            let (isEncoding, isSaving) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let isSaved = DispatchSemaphore(value: 0)
            observer.once {
                isEncoding.signal()
                isSaving.wait()
            }
            let updating = OwnThread {
                object.update { _ in isSaved.wait(timeout: .now() + 10) == .success }
            }
            let saving = OwnThread {
                isEncoding.wait()
                isSaving.signal()
                try object.save()
                isSaved.signal()
            }
            #expect(try await updating.result)
            try await saving.result
        }
    }

    @Test("An external change while a save encodes the value is loaded once")
    func changeDuringEncoding() async throws {
        let loads = Recorder<Void>()
        struct Loading: PersistentObjectRepository {
            let loads: Recorder<Void>
            let observers = PreferenceStoreObservers()
            func load() -> Observed? {
                loads.add(())
                return nil
            }
            func save(_ value: Observed?) {}
            func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation
            {
                observers.add(observer)
            }
        }
        let (observer, repository) = (Observed.Observer(), Loading(loads: loads))
        let object = PersistentObject(repository)
        object.reset(to: Observed(observer))
        let (isEncoding, isNotified) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        observer.once {
            isEncoding.signal()
            #expect(isNotified.wait(timeout: .now() + 10) == .success)
        }
        let saving = OwnThread { try object.save() }
        let notifying = OwnThread {
            isEncoding.wait()
            let count = loads.all.count
            repository.observers.notify(.everything)
            isNotified.signal()
            return count
        }
        let count = try await notifying.result
        try await saving.result
        // By this notification, and before the save.
        #expect(loads.all.count <= count + 2)
    }

    @Test("A save does not replace a later value that was saved in the meantime")
    func overtakenSave() throws {
        struct Number: Codable, Sendable {
            static let willDecode = Locked<(@Sendable () -> Void)?>(nil)
            let number: Int
            init(_ number: Int) { self.number = number }
            init(from decoder: any Decoder) throws {
                Self.willDecode.withLock { $0.take() }?()
                number = try decoder.singleValueContainer().decode(Int.self)
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(number)
            }
        }
        let repository = Repository<Number>()
        let object = PersistentObject(PersistentObjectEngine(repository) { _ in })
        object.reset(to: Number(1))
        // While the value is copied, before it is stored.
        Number.willDecode.withLock {
            $0 = {
                object.reset(to: Number(2))
                #expect(throws: Never.self) { try object.save() }
                object.reset(to: Number(3))
            }
        }
        try object.save()
        #expect(repository.saves.all == [2, 3])
    }

    @Test(
        "An external change on another thread during an update is loaded after it, or a conflict",
        arguments: [nil, 1]
    )
    private func externalChangeOnOtherThread(_ own: Int?) {
        let store = MemoryStore()
        let seen = Recorder<PersistentObjectChange<Int>>()
        let object = PersistentObject<Int>(PersistentObjectEngine(StoreObjectRepository(store, "count")) { _ in })
        object.watch { seen.add($0) }
        object.update { value in
            value = own
            let isDone = DispatchSemaphore(value: 0)
            Thread {
                store.apply(["count": .set(2)])
                isDone.signal()
            }.start()
            isDone.wait()
            #expect(seen.all.isEmpty)
        }
        #expect(seen.all == [PersistentObjectChange(old: own, new: 2, isConflict: own != nil)])
        #expect(object.value == own ?? 2)
    }

    @Test("A save during an update stores archived objects exactly")
    func exactArchiveDuringUpdate() async throws {
        let store = MemoryStore()
        let object = PersistentObject<Archived<Player>>(named: "player", in: store)
        object.reset(to: Archived(Player()))
        object.update { $0?.name = "\u{FEFF}x" }
        let isSaved = DispatchSemaphore(value: 0)
        object.update { _ in
            Thread {
                #expect(throws: Never.self) { try object.save() }
                isSaved.signal()
            }.start()
            isSaved.wait()
        }
        #expect(PersistentObject<Archived<Player>>(named: "player", in: store).value?.name == "\u{FEFF}x")
    }

    @Test("The conflict of an object that is released in an update of another one is delivered after that")
    func releasedInUpdate() throws {
        let store = NonNotifyingStore()
        let seen = Recorder<PersistentObjectChange<Int>>()
        PersistentObject<Int>(named: "other", in: MemoryStore()).update { _ in
            let object = PersistentObject<Int>(named: "count", in: store)
            object.watch { seen.add($0) }
            object.reset(to: 1)
            store.apply(["count": .set(2)])
        }
        #expect(seen.all == [PersistentObjectChange(old: 1, new: 2, isConflict: true)])
        #expect(store.value(for: "count") == 1)
    }

    @Test("A change by an update may cause another update of the object, which follows it")
    func updateByDelegate() throws {
        let store = MemoryStore()
        let object = PersistentObject<Session>(named: "session", in: store)
        let other = PersistentObject<Int>(named: "other", in: store) { _, change in
            object.update { $0?.count += change.new ?? 0 }
        }
        object.update { session in
            session = Session(name: "x", count: 1)
            store.apply(["other": .set(5)])
        }
        #expect(object.value == Session(name: "x", count: 6))
        withExtendedLifetime(other) {}
    }

    @Test("External changes during updates on several threads are loaded after them")
    func externalChangesBetweenUpdates() throws {
        let store = MemoryStore()
        let object = PersistentObject<Session>(named: "session", in: store)
        DispatchQueue.concurrentPerform(iterations: 400) { number in
            if number.isMultiple(of: 4) {
                store.apply(["session": .set(["name": "other", "count": .int(Int64(number))])])
            } else {
                object.update { _ = $0?.count }
            }
        }
        let stored = try #require(store.value(for: "session"))
        #expect(try object.value.map { try CodedValue(value: $0).preferenceValue() } == stored)
    }

    @Test("An object in an array that was reset is not encoded while an update changes it")
    func copiedAfterReset() throws {
        let repository = Repository<[Game]>()
        do {
            let object = PersistentObject(repository)
            let game = Game()
            DispatchQueue.concurrentPerform(iterations: 200) { number in
                if number.isMultiple(of: 2) {
                    object.update { games in
                        games = [game]
                        game.scores.append(number)
                        game.name = "\(game.scores.count)"
                    }
                } else {
                    object.reset(to: [game])
                    #expect(throws: Never.self) { try object.save() }
                }
            }
        }
        let saved = try repository.saves.all.map { try CodedValue<[Game]>(preferenceValue: #require($0)).value[0] }
        #expect(saved.allSatisfy { $0.name == "\($0.scores.count)" || $0.scores.isEmpty })
    }

    @Test("NSCoding classes, Codable classes with variables: as values", arguments: ["a file", "a store"])
    private func classes(_ place: String) throws {
        try withTemporaryDirectory { folder in
            let store = FileStore(url: folder.appending(component: "store.json"))
            func player() -> PersistentObject<Archived<Player>> {
                place == "a file"
                    ? PersistentObject(path: folder.appending(component: "player").path(percentEncoded: false))
                    : PersistentObject(named: "player", in: store)
            }
            func game() -> PersistentObject<Game> {
                place == "a file"
                    ? PersistentObject(path: folder.appending(component: "game").path(percentEncoded: false))
                    : PersistentObject(named: "game", in: store)
            }
            let (player1, game1) = (player(), game())
            player1.update { $0 = Archived(Player()) }
            game1.update { $0 = Game() }
            try player1.save()
            try game1.save()
            // In place: the object is the same.
            let (before, gameBefore) = (player1.value?.object, game1.value)
            player1.update { $0?.name = "x" }
            player1.update { $0?.items.append("lamp") }
            game1.update { $0?.name = "x" }
            game1.update { $0?.scores.append(3) }
            #expect(player1.value?.object === before)
            #expect(game1.value === gameBefore)
            #expect(player1.hasUnsavedChange && game1.hasUnsavedChange)
            try player1.save()
            try game1.save()
            let (player2, game2) = (player(), game())
            #expect(player2.value?.name == "x")
            #expect(player2.value?.items == ["lamp"])
            #expect(game2.value?.name == "x")
            #expect(game2.value?.scores == [3])
            // The own save is no external change, although two archives of an object differ.
            try player1.synchronize()
            try player2.synchronize()
            #expect(player1.value?.object === before)
        }
    }

    #if !canImport(Darwin)
        // `NSObject` is not `Sendable`, so that the conformance is unchecked; the class has no state.
        final class Nested: NSObject, NSSecureCoding, @unchecked Sendable {
            static var supportsSecureCoding: Bool { true }
            override init() {}
            init?(coder: NSCoder) {}
            func encode(with coder: NSCoder) {}
        }

        @Test("A nested class, which Foundation cannot archive on Linux, is a problem of the save")
        func nested() {
            let object = PersistentObject(named: "nested", in: MemoryStore()) as PersistentObject<Archived<Nested>>
            object.reset(to: Archived(Nested()))
            let problem = #expect(throws: PreferenceProblem.self) { try object.save() }
            #expect(problem?.code == .unencodable)
            #expect(problem?.message.contains("declare it at the top level of a file, and not as private") == true)
            object.reset(to: nil)
        }
    #endif

    @Test("An archive that is not one of the class is reported, and not overwritten by an update that leaves nothing")
    func undecodable() throws {
        let store: MemoryStore = ["player": "text"]
        do {
            let object = PersistentObject<Archived<Player>>(named: "player", in: store)
            #expect(object.loadProblem?.code == .typeMismatch)
            object.update { $0?.name = "x" }
            #expect(!object.hasUnsavedChange)
        }
        #expect(store.value(for: "player") == "text")
    }

    @Test("Updates on several threads exclude each other, and saves in between copy whole values")
    func concurrentUpdates() throws {
        let repository = Repository<Game>()
        do {
            let object = PersistentObject(repository)
            object.reset(to: Game())
            DispatchQueue.concurrentPerform(iterations: 200) { number in
                object.update { game in
                    game?.scores.append(number)
                    game?.name = "\(game?.scores.count ?? 0)"
                }
                if number.isMultiple(of: 10) { #expect(throws: Never.self) { try object.save() } }
            }
            #expect(object.value?.scores.sorted() == Array(0..<200))
        }
        let saved = try repository.saves.all.map { value in
            try CodedValue<Game>(preferenceValue: #require(value)).value
        }
        #expect(saved.allSatisfy { $0.name == "\($0.scores.count)" || $0.scores.isEmpty })
        #expect(saved.last?.scores.count == 200)
    }

    @Test("A save in an update is refused, and the update is saved later")
    func saveInUpdate() async {
        let repository = Repository<Session>()
        let object = PersistentObject(repository)
        object.reset(to: Session())
        object.update { session in
            session?.count = 1
            let problem = #expect(throws: PreferenceProblem.self) { try object.save() }
            #expect(problem?.message == "this thread is in an update of the object, which is saved after that")
            #expect(throws: PreferenceProblem.self) { try object.synchronize() }
        }
        for await _ in repository.saved { break }
        #expect(repository.saves.all.count == 1)
    }

    @Test("An external change during an update is a conflict, and an error keeps the changes")
    func conflict() throws {
        struct Refusal: Error {}
        let store = MemoryStore()
        let seen = Recorder<PersistentObjectChange<Session>>()
        let object = PersistentObject<Session>(named: "session", in: store) { _, change in seen.add(change) }
        object.reset(to: Session(name: "first"))
        try object.save()
        #expect(throws: Refusal.self) {
            try object.update { session in
                session?.count = 1
                store.apply(["session": .set(["name": "second", "count": 0])])
                throw Refusal()
            }
        }
        #expect(object.value == Session(name: "first", count: 1))
        let expected = PersistentObjectChange(
            old: Session(name: "first", count: 1),
            new: Session(name: "second"),
            isConflict: true
        )
        #expect(seen.all == [expected])
        try object.save()
        #expect(store.value(for: "session") == ["name": "first", "count": 1])
    }

    @Test("a delegate, given at init, that gets the object: called for external changes, with the reason")
    func delegate() throws {
        let cloud = CloudDouble { Issue.record("\($0)") }
        let seen = Recorder<String>()
        let origins = Recorder<PreferenceChangeOrigin>()
        weak var released: PersistentObject<Session>?
        do {
            let object = PersistentObject<Session>(named: "session", in: UbiquitousKeyValues(cloud)) { object, change in
                seen.add(object.value?.name ?? "nothing")
                origins.add(change.origin)
            }
            released = object
            object.reset(to: Session(name: "own"))
            try object.save()
            #expect(seen.all.isEmpty)
            cloud.change(["session": ["name": "server", "count": 1]], reason: 0, names: ["session"])
            cloud.change(["session": nil], reason: 3, names: nil)
            cloud.change(["session": ["name": "other", "count": 1]], reason: nil, names: nil)
        }
        #expect(seen.all == ["server", "nothing", "other"])
        #expect(origins.all == [.iCloudServerChange, .iCloudAccountChange, .external])
        #expect(released == nil)
    }

    @MainActor
    @Test("A delegate that is isolated to an actor runs there, and objects by path and of preferences have delegates")
    func delegateOnActor() async throws {
        let preferences = Preferences.inMemory()
        let seen = Recorder<Int?>()
        let object = PersistentObject<Int>(named: "count", in: preferences) { @MainActor object, change in
            MainActor.assertIsolated()
            seen.add(object.value)
        }
        preferences.set(named: "count", to: 3)
        #expect(object.value == 3)
        #expect(seen.all == [3])
    }
}
