import PreferencesRuntime
import StoreTestSupport
import Testing

private struct Sky: PreferenceAccessors {
    let preferences: Preferences

    var cover: Int {
        get { get("cover", default: 0, [.range(0...100), .renamed(from: "newer", "older")]) }
        nonmutating set { set("cover", to: newValue, [.range(0...100), .renamed(from: "newer", "older")]) }
    }

    var note: String? {
        get { get("note", default: nil, [.renamed(from: "remark")]) }
        nonmutating set { set("note", to: newValue, [.renamed(from: "remark")]) }
    }

    var token: String {
        get { get("token", default: "", [.secret, .renamed(from: "password")]) }
        nonmutating set { set("token", to: newValue, [.secret, .renamed(from: "password")]) }
    }
}

struct RenamedKeyTests {
    private let store = FaultyStore()
    private let secrets = FaultyStore()
    private let preferences: Preferences
    private var sky: Sky { Sky(preferences: preferences) }

    init() {
        preferences = Preferences(store: store, secrets: secrets)
    }

    // MARK: Reading

    @Test("A key is read from the newest name that is set")
    func aKeyIsReadFromTheNewestNameThatIsSet() throws {
        try store.apply(["older": .set(1)])
        #expect(sky.cover == 1)
        try store.apply(["newer": .set(2)])
        #expect(sky.cover == 2)
        try store.apply(["cover": .set(3)])
        #expect(sky.cover == 3)
    }

    @Test("Reading does not move values")
    func readingDoesNotMoveValues() throws {
        try store.apply(["older": .set(1)])
        _ = sky.cover
        _ = sky.isSet(\.cover)
        _ = sky.defaultValue(\.cover)
        #expect(store.batches.count == 1)
    }

    @Test(
        "A bad value under a former name reads as the default, and hides older names",
        arguments: [
            ("many" as PreferenceValue, "expected Int, found the string \"many\""),
            (101, "101 is out of range 0...100"),
        ]
    )
    func aBadFormerValueReadsAsTheDefaultAndHidesOlderNames(value: PreferenceValue, message: String) async throws {
        try store.apply(["newer": .set(value), "older": .set(1)])
        for _ in 0..<3 { #expect(sky.cover == 0) }
        let problems = await preferences.reportedProblems()
        #expect(problems.map(\.key) == ["newer"])
        #expect(problems.map(\.message) == ["\(message); using default 0"])
        #expect(try store.value(for: "newer") == value)
        sky.cover = 5
        #expect(sky.cover == 5)
        #expect(store.names() == ["cover"])
    }

    @Test("Operations on key paths consider former names")
    func keyPathOperationsConsiderFormerNames() throws {
        #expect(!sky.isSet(\.cover))
        try store.apply(["older": .set(1)])
        #expect(sky.isSet(\.cover))
        #expect(sky.defaultValue(\.cover) == 0)
    }

    // MARK: Setting

    @Test("Setting removes the former names in the same batch")
    func settingRemovesTheFormerNamesInTheSameBatch() throws {
        try store.apply(["newer": .set(1), "older": .set(2), "other": .set(3)])
        sky.cover = 4
        #expect(store.batches.last == ["cover": .set(4), "newer": .remove, "older": .remove])
        #expect(store.names() == ["cover", "other"])
    }

    @Test("A rejected value preserves the former names")
    func aRejectedValuePreservesTheFormerNames() throws {
        try store.apply(["older": .set(2)])
        sky.cover = 101
        #expect(store.batches.count == 1)
        #expect(sky.cover == 2)
    }

    @Test("A failed write preserves the former names")
    func aFailedWritePreservesTheFormerNames() async throws {
        try store.apply(["older": .set(2)])
        store.failWrites("the disk is full")
        sky.cover = 4
        store.failWrites(nil)
        #expect(sky.cover == 2)
        #expect(
            await preferences.reportedProblems() == [
                PreferenceProblem(
                    .storeUnwritable,
                    key: "cover",
                    store: "faulty",
                    message: "the disk is full; it was not set"
                )
            ]
        )
    }

    @Test("Resetting removes all names in one batch")
    func resettingRemovesAllNamesInOneBatch() throws {
        try store.apply(["cover": .set(1), "older": .set(2)])
        sky.reset(\.cover)
        #expect(store.batches.last == ["cover": .remove, "newer": .remove, "older": .remove])
        #expect(sky.cover == 0)
        #expect(!sky.isSet(\.cover))
    }

    @Test("Setting nil also removes the former name")
    func settingNilAlsoRemovesTheFormerName() throws {
        try store.apply(["remark": .set("old")])
        #expect(sky.note == "old")
        sky.note = nil
        #expect(sky.note == nil)
        #expect(store.names().isEmpty)
    }

    // MARK: Keys that became secret

    @Test("A key that became secret is read from both stores")
    func aKeyThatBecameSecretIsReadFromBothStores() throws {
        try store.apply(["password": .set("public")])
        #expect(sky.token == "public")
        #expect(sky.isSet(\.token))
        try secrets.apply(["password": .set("former")])
        #expect(sky.token == "former")
        try secrets.apply(["token": .set("present")])
        #expect(sky.token == "present")
    }

    @Test("Setting a key that became secret moves it to the secrets store")
    func settingAKeyThatBecameSecretMovesIt() throws {
        try store.apply(["password": .set("public")])
        sky.token = "hunter2"
        #expect(store.names().isEmpty)
        #expect(secrets.batches == [["token": .set("hunter2"), "password": .remove]])
        #expect(sky.token == "hunter2")
    }

    @Test("The former value is preserved if the secrets store cannot be written")
    func theFormerValueIsPreservedIfTheSecretsStoreFails() async throws {
        try store.apply(["password": .set("public")])
        secrets.failWrites("locked")
        sky.token = "hunter2"
        #expect(store.batches.count == 1)
        #expect(sky.token == "public")
        #expect(
            await preferences.reportedProblems() == [
                PreferenceProblem(
                    .storeUnwritable,
                    key: "token",
                    store: "faulty",
                    message: "its error (Fault) is not shown, as it may contain a secret; it was not set"
                )
            ]
        )
    }

    @Test("A secret is set even if its former value cannot be removed, which is reported")
    func aSecretIsSetEvenIfItsFormerValueCannotBeRemoved() throws {
        try store.apply(["password": .set("public")])
        store.failWrites("the disk is full")
        let problem = PreferenceProblem(
            .storeUnwritable,
            key: "password",
            store: "faulty",
            message: "its error (Fault) is not shown, as it may contain a secret; "
                + "'token' was changed in the secrets store, but its former value is still here"
        )
        #expect(throws: problem) { try sky.set(\.token, to: "hunter2") }
        #expect(sky.token == "hunter2")
        #expect(try store.value(for: "password") == "public")
    }

    @Test("Resetting a key that became secret removes it from both stores")
    func resettingAKeyThatBecameSecretRemovesItFromBothStores() throws {
        try store.apply(["password": .set("public")])
        try secrets.apply(["token": .set("hunter2")])
        sky.reset(\.token)
        #expect(store.names().isEmpty && secrets.names().isEmpty)
    }

    @Test("The bad former value of a secret is reported once, without the value")
    func theBadFormerValueOfASecretIsNotQuoted() async throws {
        try store.apply(["password": .set(["hunter2"])])
        for _ in 0..<3 { #expect(sky.token == "") }
        #expect(
            await preferences.reportedProblems().map(\.message) == [
                "expected String, found something else; using its default"
            ]
        )
    }

    @Test("Without a secrets store, a key that became secret is neither read, set nor reset")
    func withoutASecretsStoreAKeyThatBecameSecretIsInaccessible() async throws {
        try store.apply(["password": .set("public")])
        let sky = Sky(preferences: Preferences(store: store))
        #expect(sky.token == "")
        #expect(!sky.isSet(\.token))
        sky.token = "hunter2"
        sky.reset(\.token)
        #expect(try store.value(for: "password") == "public")
        #expect(
            await sky.preferences.reportedProblems().map(\.code) == [
                .noSecretsStore, .noSecretsStore, .noSecretsStore,
            ]
        )
    }
}
