import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// Messages of problems contain no secrets.
struct SecretReportTests {
    private let store = FaultyStore()
    private let secrets = FaultyStore(notifiesAllChanges: false)
    private let preferences: Preferences
    private var account: Account { Account(preferences: preferences) }

    init() {
        preferences = Preferences(store: store, secrets: secrets)
    }

    @Test("The problem of a secret of another type does not contain it")
    func aSecretOfAnotherTypeIsNotQuoted() async throws {
        try secrets.apply(["pin": .set("hunter2"), "locale": .set("hunter2"), "stubborn": .set("hunter2")])
        #expect(account.pin == 0)
        #expect(account.locale == nil)
        _ = account.stubborn
        #expect(
            await preferences.reportedProblems().map(\.message) == [
                "expected Int, found something else; using its default",
                "expected Optional<Locale>, found something else; using its default",
                "expected Stubborn, found something else; using its default",
            ]
        )
    }

    @Test("The problem of a secret that violates a constraint does not contain it")
    func aSecretThatViolatesAConstraintIsNotQuoted() async throws {
        try secrets.apply(["pin": .set(12345), "answers": .set(["hunter2": "long"])])
        #expect(account.pin == 0)
        #expect(account.answers == [:])
        account.pin = 67890
        // The keys of a secret dictionary are secret, too.
        account.answers = ["hunter2": "long"]
        #expect(
            await preferences.reportedProblems().map(\.message) == [
                "the value is out of range 0...9999; using its default",
                "a part of the value must be at most 3 characters long; "
                    + "using its default",
                "the value is out of range 0...9999; it was not set",
                "a part of the value must be at most 3 characters long; it was not set",
            ]
        )
        #expect(try secrets.value(for: "pin") == 12345)
    }

    @Test("The problem of a secret that cannot be encoded does not contain it")
    func aSecretThatCannotBeEncodedIsNotQuoted() async {
        account.stubborn = Stubborn()
        #expect(
            await preferences.reportedProblems() == [
                PreferenceProblem(
                    .unencodable,
                    key: "stubborn",
                    store: "faulty",
                    message: "this Stubborn cannot be stored; it was not set"
                )
            ]
        )
    }

    @Test("A read of one store does not cause the other store's problem to be reported again")
    func aReadOfOneStoreDoesNotReportTheOtherAgain() async {
        secrets.failReads("locked")
        for _ in 0..<3 {
            _ = account.token
            _ = account.name
        }
        #expect(
            await preferences.reportedProblems() == [
                PreferenceProblem(
                    .storeUnreadable,
                    store: "faulty",
                    message:
                        "it cannot be read; the reason is not shown, as it may contain a secret; using the values read before, or else defaults, until it can be read"
                )
            ]
        )
        secrets.failReads(nil)
        _ = account.token
        secrets.failReads("locked")
        _ = account.token
        #expect(await preferences.reportedProblems().count == 2)
    }

    @Test("A malformed main store is reported once, whichever keys are read")
    func aMalformedMainStoreIsReportedOnceWhicheverKeysAreRead() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "main.json")
            try Data("{".utf8).write(to: url)
            let preferences = Preferences(store: FileStore(url: url), secrets: MemoryStore())
            for _ in 0..<3 {
                #expect(preferences.get("token", default: "", [.secret, .renamed(from: "password")]) == "")
                #expect(preferences.get("name", default: "") == "")
            }
            let problems = await preferences.reportedProblems()
            #expect(
                problems.filter {
                    $0.message.hasSuffix("using the values read before, or else defaults, until it can be read")
                }.count == 1
            )
        }
    }

    @Test("The problem of an unreadable former value in the main store does not contain it")
    func anUnreadableFormerValueIsNotQuoted() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "main.json")
            try Data(#"{"password": {"$data": "hunter2"}}"#.utf8).write(to: url)
            let preferences = Preferences(store: FileStore(url: url), secrets: MemoryStore())
            #expect(preferences.get("token", default: "", [.secret, .renamed(from: "password")]) == "")
            #expect(
                await preferences.reportedProblems().map(\.message) == [
                    #"line 1: a string is not valid content for "$data"; using its default"#
                ]
            )
        }
    }

    @Test("The problem of a secret that the store does not support does not contain it")
    func anUnsupportedSecretIsNotQuoted() throws {
        try withTemporaryDirectory { folder in
            let file = FileStore(url: folder.appending(component: "secrets.plist"), format: .xmlPropertyList)
            let preferences = Preferences(store: MemoryStore(), secrets: file)
            var nested = Nested()
            for _ in 0..<200 { nested = Nested(inner: [nested]) }
            let owner = NestedOwner(preferences: preferences)
            let problem = PreferenceProblem(
                .unsupportedValue,
                key: "nested",
                store: file.label,
                message: "the value is nested more than 128 levels deep; it was not set"
            )
            #expect(throws: problem) { try owner.set(\.nested, to: nested) }
        }
    }

    private struct Nested: Codable, PreferenceConvertible {
        var inner: [Nested] = []
    }

    private struct NestedOwner: PreferenceAccessors {
        let preferences: Preferences

        var nested: Nested {
            get { get("nested", default: Nested(), [.secret]) }
            nonmutating set { set("nested", to: newValue, [.secret]) }
        }
    }

    @Test(
        "The problem of a secrets file does not contain its contents",
        arguments: [
            (#"{"token": {"$data": "hunter2"}}"#, #"line 1: a string is not valid content for "$data""#),
            (#"{"token": hunter2}"#, "line 1, column 11: expected a value, found other text"),
        ]
    )
    func theProblemOfASecretsFileDoesNotQuoteIt(text: String, message: String) async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "secrets.json")
            try Data(text.utf8).write(to: url)
            let preferences = Preferences(store: MemoryStore(), secrets: FileStore(url: url))
            let account = Account(preferences: preferences)
            #expect(account.token == nil)
            account.pin = 1
            _ = account.isSet(\.token)
            try? preferences.reload()
            let problems = await preferences.reportedProblems()
            #expect(problems.first { $0.code != .secretsExposed }?.message.hasPrefix("\(message); ") == true)
            #expect(!problems.contains { "\($0)".contains("hunter2") })
            do {
                try preferences.reload()
                try preferences.flush()
            } catch {
                #expect(!"\(error)".contains("hunter2"))
            }
        }
    }
}
