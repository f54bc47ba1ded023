import PreferencesRuntime
import StoreTestSupport
import Testing

struct ConstraintTests {
    @Test("A value that meets a constraint is set", arguments: ConstraintCase.all)
    func aValueThatMeetsAConstraintIsSet(of constraint: ConstraintCase) async {
        let preferences = Preferences(store: MemoryStore())
        #expect(!constraint.acceptsGood(preferences).contains(false))
        #expect(await preferences.reportedProblems() == [])
    }

    @Test("A value that violates a constraint is reported, and changes nothing", arguments: ConstraintCase.all)
    func aValueThatViolatesAConstraintChangesNothing(by constraint: ConstraintCase) async throws {
        let store = FaultyStore(["key": "before"])
        let preferences = Preferences(store: store)
        constraint.setBad(preferences)
        #expect(await preferences.reportedProblems() == [refusal(of: constraint)])
        #expect(store.batches.isEmpty)
        #expect(try store.value(for: "key") == "before")
    }

    @Test("Setting by key path throws the constraint's problem", arguments: ConstraintCase.all)
    func settingByKeyPathThrowsTheProblem(by constraint: ConstraintCase) async {
        let store = FaultyStore()
        let preferences = Preferences(store: store)
        #expect(throws: refusal(of: constraint)) { try constraint.throwBad(preferences) }
        #expect(await preferences.reportedProblems() == [])
        #expect(store.batches.isEmpty)
    }

    @Test(
        "A stored value that violates a constraint reads as the default, is reported once, and is preserved",
        arguments: ConstraintCase.all
    )
    func aStoredViolationReadsAsTheDefaultIsReportedOnceAndIsPreserved(by constraint: ConstraintCase) async throws {
        let store = FaultyStore(["key": constraint.bad])
        let preferences = Preferences(store: store)
        for _ in 0..<3 { #expect(constraint.readsDefault(preferences)) }
        #expect(
            await preferences.reportedProblems() == [
                PreferenceProblem(
                    .constraintViolation,
                    key: "key",
                    store: "faulty",
                    message: "\(constraint.message); \(constraint.consequence)"
                )
            ]
        )
        #expect(store.batches.isEmpty)
        #expect(try store.value(for: "key") == constraint.bad)

        constraint.setGood(preferences)
        #expect(constraint.readsDefault(preferences))
        #expect(try store.value(for: "key") != constraint.bad)
    }

    @Test("The problem names the first violated constraint")
    func theProblemNamesTheFirstViolatedConstraint() {
        let preferences = Preferences(store: MemoryStore())
        struct Owner: PreferenceAccessors {
            let preferences: Preferences
            var word: String {
                get { get("word", default: "", [.length(...3), .pattern("[a-z]*")]) }
                nonmutating set { set("word", to: newValue, [.length(...3), .pattern("[a-z]*")]) }
            }
        }
        let error = #expect(throws: PreferenceProblem.self) {
            try Owner(preferences: preferences).set(\.word, to: "ABCD")
        }
        #expect(
            error?.message == "\"ABCD\" must be at most 3 characters long; it was not set"
        )
    }

    @Test("An invalid pattern matches nothing")
    func anInvalidPatternMatchesNothing() {
        let preferences = Preferences(store: MemoryStore())
        preferences.set("a", to: "[", [.pattern("[")])
        #expect(!preferences.isSet(named: "a"))
    }

    @Test("A computed default replaces a stored value that violates a constraint")
    func aComputedDefaultReplacesAStoredViolation() {
        let preferences = Preferences(store: ["a": 10, "b": 10] as MemoryStore)
        #expect(_Accessor.getComputed(preferences, "a", default: 3, traits: [.range(...9)]) == 3)
        #expect(_Accessor.getComputed(preferences, "b", default: 3, traits: [.range(...10)]) == 10)
    }

    @Test("Nil is stored if the default is not nil, regardless of constraints")
    func nilIsStoredRegardlessOfConstraints() {
        let store = MemoryStore()
        let preferences = Preferences(store: store)
        preferences.set("a", to: nil, default: 5, [.unlessNil(.range(1...9))])
        #expect(store.value(for: "a") == .null)
        #expect(preferences.get("a", default: 5, [.unlessNil(.range(1...9))]) == nil)
        preferences.set("a", to: 10, default: 5, [.unlessNil(.range(1...9))])
        #expect(store.value(for: "a") == .null)
    }

    private func refusal(of constraint: ConstraintCase) -> PreferenceProblem {
        PreferenceProblem(
            .constraintViolation,
            key: "key",
            store: "faulty",
            message: "\(constraint.message); it was not set"
        )
    }
}
