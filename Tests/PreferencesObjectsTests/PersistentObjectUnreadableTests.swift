import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesObjects
@testable import PreferencesRuntime

/// Stored values that cannot be read, and are overwritten only after a reset.
struct PersistentObjectUnreadableTests {
    private static let message =
        "expected Int, found the string \"precious\"; the stored value is not changed until the object is reset and saved"
    private static let problem = PreferenceProblem(.typeMismatch, key: "it", store: "memory", message: message)

    private let store: MemoryStore = ["it": "precious"]

    @Test("An unreadable value is reported and reads as nil")
    func anUnreadableValueIsReportedAndReadsAsNil() async {
        let object = PersistentObject<Int>(named: "it", in: store)
        #expect(object.value == nil)
        #expect(object.loadProblem == Self.problem)
        #expect(await object.reportedProblems() == [Self.problem])
    }

    @Test("An unreadable value is kept when the object is saved, synchronized or released")
    func anUnreadableValueIsKeptWhenTheObjectIsSavedSynchronizedOrReleased() throws {
        do {
            let object = PersistentObject<Int>(named: "it", in: store)
            try object.save()
            #expect(throws: Self.problem) { try object.synchronize() }
        }
        #expect(store.value(for: "it") == "precious")
    }

    @Test("A reset replaces an unreadable value", arguments: [nil, 7])
    func aResetReplacesAnUnreadableValue(_ value: Int?) throws {
        let object = PersistentObject<Int>(named: "it", in: store)
        object.reset(to: value)
        try object.save()
        #expect(store.value(for: "it") == value.map { .int(Int64($0)) })
        #expect(object.loadProblem == nil)
    }

    @Test("A reset replaces an unreadable value when the object is released")
    func aResetReplacesAnUnreadableValueWhenTheObjectIsReleased() {
        do {
            let object = PersistentObject<Int>(named: "it", in: store)
            object.reset(to: 7)
        }
        #expect(store.value(for: "it") == 7)
    }

    @Test("A value that becomes unreadable after the reset is kept until the next one")
    func aValueThatBecomesUnreadableAfterTheResetIsKeptUntilTheNextOne() async throws {
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

    @Test("A value that becomes unreadable after the reset is kept at release, and the loss is reported")
    func aValueThatBecomesUnreadableAfterTheResetIsKeptAtReleaseAndTheLossIsReported() async {
        let store: MemoryStore = ["it": 1]
        var messages: [String] = []
        for await problem in problemsOfReleased(in: store) { messages.append(problem.message) }
        #expect(
            messages == [
                Self.message, "\(Self.message); the object was not saved, and its unsaved value is lost",
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

    @Test("An object keeps its value until the store can be read again")
    func anObjectKeepsItsValueUntilTheStoreCanBeReadAgain() throws {
        let store: MemoryStore = ["it": 1]
        let object = PersistentObject<Int>(named: "it", in: store)
        store.apply(["it": .set("precious")])
        #expect(object.value == 1)
        #expect(object.loadProblem == Self.problem)
        store.apply(["it": .set(3)])
        #expect(object.value == 3)
        #expect(object.loadProblem == nil)
    }

    @Test("A damaged file is kept, and is set aside by a reset")
    func aDamagedFileIsKeptAndIsSetAsideByAReset() async throws {
        try await withFile { url in
            try url.write("{ \"theme\": ")
            // Long enough ago that no editor is still writing the file.
            let past = Date(timeIntervalSinceNow: -60)
            try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: url.filePath)
            do {
                let object = PersistentObject<Settings>(file: url)
                let problem = object.loadProblem
                #expect(problem?.code == .storeMalformed)
                #expect(
                    problem?.message == "line 1, column 12: the file ends too early; expected a value; "
                        + "the stored value is not changed until the object is reset and saved"
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
