import Testing

@testable import PreferencesObjects
@testable import PreferencesRuntime

/// The calls that a custom repository receives.
struct PersistentObjectRepositoryTests {
    private let repository = LoggedRepository(1)

    @Test("Saving and synchronizing are separate calls")
    func savingAndSynchronizingAreSeparateCalls() throws {
        let repository = SilentRepository()
        let object = PersistentObject(repository)
        #expect(repository.logged.log == ["load"])
        object.reset(to: 2)
        #expect(repository.logged.log == ["load"])
        try object.save()
        // The object first loads the value that it would overwrite.
        #expect(repository.logged.log == ["load", "load", "save 2"])
        try object.synchronize()
        #expect(repository.logged.log == ["load", "load", "save 2", "synchronize", "load"])
    }

    @Test("Synchronizing does not save")
    func synchronizingDoesNotSave() throws {
        let object = PersistentObject(repository)
        object.reset(to: 2)
        try object.synchronize()
        #expect(object.hasUnsavedChange)
        #expect(repository.stored == 1)
        #expect(!repository.log.contains("save 2"))
    }

    @Test("An unchanged object is not saved")
    func anUnchangedObjectIsNotSaved() throws {
        do {
            let object = PersistentObject(repository)
            try object.save()
            object.reset(to: 2)
            try object.save()
            try object.save()
        }
        #expect(repository.log.filter { $0.hasPrefix("save") } == ["save 2"])
    }

    @Test("An object that is reset again is saved again")
    func anObjectThatIsResetAgainIsSavedAgain() throws {
        do {
            let object = PersistentObject(repository)
            object.reset(to: 2)
            try object.save()
            object.reset(to: nil)
        }
        #expect(repository.log.filter { $0.hasPrefix("save") } == ["save 2", "save nil"])
    }

    @Test("A reset during a save remains unsaved")
    func aResetDuringASaveRemainsUnsaved() throws {
        let object = PersistentObject(repository)
        let observation = repository.observe { [weak object] _ in object?.reset(to: 3) }
        object.reset(to: 2)
        try object.save()
        observation.cancel()
        #expect(repository.stored == 2)
        #expect(object.hasUnsavedChange)
        try object.save()
        #expect(repository.stored == 3)
        #expect(!object.hasUnsavedChange)
    }

    @Test("A repository is named after its type and does not notify by default")
    func aRepositoryIsNamedAfterItsTypeAndDoesNotNotifyByDefault() throws {
        struct Constant: PersistentObjectRepository {
            func load() -> Int? { 5 }
            func save(_ value: Int?) throws { throw LoggedRepository.Fault(description: "it is constant") }
        }
        let object = PersistentObject(Constant())
        #expect(object.value == 5)
        try object.synchronize()
        object.reset(to: 6)
        let message = "it is constant; the object was not saved"
        #expect(throws: PreferenceProblem(.storeUnwritable, store: "Constant", message: message)) { try object.save() }
    }
}

/// A repository that records its calls and does not notify.
struct SilentRepository: PersistentObjectRepository {
    let logged = LoggedRepository(1)

    func load() throws -> Int? { try logged.load() }
    func save(_ value: Int?) throws { try logged.save(value) }
    func synchronize() throws { try logged.synchronize() }
}
