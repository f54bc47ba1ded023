import Foundation
import Observation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// Layers whose values an administrator has fixed, over stores in memory.
struct ManagedStoreTests {
    /// Preferences over a policy and the user's store.
    private struct Place {
        let policy: MemoryStore
        let user: MemoryStore
        let preferences: Preferences

        init(
            _ policy: [String: PreferenceValue] = [:],
            user: [String: PreferenceValue] = [:],
            locks: [String]? = nil,
            isObserved: Bool = false
        ) {
            let (policy, user) = (MemoryStore(policy), MemoryStore(user))
            let managed = locks.map { ManagedStore(policy, locks: $0) } ?? ManagedStore(policy)
            (self.policy, self.user) = (policy, user)
            preferences = Preferences(store: LayeredStore([managed, user]), isObserved: isObserved)
        }
    }

    // MARK: - Reading

    @Test("A fixed value takes precedence wherever the layer stands", arguments: 0...2)
    func aFixedValueTakesPrecedenceWhereverTheLayerStands(position: Int) {
        let user = MemoryStore(["unit": "user"])
        var layers: [any PreferenceStore] = [ReadOnlyStore(MemoryStore(["unit": "kelvin"])), user]
        layers.insert(ManagedStore(.memory(["unit": "fixed"])), at: position)
        let preferences = Preferences(store: LayeredStore(layers))
        #expect(preferences.unit == "fixed")
        #expect(preferences.isManaged(\.unit))
        #expect(preferences.source(of: \.unit) == "memory")
    }

    @Test("A key that is not managed cannot be locked", arguments: [nil, ["plain", ":"]])
    func aKeyThatIsNotManagedCannotBeLocked(locks: [String]?) throws {
        let place = Place(["plain": "fixed"], user: ["plain": "user"], locks: locks)
        _ = place.preferences.unit
        #expect(place.preferences.plain == "user")
        #expect(!place.preferences.isManaged(\.plain))
        #expect(!place.preferences.isManaged(named: "plain"))
        try place.preferences.set(\.plain, to: "new")
        #expect(place.preferences.plain == "new")
        place.preferences.reset(\.plain)
        #expect(place.preferences.plain == "default")
        #expect(place.preferences.source(of: \.plain) == nil)
        #expect(try place.preferences.store.names() == [])
    }

    @Test("A value that was read by its name is read again when an accessor declares that it is managed")
    func aValueThatWasReadByItsNameIsReadAgain() {
        let place = Place(["unit": "fixed"], user: ["unit": "user"])
        let preferences = place.preferences
        let byName = PreferenceReference("unit", default: "default", in: preferences)
        let changes = Recorder<String>()
        byName.watch { changes.add($0.new) }
        #expect(byName.value == "user")
        #expect(preferences.get(named: "unit", default: "") == "user")
        #expect(preferences.unit == "fixed")
        #expect(byName.value == "fixed")
        #expect(preferences.get(named: "unit", default: "") == "fixed")
        #expect(changes.all == ["fixed"])
    }

    @Test("A setter declares that its key is managed, before any read")
    func aSetterDeclaresThatItsKeyIsManaged() async {
        let place = Place(["unit": "fixed"])
        place.preferences.unit = "new"
        #expect(await place.preferences.reportedProblems().map(\.code) == [.managed])
        #expect(place.user.contents.isEmpty)
    }

    @Test("A policy under a former name takes precedence over the user's value under the present one")
    func aPolicyUnderAFormerNameTakesPrecedence() {
        let place = Place(["old": "fixed"], user: ["renamed": "user", "older": "oldest"])
        #expect(place.preferences.renamed == "fixed")
        #expect(place.preferences.isManaged(\.renamed))
        place.policy.apply(["renamed": .set("newest")])
        #expect(place.preferences.renamed == "newest")
        place.policy.apply(["old": .remove, "renamed": .remove])
        #expect(place.preferences.renamed == "user")
        #expect(!place.preferences.isManaged(\.renamed))
    }

    @Test("A change of a policy under a former name notifies watchers")
    func aChangeOfAPolicyUnderAFormerNameNotifiesWatchers() {
        let place = Place(user: ["renamed": "user"])
        let changes = Recorder<String>()
        place.preferences.watch(\.renamed) { changes.add($0.new) }
        place.policy.apply(["older": .set("fixed")])
        place.policy.apply(["older": .remove])
        #expect(changes.all == ["fixed", "user"])
    }

    @Test("A key that is locked without a value reads as its default, whatever the user has set")
    func aKeyThatIsLockedWithoutAValueReadsAsItsDefault() {
        let place = Place(user: ["unit": "user", "renamed": "user", "old": "user"], locks: ["unit", "older"])
        #expect(place.preferences.unit == "default")
        #expect(place.preferences.isManaged(\.unit))
        #expect(!place.preferences.isSet(\.unit))
        #expect(place.preferences.renamed == "default")
        #expect(place.preferences.renamed == "default", "also from the cache")
        #expect(!place.preferences.isSet(\.renamed))
        #expect(place.preferences.resolution(of: \.renamed).isDefault)
    }

    @Test("A former name that several keys share is locked for one of them only")
    func aFormerNameThatSeveralKeysShareIsLockedForOneOfThemOnly() {
        let place = Place(user: ["old": "user"], locks: ["renamed"])
        #expect(place.preferences.renamed == "default")
        #expect(place.preferences.otherRenamed == "user")
    }

    @Test("A lock list fixes names at the values of the store, and prefixes with a colon")
    func aLockListFixesNamesAtTheValuesOfTheStore() {
        let site: [String: PreferenceValue] = ["unit": "site", "free": "site"]
        let place = Place(site, user: ["weather:city": "Oslo"], locks: ["unit", "weather:"])
        #expect(place.preferences.unit == "site")
        #expect(place.preferences.city == "default")
        #expect(place.preferences.free == "default", "the store has a value, but no lock")
        #expect(place.preferences.isManaged(\.city))
        #expect(!place.preferences.isManaged(\.free))
    }

    @Test("A secret is never managed")
    func aSecretIsNeverManaged() throws {
        let (user, secrets) = (MemoryStore(), MemoryStore())
        let store = LayeredStore([ManagedStore(.memory(["token": "fixed"]), locks: [":"]), user])
        let preferences = Preferences(store: store, secrets: secrets)
        #expect(preferences.token == "default")
        try preferences.set(\.token, to: "own")
        #expect(preferences.token == "own")
        #expect(!preferences.isManaged(\.token))
        #expect(secrets.contents == ["token": "own"])
    }

    @Test("Without a store of secrets, a secret is not managed, and the question is no problem")
    func aSecretWithoutAStoreOfSecretsIsNotManaged() async {
        let preferences = Preferences(store: LayeredStore([ManagedStore(.memory(["token": "fixed"])), MemoryStore()]))
        #expect(!preferences.isManaged(\.token))
        #expect(await preferences.reportedProblems().isEmpty)
        #expect(preferences.token == "default")
        #expect(await preferences.reportedProblems().map(\.code) == [.noSecretsStore])
    }

    @Test("A fixed value that does not fit the key reads as the default, is reported once, and stays fixed")
    func aFixedValueThatDoesNotFitTheKey() async {
        let place = Place(["unit": 5, "percentage": 500], user: ["unit": "user", "percentage": 50])
        for _ in 0..<2 {
            #expect(place.preferences.unit == "default")
            #expect(place.preferences.percentage == 10)
        }
        #expect(place.preferences.isManaged(\.unit))
        let problems = await place.preferences.reportedProblems()
        #expect(problems.map(\.code) == [.typeMismatch, .constraintViolation])
        #expect(throws: PreferenceProblem.self) { try place.preferences.set(\.percentage, to: 5) }
        #expect(place.user.contents == ["unit": "user", "percentage": 50])
    }

    @Test("Fixed text is converted as the store that contains it does")
    func fixedTextIsConvertedAsTheStoreDoes() {
        let policy = ManagedStore(EnvironmentStore(prefix: "W_", environment: ["W_PERCENTAGE": "20"]))
        let preferences = Preferences(store: LayeredStore([policy, MemoryStore(["percentage": 50])]))
        #expect(preferences.percentage == 20)
        #expect(preferences.source(of: \.percentage) == "environment variable W_PERCENTAGE")
    }

    @Test("A policy that cannot be read keeps the values that were read last, and is reported once")
    func aPolicyThatCannotBeReadKeepsItsLastValues() async {
        let policy = FaultyStore(["unit": "fixed"], notifiesAllChanges: false)
        let preferences = Preferences(store: LayeredStore([ManagedStore(policy), MemoryStore(["plain": "user"])]))
        #expect(preferences.unit == "fixed")
        policy.failReads("no connection")
        #expect(preferences.unit == "fixed")
        #expect(preferences.percentage == 10, "nothing is known of it")
        #expect(preferences.plain == "user")
        #expect(preferences.isManaged(\.unit))
        #expect(preferences.unit == "fixed")
        // Later reports of the policy follow those so far.
        policy.failReads("another fault")
        #expect(preferences.unit == "fixed")
        let problems = await preferences.problems(through: "another fault")
        #expect(problems.map(\.message) == ["no connection", "another fault"])
        policy.failReads(nil)
        #expect(preferences.unit == "fixed")
    }

    @Test("A server that fails with an error of its own keeps the values that were read last, also in layers")
    func aServerThatFailsKeepsItsLastValues() {
        struct Server: PreferenceStore {
            let label = "server"
            let notifiesAllChanges = false
            let values: MemoryStore
            let isConnected: Recorder<Bool>

            func value(for name: String) throws -> PreferenceValue? {
                guard isConnected.all.last != false else { throw CancellationError() }
                return values.value(for: name)
            }
            func names() -> Set<String> { values.names() }
        }
        let (user, isConnected) = (MemoryStore(["unit": "user"]), Recorder<Bool>())
        let server = Server(values: MemoryStore(["unit": "fixed"]), isConnected: isConnected)
        let policies = [ManagedStore(server), ManagedStore(LayeredStore([server, MemoryStore(["free": "other"])]))]
        let all = policies.map { Preferences(store: LayeredStore([$0, user])) }
        for preferences in all {
            #expect(preferences.unit == "fixed")
            #expect(preferences.city == "default")
        }
        isConnected.add(false)
        for preferences in all {
            #expect(preferences.unit == "fixed")
            #expect(preferences.isManaged(\.unit))
            #expect(preferences.city == "default")
            #expect(!preferences.isManaged(\.city), "it had no fixed value")
        }
    }

    @Test("A value that a store cannot return keeps the key fixed at its default, also if the store fails later")
    func aValueThatAStoreCannotReturnKeepsTheKeyFixedAtItsDefault() {
        struct Unusable: PreferenceStore {
            let label = "unusable"
            let notifiesAllChanges = false
            let faults: Recorder<any Error>

            func value(for name: String) throws -> PreferenceValue? {
                if let fault = faults.all.last { throw fault }
                return "fixed"
            }
            func names() -> Set<String> { ["unit"] }
        }
        let faults = Recorder<any Error>()
        let preferences = Preferences(
            store: LayeredStore([ManagedStore(Unusable(faults: faults)), MemoryStore(["unit": "user"])])
        )
        let errors: [any Error] = [
            PreferenceConversionError(expected: "a unit", found: 5),
            PreferenceProblem(.unsupportedValue, key: "unit", store: "unusable", message: "unknown tag"),
            PreferenceProblem(.typeMismatch, key: "unit", store: "unusable", message: "expected a unit"),
        ]
        #expect(preferences.unit == "fixed")
        for fault in errors + [CancellationError()] {
            faults.add(fault)
            #expect(preferences.unit == "default")
            #expect(preferences.isManaged(\.unit))
        }
    }

    @Test("A key with a lock reads as its default while the values of the locks cannot be read")
    func aKeyWithALockReadsAsItsDefaultWhileTheValuesCannotBeRead() {
        let policy = FaultyStore(["unit": "fixed"])
        policy.failReads("no connection")
        let store = LayeredStore([ManagedStore(policy, locks: ["unit"]), MemoryStore(["unit": "user"])])
        let preferences = Preferences(store: store)
        #expect(preferences.unit == "default")
        #expect(preferences.isManaged(\.unit))
    }

    // MARK: - Writing

    private func expectedProblem(_ consequence: String = "it was not set") -> PreferenceProblem {
        PreferenceProblem(.managed, key: "unit", store: "memory", message: "it is fixed by memory; \(consequence)")
    }

    @Test("Setting a fixed key fails in every way, and says who has fixed it")
    func settingAFixedKeyFailsInEveryWay() async throws {
        let place = Place(["unit": "fixed"], user: ["unit": "user"])
        let preferences = place.preferences
        let reference = PreferenceReference("unit", default: "default", [.managed], in: preferences)
        let accessor = PreferenceReference(\Preferences.unit, in: preferences)
        #expect(throws: expectedProblem()) { try preferences.set(\.unit, to: "new") }
        #expect(throws: expectedProblem()) { try preferences.update(\.unit) { $0 += "!" } }
        #expect(throws: expectedProblem()) { try preferences.transaction { $0.unit = "new" } }
        #expect(throws: expectedProblem()) { try reference.set("new") }
        #expect(throws: expectedProblem()) { try accessor.update { $0 = "new" } }
        #expect(await preferences.reportedProblems().isEmpty)
        preferences.unit = "new"
        preferences.set("unit", to: "new", [.managed])
        preferences.set(named: "unit", to: "new")
        preferences["unit"] = "new"
        reference.value = "new"
        #expect(await preferences.reportedProblems() == Array(repeating: expectedProblem(), count: 5))
        #expect(place.user.contents == ["unit": "user"])
        #expect(preferences.unit == "fixed")
    }

    @Test("Resetting a fixed key fails in every way")
    func resettingAFixedKeyFailsInEveryWay() async throws {
        let place = Place(["unit": "fixed"], user: ["unit": "user", "plain": "user"])
        let preferences = place.preferences
        _ = preferences.unit
        preferences.reset(\.unit)
        preferences.reset(named: "unit")
        PreferenceReference("unit", default: "default", [.managed], in: preferences).reset()
        preferences.reset(\.both)
        let problems = await preferences.reportedProblems()
        let own = expectedProblem("it was not reset")
        #expect(problems == [own, own, own, expectedProblem("no key was reset")])
        #expect(throws: own) { try preferences.transaction { $0.reset(\.unit) } }
        #expect(place.user.contents == ["unit": "user", "plain": "user"])
    }

    @Test("A transaction may catch the error, and reads the fixed value")
    func aTransactionMayCatchTheErrorAndReadsTheFixedValue() throws {
        let place = Place(["unit": "fixed"], user: ["unit": "user"])
        try place.preferences.transaction { preferences in
            #expect(preferences.unit == "fixed")
            #expect(preferences.isManaged(\.unit))
            #expect(throws: expectedProblem()) { try preferences.set(\.unit, to: "new") }
            preferences.plain = preferences.unit
        }
        #expect(place.user.contents == ["unit": "user", "plain": "fixed"])
    }

    @Test("A property whose key is fixed cannot be set")
    func aPropertyWhoseKeyIsFixedCannotBeSet() async throws {
        let place = Place(["unit": "fixed"])
        @Preference("unit", [.managed], in: place.preferences) var unit = "default"
        #expect(unit == "fixed")
        #expect($unit.isManaged)
        unit = "new"
        #expect(await place.preferences.reportedProblems() == [expectedProblem()])
        let reference = $unit
        #expect(throws: expectedProblem()) { try reference.set("new") }
        #expect(place.user.contents.isEmpty)
    }

    @Test("Resetting all keys removes the user's own values, also of fixed keys, and reports nothing")
    func resettingAllKeysRemovesTheUsersOwnValues() async throws {
        let place = Place(["unit": "fixed", "free": "fixed"], user: ["unit": "user", "plain": "user"])
        #expect(place.preferences.unit + place.preferences.free == "fixedfixed")
        let changes = StoreChanges(of: place.user)
        try place.preferences.resetAll()
        #expect(changes.soFar == [.names(["unit", "plain"])])
        #expect(place.user.contents.isEmpty)
        #expect(place.preferences.unit == "fixed")
        #expect(await place.preferences.reportedProblems().isEmpty)
    }

    @Test("A migration moves the user's value, and never copies a fixed one")
    func aMigrationMovesTheUsersValue() {
        let user = MemoryStore(["unit": "user"])
        let store = LayeredStore([ManagedStore(.memory(["unit": "fixed", "older": "fixed"])), user])
        store.declareManaged("unit", formerNames: [])
        store.declareManaged("older", formerNames: [])
        let otherStore = LayeredStore([ManagedStore(.memory(["third": "fixed"])), MemoryStore(["third": "other"])])
        otherStore.declareManaged("third", formerNames: [])
        let migration = PreferenceMigration(
            version: 1,
            [.move("unit", to: "moved"), .move("older", to: "other"), .moveAll(from: otherStore)]
        )
        let preferences = Preferences(store: store, migrations: [migration])
        #expect(preferences.get(named: "moved", default: "") == "user")
        #expect(user.contents["unit"] == nil)
        #expect(user.contents["third"] == "other")
        #expect(user.contents["other"] == nil)
        #expect(!user.contents.values.contains("fixed"))
    }

    @Test("An update of the store is made from the user's values", arguments: [1, 2])
    func anUpdateOfTheStoreIsMadeFromTheUsersValues(writtenCount: Int) throws {
        let users = (0..<writtenCount).map { _ in MemoryStore(["unit": "user"]) }
        let policy = ManagedStore(.memory(["unit": "fixed", "older": "fixed"]))
        let store = LayeredStore([LayeredStore([policy]), policy] + users, writingTo: .everyWritable)
        for name in ["unit", "older"] { store.declareManaged(name, formerNames: []) }
        try store.update { current in
            #expect(try store.value(for: "unit") == "fixed")
            #expect(try current("older") == nil)
            return ["copy": try current("unit").map(PreferenceEdit.set) ?? .remove]
        }
        for user in users { #expect(user.contents == ["unit": "user", "copy": "user"]) }
    }

    @Test("A write to the store of a fixed name is not reported as shadowed")
    func aWriteToTheStoreOfAFixedNameIsNotReportedAsShadowed() throws {
        let store = LayeredStore([ManagedStore(.memory(["unit": "fixed"])), MemoryStore()])
        store.declareManaged("unit", formerNames: [])
        let changes = StoreChanges(of: store)
        try store.apply(["unit": .set("user")])
        #expect(changes.soFar == [.names(["unit"])])
    }

    @Test("A write that begins before a policy is installed stores nothing of the policy")
    func aWriteThatBeginsBeforeAPolicyStoresNothingOfIt() {
        func install(_ place: Place) { place.policy.apply(["unit": .set("fixed"), "renamed": .set("fixed")]) }
        let writes: [(Preferences, _ install: () -> Void) throws -> Void] = [
            { preferences, install in
                try preferences.update(\.unit) {
                    install()
                    $0 += "!"
                }
            },
            { preferences, install in
                try preferences.transaction {
                    install()
                    $0.unit = $0.unit + "!"
                }
            },
            { preferences, install in
                try preferences.transaction {
                    $0.unit = "new"
                    install()
                    $0.unit = $0.unit + "!"
                }
            },
            { preferences, install in
                try preferences.store.commit { current in
                    install()
                    return PreferenceBatch(["unit": try current("unit").map(PreferenceEdit.set) ?? .remove])
                }
            },
        ]
        for write in writes {
            let place = Place(user: ["unit": "user", "old": "user"])
            #expect(place.preferences.unit + place.preferences.renamed == "useruser")
            try? write(place.preferences) { install(place) }
            #expect(place.preferences.unit == "fixed")
            #expect(!place.user.contents.values.contains { "\($0)".contains("fixed") }, "\(place.user.contents)")
        }
    }

    // MARK: - Notifications

    @Test("Watchers and Observation are notified of changes of the policy")
    func watchersAndObservationAreNotified() {
        let place = Place(user: ["unit": "user"], isObserved: true)
        let (changes, observed) = (Recorder<PreferenceChange<String>>(), Recorder<String>())
        place.preferences.watch(\.unit, options: .old) { changes.add($0) }
        withObservationTracking {
            _ = place.preferences.unit
        } onChange: {
            observed.add("unit")
        }
        place.policy.apply(["unit": .set("fixed")])
        place.policy.apply(["unit": .remove])
        #expect(changes.all.map(\.old) == ["user", "fixed"])
        #expect(changes.all.map(\.new) == ["fixed", "user"])
        #expect(observed.all == ["unit"])
    }

    @Test("A property that reads whether a key is fixed is notified although the value stays the same")
    func aPropertyThatReadsWhetherAKeyIsFixedIsNotified() {
        let place = Place(user: ["unit": "same"], isObserved: true)
        let (changes, observed) = (Recorder<Bool>(), Recorder<String>())
        place.preferences.watch(\.canSetUnit) { changes.add($0.new) }
        withObservationTracking {
            _ = place.preferences.canSetUnit
        } onChange: {
            observed.add("changed")
        }
        place.policy.apply(["unit": .set("same")])
        #expect(observed.all == ["changed"])
        place.policy.apply(["other": .set("fixed")])
        place.policy.apply(["unit": .remove])
        #expect(changes.all == [false, true])
    }

    @Test("Whether a key is fixed does not change with its value")
    func whetherAKeyIsFixedDoesNotChangeWithItsValue() {
        let place = Place()
        let changes = Recorder<Bool>()
        place.preferences.watch(\.canSetUnit) { changes.add($0.new) }
        place.preferences.unit = "a"
        place.preferences.plain = "b"
        place.policy.apply(["unit": .set("c")])
        place.policy.apply(["unit": .set("d")])
        #expect(changes.all == [false])
    }

    @Test("A policy for the present name takes precedence over one for a former name in another list")
    func aPolicyForThePresentNameTakesPrecedence() {
        let site = MemoryStore(["renamed": "present", "old": "former"])
        let store = LayeredStore([
            ManagedStore(LayeredStore([site]), locks: ["old", "renamed"]), MemoryStore(["renamed": "user"]),
        ])
        #expect(Preferences(store: store).renamed == "present")
    }

    @Test("A prefix locks a name whose next character is a combining mark")
    func aPrefixLocksANameWithACombiningMark() {
        let name = "net:\u{301}x"
        let store = LayeredStore([ManagedStore(MemoryStore(), locks: ["net:"]), MemoryStore([name: "user"])])
        store.declareManaged(name, formerNames: [])
        #expect(store.managedValue(of: name) != nil)
    }

    @Test("Two Preferences over one store agree on what is managed")
    func twoPreferencesOverOneStoreAgree() async {
        let place = Place(["unit": "fixed"], user: ["unit": "user"])
        let other = Preferences(store: place.preferences.store)
        let changes = Recorder<String>()
        let byName = PreferenceReference("unit", default: "default", in: other)
        byName.watch { changes.add($0.new) }
        #expect(byName.value == "user")
        #expect(place.preferences.unit == "fixed")
        #expect(byName.value == "fixed")
        #expect(changes.all == ["fixed"])
        byName.value = "new"
        #expect(await other.reportedProblems().map(\.code) == [.managed])
        #expect(other.isManaged(named: "plain", "unit"))
    }

    // MARK: - Adapters and layers

    @Test("Declarations are forwarded through adapters and nested layers")
    func declarationsAreForwarded() {
        let user = MemoryStore(["unit": "user", "app.unit": "user"])
        let policy = MemoryStore(["app.unit": "fixed", "app.old": "fixed"])
        let nested = LayeredStore([user, ManagedStore(policy).prefixed("app.").readOnly])
        let preferences = Preferences(store: LayeredStore([MemoryStore(), nested]))
        #expect(preferences.unit == "fixed")
        #expect(preferences.renamed == "fixed")
        let changes = Recorder<String>()
        preferences.watch(\.unit) { changes.add($0.new) }
        policy.apply(["app.unit": .remove])
        #expect(preferences.unit == "user")
        #expect(changes.all == ["user"])

        let whole = Preferences(store: LayeredStore([user, ManagedStore(policy)]))
        #expect(whole.prefixed("app.").renamed == "fixed")
        #expect(whole.isManaged(named: "app.renamed"))
        #expect(!whole.isManaged(named: "renamed"))
    }

    @Test("A transformed policy fixes the transformed value, and the default if that fails")
    func aTransformedPolicyFixesTheTransformedValue() {
        let policy = MemoryStore(["percentage": 5])
        let tenfold = PreferenceTransformation<Int, Int> { stored in
            guard stored < 11 else {
                throw PreferenceConversionError(expected: "at most 10", found: .int(Int64(stored)))
            }
            return stored * 10
        } write: {
            $0 / 10
        }
        let store = LayeredStore([TransformedStore(ManagedStore(policy), tenfold), MemoryStore(["percentage": 1])])
        let preferences = Preferences(store: store)
        #expect(preferences.percentage == 50)
        policy.apply(["percentage": .set(11)])
        #expect(preferences.percentage == 10)
        #expect(preferences.isManaged(\.percentage))
    }

    @Test("A policy without other layers fixes declared keys, and shows its values")
    func aPolicyWithoutOtherLayers() async {
        let preferences = Preferences(store: .managed(.memory(["unit": "fixed", "plain": "shown"])))
        #expect(preferences.unit == "fixed")
        #expect(preferences.plain == "shown")
        preferences.unit = "new"
        preferences.plain = "new"
        #expect(await preferences.reportedProblems().map(\.code) == [.managed, .storeUnwritable])
    }
}

extension Preferences {
    /// Returns the problems up to one with a message.
    fileprivate func problems(through message: String) async -> [PreferenceProblem] {
        var problems: [PreferenceProblem] = []
        for await problem in self.problems {
            problems.append(problem)
            if problem.message.hasPrefix(message) { break }
        }
        return problems
    }

    fileprivate var unit: String {
        get { get("unit", default: "default", [.managed]) }
        set { set("unit", to: newValue, [.managed]) }
    }
    fileprivate var free: String { self.get("free", default: "default", [.managed]) }
    fileprivate var city: String { self.get("weather:city", default: "default", [.managed]) }
    fileprivate var plain: String {
        get { get("plain", default: "default") }
        set { set("plain", to: newValue) }
    }
    fileprivate var renamed: String {
        self.get("renamed", default: "default", [.renamed(from: "old", "older"), .managed])
    }
    fileprivate var otherRenamed: String {
        self.get("otherRenamed", default: "default", [.managed, .renamed(from: "old")])
    }
    fileprivate var percentage: Int {
        get { get("percentage", default: 10, [.combining(.managed, .range(0...100))]) }
        set { set("percentage", to: newValue, [.combining(.managed, .range(0...100))]) }
    }
    fileprivate var token: String {
        get { get("token", default: "default", [.secret, .managed]) }
        set { set("token", to: newValue, [.secret, .managed]) }
    }
    fileprivate var both: String { unit + plain }
    fileprivate var canSetUnit: Bool { !isManaged(\.unit) }
}
