import StoreTestSupport
import Testing

@testable import PreferencesRuntime

/// The testing support for users.
struct TestingSupportTests {
    @Test("In-memory preferences begin with the given values")
    func inMemoryPreferencesBeginWithTheGivenValues() async {
        let preferences = Preferences.inMemory(["launchCount": 3], secrets: ["token": "hidden"])
        #expect(preferences.launchCount == 3)
        #expect(preferences.get("token", default: "", [.secret]) == "hidden")
        preferences.set("token", to: "other", [.secret])
        #expect(preferences.get("token", default: "", [.secret]) == "other")
        #expect(Preferences.inMemory().launchCount == 0)
        #expect(await preferences.reportedProblems().isEmpty)
    }

    @Test("withShared overrides the shared preferences during its body")
    func withSharedOverridesTheSharedPreferences() throws {
        let (outer, inner) = (Preferences.inMemory(["launchCount": 1]), Preferences.inMemory(["launchCount": 2]))
        let counts = Preferences.withShared(outer) {
            let first = Preferences.shared.launchCount
            let second = Preferences.withShared(inner) { Preferences.shared.launchCount }
            return [first, second, Preferences.shared.launchCount]
        }
        #expect(counts == [1, 2, 1])
    }

    @Test("Tasks that outlive the body keep its override")
    func tasksThatOutliveTheBodyKeepTheOverride() async {
        let preferences = Preferences.inMemory(["launchCount": 1])
        let (stream, goOn) = AsyncStream.makeStream(of: Void.self)
        let task = await Preferences.withShared(preferences) {
            async let count = Preferences.shared.launchCount
            #expect(await count == 1)
            return Task {
                for await _ in stream {}
                return Preferences.shared === preferences
            }
        }
        goOn.finish()
        #expect(await task.value)
    }

    @Test("Parallel tests have separate overrides", arguments: 1...20)
    func parallelTestsHaveSeparateOverrides(number: Int) async {
        await Preferences.withShared(.inMemory()) {
            for count in 1...20 {
                Preferences.shared.launchCount += number
                await Task.yield()
                #expect(Preferences.shared.launchCount == count * number)
            }
        }
    }

    @Test("withShared throws the errors of its body")
    func withSharedThrowsTheErrorsOfItsBody() async {
        struct Refusal: Error {}
        #expect(throws: Refusal.self) { try Preferences.withShared(.inMemory()) { throw Refusal() } }
        await #expect(throws: Refusal.self) {
            try await Preferences.withShared(.inMemory()) {
                await Task.yield()
                throw Refusal()
            }
        }
    }
}
