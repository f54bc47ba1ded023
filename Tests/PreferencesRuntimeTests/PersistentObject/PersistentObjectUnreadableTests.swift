import Foundation
import TestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesObjects

/// Stored values that cannot be read: they are never overwritten by themselves.
struct PersistentObjectUnreadableTests {
    private static let message =
        "expected Int, found the string \"precious\"; what is stored stays as it is until the object is reset and saved"
    private static let problem = PreferenceProblem(.typeMismatch, key: "it", store: "memory", message: message)

    private let store: MemoryStore = ["it": "precious"]

    @Test func itIsSaidWhyAndReadsAsNothing() async {
        let object = PersistentObject<Int>(named: "it", in: store)
        #expect(object.value == nil)
        #expect(object.loadProblem == Self.problem)
        #expect(await object.reportedProblems() == [Self.problem])
    }

    @Test func itStaysWhenTheObjectIsSavedSynchronizedOrReleased() throws {
        do {
            let object = PersistentObject<Int>(named: "it", in: store)
            try object.save()
            #expect(throws: Self.problem) { try object.synchronize() }
        }
        #expect(store.value(for: "it") == "precious")
    }

    @Test(arguments: [nil, 7])
    func itIsOverwrittenWhenTheObjectWasReset(_ value: Int?) throws {
        let object = PersistentObject<Int>(named: "it", in: store)
        object.reset(to: value)
        try object.save()
        #expect(store.value(for: "it") == value.map { .int(Int64($0)) })
        #expect(object.loadProblem == nil)
    }

    @Test func orWhenThatObjectIsReleased() {
        do {
            let object = PersistentObject<Int>(named: "it", in: store)
            object.reset(to: 7)
        }
        #expect(store.value(for: "it") == 7)
    }

    @Test func whatBecomesUnreadableAfterTheResetIsKeptUntilTheNext() async throws {
        let store: MemoryStore = ["it": 1]
        let object = PersistentObject<Int>(named: "it", in: store)
        object.reset(to: 2)
        store.apply(["it": .set("precious")])
        #expect(object.value == 2)
        let refusal = PreferenceProblem(
            .typeMismatch,
            key: "it",
            store: "memory",
            message: "\(Self.message); the object was not saved"
        )
        #expect(throws: refusal) { try object.save() }
        #expect(store.value(for: "it") == "precious")
        #expect(await object.reportedProblems() == [Self.problem])
        object.reset(to: 2)
        try object.save()
        #expect(store.value(for: "it") == 2)
    }

    @Test func soItIsWhenTheObjectIsReleasedWhichSaysWhatIsLost() async {
        let store: MemoryStore = ["it": 1]
        var messages: [String] = []
        for await problem in problemsOfReleased(in: store) { messages.append(problem.message) }
        #expect(
            messages == [
                Self.message, "\(Self.message); the object was not saved, and what it was reset to is lost",
            ]
        )
        #expect(store.value(for: "it") == "precious")
    }

    private func problemsOfReleased(in store: MemoryStore) -> AsyncStream<PreferenceProblem> {
        let object = PersistentObject<Int>(named: "it", in: store)
        object.reset(to: 2)
        store.apply(["it": .set("precious")])
        return object.problems
    }

    @Test func anObjectKeepsWhatItHadUntilItCanBeReadAgain() throws {
        let store: MemoryStore = ["it": 1]
        let object = PersistentObject<Int>(named: "it", in: store)
        store.apply(["it": .set("precious")])
        #expect(object.value == 1)
        #expect(object.loadProblem == Self.problem)
        store.apply(["it": .set(3)])
        #expect(object.value == 3)
        #expect(object.loadProblem == nil)
    }

    @Test func aDamagedFileStaysAndIsSetAsideByAReset() async throws {
        try await withFile { url in
            try url.write("{ \"theme\": ")
            // As one that no editor is at.
            let past = Date(timeIntervalSinceNow: -60)
            try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: url.filePath)
            do {
                let object = PersistentObject<Settings>(file: url)
                let problem = object.loadProblem
                #expect(problem?.code == .storeMalformed)
                #expect(
                    problem?.message == "line 1, column 12: the file ends too early; expected a value; "
                        + "what is stored stays as it is until the object is reset and saved"
                )
            }
            #expect(try url.text() == "{ \"theme\": ")
            let object = PersistentObject<Settings>(file: url)
            object.reset(to: Settings("dark|16"))
            try object.save()
            #expect(PersistentObject<Settings>(file: url).value == Settings("dark|16"))
            let aside = try url.deletingLastPathComponent().contentsOfFolder().filter { $0.contains("corrupt") }
            try #require(aside.count == 1)
            #expect(try url.deletingLastPathComponent().appending(component: aside[0]).text() == "{ \"theme\": ")
            #expect(await object.reportedProblems().contains { $0.code == .setAside })
        }
    }
}
