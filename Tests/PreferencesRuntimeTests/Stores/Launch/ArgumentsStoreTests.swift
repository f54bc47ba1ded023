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

    @Test("A value follows an equals sign, or is the next argument")
    func aValueFollowsAnEqualsSignOrIsTheNextArgument() throws {
        #expect(try read("range", as: Int.self, from: "--range=50") == 50)
        #expect(try read("range", as: Int.self, from: "--range", "50") == 50)
        #expect(try read("range", as: Int.self, from: "--range", "-5") == -5)
        #expect(try read("title", as: String.self, from: "--title=a=b") == "a=b")
        #expect(try read("title", as: String.self, from: "--title=") == "")
        #expect(try read("other", as: Int.self, from: "--range=50") == nil)
    }

    @Test("An option without a value is true")
    func anOptionWithoutAValueIsTrue() throws {
        #expect(try read("verbose", from: "--verbose") == true)
        #expect(try read("verbose", from: "--verbose", "--range=1") == true)
        #expect(try read("verbose", from: "--verbose=no") == false)
        #expect(try read("color", from: "--no-color") == false)
        #expect(try read("no-color", from: "--no-color") == true)
        #expect(try read("color", from: "--color", "--no-color") == false)
        #expect(try read("color", from: "--no-color", "--color") == true)
        // With a value, `--no-NAME` is an option named `no-NAME`.
        #expect(try read("reply", as: String.self, from: "--no-reply=a@b.c") == nil)
        #expect(try read("color", as: Bool.self, from: "--no-color=false") == nil)
    }

    @Test("An option without its value is a problem that names it")
    func anOptionWithoutItsValueIsAProblemThatNamesIt() throws {
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

    @Test("Options that no key reads are listed")
    func optionsThatNoKeyReadsAreListed() {
        let arguments = ["--range=1", "--no-color", "--wether-unit", "--range=2", "--no-sound", "--wether-unit"]
        let store = ArgumentsStore(arguments: arguments)
        #expect(store.unrecognizedOptions == ["--range", "--no-color", "--wether-unit", "--no-sound"])
        // The list is shared by all copies of the store.
        let preferences = Preferences(store: LayeredStore([store, MemoryStore()]))
        #expect(preferences.get(named: "range", default: 0) == 2)
        #expect(preferences.get(named: "color", default: true) == false)
        #expect(preferences.get(named: "no-sound", default: false) == true)
        #expect(preferences.get(named: "weather-unit", default: "") == "")
        #expect(store.unrecognizedOptions == ["--wether-unit"])
    }

    @Test("An argument after a flag need not belong to it")
    func anArgumentAfterAFlagNeedNotBelongToIt() throws {
        #expect(try read("verbose", from: "--verbose", "input.txt") == true)
        #expect(try read("verbose", from: "--verbose", "no") == false)
        #expect(try read("verbose", as: String.self, from: "--verbose", "input.txt") == "input.txt")
        #expect(throws: PreferenceConversionError.self) {
            try read("verbose", as: Bool.self, from: "--verbose=input.txt")
        }
    }

    @Test("Repeated options are a list, and the last one is a single value")
    func repeatedOptionsAreAListAndTheLastOneIsASingleValue() throws {
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
        // An element of another type is reported.
        let error = #expect(throws: PreferenceConversionError.self) {
            try read("port", as: [Int].self, from: "--port=80x", "--port=443")
        }
        #expect(error.map { "\($0)" } == "at '[0]': expected Int, found the string \"80x\"")
        let last = #expect(throws: PreferenceConversionError.self) {
            try read("port", as: Int.self, from: "--port=80", "--port=443x")
        }
        #expect(last.map { "\($0)" } == "expected Int, found the string \"443x\"")
    }

    @Test("Arguments after two dashes are not options")
    func argumentsAfterTwoDashesAreNotOptions() throws {
        #expect(try read("range", as: Int.self, from: "--", "--range=1") == nil)
        #expect(try read("verbose", from: "--verbose", "--", "no") == true)
    }

    @Test("A name's option consists of its words in lowercase")
    func aNamesOptionConsistsOfItsWordsInLowercase() {
        let store = ArgumentsStore(arguments: ["--weather-service-last-update=a", "--weather-service:unit=b"])
        #expect(store.option(for: "weather-service:lastUpdate") == "--weather-service-last-update")
        #expect(store.value(for: "weather-service:lastUpdate") == "a")
        #expect(store.value(for: "weather-service:unit") == "b")
        #expect(store.source(of: "weather-service:lastUpdate")?.description == "argument --weather-service-last-update")
        #expect(store.source(of: "other") == nil)
        #expect(ArgumentsStore(arguments: ["--no-color"]).source(of: "color")?.description == "argument --no-color")
        #expect(store.names() == ["weather-service-last-update", "weather-service:unit"])
    }

    @Test("Options have the prefix")
    func optionsHaveThePrefix() throws {
        let store = ArgumentsStore(prefix: "-D", arguments: ["--verbose", "-Dunit=kelvin", "-Dlist", "--x"])
        #expect(store.names() == ["unit", "list"])
        #expect(store.value(for: "unit") == "kelvin")
        #expect(store.value(for: "list") == "true")
        #expect(store.source(of: "unit")?.description == "argument -Dunit")
    }
}
