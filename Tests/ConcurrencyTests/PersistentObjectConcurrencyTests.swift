import Dispatch
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesObjects
@testable import PreferencesRuntime
@testable import PreferencesSystem

/// Objects that are used by many threads.
@Suite("Persistent objects used by many threads")
struct PersistentObjectConcurrencyTests {
    @Test("The value that is stored in the end is that of the object")
    func theLastValueIsStored() async throws {
        let repository = MemoryRepository(0)
        let object = PersistentObject(repository)
        await runConcurrently(threads: 4) { thread in
            for number in 1...500 {
                object.reset(to: thread * 1_000 + number)
                #expect(throws: Never.self) { try object.save() }
                _ = object.hasUnsavedChange
            }
        }
        #expect(!object.hasUnsavedChange)
        #expect(repository.load() == object.value)
    }

    @Test("Watchers can be added and cancelled while other threads store")
    func watchersComeAndGoWhileOthersStore() async throws {
        let store = MemoryStore()
        let object = PersistentObject<Int>(named: "it", in: store)
        let latest = Locked<Int?>(nil)
        object.watch { change in latest.withLock { $0 = change.new } }
        await runConcurrently(threads: 4) { thread in
            for number in 1...300 {
                switch thread {
                case 0: store.apply(["it": .set(.int(Int64(number)))])
                case 1: object.watch { _ in }.cancel()
                case 2: _ = object.changes()
                default: #expect(throws: Never.self) { try object.synchronize() }
                }
            }
        }
        #expect(object.value == 300)
        #expect(latest.withLock { $0 } == 300)
    }

    @Test("Two objects of one store end with the same value")
    func twoObjectsOfOneStoreEndWithTheSame() async throws {
        try await withFile { url in
            let preferences = Preferences(store: FileStore(url: url))
            let objects = [
                PersistentObject<Int>(named: "launchCount", in: preferences),
                PersistentObject<Int>(named: "launchCount", in: preferences.store),
            ]
            await runConcurrently(threads: 4) { thread in
                for number in 1...20 {
                    if thread < 2 {
                        objects[thread].reset(to: thread * 100 + number)
                        #expect(throws: Never.self) { try objects[thread].save() }
                    } else {
                        preferences.launchCount = -number
                    }
                }
            }
            for object in objects { try object.synchronize() }
            #expect(Set(objects.map(\.value)) == [preferences.launchCount])
        }
    }
}

/// A repository in memory that notifies observers of each save.
private final class MemoryRepository: PersistentObjectRepository {
    let label = "memory"
    private let stored: Locked<Int?>
    private let observers = PreferenceStoreObservers()

    init(_ stored: Int?) {
        self.stored = Locked(stored)
    }

    func load() -> Int? { stored.withLock { $0 } }

    func save(_ value: Int?) {
        stored.withLock { $0 = value }
        observers.notify(.everything)
    }

    func synchronize() {}

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        observers.add(observer)
    }
}
