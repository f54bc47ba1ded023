import Foundation
import TestSupport
import Testing

@testable import PreferencesRuntime

struct FileStoreDurabilityTests {
    private func withFile(_ body: (URL) throws -> Void) throws {
        try withTemporaryDirectory { folder in try body(folder.appending(component: "preferences.json")) }
    }

    @Test func whatWasSetIsReadAtOnceByThisStore() throws {
        try withFile { url in
            let store = FileStore(url: url, durability: .coalesced(milliseconds: 3_600_000))
            try store.apply(["a": .set(1), "b": .set(2)])
            try store.apply(["a": .remove])
            #expect(try store.value(for: "a") == nil)
            #expect(try store.value(for: "b") == 2)
            #expect(try store.names() == ["b"])
            #expect(!url.exists)
        }
    }

    @Test func aStoreThatIsReleasedHasWritten() throws {
        try withFile { url in
            do {
                let store = FileStore(url: url, durability: .coalesced(milliseconds: 3_600_000))
                try store.apply(["a": .set(1)])
            }
            #expect(try url.text() == "{\n  \"a\": 1\n}\n")
        }
    }

    @Test func anotherStoreOfThisProcessReadsWhatIsUnwritten() throws {
        try withFile { url in
            let store = FileStore(url: url, durability: .coalesced(milliseconds: 3_600_000))
            try store.apply(["a": .set(1)])
            let other = FileStore(url: url)
            #expect(try other.value(for: "a") == 1)
            try store.apply(["a": .set(2)])
            #expect(try other.value(for: "a") == 2)
        }
    }
}

extension URL {
    fileprivate var exists: Bool { FileManager.default.fileExists(atPath: filePath) }
}
