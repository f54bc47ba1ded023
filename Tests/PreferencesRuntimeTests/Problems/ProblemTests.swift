import Foundation
import PreferencesRuntime
import StoreTestSupport
import Testing

struct ProblemTests {
    private let store = FaultyStore(["weather-service:temperature": "warm"])
    private let preferences: Preferences
    private var weather: Preferences.Weather { preferences.weather }

    init() {
        preferences = Preferences(store: store)
    }

    // MARK: Repetition

    @Test("A problem has the same text in every representation")
    func aProblemHasTheSameTextEverywhere() {
        let problem = PreferenceProblem(.storeUnwritable, key: "a", store: "memory", message: "the disk is full")
        #expect("\(problem)" == "memory: 'a': the disk is full")
        #expect((problem as any Error).localizedDescription == "memory: 'a': the disk is full")
        #expect("\(problem.code)" == "storeUnwritable")
    }

    @Test("A bad value is reported again after its key was set")
    func aBadValueIsReportedAgainAfterItsKeyWasSet() async throws {
        _ = weather.temperature
        weather.temperature = 1
        try store.apply(["weather-service:temperature": .set("warm")])
        _ = weather.temperature
        #expect(await preferences.reportedProblems().count == 2)
    }

    @Test("A bad value is reported again after its key was reset")
    func aBadValueIsReportedAgainAfterItsKeyWasReset() async throws {
        _ = weather.temperature
        weather.reset(\.temperature)
        try store.apply(["weather-service:temperature": .set("warm")])
        _ = weather.temperature
        // Resetting evaluates the key path, which finds the cached value.
        #expect(await preferences.reportedProblems().count == 2)
    }

    @Test("A different bad value of the same key is reported")
    func aDifferentBadValueIsReported() async throws {
        _ = weather.temperature
        try store.apply(["weather-service:temperature": .set("cold")])
        _ = weather.temperature
        _ = weather.temperature
        #expect(await preferences.reportedProblems().count == 2)
    }

    @Test("A bad value is reported again after an external change fixed it")
    func aBadValueIsReportedAgainAfterAnExternalFix() async throws {
        _ = weather.temperature
        try store.apply(["weather-service:temperature": .set(1)])
        #expect(weather.temperature == 1)
        try store.apply(["weather-service:temperature": .set("warm")])
        _ = weather.temperature
        #expect(await preferences.reportedProblems().count == 2)
    }

    @Test("A bad value is reported again after an external change removed it")
    func aBadValueIsReportedAgainAfterAnExternalRemoval() async throws {
        _ = weather.temperature
        try store.apply(["weather-service:temperature": .remove])
        #expect(weather.temperature == 0)
        try store.apply(["weather-service:temperature": .set("warm")])
        _ = weather.temperature
        #expect(await preferences.reportedProblems().count == 2)
    }

    @Test("A value that fits one of two accessors is reported once")
    func aValueThatFitsOneOfTwoAccessorsIsReportedOnce() async {
        for _ in 0..<3 {
            #expect(weather.temperature == 0)
            #expect(preferences.get(named: "weather-service:temperature", default: "") == "warm")
        }
        #expect(await preferences.reportedProblems().count == 1)
    }

    @Test("An error of one key is reported once, even if other keys are read")
    func anErrorOfOneKeyIsReportedOnce() async {
        struct Picky: WritablePreferenceStore {
            struct Refusal: Error, CustomStringConvertible {
                let description = "no entry"
            }

            let label = "picky"
            func names() -> Set<String> { [] }
            func apply(_ batch: PreferenceBatch) {}
            func value(for name: String) throws -> PreferenceValue? {
                if name == "a" { throw Refusal() }
                return nil
            }
        }
        let preferences = Preferences(store: Picky())
        for _ in 0..<3 {
            _ = preferences.get(named: "a", default: 0)
            _ = preferences.get(named: "b", default: 0)
            #expect(!preferences.isSet(named: "a"))
        }
        let problem = PreferenceProblem(
            .storeUnreadable,
            key: "a",
            store: "picky",
            message: "no entry; using its default until it can be read"
        )
        #expect(await preferences.reportedProblems() == [problem])
    }

    @Test("Each key's problem is reported separately")
    func eachKeysProblemIsReportedSeparately() async throws {
        try store.apply(["weather-service:unit": .set("kelvin")])
        _ = (weather.temperature, weather.unit, weather.temperature, weather.unit)
        #expect(
            await preferences.reportedProblems().map(\.key) == ["weather-service:temperature", "weather-service:unit"]
        )
    }

    @Test("A failed set does not cause the old value's problem to be reported again")
    func aFailedSetDoesNotReportTheOldValueAgain() async {
        _ = weather.temperature
        store.failWrites("no space")
        weather.temperature = 1
        _ = weather.temperature
        #expect(await preferences.reportedProblems().map(\.code) == [.typeMismatch, .storeUnwritable])
    }

    @Test("Every failed set is reported")
    func everyFailedSetIsReported() async {
        store.failWrites("no space")
        weather.temperature = 1
        weather.temperature = 1
        #expect(await preferences.reportedProblems().count == 2)
    }

    @Test("An unreadable store is reported once for all keys")
    func anUnreadableStoreIsReportedOnceForAllKeys() async {
        store.failReads("no disk")
        #expect(weather.temperature == 0)
        #expect(weather.unit == .celsius)
        #expect(!weather.isSet(\.radar.range))
        #expect(
            await preferences.reportedProblems() == [
                PreferenceProblem(
                    .storeUnreadable,
                    store: "faulty",
                    message: "no disk; using the values read before, or else defaults, until it can be read"
                )
            ]
        )
    }

    @Test("A store that becomes unreadable again is reported again")
    func aStoreThatBecomesUnreadableAgainIsReportedAgain() async {
        store.failReads("no disk")
        _ = weather.unit
        store.failReads(nil)
        _ = weather.unit
        store.failReads("no disk")
        // The value read meanwhile is cached.
        _ = weather.unit
        _ = weather.stations
        #expect(await preferences.reportedProblems().count == 2)
    }

    // MARK: Streams

    @Test("A new stream begins with earlier problems")
    func aNewStreamBeginsWithEarlierProblems() async {
        _ = weather.temperature
        let stream = preferences.problems
        store.failWrites("no space")
        weather.temperature = 1
        var codes: [PreferenceProblem.Code] = []
        for await problem in stream.prefix(2) { codes.append(problem.code) }
        #expect(codes == [.typeMismatch, .storeUnwritable])
    }

    @Test("Every stream gets every problem")
    func everyStreamGetsEveryProblem() async {
        let streams = [preferences.problems, preferences.problems, preferences.problems]
        _ = weather.temperature
        for stream in streams {
            for await problem in stream.prefix(1) { #expect(problem.code == .typeMismatch) }
        }
    }

    @Test("A new stream gets at most the latest hundred problems")
    func aNewStreamGetsTheLatestHundredProblems() async {
        store.failWrites("no space")
        for number in 0..<130 { preferences.set(named: "key-\(number)", to: number) }
        var keys: [String?] = []
        for await problem in preferences.problems.prefix(100) { keys.append(problem.key) }
        #expect(keys == (30..<130).map { "key-\($0)" })
    }

    @Test("A stream ends when its Preferences are released")
    func aStreamEndsWithItsPreferences() async {
        var preferences: Preferences? = Preferences(store: store)
        _ = preferences?.weather.temperature
        let streams = [preferences?.problems, preferences?.problems].compactMap { $0 }
        preferences = nil
        for stream in streams {
            var count = 0
            for await _ in stream { count += 1 }
            #expect(count == 1)
        }
    }

    @Test("Dropping a stream does not affect other streams")
    func droppingAStreamDoesNotAffectOthers() async {
        var dropped: AsyncStream<PreferenceProblem>? = preferences.problems
        let stream = preferences.problems
        _ = dropped
        dropped = nil
        _ = weather.temperature
        for await problem in stream.prefix(1) { #expect(problem.code == .typeMismatch) }
    }

    // MARK: Standard error

    @Test("The problem of data that looks like JSON leads to the store that reads it")
    func dataThatLooksLikeJSON() async {
        let json: PreferenceValue = .data(Data(#"{"name": "Oslo"}"#.utf8))
        let preferences = Preferences(
            store: ["launchCount": json, "weather-service:temperature": .data(Data([1, 2]))] as MemoryStore
        )
        #expect(preferences.launchCount == 0)
        #expect(preferences.weather.temperature == 0)
        #expect(
            await preferences.reportedProblems().map(\.message) == [
                "expected Int, found data of 16 bytes, which looks like JSON in data; read it through "
                    + "'LegacyStore(_:decoding: [.jsonData])'; using default 0",
                "expected Double, found data of 2 bytes; using default 0.0",
            ]
        )
    }

    @Test("A problem without a stream is written to standard error")
    func aProblemWithoutAStreamIsWrittenToStandardError() async throws {
        let result = try #require(
            await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                let preferences = Preferences(store: ["weather-service:unit": "kel\nvin"] as MemoryStore)
                _ = preferences.weather.unit
                _ = preferences.weather.unit
                preferences.set(named: "a\nb", to: Double.nan)
            }
        )
        let lines = String(decoding: result.standardErrorContent, as: UTF8.self).split(separator: "\n")
        #expect(
            lines.filter { $0.hasPrefix("preferences: ") } == [
                #"preferences: memory: 'weather-service:unit': "kel\nvin" must be one of celsius, fahrenheit; "#
                    + "using default celsius"
            ]
        )
    }

    @Test("A problem that a stream receives is not written to standard error")
    func aProblemOfAStreamIsNotWrittenToStandardError() async throws {
        let result = try #require(
            await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                let preferences = Preferences(store: ["weather-service:unit": "kelvin"] as MemoryStore)
                let stream = preferences.problems
                _ = preferences.weather.unit
                for await problem in stream.prefix(1) { #expect(problem.code == .typeMismatch) }
            }
        )
        #expect(!String(decoding: result.standardErrorContent, as: UTF8.self).contains("preferences: "))
    }

    // MARK: Descriptions

    @Test("The description names the store and the key")
    func theDescriptionNamesStoreAndKey() {
        #expect(
            PreferenceProblem(.typeMismatch, key: "a:b", store: "memory", message: "it is odd").description
                == "memory: 'a:b': it is odd"
        )
        #expect(
            PreferenceProblem(.storeUnreadable, store: "memory", message: "it is odd").description
                == "memory: it is odd"
        )
    }

    @Test("A problem that a store throws keeps its code")
    func aThrownProblemKeepsItsCode() {
        struct Picky: WritablePreferenceStore {
            let label = "picky"
            func value(for name: String) -> PreferenceValue? { nil }
            func names() -> Set<String> { [] }
            func apply(_ batch: PreferenceBatch) throws {
                throw PreferenceProblem(.unsupportedValue, key: "b", store: label, message: "only 'a' is kept here")
            }
        }
        #expect(
            throws: PreferenceProblem(
                .unsupportedValue,
                key: "b",
                store: "picky",
                message: "only 'a' is kept here; it was not set"
            )
        ) {
            try Preferences(store: Picky()).set(\.launchCount, to: 1)
        }
    }
}
