import Foundation
import PreferencesObjects
import PreferencesRuntime
import PreferencesSQLite
import TestSupport
import Testing

/// Persistent objects in a database.
struct SQLiteStoreObjectTests {
    @Test("An object set by another process replaces the cached one, and observers are notified")
    func externalObjectReplacesTheCachedOne() async throws {
        try await withDatabase { database async throws in
            let object = PersistentObject<Int>(named: "object", in: database.store())
            #expect(object.value == nil)
            var changes = object.changes().makeAsyncIterator()
            for number in 1...3 {
                try await database.child("set", "object", number)
                let change = await changes.next(isolation: #isolation)
                #expect(change == PersistentObjectChange(old: number == 1 ? nil : number - 1, new: number))
                #expect(object.value == number)
            }
        }
    }

    @Test("A saved object is read by other stores and by later ones")
    func savedObjectIsReadByOtherStores() async throws {
        try await withDatabase { database async throws in
            let object = PersistentObject<[String: Date]>(named: "object", in: database.store())
            let value = ["opened": Date(timeIntervalSinceReferenceDate: 123.456)]
            object.reset(to: value)
            #expect(PersistentObject<[String: Date]>(named: "object", in: database.store()).value == nil)
            try object.save()
            #expect(PersistentObject<[String: Date]>(named: "object", in: database.store()).value == value)
            object.reset(to: nil)
            try object.save()
            #expect(try database.store().names() == [])
        }
    }

    @Test("Objects are saved when the program exits")
    func objectsAreSavedAtExit() async throws {
        try await withDatabase { database async throws in
            try await database.child("object", "exit", 1)
            #expect(try database.store().value(for: "object") == 2)
        }
    }
}
