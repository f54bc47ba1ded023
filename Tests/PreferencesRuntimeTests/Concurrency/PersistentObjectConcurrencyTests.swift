import Dispatch
import Foundation
import TestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem
import StoreTestSupport
@testable import PreferencesObjects

/// Objects that many threads use.
@Suite("Persistent objects used by many threads")
struct PersistentObjectConcurrencyTests {
    /// Runs a body on several threads, and returns when all have ended.
    private func hammer(_ threadCount: Int = 4, _ body: @escaping @Sendable (_ thread: Int) -> Void) async {
        await withTaskGroup { group in
            for thread in 0..<threadCount { group.addTask { body(thread) } }
        }
    }

    @Test("The value that is stored in the end is that of the object")
    func theLastValueIsStored() async throws {
        let repository = LoggedRepository(0)
        let object = PersistentObject(repository)
        await hammer { thread in
            for number in 1...500 {
                object.reset(to: thread * 1_000 + number)
                #expect(throws: Never.self) { try object.save() }
                _ = object.hasUnsavedChange
            }
        }
        #expect(!object.hasUnsavedChange)
        #expect(repository.stored == object.value)
    }

    @Test("Watchers can be added and cancelled while other threads store")
    func watchersComeAndGoWhileOthersStore() async throws {
        let store = MemoryStore()
        let object = PersistentObject<Int>(named: "it", in: store)
        let latest = Locked<Int?>(nil)
        object.watch { change in latest.withLock { $0 = change.new } }
        await hammer { thread in
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
            await hammer { thread in
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
