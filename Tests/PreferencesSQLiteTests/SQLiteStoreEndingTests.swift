import Foundation
import PreferencesRuntime
import PreferencesSQLite
import TestSupport
import Testing

/// What there is when a database is used by no store any more.
struct SQLiteStoreEndingTests {
    @Test func theLogIsInTheFileWhenTheLastStoreHasGone() async throws {
        try await withDatabase { database async throws in
            do {
                let store = database.store()
                try store.apply(["a": .set(1)])
                #expect(try store.value(for: "a") == 1)
            }
            #expect(try Data(contentsOf: URL(filePath: database.path + "-wal")) == Data())
        }
    }

    @Test func aCopyThatIsPutInThePlaceAfterTheLastStoreHasGoneIsReadAsItWas() async throws {
        try await withDatabase { database async throws in
            try database.store().apply(["a": .set(1)])
            let copy = try database.bytes()
            do {
                let store = database.store()
                for number in 2...5 { try store.apply(["a": .set(.int(Int64(number))), "b-\(number)": .set(1)]) }
                #expect(try store.value(for: "a") == 5)
            }
            try database.write(copy)
            let store = database.store()
            #expect(try store.value(for: "a") == 1)
            #expect(try store.names() == ["a"])
        }
    }
}
