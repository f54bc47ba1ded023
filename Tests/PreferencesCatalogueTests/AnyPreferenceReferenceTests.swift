import Dispatch
import Foundation
import PreferencesCatalogue
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

@Suite("References to keys of types that are known at run time")
struct AnyPreferenceReferenceTests {
    private let store = MemoryStore()
    private var preferences: Preferences { Preferences(store: store) }

    private static let unit = PreferenceType.enumeration(
        .init("Unit", cases: [.init("celsius", rawValue: "celsius"), .init("fahrenheit", rawValue: "F")])
    )

    private func reference(
        _ type: PreferenceType,
        default value: PreferenceValue = .null,
        _ constraints: [PreferenceConstraint] = []
    ) -> AnyPreferenceReference {
        let key = PreferenceKeyDescription(
            "key",
            storageName: "key",
            type: type,
            default: .value(value),
            constraints: constraints
        )
        return preferences.reference(to: key)
    }

    @Test("Texts are read as people type them, and as JSON")
    func texts() throws {
        let cases: [(PreferenceType, String, PreferenceValue)] = [
            (.bool, "yes", true), (.integer(.int8), "-5", -5), (.double, "21.5", 21.5), (.string, "Oslo", "Oslo"),
            (.string, "\"Oslo\"", "Oslo"), (.string, "12", "12"), (.duration, "1h30m", 5400),
            (.array(.string), "a,b", ["a", "b"]), (.array(.integer(.int)), "[1, 2]", [1, 2]),
            (.optional(.double), "null", .null), (.optional(.double), "2", 2.0), (Self.unit, "F", "F"),
            (Self.unit, "fahrenheit", "F"), (.url, "https://a.example", "https://a.example"),
            (.dictionary(.bool), "{\"a\": true}", ["a": true]), (.set(.string), "b", ["b"]),
        ]
        for (type, text, value) in cases {
            let reference = reference(type, default: type.isOptional ? .null : value)
            try reference.set(text: text)
            #expect(reference.value == value, "\(type) \(text)")
        }
    }

    @Test("An empty text is nil for optionals whose values have no empty text")
    func emptyText() throws {
        for type in [PreferenceType.bool, .integer(.int), .double, .date, .uuid, .duration] {
            let reference = reference(.optional(type), default: .null)
            try reference.set(text: "")
            #expect(reference.value == .null, "\(type)")
            #expect(throws: PreferenceProblem.self) { try self.reference(type, default: .null).set(text: "") }
        }
        let text = reference(.optional(.string), default: .null)
        try text.set(text: "")
        #expect(text.value == "")
    }

    /// The problem of setting a text; nil if it was set.
    private func problem(of text: String, _ reference: AnyPreferenceReference) -> PreferenceProblem? {
        do {
            try reference.set(text: text)
            return nil
        } catch {
            return error
        }
    }

    @Test("Texts that are refused change nothing, and the message describes what would fit")
    func refusedTexts() {
        let cases: [(PreferenceType, [PreferenceConstraint], String, PreferenceProblem.Code, String)] = [
            (.bool, [], "maybe", .typeMismatch, "expected Bool, found the string \"maybe\""),
            (.integer(.int8), [], "300", .typeMismatch, "expected Int8, found the string \"300\""),
            (.integer(.uint), [], "-1", .typeMismatch, "expected UInt, found the string \"-1\""),
            (
                .duration, [], "soon", .typeMismatch,
                "expected a duration such as 1h30m or 250ms, or a number of seconds, found the string \"soon\""
            ),
            (
                .date, [], "today", .typeMismatch,
                "expected a date with time and time zone, such as 2026-01-31T12:00:00Z, found the string \"today\""
            ),
            (.uuid, [], "1", .typeMismatch, "expected UUID, found the string \"1\""),
            (.url, [], "a b", .typeMismatch, "expected URL, found the string \"a b\""),
            (.data, [], "?", .typeMismatch, "expected Data, found the string \"?\""),
            (.array(.integer(.int)), [], "1,a", .typeMismatch, "expected Array<Int>, found the string \"1,a\""),
            (
                .dictionary(Self.unit), [], "x", .typeMismatch,
                "expected a dictionary of Unit, as NAME=VALUE,NAME=VALUE or in JSON, found the string \"x\""
            ),
            (
                Self.unit, [], "farenheit", .typeMismatch,
                "\"farenheit\" must be one of celsius, F; did you mean 'fahrenheit'?"
            ),
            (Self.unit, [], "kelvin", .typeMismatch, "\"kelvin\" must be one of celsius, F"),
            (Self.unit, [], "null", .typeMismatch, "\"null\" must be one of celsius, F"),
            (.array(Self.unit), [], "F,K", .typeMismatch, "at '[1]': \"K\" must be one of celsius, F"),
            (.integer(.int), [.range(from: 0, through: 9)], "10", .constraintViolation, "10 is out of range 0...9"),
            (
                .array(.integer(.int)), [.each([.range(from: 0)])], "1,-1", .constraintViolation,
                "at '[1]': -1 must be at least 0"
            ),
            (.string, [.oneOf(["a", "b"])], "c", .constraintViolation, "\"c\" must be one of a, b"),
        ]
        for (type, constraints, text, code, message) in cases {
            let reference = reference(type, default: .null, constraints)
            let problem = problem(of: text, reference)
            #expect(problem?.code == code, "\(type) \(text)")
            let consequence = code == .constraintViolation ? "; it was not set" : ""
            #expect(problem?.message == message + consequence)
            #expect(problem?.key == "key")
            #expect(problem?.store == "memory")
            #expect(throws: PreferenceProblem(code, key: "key", store: "memory", message: message)) {
                try reference.value(text: text)
            }
            #expect(!reference.isSet)
        }
    }

    @Test("A text of a type that the program does not have is JSON or else a string")
    func textsOfExternalTypes() throws {
        let reference = reference(.external("Color", valueType: nil))
        for (text, value) in [
            ("red", "red"), ("\"12\"", "12"), ("12", 12), ("{\"r\": 1}", ["r": 1]),
        ] as [(String, PreferenceValue)] {
            try reference.set(text: text)
            #expect(reference.value == value)
        }
    }

    @Test("An integer enum accepts names and other spellings of its numbers")
    func textsOfIntegerEnums() throws {
        let level = PreferenceType.enumeration(
            .init("Level", cases: [.init("low", rawValue: 1), .init("high", rawValue: 7)])
        )
        let reference = reference(level, default: 1)
        for text in ["7", "high", "007", "\"high\""] {
            try reference.reset()
            try reference.set(text: text)
            #expect(reference.value == 7)
            #expect(store.value(for: "key") == 7)
        }
        #expect(problem(of: "8", reference)?.message == "\"8\" must be one of 1, 7")
    }

    @Test("A struct that the program does not have is read from JSON, and its faults are named")
    func textsOfStructs() throws {
        let position = PreferenceType.structure(
            .init(
                "Position",
                fields: [
                    .init("latitude", id: "lat", type: .double, isRequired: true),
                    .init("unit", id: "unit", type: Self.unit, isRequired: false),
                ]
            )
        )
        let reference = reference(position)
        try reference.set(text: #"{"lat": 1.5, "unit": "F"}"#)
        #expect(reference.value == ["lat": 1.5, "unit": "F"])
        #expect(
            problem(of: #"{"lat": "north"}"#, reference)?.message
                == "at 'lat': expected Double, found the string \"north\""
        )
        #expect(problem(of: "{}", reference)?.message == "'lat' is missing")
        #expect(
            problem(of: #"{"lat": 1, "unit": "K"}"#, reference)?.message
                == "at 'unit': Cannot initialize Unit from invalid String value K"
        )
        #expect(problem(of: "lat", reference)?.message == "expected a dictionary, found the string \"lat\"")
    }

    @Test("A typed struct has known fields only, and a stored one with others is read without losing them")
    func unknownFields() throws {
        struct Place: Codable, Sendable, PreferenceConvertible {
            var name: String
        }
        for valueType in [Place.self, nil] as [(any PreferenceConvertible.Type)?] {
            let place = PreferenceType.structure(
                .init(
                    "Place",
                    fields: [.init("name", id: "name", type: .string, isRequired: true)],
                    valueType: valueType
                )
            )
            let unknown = problem(of: #"{"name": "Oslo", "colour": 1}"#, reference(place))
            #expect(unknown?.message == "'Place' has no field 'colour'; its only field is 'name'")
            #expect(unknown?.code == .typeMismatch)
            #expect(
                problem(of: #"{"nam": "Oslo"}"#, reference(.optional(place)))?.message
                    == "'Place' has no field 'nam'; did you mean 'name'?"
            )
            for (type, text, path) in [
                (.array(place), #"[{"name": "Oslo"}, {"name": "Rome", "nam": 1}]"#, "[1]"),
                (.optional(.dictionary(place)), #"{"home": {"name": "Oslo", "nam": 1}}"#, "home"),
            ] as [(PreferenceType, String, String)] {
                #expect(
                    problem(of: text, reference(type))?.message
                        == "at '\(path)': 'Place' has no field 'nam'; did you mean 'name'?"
                )
            }
        }
        let trip = PreferenceType.structure(
            .init(
                "Trip",
                fields: [
                    .init("startPlace", id: "start", type: .string, isRequired: true),
                    .init("end", id: "end", type: .string, isRequired: true),
                ]
            )
        )
        let reference = reference(trip)
        #expect(
            problem(of: #"{"startPlace": "Oslo"}"#, reference)?.message
                == "'Trip' has no field 'startPlace'; did you mean 'start'?"
        )
        #expect(
            problem(of: #"{"colour": 1}"#, reference)?.message
                == "'Trip' has no field 'colour'; its fields are 'start', 'end'"
        )
        let later: PreferenceValue = ["start": "Oslo", "end": "Rome", "colour": 1]
        store.apply(["key": .set(later)])
        #expect(reference.value == later)
        try reference.set(later)
        #expect(store.value(for: "key") == later)
    }

    @Test("No message about a secret contains its text")
    func secretTexts() {
        let preferences = Preferences.inMemory()
        let cases: [(PreferenceType, [PreferenceConstraint])] = [
            (.bool, []), (.integer(.int), []), (Self.unit, []), (.duration, []), (.array(.date), []),
            (.string, [.length(minimum: nil, maximum: 2)]), (.string, [.pattern("[0-9]*")]), (.string, [.oneOf(["a"])]),
            (.array(.string), [.each([.length(minimum: nil, maximum: 2)])]), (.dictionary(.integer(.int)), []),
        ]
        for (type, constraints) in cases {
            let key = PreferenceKeyDescription(
                "key",
                storageName: "key",
                type: type,
                default: .value(.null),
                constraints: constraints,
                isSecret: true
            )
            let reference = preferences.reference(to: key)
            for attempt in [{ try reference.set(text: "hunter2") }, { _ = try reference.value(text: "hunter2") }] {
                let problem = #expect(throws: PreferenceProblem.self) { try attempt() }
                #expect(problem.map { !"\($0)".contains("hunter2") } == true, "\(type)")
            }
        }
        #expect(preferences.exportValues(of: PreferenceCatalogue([]), options: .secrets) == [:])
    }

    // MARK: - Stores

    @Test("A read-only store refuses values and resets")
    func readOnlyStore() throws {
        let preferences = Preferences(store: MemoryStore(["weather:unit": "F"]).readOnly)
        let reference = preferences.reference(to: .weather("unit", .unit, default: "celsius"))
        let expected = PreferenceProblem(
            .storeUnwritable,
            key: "weather:unit",
            store: "memory",
            message: "it is read-only; it was not set"
        )
        #expect(throws: expected) { try reference.set("celsius") }
        #expect(throws: expected) { try reference.set(text: "celsius") }
        #expect(throws: PreferenceProblem.self) { try reference.reset() }
        #expect(reference.value == "F")
    }

    @Test("A key that an administrator has fixed reads as the fixed value, and refuses values and resets")
    func fixedKey() throws {
        let own = MemoryStore(["weather:unit": "F"])
        let policy = ManagedStore(MemoryStore(["weather:unit": "celsius"]))
        let preferences = Preferences(store: LayeredStore([own, policy]))
        let reference = preferences.reference(to: .weather("unit", .unit, default: "F", isManageable: true))
        #expect(reference.isManaged && reference.managedBy == "memory" && reference.value == "celsius")
        func expected(_ consequence: String) -> PreferenceProblem {
            PreferenceProblem(
                .managed,
                key: "weather:unit",
                store: "memory",
                message: "it is fixed by memory; \(consequence)"
            )
        }
        #expect(throws: expected("it was not set")) { try reference.set("F") }
        #expect(throws: expected("it was not set")) { try reference.set(text: "fahrenheit") }
        #expect(throws: expected("it was not reset")) { try reference.reset() }
        #expect(own.value(for: "weather:unit") == "F")
        let problems = #expect(throws: PreferenceProblems.self) {
            try preferences.importValues(["weather:unit": "F"], of: PreferenceCatalogue([reference.key]))
        }
        #expect(problems?.problems == [expected("it was not set")])
    }

    @Test("Nil of an optional key is refused like other values, also if its default is unknown")
    func fixedOptional() {
        let policy = ManagedStore(MemoryStore(["weather:home": "Oslo"]))
        let preferences = Preferences(store: LayeredStore([policy, MemoryStore()]))
        for value in [PreferenceDefault.value(.null), .expression("home()", result: nil)] {
            let key = PreferenceKeyDescription(
                "weather.home",
                storageName: "weather:home",
                type: .optional(.string),
                default: value,
                isManageable: true
            )
            let reference = preferences.reference(to: key)
            let problem = #expect(throws: PreferenceProblem.self) { try reference.set(.null) }
            #expect(problem?.code == .managed)
            #expect(reference.value == "Oslo")
        }
    }

    @Test("A reference declares its key, so that a fixed key cannot be set by its name either")
    func declaredKey() async {
        let own = MemoryStore()
        let policy = ManagedStore(MemoryStore(["weather:former": "celsius"]))
        let preferences = Preferences(store: LayeredStore([own, policy]))
        let key = PreferenceKeyDescription(
            "weather.unit",
            storageName: "weather:unit",
            type: .string,
            default: .value("F"),
            isManageable: true,
            formerNames: ["weather:former"]
        )
        _ = preferences.reference(to: key)
        #expect(preferences.isManaged(named: "weather:unit"))
        preferences.set(named: "weather:unit", to: "F")
        #expect(own.names().isEmpty)
        #expect(await preferences.firstProblem()?.code == .managed)
    }

    @Test("A key is not fixed if its description is not manageable, it is a secret, or the policy does not have it")
    func freeKeys() {
        let policy = ManagedStore(MemoryStore(["weather:a": "x", "weather:b": "y"]))
        let preferences = Preferences(store: LayeredStore([policy, MemoryStore()]), secrets: MemoryStore())
        let keys: [PreferenceKeyDescription] = [
            .weather("a", .string, default: ""), .weather("b", .string, default: "", isSecret: true),
            .weather("c", .string, default: "", isManageable: true),
        ]
        for key in keys {
            let reference = preferences.reference(to: key)
            #expect(!reference.isManaged && reference.managedBy == nil && reference.value == "", "\(key)")
        }
    }

    @Test("A reference declares once that several machines share a key, unless it is a secret")
    func sharedKeys() throws {
        let store = ScopesRecorder()
        let preferences = Preferences(store: store, secrets: ScopesRecorder())
        let keys: [PreferenceKeyDescription] = [
            .weather("a", .bool, default: true, scope: .user, formerNames: ["b"]),
            .weather("c", .integer(.int), default: 0, scope: .fleet, mergeRule: .sum),
            .weather("d", .string, isSecret: true, scope: .user), .weather("e", .string, default: ""),
        ]
        for key in keys + keys {
            let reference = preferences.reference(to: key)
            _ = reference.value
            if !key.isSecret { try reference.reset() }
        }
        #expect(store.declarations == ["weather:a formerly b, user last", "weather:c formerly , fleet sum"])
    }

    @Test("A value that is set behind another layer is stored, not read, and reported as shadowed")
    func shadowingLayer() async throws {
        let file = MemoryStore()
        let store = LayeredStore([EnvironmentStore(prefix: "", environment: ["WEATHER_UNIT": "F"]), file])
        let preferences = Preferences(store: store)
        let reference = preferences.reference(to: .weather("unit", .unit, default: "celsius"))
        try reference.set(text: "celsius")
        #expect(file.value(for: "weather:unit") == "celsius")
        #expect(reference.value == "F")
        #expect(await preferences.reportedProblems().map(\.code) == [.shadowed])
        #expect(reference.explanation.shadowed.map(\.value) == ["celsius"])
    }

    @Test("Environment variables and arguments are read as text, and their sources are named")
    func textStores() {
        let store = LayeredStore([
            ArgumentsStore(arguments: ["--weather-unit=F", "--weather-names", "a,b"]),
            EnvironmentStore(prefix: "APP_", environment: ["APP_WEATHER_LEVEL": "hot", "APP_WEATHER_DELAY": "1h30m"]),
        ])
        let preferences = Preferences(store: store)
        let unit = preferences.reference(to: .weather("unit", .unit, default: "celsius"))
        #expect(unit.value == "F")
        #expect(unit.resolution.source?.description == "argument --weather-unit")
        let names = preferences.reference(to: .weather("names", .set(.string), default: []))
        #expect(names.value == ["a", "b"])
        let delay = preferences.reference(to: .weather("delay", .duration, default: 1))
        #expect(delay.value == 5400)
        let level = preferences.reference(to: .weather("level", .integer(.int), default: 3))
        #expect(level.value == 3)
        #expect(level.isSet)
        #expect(
            level.resolution.problems.map(\.description) == [
                "environment variable APP_WEATHER_LEVEL: 'weather:level': expected Int, found the string \"hot\"; "
                    + "using its default"
            ]
        )
    }

    @Test("Secrets are in the secrets store, and former names are read and removed")
    func secretsAndFormerNames() throws {
        let main = MemoryStore(["pin": 1234])
        let secrets = MemoryStore()
        let preferences = Preferences(store: main, secrets: secrets)
        let reference = preferences.reference(
            to: .weather("key", .integer(.int), default: 0, isSecret: true, formerNames: ["pin"])
        )
        #expect(reference.value == 1234)
        try reference.set(5678)
        #expect(secrets.value(for: "weather:key") == 5678)
        #expect(main.names() == [])
        try reference.reset()
        #expect(reference.value == 0)
        #expect(secrets.names() == [])
    }

    // MARK: - Defaults

    @Test("The result of an expression is evaluated at each read")
    func computedDefaults() throws {
        let count = Recorder<Int>()
        let key = PreferenceKeyDescription(
            "key",
            storageName: "key",
            type: .optional(.integer(.int)),
            default: .computed("count()") { _ -> Int? in
                count.add(1)
                return count.all.count
            }
        )
        let reference = preferences.reference(to: key)
        let values = [reference.value, reference.value]
        #expect(values[0] != values[1])
        try reference.set(.null)
        #expect(reference.value == .some(.null))
        #expect(reference.isSet)
    }

    @Test("A default that the program does not have is nil, and differs from a stored nil")
    func unknownDefaults() throws {
        let key = PreferenceKeyDescription(
            "key",
            storageName: "key",
            type: .optional(.integer(.int)),
            default: .expression("count()", result: nil),
            constraints: [.range(from: 1)]
        )
        let reference = preferences.reference(to: key)
        #expect(reference.value == Optional.none)
        #expect(!reference.isSet)
        try reference.set(.null)
        #expect(reference.value == .some(.null))
        #expect(store.value(for: "key") == .null)
        try reference.set(3)
        #expect(reference.value == 3)
        #expect(throws: PreferenceProblem.self) { try reference.set(0) }
        #expect(throws: PreferenceProblem.self) { try reference.set("three") }
        #expect(reference.value == 3)
        try reference.reset()
        #expect(reference.value == Optional.none)
        #expect(store.names() == [])
    }

    // MARK: - Watching

    @Test("A watcher receives changes by other preferences, until it is cancelled or released")
    func watching() throws {
        let queue = DispatchQueue(label: "watching")
        let first = Recorder<String>()
        let second = Recorder<String>()
        let reference = preferences.reference(to: .weather("unit", .unit, default: "celsius"))
        let text = { @Sendable (change: PreferenceChange<PreferenceValue?>) in
            "\(change.old.map { "\($0?.description ?? "unknown")" } ?? "-") \(change.new?.description ?? "unknown")"
        }
        let watcher = reference.watch(options: [.new, .old, .initial], on: queue) { first.add(text($0)) }
        var released: AnyPreferenceWatcher? = reference.watch(on: queue) { second.add(text($0)) }
        let other = preferences.reference(to: .weather("unit", .unit, default: "celsius"))
        try other.set("F")
        queue.sync {}
        #expect(first.all == ["- \"celsius\"", "\"celsius\" \"F\""])
        #expect(second.all == ["- \"F\""])
        withExtendedLifetime(released) {}
        released = nil
        try reference.reset()
        queue.sync {}
        watcher.cancel()
        try other.set("F")
        queue.sync {}
        #expect(first.all.dropFirst(2) == ["\"F\" \"celsius\""])
        #expect(second.all == ["- \"F\""])
    }

    @Test("A watcher receives changes of a file by other preferences")
    func watchingFile() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "settings.json")
            let key = PreferenceKeyDescription.weather("level", .integer(.int), default: 1)
            let reading = Preferences(store: FileStore(url: file, durability: .immediate)).reference(to: key)
            let (changes, continuation) = AsyncStream.makeStream(of: PreferenceValue?.self)
            let watcher = reading.watch(on: .global()) { continuation.yield($0.new) }
            try Preferences(store: FileStore(url: file, durability: .immediate)).reference(to: key).set(text: "2")
            var iterator = changes.makeAsyncIterator()
            #expect(await iterator.next() == .some(2))
            watcher.cancel()
        }
    }
}

/// A store that records the declarations of shared keys.
private final class ScopesRecorder: PreferenceStoreAdapter {
    let base: any PreferenceStore = MemoryStore()
    private let recorder = Recorder<String>()

    var declarations: [String] { recorder.all }

    func declareShared(
        _ name: String,
        formerNames: [String],
        scope: PreferenceScope,
        mergeRule: PreferenceMergeRule
    ) {
        recorder.add("\(name) formerly \(formerNames.joined(separator: " ")), \(scope) \(mergeRule)")
    }
}
