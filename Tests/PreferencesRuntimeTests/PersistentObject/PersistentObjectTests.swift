import Foundation
import PreferencesRuntime
import TestSupport
import Testing
import StoreTestSupport
import PreferencesObjects

/// What an object has, and what is stored, wherever it is kept.
struct PersistentObjectTests {
    @Test(arguments: ObjectPlace.allCases)
    func aFreshOneHasNothing(_ place: ObjectPlace) async throws {
        try await place.withObjects { make in
            let object = make()
            #expect(object.value == nil)
            #expect(object.loadProblem == nil)
            #expect(!object.hasUnsavedChange)
        }
    }

    @Test(arguments: ObjectPlace.allCases)
    func itHasWhatItWasResetToAndOthersHaveItWhenItIsSaved(_ place: ObjectPlace) async throws {
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

    @Test(arguments: ObjectPlace.allCases)
    func whatWasResetToNothingIsStoredUntilThatIsSaved(_ place: ObjectPlace) async throws {
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

    @Test(arguments: ObjectPlace.allCases)
    func itIsSavedWhenItIsReleased(_ place: ObjectPlace) async throws {
        try await place.withObjects { make in
            do {
                let object = make()
                object.reset(to: .oslo)
            }
            #expect(make().value == .oslo)
        }
    }

    @Test(arguments: ObjectPlace.allCases)
    func aStaleOneThatIsReleasedOverwritesNothing(_ place: ObjectPlace) async throws {
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
                // Nor when it is saved.
                try stale.save()
                #expect(!stale.hasUnsavedChange)
            }
            #expect(make().value == newer)
        }
    }

    @Test func aKeyOfPreferencesIsReadByAccessorsAndHeardOfByWatchers() throws {
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

    @Test func itIsNotSavedInATransactionOfItsPreferences() throws {
        let preferences = Preferences.inMemory()
        let object = PersistentObject<Int>(named: "launchCount", in: preferences)
        object.reset(to: 3)
        let problem = PreferenceProblem(
            .storeUnwritable,
            key: "launchCount",
            store: "memory",
            message: "a transaction of these preferences is under way on this thread, and may yet change nothing; "
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

    @Test func whatIsSavedIsInTheFileAtOnce() async throws {
        try await withFile { url in
            let store = FileStore.patient(url)
            let object = PersistentObject<Int>(named: "count", in: store)
            object.reset(to: 3)
            try object.save()
            #expect(try url.text() == "{\n  \"count\": 3\n}\n")
        }
    }

    @Test func aFileOfItsOwnIsTheValueAsJSON() async throws {
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

    @Test func aKeyIsNotSavedWithinAHookOfItsPreferences() throws {
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
                "a hook of these preferences is being called on this thread, and others wait for its end; "
                    + "the object was not saved"
            ]
        )
        try object.save()
        #expect(preferences.get(named: "object", default: 0) == 1)
    }
}
