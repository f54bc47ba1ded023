import Foundation
import PreferencesRuntime
import TestSupport
import Testing

/// Changes that are made from what is in the file.
struct FileStoreUpdateTests {
    private struct Refusal: Error {}

    private func withFile(_ text: String? = nil, _ body: (URL) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            if let text { try url.write(text) }
            try body(url)
        }
    }

    @Test func aBatchIsMadeFromWhatIsInTheFileNow() throws {
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

    @Test func whatTheClosureThrowsIsThrownAndNothingChanges() throws {
        try withFile("{\"a\": 1}") { url in
            let store = FileStore(url: url, durability: .immediate)
            #expect(throws: Refusal.self) { try store.update { _ in throw Refusal() } }
            #expect(try url.text() == "{\"a\": 1}")
            try store.apply(["b": .set(2)])
            #expect(try store.names() == ["a", "b"])
        }
    }

    @Test(arguments: [[:], ["a": .set(1)], ["c": .remove]] as [[String: PreferenceEdit]])
    func aBatchThatChangesNothingWritesNothing(batch: [String: PreferenceEdit]) throws {
        try withFile("{\"a\":1}") { url in
            try FileStore(url: url, durability: .immediate).update { _ in PreferenceBatch(batch) }
            #expect(try url.text() == "{\"a\":1}")
        }
    }

    @Test func aBatchThatOnlyRemovesMakesNoFile() throws {
        try withFile { url in
            try FileStore(url: url, durability: .immediate).update { _ in ["a": .remove] }
            #expect(!FileManager.default.fileExists(atPath: url.filePath))
        }
    }

    @Test func anUpdateMakesTheFileAndItsFolder() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(components: "app", "preferences.json")
            try FileStore(url: url, durability: .immediate).update { _ in ["a": .set(1)] }
            #expect(try FileStore(url: url, durability: .immediate).value(for: "a") == 1)
        }
    }

    @Test func aFileThatDoesNotParseIsAProblemBeforeTheClosureRuns() throws {
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

    @Test func aValueThatCannotBeReadIsAProblemOfItsKey() throws {
        try withFile("{\"a\": {\"$date\": \"yesterday\"}}") { url in
            let problem = #expect(throws: PreferenceProblem.self) {
                try FileStore(url: url, durability: .immediate).update { current in ["b": .set(try current("a") ?? 1)] }
            }
            #expect(problem?.code == .unsupportedValue)
            #expect(problem?.key == "a")
        }
    }

    @Test func theClosureMayWriteToTheSameStore() throws {
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

    @Test func whatTheClosureWroteStaysWhenItThrows() throws {
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

    @Test func whatAnEditorWritesMeanwhileStays() throws {
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

    @Test func storesOfOtherFilesMayBeWrittenInTheClosure() throws {
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
