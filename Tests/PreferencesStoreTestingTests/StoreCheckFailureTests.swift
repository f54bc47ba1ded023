import Foundation
import PreferencesRuntime
import PreferencesStoreTesting
import Testing

@Suite("The failures of store checks")
struct StoreCheckFailureTests {
    private func failure(of check: String, _ subject: StoreSubject) throws -> String? {
        let check = try #require(StoreCheck.all.first { $0.name == check })
        let failure = #expect(throws: StoreCheckFailure.self) { try check.run(on: subject) }
        #expect(failure?.check == check.name)
        return failure?.message
    }

    @Test(
        "A failure reports what was expected and what was found",
        arguments: [
            (
                "forgets null",
                "null is distinguished from a name that is not set",
                #"expected null under "null", found nothing"#
            ),
            (
                "reads 1.0 as 1",
                "values of different types are distinguished",
                #"expected the number 1.0 under "value 3", found the integer 1"#
            ),
            (
                "truncates data after a hundred bytes",
                "data is stored exactly",
                "expected data 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f… (256 "
                    + #"bytes) under "value 3", found data "#
                    + "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f… (100 bytes)"
            ),
            (
                "lowercases names",
                "names are case-sensitive",
                #"expected the string "value 3" under "NAME", found the string "value 1""#
            ),
            (
                "lists removed names",
                "names() lists the names of all values and no others",
                #"names() lists "a", "e" after some were removed"#
            ),
            (
                "drops the last change of a batch",
                "a batch sets, replaces and removes values",
                #"expected the string "3" under "c", found nothing"#
            ),
            (
                "refuses a value without naming the key",
                "null is distinguished from a name that is not set",
                #"expected apply to throw a PreferenceProblem 'unsupportedValue' with the key "null", as "#
                    + #"the store declares null under "null" unsupported, found defective: no null"#
            ),
            (
                "applies half of a refused batch",
                "null is distinguished from a name that is not set",
                #"expected nothing under "a refused batch adds" after a batch that was refused, found the "#
                    + #"string "new""#
            ),
            (
                "declares null unsupported, but stores it",
                "null is distinguished from a name that is not set",
                #"expected apply to throw a PreferenceProblem 'unsupportedValue' with the key "null", as "#
                    + #"the store declares null under "null" unsupported, but it threw nothing"#
            ),
            (
                "declares writing unsupported, but writes",
                "a batch sets, replaces and removes values",
                "expected apply to throw a PreferenceProblem 'storeUnwritable', as the store declares "
                    + ".writing unsupported, but it threw nothing"
            ),
            (
                "declares persistence unsupported, but persists",
                "another store over the backend reads flushed changes",
                "the store declares .persistence unsupported, but another store reads its values"
            ),
            (
                "declares listing unsupported, but lists",
                "names() lists the names of all values and no others",
                "the store declares .listing unsupported, but names() lists all names"
            ),
            (
                "runs the closure of an update twice",
                "an update reads the stored values, and its closure runs once",
                "expected the closure to run once, but it ran 2 times"
            ),
            (
                "hangs if an update's closure lists names",
                "the closure of an update may read the store",
                "the check has not ended after 10.0 seconds; a call of the store seems to hang"
            ),
            (
                "hides the error of an update's closure",
                "an update whose closure throws changes nothing, and throws that error",
                "expected update to throw what its closure threw, but it threw nothing"
            ),
            (
                "notifies before it applies",
                "observers read the new values when they are notified",
                #"expected an observer to read the string "1" under "a" when it is notified, found nothing"#
            ),
            (
                "notifies no observer",
                "every observer is notified",
                #"expected observer 1 of 3 to be notified of "a", found nothing"#
            ),
            (
                "notifies only the first observer",
                "every observer is notified",
                #"expected observer 2 of 3 to be notified of "a", found nothing"#
            ),
            (
                "notifies on another thread",
                "observers are notified of all changed names on the writing thread before apply and update return",
                #"expected to be notified of "added", "removed", "replaced" before apply returned, on its "#
                    + "thread, found nothing"
            ),
            (
                "holds its lock while it notifies",
                "observers, and other threads meanwhile, may read and write the store",
                "another thread cannot read and write the store while an observer is notified: it waits for a "
                    + "lock that the store holds"
            ),
            (
                "notifies after the observation has ended",
                "an observation ends when it is cancelled",
                #"expected no notification after the observation ended, found "a""#
            ),
            (
                "hides values from the updates of writers",
                "batches and updates with a writer have the effect of those without one",
                #"expected 'current' to give the string "2" for "replaced", found nothing"#
            ),
            (
                "declares that it excludes writers, but notifies them",
                "a writer is notified of its own batches unless the store excludes writers",
                "the store excludes writers, but apply notified the writer of "
                    + #""apply: replaced", "apply: set and removed"; pass the writer that apply(_:by:) and update(by:_:) "#
                    + "receive to notify(_:except:), and return from observe(_:) what add(_:) returns"
            ),
            (
                "excludes writers without declaring it",
                "a writer is notified of its own batches unless the store excludes writers",
                "the store does not exclude writers, but apply notified the writer of nothing"
            ),
            (
                "notifies no observer of writers' updates",
                "observers other than the writer are notified as they are without a writer",
                "expected update by another writer to notify an observer of "
                    + #""update: replaced", "update: set and removed" before it returned, on its thread, found nothing"#
            ),
            (
                "excludes an observer for good once it has written",
                "a writer is notified of the batches of other writers, and of those without one",
                "expected apply by another writer to notify an observer of "
                    + #""apply: replaced", "apply: set and removed" before it returned, on its thread, found nothing"#
            ),
            (
                "notifies no observer of writers' batches",
                "watchers of two Preferences over one store are notified of each change once",
                "expected a watcher to be notified of a, b, c, d, e, f, found a, c, e"
            ),
            (
                "does not notify of external changes",
                "observers are notified of external changes, and read the new values",
                #"expected to be notified of "added", "removed", "replaced" within 1.0 seconds, and to read "#
                    + #""new", nothing, "new" when notified; was notified of nothing"#
            ),
            (
                "overwrites external changes",
                "a batch preserves external changes of other names",
                #"expected the string "3" under "a" in another store over the backend, found the string "1""#
            ),
            (
                "lists nothing while its backend fails",
                "while the backend fails, reads return the stored value or throw a problem",
                #"expected names() to list "a" or a PreferenceProblem while the backend fails, found []"#
            ),
            (
                "throws other errors than problems while its backend fails",
                "while the backend fails, reads return the stored value or throw a problem",
                "expected value(for:) to throw a PreferenceProblem while the backend fails, found "
                    + "OtherError()"
            ),
            (
                "cannot flush without values",
                "flushing succeeds twice, and without changes",
                "expected no error, but flush() threw: defective: nothing to flush"
            ),
        ]
    )
    func messages(defect: String, check: String, message: String) throws {
        let defect = try #require(Defect.all.first { $0.name == defect })
        let found = try failure(of: check, .defective(defect, for: check))
        #expect(found == message)
    }

    @Test("Long names are shortened")
    func longNames() throws {
        let defect = try #require(Defect.all.first { $0.name == "truncates long names" })
        let check = "names of ten thousand characters that differ at the end are distinguished"
        let name = "\(String(repeating: "n", count: 150))…\(String(repeating: "n", count: 19))a"
        #expect(
            try failure(of: check, .defective(defect, for: check))
                == "expected the string \"value 1\" under \"\(name)\" (10000 characters), found the string \"value 3\""
        )
    }

    @Test("A backend that has values is refused")
    func usedBackend() throws {
        let backend = MemoryBackend()
        try backend.edit(["b": .set(1), "a": .set(2)])
        #expect(
            try failure(of: "the store has a label", StoreSubject { CorrectStore(backend) })
                == "expected an empty backend, found \"a\", \"b\"; create a new one for each run"
        )
    }

    @Test("A subject that returns the same store twice is refused")
    func sameStore() throws {
        let store = CorrectStore()
        #expect(
            try failure(of: "another store over the backend reads flushed changes", StoreSubject { store })
                == "the StoreSubject's 'open' returned the same store again; return a new one each time"
        )
    }

    @Test("A persistent store that notifies of all changes requires external changes")
    func missingExternalChange() throws {
        let backend = MemoryBackend()
        #expect(
            try failure(
                of: "observers are notified of external changes, and read the new values",
                StoreSubject { CorrectStore(backend) }
            )
                == "the store is persistent and notifies of all changes; pass 'changeExternally' to its StoreSubject, "
                + "which edits the backend"
        )
    }

    @Test("A store that cannot be written requires external changes")
    func missingExternalChangeOfReadOnlyStore() throws {
        let backend = MemoryBackend()
        let subject = StoreSubject { CorrectStore(backend, unsupportedCapabilities: .writing) }
        #expect(
            try failure(of: "a batch sets, replaces and removes values", subject)
                == "the store cannot be written; pass 'changeExternally' to its StoreSubject, which edits the backend"
        )
    }

    @Test("A persistent store requires that its backend can be broken")
    func missingBreak() throws {
        let backend = MemoryBackend()
        let check = "while the backend fails, reads return the stored value or throw a problem"
        #expect(
            try failure(of: check, StoreSubject { CorrectStore(backend) })
                == "the store is persistent; pass 'breakBackend' and 'repairBackend' to its StoreSubject, or declare "
                + ".persistence unsupported if its values do not outlive it"
        )
    }

    private static let unreadable = PreferenceProblem(.storeUnreadable, store: "shelf", message: "cannot be read")

    @Test(
        "A failure names the call that threw an error",
        arguments: [
            (
                "an empty batch changes nothing", #"value(for: "kept")"#,
                Defect("") { $0.read = { _, _ in throw unreadable } }
            ),
            (
                "a stored value has a source, and a missing value has none", #"source(of: "a")"#,
                Defect("") { $0.source = { _, _ in throw unreadable } }
            ),
            (
                "an empty batch changes nothing", "names()",
                Defect("") { $0.names = { _ in throw unreadable } }
            ),
            (
                "an empty batch changes nothing", "apply of nothing",
                Defect("") { $0.write = { _, batch in if batch.isEmpty { throw unreadable } } }
            ),
            (
                "a batch sets, replaces and removes values",
                #"apply of the string "4" for "a", nothing for "b", the string "5" for "d""#,
                Defect("") {
                    $0.write = { store, batch in
                        if batch["b"] == .remove { throw unreadable }
                        try store.correct.write(batch)
                    }
                }
            ),
            (
                "a batch of a thousand changes is applied completely", "apply of 1000 changes",
                Defect("") { $0.write = { _, _ in throw unreadable } }
            ),
            (
                "concurrent updates of one store lose no change", "update",
                Defect("") { $0.update = { _, _ in throw unreadable } }
            ),
            (
                "reloading preserves applied changes", "reload()",
                Defect("") { $0.reload = { _ in throw unreadable } }
            ),
            (
                "external changes are read after reload", "the StoreSubject's 'changeExternally'",
                Defect("") { $0.changeExternally = { _, _ in throw unreadable } }
            ),
        ] as [(String, String, Defect)]
    )
    func throwingCalls(check: String, call: String, defect: Defect) throws {
        let found = try failure(of: check, .defective(defect, for: check))
        #expect(found == "expected no error, but \(call) threw: shelf: cannot be read")
    }

    @Test("A failure names the subject's closure that threw an error")
    func throwingClosures() throws {
        let backend = MemoryBackend()
        let fail: @Sendable () throws -> Void = { throw Self.unreadable }
        let check = "while the backend fails, reads return the stored value or throw a problem"
        let subjects = [
            ("open", StoreSubject { throw Self.unreadable }),
            ("breakBackend", StoreSubject(open: { CorrectStore(backend) }, breakBackend: fail, repairBackend: {})),
            (
                "repairBackend",
                StoreSubject(open: { CorrectStore(MemoryBackend()) }, breakBackend: {}, repairBackend: fail)
            ),
        ]
        for (closure, subject) in subjects {
            let message = "expected no error, but the StoreSubject's '\(closure)' threw: shelf: cannot be read"
            #expect(try failure(of: check, subject) == message)
        }
    }

    @Test("The description of a failure is the promise and the message")
    func description() throws {
        let defect = try #require(Defect.all.first { $0.name == "has no label" })
        let check = try #require(StoreCheck.all.first { $0.name == "the store has a label" })
        let failure = try #require(throws: StoreCheckFailure.self) {
            try check.run(on: .defective(defect, for: check.name))
        }
        let text = "the store has a label: expected a human-readable label, found an empty one"
        #expect(failure.description == text)
        #expect(failure.localizedDescription == text)
        #expect(check.description == check.name)
        #expect(check.id == check.name)
    }
}
