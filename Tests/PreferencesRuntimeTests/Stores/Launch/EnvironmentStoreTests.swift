import Foundation
import StoreTestSupport
import Testing

@testable import PreferencesRuntime

/// Conversion of texts from outside the program to types.
struct EnvironmentStoreTests {
    private struct Place: Codable, Hashable, PreferenceConvertible {
        var name: String
        var height: Int
    }

    private func read<Value: PreferenceConvertible>(
        _ text: String,
        as type: Value.Type = Value.self,
        separator: Character = ","
    ) throws -> Value {
        let store = EnvironmentStore(prefix: "", listSeparator: separator, environment: ["KEY": text])
        return try store.convert(try #require(store.value(for: "key")), of: "key", to: type)
    }

    @Test("Numbers are read from their text")
    func numbersAreReadFromTheirText() throws {
        #expect(try read("42", as: Int.self) == 42)
        #expect(try read(" -7 ", as: Int8.self) == -7)
        #expect(try read("+5", as: Int.self) == 5)
        #expect(try read("007", as: UInt.self) == 7)
        #expect(try read("18446744073709551615", as: UInt64.self) == .max)
        #expect(try read("21.5", as: Double.self) == 21.5)
        #expect(try read(".5", as: Float.self) == 0.5)
        #expect(try read("1e3", as: Int.self) == 1_000)
        #expect(try read("inf", as: Double.self) == .infinity)
        #expect(try read("1.5", as: Duration.self) == .milliseconds(1_500))
    }

    @Test("Words for true are read", arguments: ["true", "yes", "YES", "on", "1"])
    func wordsForTrueAreRead(text: String) throws {
        #expect(try read(text) == true)
    }

    @Test("Words for false are read", arguments: ["false", "no", "No", "off", "0"])
    func wordsForFalseAreRead(text: String) throws {
        #expect(try read(text) == false)
    }

    @Test("Text is read as it is, whatever it looks like")
    func textIsReadAsItIsWhateverItLooksLike() throws {
        for text in ["42", "true", "", " a ", "[1]", "2026-11-22T08:00:00Z", "Oslo,Bergen", "null"] {
            #expect(try read(text, as: String.self) == text)
        }
    }

    @Test("Dates, data and other values are read from their text")
    func datesDataAndOtherValuesAreReadFromTheirText() throws {
        #expect(try read("2001-01-01T00:01:40Z", as: Date.self) == Date(timeIntervalSinceReferenceDate: 100))
        #expect(try read("AAEC", as: Data.self) == Data([0, 1, 2]))
        #expect(try read("https://example.com/a", as: URL.self) == URL(string: "https://example.com/a"))
        #expect(try read("fahrenheit", as: TemperatureUnit.self) == .fahrenheit)
        #expect(try read("{\"name\": \"Oslo\", \"height\": 94}", as: Place.self) == Place(name: "Oslo", height: 94))
    }

    @Test("Lists are separated by commas, or are JSON")
    func listsAreSeparatedByCommasOrAreJSON() throws {
        #expect(try read("Oslo, Bergen", as: [String].self) == ["Oslo", "Bergen"])
        #expect(try read("Oslo", as: [String].self) == ["Oslo"])
        #expect(try read("", as: [String].self) == [])
        #expect(try read("1,2,3", as: [Int].self) == [1, 2, 3])
        #expect(try read("1,2,2", as: Set<Int>.self) == [1, 2])
        #expect(try read("yes,no", as: [Bool].self) == [true, false])
        #expect(try read("[\"Oslo\", \"Ber,gen\"]", as: [String].self) == ["Oslo", "Ber,gen"])
        #expect(try read("/usr/bin:/bin", as: [String].self, separator: ":") == ["/usr/bin", "/bin"])
        #expect(try read("oslo=1,bergen=2", as: [String: Int].self) == ["oslo": 1, "bergen": 2])
        #expect(try read("oslo=1,bergen=x=y", as: [String: String].self) == ["oslo": "1", "bergen": "x=y"])
        #expect(try read("{\"oslo\": 1}", as: [String: Int].self) == ["oslo": 1])
    }

    @Test("Optionals are read as the wrapped type")
    func optionalsAreReadAsTheWrappedType() throws {
        #expect(try read("7", as: Int?.self) == 7)
        #expect(try read("null", as: Int?.self) == .some(nil))
        #expect(try read("null", as: String?.self) == "null")
    }

    private func error<Value: PreferenceConvertible>(
        _ text: String,
        _ type: Value.Type,
        separator: Character = ","
    ) -> String? {
        do {
            _ = try read(text, as: type, separator: separator)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("A text of another type is reported with the text")
    func aTextOfAnotherTypeIsReportedWithTheText() {
        #expect(error("300", Int8.self) == "expected Int8, found the string \"300\"")
        #expect(error("1.5", Int.self) == "expected Int, found the string \"1.5\"")
        #expect(error("-9223372036854775809", Int.self) == "expected Int, found the string \"-9223372036854775809\"")
        #expect(error("1e400", Double.self) == "expected Double, found the string \"1e400\"")
        #expect(error("-1e400", Float.self) == "expected Float, found the string \"-1e400\"")
        #expect(error("maybe", Bool.self) == "expected Bool, found the string \"maybe\"")
        #expect(error("[1, 2", [Int].self) == "expected Array<Int>, found the string \"[1, 2\"")
        #expect(error("1,two", [Int].self) == "expected Array<Int>, found the string \"1,two\"")
    }

    @Test(
        "An invalid duration is reported with the accepted forms",
        arguments: ["5min", "2x", "1h30", "1 hour", "inf", ""]
    )
    func invalidDuration(text: String) {
        let message = "expected a duration such as 1h30m or 250ms, or a number of seconds, found the string \"\(text)\""
        #expect(error(text, Duration.self) == message)
        #expect(error(text, Duration?.self) == message)
    }

    @Test(
        "An invalid date is reported with the accepted form",
        arguments: ["2026-01-01", "2026-01-01T12:00:00", "tomorrow"]
    )
    func invalidDate(text: String) {
        let message =
            "expected a date with time and time zone, such as 2026-01-31T12:00:00Z, found the string \"\(text)\""
        #expect(error(text, Date.self) == message)
        #expect(error(text, Date?.self) == message)
    }

    @Test("An invalid dictionary is reported with the accepted forms")
    func invalidDictionary() {
        #expect(
            error("a=1,b", [String: Int].self)
                == "expected a dictionary of Int, as NAME=VALUE,NAME=VALUE or in JSON, found the string \"a=1,b\""
        )
        #expect(
            error("a=1:b=x", [String: Int]?.self, separator: ":")
                == "expected a dictionary of Int, as NAME=VALUE:NAME=VALUE or in JSON, found the string \"a=1:b=x\""
        )
    }

    private enum Level: Int, CaseIterable, PreferenceConvertible {
        case low = 1
        case high = 2
    }

    @Test("An invalid raw value of an enum is reported with the valid ones")
    func invalidRawValue() {
        #expect(error("3", Level.self) == "3 must be one of 1, 2")
        #expect(error(" 3 ", Level?.self) == "3 must be one of 1, 2")
        #expect(error("high", Level.self) == "\"high\" must be one of 1, 2")
        #expect(error("kelvin", TemperatureUnit.self) == "\"kelvin\" must be one of celsius, fahrenheit")
        #expect(error("3", TemperatureUnit.self) == "\"3\" must be one of celsius, fahrenheit")
    }

    @Test(
        "A name's variable consists of its words in capitals",
        arguments: [
            ("weather-service:lastUpdate", "WEATHER_SERVICE_LAST_UPDATE"), ("unit", "UNIT"), ("baseURL", "BASE_URL"),
            ("URLPath", "URL_PATH"), ("http2Port", "HTTP2_PORT"), ("animals:cats:lion", "ANIMALS_CATS_LION"),
            ("XDG_CONFIG_HOME", "XDG_CONFIG_HOME"), ("a..b", "A_B"),
        ]
    )
    func aNamesVariableConsistsOfItsWordsInCapitals(name: String, variable: String) {
        #expect(EnvironmentStore(prefix: "", environment: [:]).variable(for: name) == variable)
        #expect(EnvironmentStore(prefix: "APP_", environment: [:]).variable(for: name) == "APP_\(variable)")
    }

    @Test("A variable with the exact name takes precedence")
    func aVariableWithTheExactNameTakesPrecedence() {
        let store = EnvironmentStore(prefix: "", environment: ["http_proxy": "small", "HTTP_PROXY": "large"])
        #expect(store.value(for: "http_proxy") == "small")
        #expect(store.value(for: "httpProxy") == "large")
    }

    @Test("Only variables with the prefix are listed")
    func onlyVariablesWithThePrefixAreListed() throws {
        let store = EnvironmentStore(prefix: "APP_", environment: ["APP_UNIT": "kelvin", "UNIT": "celsius", "APP": ""])
        #expect(store.names() == ["UNIT"])
        #expect(store.value(for: "unit") == "kelvin")
        #expect(store.source(of: "unit")?.description == "environment variable APP_UNIT")
        #expect(store.source(of: "other") == nil)
    }

    @Test("The default is the environment of the process")
    func theDefaultIsTheEnvironmentOfTheProcess() throws {
        let path = try #require(ProcessInfo.processInfo.environment["PATH"])
        #expect(EnvironmentStore(prefix: "").value(for: "path") == .string(path))
    }

    @Test("Keys are read, and their faults are reported")
    func keysAreReadAndTheirFaultsAreReported() async {
        let store = EnvironmentStore(
            prefix: "",
            environment: ["LAUNCH_COUNT": "3", "WEATHER_SERVICE_UNIT": "kelvin", "WEATHER_SERVICE_STATIONS": "Oslo"]
        )
        let preferences = Preferences(store: store)
        #expect(preferences.launchCount == 3)
        #expect(preferences.weather.stations == ["Oslo"])
        #expect(preferences.weather.unit == .celsius)
        preferences.launchCount = 4
        #expect(preferences.launchCount == 3)
        #expect(
            await preferences.reportedProblems().map(\.description) == [
                "environment variable WEATHER_SERVICE_UNIT: 'weather-service:unit': \"kelvin\" must be "
                    + "one of celsius, fahrenheit; using default celsius",
                "environment: 'launchCount': it is read-only; it was not set",
            ]
        )
    }
}
