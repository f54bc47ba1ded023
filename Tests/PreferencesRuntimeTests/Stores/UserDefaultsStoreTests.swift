import Foundation
import PreferencesRuntime
import StoreTestSupport
import Testing

struct UserDefaultsStoreTests {
    @Test("Values are stored as other code expects them")
    func valuesAreStoredAsOtherCodeExpectsThem() throws {
        try withUserDefaultsSuite { suite in
            try UserDefaultsStore(suite: suite).apply([
                "bool": .set(true), "int": .set(7), "double": .set(1.5), "string": .set("a"),
                "data": .set(.data(Data([1]))), "array": .set(["a", "b"]),
                "date": .set(.date(Date(timeIntervalSinceReferenceDate: 60))),
            ])
            let defaults = try #require(UserDefaults(suiteName: suite))
            #expect(defaults.bool(forKey: "bool"))
            #expect(defaults.integer(forKey: "int") == 7)
            #expect(defaults.double(forKey: "double") == 1.5)
            #expect(defaults.string(forKey: "string") == "a")
            #expect(defaults.data(forKey: "data") == Data([1]))
            #expect(defaults.stringArray(forKey: "array") == ["a", "b"])
            #expect(defaults.object(forKey: "date") as? Date == Date(timeIntervalSinceReferenceDate: 60))
        }
    }

    @Test("Values that other code stored are read")
    func valuesThatOtherCodeStoredAreRead() throws {
        try withUserDefaultsSuite { suite in
            let defaults = try #require(UserDefaults(suiteName: suite))
            defaults.set(true, forKey: "bool")
            defaults.set(1, forKey: "int")
            defaults.set(1.0, forKey: "double")
            defaults.set(["a": [1, true, 2.5] as [Any]], forKey: "nested")
            let store = UserDefaultsStore(suite: suite)
            #expect(try store.value(for: "bool") == true)
            #expect(try store.value(for: "int") == 1)
            #expect(try store.value(for: "double") == 1.0)
            #expect(try store.value(for: "nested") == ["a": [1, true, 2.5]])
        }
    }

    @Test("A name is read in any Unicode normalization in which other code stored it")
    func aNameIsReadInAnyUnicodeNormalizationInWhichOtherCodeStoredIt() throws {
        try withUserDefaultsSuite { suite in
            let defaults = try #require(UserDefaults(suiteName: suite))
            defaults.set("Oslo", forKey: "cafe\u{301}")
            let store = UserDefaultsStore(suite: suite)
            #expect(try store.value(for: "caf\u{E9}") == "Oslo")
            try store.apply(["caf\u{E9}": .set("Bergen")])
            #expect(try store.value(for: "cafe\u{301}") == "Bergen")
            #expect(try store.names() == ["caf\u{E9}"])
            try store.apply(["caf\u{E9}": .remove])
            #expect(try store.value(for: "cafe\u{301}") == nil)
            #expect(try store.names().isEmpty)
        }
    }

    @Test("A number replaces an equal one of another type")
    func aNumberReplacesAnEqualOneOfAnotherType() throws {
        try withUserDefaultsSuite { suite in
            let store = UserDefaultsStore(suite: suite)
            try store.apply(["a": .set(1), "b": .set([1.0])])
            try store.apply(["a": .set(1.0), "b": .set([1])])
            #expect(try store.value(for: "a") == 1.0)
            #expect(try store.value(for: "b") == [1])
        }
    }

    @Test("Suites are separate")
    func suitesAreSeparate() throws {
        try withUserDefaultsSuite { first in
            try withUserDefaultsSuite { second in
                let preferences = Preferences(store: UserDefaultsStore(suite: first))
                preferences.set("local", to: "1")
                #expect(preferences.get("local", default: "none") == "1")
                #expect(Preferences(store: UserDefaultsStore(suite: second)).get("local", default: "none") == "none")
                #expect(UserDefaults.standard.object(forKey: "local") == nil)
            }
        }
    }

    @Test("Only the suite's own names are listed")
    func onlyTheSuitesOwnNamesAreListed() throws {
        try withUserDefaultsSuite { suite in
            let store = UserDefaultsStore(suite: suite)
            #expect(try store.names().isEmpty)
            try store.apply(["a": .set(1), "b": .set(.null)])
            #expect(try store.names() == ["a", "b"])
            try store.apply(["a": .remove])
            #expect(try store.names() == ["b"])
            #expect(try store.value(for: "a") == nil)
        }
    }

    @Test("Reading writes nothing")
    func readingWritesNothing() throws {
        try withUserDefaultsSuite { suite in
            let preferences = Preferences(store: UserDefaultsStore(suite: suite))
            #expect(preferences.weather.temperature == 0)
            let domain = UserDefaults.standard.persistentDomain(forName: suite) ?? [:]
            #expect(domain.isEmpty)
        }
    }

    #if !canImport(Darwin)
        @Test(
            "A suite that is no name of a file ends the program",
            arguments: ["", "../evil", "a/b", "NSGlobalDomain"]
        )
        func suiteNames(_ suite: String) async {
            await #expect(processExitsWith: .failure) { [suite] in _ = UserDefaultsStore(suite: suite) }
        }

        @Test("A name that XML cannot represent is rejected")
        func aNameThatXMLCannotRepresentIsRejected() throws {
            try withUserDefaultsSuite { suite in
                let store = UserDefaultsStore(suite: suite)
                let problem = PreferenceProblem(
                    .unsupportedValue,
                    key: "a\u{1}",
                    store: "user defaults '\(suite)'",
                    message: "XML cannot represent a character of this name"
                )
                #expect(throws: problem) { try store.apply(["a\u{1}": .set(1), "b": .set(2)]) }
                let names = try store.names()
                #expect(names.isEmpty)
            }
        }
    #endif

    @Test("A tag with other content is a problem of its key")
    func aTagWithOtherContentIsAProblemOfItsKey() async throws {
        try await withUserDefaultsSuite { suite in
            let defaults = try #require(UserDefaults(suiteName: suite))
            defaults.set(["$date": "yesterday"], forKey: "weather-service:temperature")
            let preferences = Preferences(store: UserDefaultsStore(suite: suite))
            #expect(preferences.weather.temperature == 0)
            #expect(preferences.weather.isSet(\.temperature))
            #expect(
                await preferences.reportedProblems() == [
                    PreferenceProblem(
                        .unsupportedValue,
                        key: "weather-service:temperature",
                        store: "user defaults '\(suite)'",
                        message: "this is not valid content for \"$date\"; "
                            + "using its default"
                    )
                ]
            )
        }
    }
}
