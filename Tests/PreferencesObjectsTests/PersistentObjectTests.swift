import Foundation
import PreferencesObjects
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// The value of an object and the stored value, in all kinds of repositories.
struct PersistentObjectTests {
    @Test("A new object is empty", arguments: ObjectPlace.allCases)
    func aNewObjectIsEmpty(_ place: ObjectPlace) async throws {
        try await place.withObjects { make in
            let object = make()
            #expect(object.value == nil)
            #expect(object.loadProblem == nil)
            #expect(!object.hasUnsavedChange)
        }
    }

    @Test("A reset value is read at once, and is read by other objects after a save", arguments: ObjectPlace.allCases)
    func aResetValueIsReadAtOnceAndIsReadByOtherObjectsAfterASave(_ place: ObjectPlace) async throws {
        try await place.withObjects { make in
            let object = make()
            object.reset(to: .oslo)
            #expect(object.value == .oslo)
            #expect(object.hasUnsavedChange)
            #expect(make().value == nil)
            try object.save()
            #expect(object.value == .oslo)
            #expect(!object.hasUnsavedChange)
            #expect(make().value == .oslo)
        }
    }

    @Test("A reset to nil is stored by the next save", arguments: ObjectPlace.allCases)
    func aResetToNilIsStoredByTheNextSave(_ place: ObjectPlace) async throws {
        try await place.withObjects { make in
            let object = make()
            object.reset(to: .oslo)
            try object.save()
            object.reset(to: nil)
            #expect(object.value == nil)
            #expect(make().value == .oslo)
            try object.save()
            let next = make()
            #expect(next.value == nil)
            #expect(next.loadProblem == nil)
        }
    }

    @Test("An object is saved when it is released", arguments: ObjectPlace.allCases)
    func anObjectIsSavedWhenItIsReleased(_ place: ObjectPlace) async throws {
        try await place.withObjects { make in
            do {
                let object = make()
                object.reset(to: .oslo)
            }
            #expect(make().value == .oslo)
        }
    }

    @Test("A stale object overwrites nothing when it is released", arguments: ObjectPlace.allCases)
    func aStaleObjectOverwritesNothingWhenItIsReleased(_ place: ObjectPlace) async throws {
        try await place.withObjects { make in
            var newer = Station.oslo
            newer.name = "newer"
            do {
                let stale = make()
                do {
                    let other = make()
                    other.reset(to: newer)
                    try other.save()
                }
                // A save of the stale object overwrites nothing either.
                try stale.save()
                #expect(!stale.hasUnsavedChange)
            }
            #expect(make().value == newer)
        }
    }

    @Test("A key of Preferences is read by accessors and observed by watchers")
    func aKeyOfPreferencesIsReadByAccessorsAndObservedByWatchers() throws {
        let preferences = Preferences.inMemory()
        let seen = Recorder<Int>()
        preferences.watch(\.launchCount) { seen.add($0.new) }
        let object = PersistentObject<Int>(named: "launchCount", in: preferences)
        object.reset(to: 3)
        #expect(preferences.launchCount == 0)
        try object.save()
        #expect(preferences.launchCount == 3)
        preferences.launchCount = 4
        #expect(object.value == 4)
        #expect(seen.all == [3, 4])
    }

    @Test("An object cannot be saved in a transaction of its preferences")
    func anObjectCannotBeSavedInATransactionOfItsPreferences() throws {
        let preferences = Preferences.inMemory()
        let object = PersistentObject<Int>(named: "launchCount", in: preferences)
        object.reset(to: 3)
        let problem = PreferenceProblem(
            .storeUnwritable,
            key: "launchCount",
            store: "memory",
            message: "this thread is in a transaction of these preferences, which may still be rolled back; "
                + "the object was not saved"
        )
        try preferences.transaction { _ in
            let thrown = #expect(throws: PreferenceProblem.self) { try object.save() }
            #expect(thrown == problem)
        }
        #expect(object.hasUnsavedChange)
        #expect(preferences.launchCount == 0)
        try object.save()
        #expect(preferences.launchCount == 3)
    }

    @Test("A saved value is in the file when the call returns")
    func aSavedValueIsInTheFileWhenTheCallReturns() async throws {
        try await withFile { url in
            let store = FileStore.patient(url)
            let object = PersistentObject<Int>(named: "count", in: store)
            object.reset(to: 3)
            try object.save()
            #expect(try url.text() == "{\n  \"count\": 3\n}\n")
        }
    }

    @Test("A file of a single value contains it as JSON")
    func aFileOfASingleValueContainsItAsJSON() async throws {
        try await withFile { url in
            let object = PersistentObject<Settings>(file: url)
            #expect(!FileManager.default.fileExists(atPath: url.filePath))
            object.reset(to: Settings("dark|16"))
            try object.save()
            #expect(try url.text() == "{\n  \"fontSize\": 16,\n  \"theme\": \"dark\"\n}\n")
            #expect(try url.mode() == 0o600)
            object.reset(to: nil)
            try object.save()
            #expect(try url.text() == "null\n")
            #expect(PersistentObject<Settings>(file: url).loadProblem == nil)
        }
    }

    @Test("An object cannot be saved in a hook of its preferences")
    func anObjectCannotBeSavedInAHookOfItsPreferences() throws {
        let preferences = Preferences.inMemory()
        let object = PersistentObject<Int>(named: "object", in: preferences)
        object.reset(to: 1)
        let problems = Recorder<String>()
        preferences.didChange(of: \.launchCount) { _ in
            do throws(PreferenceProblem) {
                try object.save()
            } catch {
                problems.add(error.message)
            }
        }
        preferences.launchCount = 1
        #expect(
            problems.all == [
                "this thread is in a hook of these preferences, and other threads are waiting for it; "
                    + "the object was not saved"
            ]
        )
        try object.save()
        #expect(preferences.get(named: "object", default: 0) == 1)
    }
}
