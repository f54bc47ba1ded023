import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// Changes that are computed from the contents of the file.
struct FileStoreUpdateTests {
    private struct Refusal: Error {}

    private func withFile(_ text: String? = nil, _ body: (URL) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            if let text { try url.write(text) }
            try body(url)
        }
    }

    @Test("An update begins from the file's present contents")
    func anUpdateBeginsFromTheFilesPresentContents() throws {
        try withFile { url in
            let store = FileStore(url: url, durability: .immediate)
            try store.apply(["a": .set(1)])
            try FileStore(url: url, durability: .immediate).apply(["a": .set(5)])
            try store.update { current in
                let a = try current("a")
                #expect(a == 5)
                #expect(try store.value(for: "a") == 5)
                let b = try current("b")
                #expect(b == nil)
                return ["b": .set(try current("a") ?? 0), "a": .remove]
            }
            #expect(try url.text() == "{\n  \"b\": 5\n}\n")
        }
    }

    @Test("An error of the closure is thrown, and nothing changes")
    func anErrorOfTheClosureIsThrownAndNothingChanges() throws {
        try withFile("{\"a\": 1}") { url in
            let store = FileStore(url: url, durability: .immediate)
            #expect(throws: Refusal.self) { try store.update { _ in throw Refusal() } }
            #expect(try url.text() == "{\"a\": 1}")
            try store.apply(["b": .set(2)])
            #expect(try store.names() == ["a", "b"])
        }
    }

    @Test(
        "A batch that changes nothing writes nothing",
        arguments: [[:], ["a": .set(1)], ["c": .remove]] as [[String: PreferenceEdit]]
    )
    func aBatchThatChangesNothingWritesNothing(batch: [String: PreferenceEdit]) throws {
        try withFile("{\"a\":1}") { url in
            try FileStore(url: url, durability: .immediate).update { _ in PreferenceBatch(batch) }
            #expect(try url.text() == "{\"a\":1}")
        }
    }

    @Test("A batch that only removes creates no file")
    func aBatchThatOnlyRemovesCreatesNoFile() throws {
        try withFile { url in
            try FileStore(url: url, durability: .immediate).update { _ in ["a": .remove] }
            #expect(!FileManager.default.fileExists(atPath: url.filePath))
        }
    }

    @Test("An update creates the file and its folder")
    func anUpdateCreatesTheFileAndItsFolder() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(components: "app", "preferences.json")
            try FileStore(url: url, durability: .immediate).update { _ in ["a": .set(1)] }
            #expect(try FileStore(url: url, durability: .immediate).value(for: "a") == 1)
        }
    }

    @Test("A file that does not parse is a problem before the closure runs")
    func aFileThatDoesNotParseIsAProblemBeforeTheClosureRuns() throws {
        try withFile("{") { url throws in
            let problem = #expect(throws: PreferenceProblem.self) {
                try FileStore(url: url, durability: .immediate).update { _ in
                    Issue.record("it ran")
                    return [:]
                }
            }
            #expect(problem?.code == .storeMalformed)
            #expect(try url.text() == "{")
        }
    }

    @Test("A value that cannot be read is a problem of its key")
    func aValueThatCannotBeReadIsAProblemOfItsKey() throws {
        try withFile("{\"a\": {\"$date\": \"yesterday\"}}") { url in
            let problem = #expect(throws: PreferenceProblem.self) {
                try FileStore(url: url, durability: .immediate).update { current in ["b": .set(try current("a") ?? 1)] }
            }
            #expect(problem?.code == .unsupportedValue)
            #expect(problem?.key == "a")
        }
    }

    @Test("The closure may write to the same store")
    func theClosureMayWriteToTheSameStore() throws {
        try withFile { url in
            let store = FileStore(url: url, durability: .immediate)
            try store.update { current in
                try store.apply(["a": .set(1), "b": .set(1)])
                #expect(try FileStore(url: url, durability: .immediate).value(for: "a") == 1)
                try store.update { current in
                    let b = try current("b")
                    #expect(b == 1)
                    return ["c": .set(2)]
                }
                let c = try current("c")
                #expect(c == 2)
                return ["b": .set(3)]
            }
            #expect(try FileStore(url: url, durability: .immediate).names() == ["a", "b", "c"])
            #expect(try store.value(for: "b") == 3)
        }
    }

    @Test("The closure's own sets are kept when it throws")
    func theClosuresOwnSetsAreKeptWhenItThrows() throws {
        try withFile { url throws in
            let store = FileStore(url: url, durability: .immediate)
            #expect(throws: Refusal.self) {
                try store.update { _ in
                    try store.apply(["a": .set(1)])
                    throw Refusal()
                }
            }
            #expect(try FileStore(url: url, durability: .immediate).value(for: "a") == 1)
        }
    }

    @Test("An editor's changes during an update are kept")
    func anEditorsChangesDuringAnUpdateAreKept() throws {
        try withFile("{\"a\": 1}") { url in
            let store = FileStore(url: url, durability: .immediate)
            try store.update { _ in
                try url.write("{\"a\": 1, \"mine\": true}")
                return ["b": .set(2)]
            }
            #expect(try store.names() == ["a", "b", "mine"])
        }
    }

    @Test("In the closure of an update, a store of the same file by another path is refused")
    func anotherPathToTheFileIsRefusedInTheClosure() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let link = folder.appending(component: "link.json")
            try FileManager.default.createSymbolicLink(atPath: link.filePath, withDestinationPath: "preferences.json")
            let store = FileStore(url: url, durability: .immediate)
            let other = FileStore(url: link, durability: .immediate)
            let problem = PreferenceProblem(
                .storeUnwritable,
                store: other.label,
                message: "this thread is updating the file by another path or in another format, and would wait for "
                    + "itself; use one path and one format for both"
            )
            try store.update { _ throws in
                #expect(throws: problem) { try other.apply(["a": .set(1)]) }
                #expect(throws: problem) { try other.update { _ in ["a": .set(1)] } }
                #expect(try other.value(for: "a") == nil)
                return ["b": .set(2)]
            }
            #expect(try store.names() == ["b"])
            try other.apply(["c": .set(3)])
            #expect(try FileStore(url: url, durability: .immediate).names() == ["b", "c"])
        }
    }

    @Test("In the closure of an update, another store of the same path writes as the same store does")
    func anotherStoreOfTheSamePathMayWriteInTheClosure() throws {
        try withFile { url in
            let store = FileStore(url: url, durability: .immediate)
            let other = FileStore(url: url)
            try store.update { current in
                try other.apply(["a": .set(1)])
                let a = try current("a")
                #expect(a == 1)
                try other.update { _ in ["b": .set(1)] }
                return ["a": .set(2)]
            }
            #expect(try url.text() == "{\n  \"a\": 2,\n  \"b\": 1\n}\n")
        }
    }

    @Test("Stores of other files may be written in the closure")
    func storesOfOtherFilesMayBeWrittenInTheClosure() throws {
        try withTemporaryDirectory { folder in
            let first = FileStore(url: folder.appending(component: "first.json"), durability: .immediate)
            let second = FileStore(url: folder.appending(component: "second.json"), durability: .immediate)
            try first.update { _ in
                try second.update { _ in
                    try first.apply(["a": .set(1)])
                    return ["b": .set(2)]
                }
                return ["c": .set(3)]
            }
            #expect(try first.names() == ["a", "c"])
            #expect(try second.names() == ["b"])
        }
    }
}
