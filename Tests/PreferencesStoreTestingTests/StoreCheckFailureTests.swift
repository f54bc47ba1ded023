import Foundation
import PreferencesRuntime
import PreferencesStoreTesting
import Testing

/// What failures say.
struct StoreCheckFailureTests {
    private func failure(of check: String, _ subject: StoreSubject) throws -> String? {
        let check = try #require(StoreCheck.all.first { $0.name == check })
        let failure = #expect(throws: StoreCheckFailure.self) { try check.run(on: subject) }
        #expect(failure?.check == check.name)
        return failure?.message
    }

    @Test(
        arguments: [
            (
                "forgets null",
                "null is told from a name that is not set",
                #"expected null under "null", found nothing"#
            ),
            (
                "reads 1.0 as 1",
                "values of different kinds are kept apart",
                #"expected the number 1.0 under "value 3", found the integer 1"#
            ),
            (
                "ends data after a hundred bytes",
                "data is kept byte for byte",
                "expected data 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f… (256 "
                    + #"bytes) under "value 3", found data "#
                    + "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f… (100 bytes)"
            ),
            (
                "lowercases names",
                "names are told apart by case",
                #"expected the string "value 3" under "NAME", found the string "value 1""#
            ),
            (
                "lists removed names",
                "names() has the names of all values, and no others",
                #"names() lists "a", "e" after some were removed"#
            ),
            (
                "drops the last of a batch",
                "a batch sets, replaces and removes",
                #"expected the string "3" under "c", found nothing"#
            ),
            (
                "refuses without saying which key",
                "null is told from a name that is not set",
                #"expected apply to throw a PreferenceProblem 'unsupportedValue' with the key "null", as "#
                    + #"the store lacks the capability for null under "null", found defective: no null"#
            ),
            (
                "applies half of a batch that it refuses",
                "null is told from a name that is not set",
                #"expected nothing under "a refused batch adds" after a batch that was refused, found the "#
                    + #"string "new""#
            ),
            (
                "lacks null, and keeps it",
                "null is told from a name that is not set",
                #"expected apply to throw a PreferenceProblem 'unsupportedValue' with the key "null", as "#
                    + #"the store lacks the capability for null under "null", but it threw nothing"#
            ),
            (
                "lacks writing, and writes",
                "a batch sets, replaces and removes",
                "expected apply to throw a PreferenceProblem 'storeUnwritable', as the store lacks "
                    + ".writing, but it threw nothing"
            ),
            (
                "lacks persistence, and has it",
                "another store over the medium has what was flushed",
                "the store lacks .persistence, but another one has what it was given"
            ),
            (
                "lacks listing, and lists",
                "names() has the names of all values, and no others",
                "the store lacks .listing, but names() has the names of all values"
            ),
            (
                "runs the closure of an update twice",
                "an update is made from what is kept, and its closure runs once",
                "expected the closure to run once, but it ran 2 times"
            ),
            (
                "hangs where the closure of an update lists names",
                "the closure of an update may read the store",
                "the check has not ended after 10.0 seconds; a call of the store seems to wait for ever"
            ),
            (
                "hides what the closure of an update throws",
                "an update whose closure throws changes nothing, and throws the same",
                "expected update to throw what its closure threw, but it threw nothing"
            ),
            (
                "tells before it applies",
                "observers read what they are told of",
                #"expected an observer to read the string "1" under "a" when it is told, found nothing"#
            ),
            (
                "tells nobody",
                "every observer is told",
                #"expected observer 1 of 3 to be told of "a", found nothing"#
            ),
            (
                "tells the first observer alone",
                "every observer is told",
                #"expected observer 2 of 3 to be told of "a", found nothing"#
            ),
            (
                "tells on another thread",
                "observers are told of all changed names before apply and update return, on that thread",
                #"expected to be told of "added", "removed", "replaced" before apply returned, on its "#
                    + "thread, found nothing"
            ),
            (
                "holds its lock while it tells",
                "observers may read and write the store, and so may other threads meanwhile",
                "another thread cannot read and write the store while an observer is told: it waits for a "
                    + "lock that the store holds"
            ),
            (
                "goes on telling",
                "an observation ends when it is cancelled",
                #"expected nothing to be told after the observation ended, found "a""#
            ),
            (
                "hides values from the updates of writers",
                "a writer's batches and updates are made as those without a writer",
                #"expected 'current' to give the string "2" for "replaced", found nothing"#
            ),
            (
                "declares that it excludes writers, and notifies them",
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
                "notifies nobody of the updates of writers",
                "observers other than the writer are notified as of a batch without a writer",
                "expected update by another writer to tell an observer of "
                    + #""update: replaced", "update: set and removed" before it returned, on its thread, found nothing"#
            ),
            (
                "excludes observers that have once written for ever",
                "a writer is notified of the batches of other writers, and of those without one",
                "expected apply by another writer to tell an observer of "
                    + #""apply: replaced", "apply: set and removed" before it returned, on its thread, found nothing"#
            ),
            (
                "notifies nobody of the batches of writers",
                "watchers of two Preferences over one store are notified of each change once",
                "expected a watcher to be notified of a, b, c, d, e, f, found a, c, e"
            ),
            (
                "tells nothing of what others change",
                "changes made outside are told, and read by then",
                #"expected to be told of "added", "removed", "replaced" within 1.0 seconds, and to read "#
                    + #""new", nothing, "new" when told; was told of nothing"#
            ),
            (
                "overwrites what others wrote",
                "a batch leaves alone what was changed outside",
                #"expected the string "3" under "a" in another store over the medium, found the string "1""#
            ),
            (
                "lists nothing while its medium fails",
                "while the medium fails, what was known is read or a problem thrown",
                #"expected names() to list "a" or a PreferenceProblem while the medium fails, found []"#
            ),
            (
                "throws errors of its own while its medium fails",
                "while the medium fails, what was known is read or a problem thrown",
                "expected value(for:) to throw a PreferenceProblem while the medium fails, found "
                    + "OtherError()"
            ),
            (
                "cannot flush nothing",
                "flushing twice, and flushing nothing, does no harm",
                "expected no error, but flush() threw: defective: nothing to flush"
            ),
        ]
    )
    func itSaysWhatWasExpectedAndFound(defect: String, check: String, message: String) throws {
        let defect = try #require(Defect.all.first { $0.name == defect })
        let found = try failure(of: check, .defective(defect, for: check))
        #expect(found == message)
    }

    @Test func longNamesAreShortened() throws {
        let defect = try #require(Defect.all.first { $0.name == "truncates long names" })
        let check = "names of ten thousand characters are kept apart at their ends"
        let name = "\(String(repeating: "n", count: 150))…\(String(repeating: "n", count: 19))a"
        #expect(
            try failure(of: check, .defective(defect, for: check))
                == "expected the string \"value 1\" under \"\(name)\" (10000 characters), found the string \"value 3\""
        )
    }

    @Test func aMediumThatIsUsedAlreadyIsRefused() throws {
        let medium = Medium()
        try medium.edit(["b": .set(1), "a": .set(2)])
        #expect(
            try failure(of: "the store has a label", StoreSubject { RightStore(medium) })
                == "expected a medium that nothing is kept in, found \"a\", \"b\"; make a new one for each run"
        )
    }

    @Test func openingMustMakeAnotherStore() throws {
        let store = RightStore()
        #expect(
            try failure(of: "another store over the medium has what was flushed", StoreSubject { store })
                == "the StoreSubject's 'open' gives the same store again; have it make another each time"
        )
    }

    @Test func aStoreThatTellsAllChangesNeedsSomebodyWhoMakesThem() throws {
        let medium = Medium()
        #expect(
            try failure(of: "changes made outside are told, and read by then", StoreSubject { RightStore(medium) })
                == "the store tells all changes and does not lack .persistence; give its StoreSubject "
                + "'changeFromOutside', which edits its medium"
        )
    }

    @Test func aStoreThatCannotBeWrittenNeedsSomebodyWhoDoes() throws {
        let medium = Medium()
        let subject = StoreSubject { RightStore(medium, unsupportedCapabilities: .writing) }
        #expect(
            try failure(of: "a batch sets, replaces and removes", subject)
                == "the store lacks .writing; give its StoreSubject 'changeFromOutside', which edits its medium"
        )
    }

    @Test func aStoreWithAMediumNeedsItBroken() throws {
        let medium = Medium()
        let check = "while the medium fails, what was known is read or a problem thrown"
        #expect(
            try failure(of: check, StoreSubject { RightStore(medium) })
                == "the store does not lack .persistence; give its StoreSubject 'breakMedium', which has its medium fail, "
                + "and 'mendMedium', or have it declare that it 'lacks' it, if it keeps nothing beyond itself"
        )
    }

    private static let nobodyIsIn = PreferenceProblem(.storeUnreadable, store: "shelf", message: "nobody is in")

    @Test(
        arguments: [
            (
                "an empty batch changes nothing", #"value(for: "kept")"#,
                Defect("") { $0.read = { _, _ in throw nobodyIsIn } }
            ),
            (
                "a value's source is named, and nothing has none", #"source(of: "a")"#,
                Defect("") { $0.source = { _, _ in throw nobodyIsIn } }
            ),
            (
                "an empty batch changes nothing", "names()",
                Defect("") { $0.names = { _ in throw nobodyIsIn } }
            ),
            (
                "an empty batch changes nothing", "apply of nothing",
                Defect("") { $0.write = { _, batch in if batch.isEmpty { throw nobodyIsIn } } }
            ),
            (
                "a batch sets, replaces and removes",
                #"apply of the string "4" for "a", nothing for "b", the string "5" for "d""#,
                Defect("") {
                    $0.write = { store, batch in
                        if batch["b"] == .remove { throw nobodyIsIn }
                        try store.right.write(batch)
                    }
                }
            ),
            (
                "a batch of a thousand changes is made whole", "apply of 1000 changes",
                Defect("") { $0.write = { _, _ in throw nobodyIsIn } }
            ),
            (
                "threads that count in one store lose nothing", "update",
                Defect("") { $0.update = { _, _ in throw nobodyIsIn } }
            ),
            (
                "reloading keeps what was applied", "reload()",
                Defect("") { $0.reload = { _ in throw nobodyIsIn } }
            ),
            (
                "changes made outside are read after reload", "the StoreSubject's 'changeFromOutside'",
                Defect("") { $0.changeFromOutside = { _, _ in throw nobodyIsIn } }
            ),
        ] as [(String, String, Defect)]
    )
    func theCallThatThrewIsNamed(check: String, call: String, defect: Defect) throws {
        let found = try failure(of: check, .defective(defect, for: check))
        #expect(found == "expected no error, but \(call) threw: shelf: nobody is in")
    }

    @Test func theClosuresOfTheSubjectAreNamed() throws {
        let medium = Medium()
        let fail: @Sendable () throws -> Void = { throw Self.nobodyIsIn }
        let check = "while the medium fails, what was known is read or a problem thrown"
        let subjects = [
            ("open", StoreSubject { throw Self.nobodyIsIn }),
            ("breakMedium", StoreSubject(open: { RightStore(medium) }, breakMedium: fail, mendMedium: {})),
            ("mendMedium", StoreSubject(open: { RightStore(Medium()) }, breakMedium: {}, mendMedium: fail)),
        ]
        for (closure, subject) in subjects {
            let message = "expected no error, but the StoreSubject's '\(closure)' threw: shelf: nobody is in"
            #expect(try failure(of: check, subject) == message)
        }
    }

    @Test func itsDescriptionIsPromiseAndMessage() throws {
        let defect = try #require(Defect.all.first { $0.name == "has no label" })
        let check = try #require(StoreCheck.all.first { $0.name == "the store has a label" })
        let failure = try #require(throws: StoreCheckFailure.self) {
            try check.run(on: .defective(defect, for: check.name))
        }
        let text = "the store has a label: expected a label that people know the store by, found an empty one"
        #expect(failure.description == text)
        #expect(failure.localizedDescription == text)
        #expect(check.description == check.name)
        #expect(check.id == check.name)
    }
}
