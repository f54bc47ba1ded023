import PreferencesRuntime
import Testing
import StoreTestSupport

struct ConstraintTests {
    @Test(arguments: ConstraintCase.all)
    func whatKeepsAConstraintIsSet(of constraint: ConstraintCase) async {
        let preferences = Preferences(store: MemoryStore())
        #expect(!constraint.acceptsGood(preferences).contains(false))
        #expect(await preferences.reportedProblems() == [])
    }

    @Test(arguments: ConstraintCase.all)
    func whatBreaksAConstraintChangesNothingAndIsReported(by constraint: ConstraintCase) async throws {
        let store = FaultyStore(["key": "before"])
        let preferences = Preferences(store: store)
        constraint.setBad(preferences)
        #expect(await preferences.reportedProblems() == [refusal(of: constraint)])
        #expect(store.batches.isEmpty)
        #expect(try store.value(for: "key") == "before")
    }

    @Test(arguments: ConstraintCase.all)
    func settingByKeyPathThrowsTheSame(by constraint: ConstraintCase) async {
        let store = FaultyStore()
        let preferences = Preferences(store: store)
        #expect(throws: refusal(of: constraint)) { try constraint.throwBad(preferences) }
        #expect(await preferences.reportedProblems() == [])
        #expect(store.batches.isEmpty)
    }

    @Test(arguments: ConstraintCase.all)
    func aStoredValueThatBreaksOneReadsAsTheDefaultIsReportedOnceAndStays(by constraint: ConstraintCase) async throws {
        let store = FaultyStore(["key": constraint.bad])
        let preferences = Preferences(store: store)
        for _ in 0..<3 { #expect(constraint.readsDefault(preferences)) }
        #expect(
            await preferences.reportedProblems() == [
                PreferenceProblem(
                    .constraintViolation,
                    key: "key",
                    store: "faulty",
                    message: "\(constraint.message); its default is used until it is set"
                )
            ]
        )
        #expect(store.batches.isEmpty)
        #expect(try store.value(for: "key") == constraint.bad)

        constraint.setGood(preferences)
        #expect(constraint.readsDefault(preferences))
        #expect(try store.value(for: "key") != constraint.bad)
    }

    @Test func theFirstBrokenConstraintIsNamed() {
        let preferences = Preferences(store: MemoryStore())
        struct Home: PreferenceAccessors {
            let preferences: Preferences
            var word: String {
                get { get("word", default: "", [.length(...3), .pattern("[a-z]*")]) }
                nonmutating set { set("word", to: newValue, [.length(...3), .pattern("[a-z]*")]) }
            }
        }
        let error = #expect(throws: PreferenceProblem.self) {
            try Home(preferences: preferences).set(\.word, to: "ABCD")
        }
        #expect(
            error?.message == "the string \"ABCD\" is refused: it must be at most 3 characters long; it was not set"
        )
    }

    @Test func aPatternThatIsNoneMatchesNothing() {
        let preferences = Preferences(store: MemoryStore())
        preferences.set("a", to: "[", [.pattern("[")])
        #expect(!preferences.isSet(named: "a"))
    }

    @Test func aDefaultThatIsMadeIsUsedForAStoredValueThatBreaksAConstraint() {
        let preferences = Preferences(store: ["a": 10, "b": 10] as MemoryStore)
        #expect(preferences.get("a", [.range(...9)]) { 3 } == 3)
        #expect(preferences.get("b", [.range(...10)]) { 3 } == 10)
    }

    @Test func nilIsStoredWhereTheDefaultIsAnotherWhateverIsAskedOfValues() {
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
