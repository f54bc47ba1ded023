import Testing

@testable import PreferencesObjects
@testable import PreferencesRuntime

/// Failures of repositories.
struct PersistentObjectFailureTests {
    private let repository = LoggedRepository(1)

    @Test("A failed save is thrown, and the change remains unsaved")
    func aFailedSaveIsThrownAndTheChangeRemainsUnsaved() throws {
        let object = PersistentObject(repository)
        object.reset(to: 2)
        repository.fail("save", with: LoggedRepository.Fault(description: "no room"))
        let problem = PreferenceProblem(
            .storeUnwritable,
            store: "logged",
            message: "no room; the object was not saved"
        )
        #expect(throws: problem) { try object.save() }
        #expect(object.hasUnsavedChange)
        repository.fail("save", with: nil)
        try object.save()
        #expect(repository.stored == 2)
    }

    @Test("A save that may not be durable is thrown, and the value is saved")
    func aSaveThatMayNotBeDurableIsThrownAndTheValueIsSaved() throws {
        let object = PersistentObject(repository)
        object.reset(to: 2)
        repository.fail("save", with: PreferenceProblem(.notDurable, store: "logged", message: "cannot sync"))
        let problem = PreferenceProblem(
            .notDurable,
            store: "logged",
            message: "cannot sync; the object was saved, but may not survive a power failure"
        )
        #expect(throws: problem) { try object.save() }
        #expect(!object.hasUnsavedChange)
        repository.fail("save", with: nil)
    }

    @Test("A failed synchronization is thrown")
    func aFailedSynchronizationIsThrown() {
        let object = PersistentObject(repository)
        repository.fail("synchronize", with: LoggedRepository.Fault(description: "no network"))
        let problem = PreferenceProblem(.storeUnreadable, store: "logged", message: "no network")
        #expect(throws: problem) { try object.synchronize() }
    }

    @Test("A value that cannot be encoded is thrown")
    func aValueThatCannotBeEncodedIsThrown() {
        struct Unencodable: Codable {
            struct Refusal: Error, CustomStringConvertible { let description = "not today" }
            func encode(to encoder: any Encoder) throws { throw Refusal() }
        }
        let store = MemoryStore()
        let object = PersistentObject<Unencodable>(named: "it", in: store)
        object.reset(to: Unencodable())
        let problem = PreferenceProblem(
            .unencodable,
            key: "it",
            store: "memory",
            message: "this Unencodable cannot be stored: not today; the object was not saved"
        )
        #expect(throws: problem) { try object.save() }
        #expect(store.value(for: "it") == nil)
        object.reset(to: nil)
    }

    @Test("A failed save at release is reported")
    func aFailedSaveAtReleaseIsReported() async {
        let stream = released { object in
            object.reset(to: 2)
            repository.fail("save", with: LoggedRepository.Fault(description: "no room"))
        }
        var problems: [PreferenceProblem] = []
        for await problem in stream { problems.append(problem) }
        let message = "no room; the object was not saved, and its unsaved value is lost"
        #expect(problems == [PreferenceProblem(.storeUnwritable, store: "logged", message: message)])
    }

    /// The problems of an object after its release.
    private func released(_ body: (PersistentObject<Int>) -> Void) -> AsyncStream<PreferenceProblem> {
        let object = PersistentObject(repository)
        body(object)
        return object.problems
    }

    @Test("Problems that a repository reports are reported by the object")
    func problemsThatARepositoryReportsAreReportedByTheObject() async {
        let object = PersistentObject(repository)
        repository.notify(.problem(PreferenceProblem(.setAside, store: "logged", message: "it was set aside")))
        repository.notify(.unreadable(PreferenceProblem(.storeUnreadable, store: "logged", message: "it is gone")))
        let reported = await object.reportedProblems()
        #expect(
            reported.map(\.message) == [
                "it was set aside", "it is gone; using the values read before until it can be read",
            ]
        )
    }
}
