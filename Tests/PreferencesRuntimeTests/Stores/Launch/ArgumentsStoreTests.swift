import Foundation
import PreferencesRuntime
import Testing

struct ArgumentsStoreTests {
    private func read<Value: PreferenceConvertible>(
        _ name: String,
        as type: Value.Type = Value.self,
        from arguments: String...
    ) throws -> Value? {
        let store = ArgumentsStore(arguments: arguments)
        return try store.value(for: name).map { try store.convert($0, of: name, to: type) }
    }

    @Test func aValueFollowsAfterAnEqualsSignOrAsTheNextArgument() throws {
        #expect(try read("range", as: Int.self, from: "--range=50") == 50)
        #expect(try read("range", as: Int.self, from: "--range", "50") == 50)
        #expect(try read("range", as: Int.self, from: "--range", "-5") == -5)
        #expect(try read("title", as: String.self, from: "--title=a=b") == "a=b")
        #expect(try read("title", as: String.self, from: "--title=") == "")
        #expect(try read("other", as: Int.self, from: "--range=50") == nil)
    }

    @Test func anOptionWithoutAValueIsTrue() throws {
        #expect(try read("verbose", from: "--verbose") == true)
        #expect(try read("verbose", from: "--verbose", "--range=1") == true)
        #expect(try read("verbose", from: "--verbose=no") == false)
        #expect(try read("color", from: "--no-color") == false)
        #expect(try read("no-color", from: "--no-color") == true)
        #expect(try read("color", from: "--color", "--no-color") == false)
        #expect(try read("color", from: "--no-color", "--color") == true)
        // One with a value is an option of that name.
        #expect(try read("reply", as: String.self, from: "--no-reply=a@b.c") == nil)
        #expect(try read("color", as: Bool.self, from: "--no-color=false") == nil)
    }

    @Test func anOptionThatNeedsAValueSaysSo() throws {
        for argument in ["--range", "--no-range"] {
            let error = #expect(throws: (any Error).self) { try read("range", as: Int.self, from: argument) }
            #expect(error.map { "\($0)" } == "expected Int, found an option without a value")
        }
        #expect(throws: PreferenceConversionError.self) { try read("range", as: Int.self, from: "--range=true") }
        #expect(throws: (any Error).self) { try read("theme", as: String.self, from: "--theme") }
        #expect(try read("theme", as: String.self, from: "--theme=true") == "true")
        #expect(throws: (any Error).self) { try read("list", as: [String].self, from: "--list=a", "--list") }
        #expect(throws: (any Error).self) { try read("list", as: [String].self, from: "--list", "--list=a") }
    }

    @Test func optionsThatNoKeyIsReadFromAreKnown() {
        let arguments = ["--range=1", "--no-color", "--wether-unit", "--range=2", "--no-sound", "--wether-unit"]
        let store = ArgumentsStore(arguments: arguments)
        #expect(store.unreadOptions == ["--range", "--no-color", "--wether-unit", "--no-sound"])
        // One and the same for all who have it.
        let preferences = Preferences(store: LayeredStore([store, MemoryStore()]))
        #expect(preferences.get(named: "range", default: 0) == 2)
        #expect(preferences.get(named: "color", default: true) == false)
        #expect(preferences.get(named: "no-sound", default: false) == true)
        #expect(preferences.get(named: "weather-unit", default: "") == "")
        #expect(store.unreadOptions == ["--wether-unit"])
    }

    @Test func anArgumentAfterAFlagNeedNotBelongToIt() throws {
        #expect(try read("verbose", from: "--verbose", "input.txt") == true)
        #expect(try read("verbose", from: "--verbose", "no") == false)
        #expect(try read("verbose", as: String.self, from: "--verbose", "input.txt") == "input.txt")
        #expect(throws: PreferenceConversionError.self) {
            try read("verbose", as: Bool.self, from: "--verbose=input.txt")
        }
    }

    @Test func repeatedOptionsAreAListAndOfOneValueTheLastCounts() throws {
        #expect(
            try read("station", as: [String].self, from: "--station", "Oslo", "--station=Ber,gen") == [
                "Oslo", "Ber,gen",
            ]
        )
        #expect(try read("station", as: [Int].self, from: "--station=1", "--station=2") == [1, 2])
        #expect(try read("station", as: [String].self, from: "--station=Oslo,Bergen") == ["Oslo", "Bergen"])
        #expect(try read("range", as: Int.self, from: "--range=1", "--range=2") == 2)
        #expect(try read("range", as: Int.self, from: "--range=1", "--range=2", "--range=3") == 3)
        let limits = try read("limits", as: [String: Int].self, from: "--limits", "oslo=1", "--limits=bergen=2")
        #expect(limits == ["oslo": 1, "bergen": 2])
        // An element that does not fit is not lost without a word.
        let error = #expect(throws: PreferenceConversionError.self) {
            try read("port", as: [Int].self, from: "--port=80x", "--port=443")
        }
        #expect(error.map { "\($0)" } == "at '[0]': expected Int, found the string \"80x\"")
        let last = #expect(throws: PreferenceConversionError.self) {
            try read("port", as: Int.self, from: "--port=80", "--port=443x")
        }
        #expect(last.map { "\($0)" } == "expected Int, found the string \"443x\"")
    }

    @Test func whatComesAfterTwoDashesIsNoOption() throws {
        #expect(try read("range", as: Int.self, from: "--", "--range=1") == nil)
        #expect(try read("verbose", from: "--verbose", "--", "no") == true)
    }

    @Test func aNamesOptionIsItsWordsInSmallLetters() {
        let store = ArgumentsStore(arguments: ["--weather-service-last-update=a", "--weather-service:unit=b"])
        #expect(store.option(for: "weather-service:lastUpdate") == "--weather-service-last-update")
        #expect(store.value(for: "weather-service:lastUpdate") == "a")
        #expect(store.value(for: "weather-service:unit") == "b")
        #expect(store.source(of: "weather-service:lastUpdate") == "argument --weather-service-last-update")
        #expect(store.source(of: "other") == nil)
        #expect(ArgumentsStore(arguments: ["--no-color"]).source(of: "color") == "argument --no-color")
        #expect(store.names() == ["weather-service-last-update", "weather-service:unit"])
    }

    @Test func optionsHaveThePrefix() throws {
        let store = ArgumentsStore(prefix: "-D", arguments: ["--verbose", "-Dunit=kelvin", "-Dlist", "--x"])
        #expect(store.names() == ["unit", "list"])
        #expect(store.value(for: "unit") == "kelvin")
        #expect(store.value(for: "list") == "true")
        #expect(store.source(of: "unit") == "argument -Dunit")
    }
}
