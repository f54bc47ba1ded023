import Foundation
import PreferencesCatalogue
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

@Suite("Explanations of values")
struct PreferenceExplanationTests {
    private static let catalogue = PreferenceCatalogue([
        PreferenceKeyDescription("verbose", storageName: "verbose", type: .bool, default: .value(false)),
        .weather("temperature", .double, default: 21.5),
        .weather("unit", .unit, default: "celsius"),
        .weather("password", .optional(.string), isSecret: true),
        .init(
            "weather.radar.range",
            storageName: "weather:radar:range",
            type: .integer(.int),
            default: .value(50),
            formerNames: ["range"]
        ),
        .init("weather.since", storageName: "weather:since", type: .date, default: .expression("Date()", result: nil)),
    ])

    private func explanation(
        of key: PreferenceKeyDescription,
        in store: some PreferenceStore,
        secrets: (any PreferenceStore)? = nil
    ) -> PreferenceExplanation.Key {
        Preferences(store: store, secrets: secrets).reference(to: key).explanation
    }

    private let temperature = PreferenceKeyDescription.weather("temperature", .double, default: 21.5)

    @Test("The description is a tree of the namespaces, with sources, shadowed values and problems")
    func description() {
        let store = LayeredStore([
            EnvironmentStore(prefix: "APP_", environment: ["APP_WEATHER_TEMPERATURE": "23.5"]),
            MemoryStore(["weather:temperature": 21, "weather:unit": 5, "range": 70]),
            UnreadableStore(),
        ])
        let preferences = Preferences(store: store, secrets: MemoryStore(["weather:password": "hunter2"]))
        #expect(
            preferences.explain(Self.catalogue).description == """
                verbose = false           default
                weather
                    temperature = 23.5    environment variable APP_WEATHER_TEMPERATURE
                        shadows 21.0      memory
                    unit = "celsius"      default
                        problem           memory: 'weather:unit': the integer 5 must be one of celsius, F; using its \
                default
                    password = •••        memory
                    since = (Date())      default
                    radar
                        range = 50        default
                            shadows 70    memory
                problem                   broken: it cannot be read; using the values read before, or else defaults, \
                until it can be read
                """
        )
    }

    @Test("A value of a layer shadows those of later layers, as the key reads them")
    func layers() {
        let environment = EnvironmentStore(prefix: "", environment: ["WEATHER_TEMPERATURE": "1"])
        let store = LayeredStore([
            MemoryStore(["weather:temperature": 3]), environment,
            LayeredStore([MemoryStore(["weather:temperature": 4])]),
        ])
        let explanation = explanation(of: temperature, in: store)
        #expect(explanation.value == 3.0)
        #expect(explanation.source == PreferenceSource(store: "memory", name: "weather:temperature"))
        #expect(
            explanation.shadowed.map(\.text) == [
                "1.0 of WEATHER_TEMPERATURE, environment variable WEATHER_TEMPERATURE",
                "4.0 of weather:temperature, memory",
            ]
        )
        #expect(explanation.candidates.count == 3)
        #expect(explanation.problems == [])
    }

    @Test(
        "A first value that cannot be used is a problem, and shadows the others although the key reads as its default"
    )
    func unusable() {
        let store = LayeredStore([
            MemoryStore(["weather:temperature": "warm"]), MemoryStore(["weather:temperature": 4]),
        ])
        let explanation = explanation(of: temperature, in: store)
        #expect(explanation.value == 21.5)
        #expect(explanation.source == nil)
        #expect(
            explanation.candidates.map(\.text) == [
                "\"warm\" of weather:temperature, memory", "4.0 of weather:temperature, memory",
            ]
        )
        #expect(explanation.shadowed.map(\.text) == ["4.0 of weather:temperature, memory"])
        #expect(
            explanation.problems.map(\.message) == ["expected Double, found the string \"warm\"; using its default"]
        )
    }

    @Test("A layer that cannot be read is a problem, and shadows later ones")
    func unreadableFirst() {
        let store = LayeredStore([UnreadableStore(), MemoryStore(["weather:temperature": 4])])
        let explanation = explanation(of: temperature, in: store)
        #expect(explanation.value == 21.5)
        #expect(explanation.source == nil)
        #expect(explanation.shadowed.map(\.text) == ["4.0 of weather:temperature, memory"])
        #expect(explanation.problems.map(\.code) == [.storeUnreadable])
    }

    @Test("Later layers that cannot be read are problems, too")
    func unreadableLater() throws {
        try withTemporaryDirectory { folder in
            let file = folder.appending(path: "damaged.json")
            try Data("{".utf8).write(to: file)
            let store = LayeredStore([
                MemoryStore(["weather:temperature": 4]), UnreadableStore(), FileStore(url: file),
            ])
            let explanation = explanation(of: temperature, in: store)
            #expect(explanation.value == 4.0)
            #expect(explanation.shadowed.map(\.text) == [])
            #expect(explanation.problems.map(\.code) == [.storeUnreadable, .storeMalformed])
            #expect(Preferences(store: store).validate(PreferenceCatalogue([temperature])) == explanation.problems)
        }
    }

    @Test("A value that an administrator has fixed is the first one, and shadows those of all layers")
    func fixedValue() throws {
        let environment = EnvironmentStore(prefix: "", environment: ["WEATHER_TEMPERATURE": "1"])
        let site = MemoryStore(["weather:temperature": 4, "weather:unit": "F"])
        let policy = ManagedStore(EnvironmentStore(prefix: "P_", environment: ["P_WEATHER_TEMPERATURE": "3"]))
        let store = LayeredStore([environment, policy, site])
        let key = PreferenceKeyDescription.weather("temperature", .double, default: 21.5, isManageable: true)
        let explanation = explanation(of: key, in: store)
        #expect(explanation.value == 3.0)
        #expect(explanation.managedBy == "environment variable P_WEATHER_TEMPERATURE")
        #expect(explanation.source?.name == "P_WEATHER_TEMPERATURE")
        #expect(
            explanation.candidates.map(\.text) == [
                "3.0 of P_WEATHER_TEMPERATURE, environment variable P_WEATHER_TEMPERATURE",
                "1.0 of WEATHER_TEMPERATURE, environment variable WEATHER_TEMPERATURE",
                "4.0 of weather:temperature, memory",
            ]
        )
        #expect(explanation.shadowed == Array(explanation.candidates.dropFirst()))
        #expect(
            Preferences(store: store).explain(PreferenceCatalogue([key])).description == """
                weather
                    temperature = 3.0    fixed by environment variable P_WEATHER_TEMPERATURE
                        shadows 1.0      environment variable WEATHER_TEMPERATURE
                        shadows 4.0      memory
                """
        )
        let json = String(decoding: try JSONEncoder().encode(explanation), as: UTF8.self)
        #expect(json.contains(#""managedBy":"environment variable P_WEATHER_TEMPERATURE""#))
        let prefixed = self.explanation(of: key, in: store.readOnly)
        #expect(prefixed.managedBy == explanation.managedBy && prefixed.candidates == explanation.candidates)
    }

    @Test("The machines that share a value are shown, and how it is merged")
    func sharedValue() throws {
        let keys: [PreferenceKeyDescription] = [
            .weather("starts", .integer(.int), default: 0, scope: .user, mergeRule: .sum),
            .weather("unit", .unit, default: "celsius", scope: .fleet), .weather("local", .bool, default: true),
        ]
        let explanation = Preferences(store: .memory(["weather:starts": 12])).explain(PreferenceCatalogue(keys))
        #expect(
            explanation.description == """
                weather
                    starts = 12         memory
                        shared          by all machines of the user, merged by 'sum'
                    unit = "celsius"    default
                        shared          by all machines of the fleet, merged by 'last'
                    local = true        default
                """
        )
        #expect(explanation.keys.map(\.scope) == [.user, .fleet, .machine])
        #expect(explanation.keys.map(\.mergeRule) == [.sum, .last, .last])
        let json = String(decoding: try JSONEncoder().encode(explanation.keys[0]), as: UTF8.self)
        #expect(json.contains(#""scope":"user""#) && json.contains(#""merge":"sum""#))
        #expect(!String(decoding: try JSONEncoder().encode(explanation.keys[2]), as: UTF8.self).contains("merge"))
    }

    @Test("A key that is fixed at its default has no value, and shadows all stored ones")
    func fixedDefault() throws {
        let policy = ManagedStore(MemoryStore(), locks: ["weather:"])
        let store = LayeredStore([UnreadableStore(), MemoryStore(["weather:temperature": 4]), policy])
        let key = PreferenceKeyDescription.weather("temperature", .double, default: 21.5, isManageable: true)
        let explanation = explanation(of: key, in: store)
        #expect(explanation.value == 21.5 && explanation.source == nil && explanation.managedBy == "memory")
        #expect(explanation.shadowed.map(\.text) == ["4.0 of weather:temperature, memory"])
        #expect(explanation.problems.map(\.code) == [.storeUnreadable])
        let lines = Preferences(store: store).explain(PreferenceCatalogue([key])).description.split(separator: "\n")
        #expect(lines[1] == "    temperature = 21.5    default, fixed by memory")
    }

    @Test("A policy has no candidates of a key that cannot be managed")
    func unmanageable() throws {
        let policy = ManagedStore(MemoryStore(["weather:temperature": 3]))
        let explanation = explanation(of: temperature, in: LayeredStore([policy, MemoryStore()]))
        #expect(explanation.value == 21.5 && explanation.candidates == [] && explanation.managedBy == nil)
        let json = String(decoding: try JSONEncoder().encode(explanation), as: UTF8.self)
        #expect(!json.contains("managedBy"))
    }

    @Test("A fixed value that cannot be used is a problem, and the key is fixed at its default")
    func unusableFixedValue() {
        let policy = ManagedStore(MemoryStore(["weather:temperature": "warm"]))
        let key = PreferenceKeyDescription.weather("temperature", .double, default: 21.5, isManageable: true)
        let explanation = explanation(of: key, in: LayeredStore([policy, MemoryStore(["weather:temperature": 4])]))
        #expect(explanation.value == 21.5 && explanation.managedBy == "memory")
        #expect(explanation.shadowed.map(\.text) == ["4.0 of weather:temperature, memory"])
        #expect(
            explanation.problems.map(\.message) == ["expected Double, found the string \"warm\"; using its default"]
        )
    }

    @Test("Duplicate layers are shadowed once each")
    func duplicates() {
        let memory = MemoryStore(["weather:temperature": 4])
        let explanation = explanation(of: temperature, in: LayeredStore([memory, memory, memory]))
        #expect(
            explanation.shadowed.map(\.text) == [
                "4.0 of weather:temperature, memory", "4.0 of weather:temperature, memory",
            ]
        )
    }

    @Test("The value under the present name shadows those under former names in all layers")
    func formerNames() {
        let key = PreferenceKeyDescription.weather("temperature", .double, default: 0, formerNames: ["temp", "t"])
        let store = LayeredStore([
            MemoryStore(["temp": 1, "t": 2]), MemoryStore(["weather:temperature": 3, "temp": 4]),
        ])
        let explanation = explanation(of: key, in: store)
        #expect(explanation.value == 3.0)
        #expect(
            explanation.shadowed.map(\.text) == [
                "1.0 of temp, memory", "4.0 of temp, memory", "2.0 of t, memory",
            ]
        )
    }

    @Test("Layers inside adapters are distinguished, with the adapter's names and values")
    func adapters() {
        let layers = LayeredStore([
            MemoryStore(["app.weather:temperature": 3]), MemoryStore(["app.weather:temperature": 4]),
            EnvironmentStore(prefix: "", environment: ["APP_WEATHER_TEMPERATURE": "5"]),
        ])
        let prefixed = explanation(of: temperature, in: layers.prefixed("app.").readOnly)
        #expect(prefixed.value == 3.0)
        #expect(prefixed.shadowed.map(\.value) == [4.0, 5.0])
        #expect(prefixed.shadowed.first?.source == PreferenceSource(store: "memory", name: "app.weather:temperature"))

        let doubled = TransformedStore(
            LayeredStore([MemoryStore(["weather:temperature": 3.0]), MemoryStore(["weather:temperature": 4.0])]),
            read: { value, _ in if case .double(let value) = value { .double(value * 2) } else { nil } },
            write: { value, _ in value }
        )
        let transformed = explanation(of: temperature, in: doubled)
        #expect(transformed.value == 6.0)
        #expect(transformed.shadowed.map(\.text) == ["8.0 of weather:temperature, memory"])
    }

    @Test("Nothing of a secret is shown, also of a value from before it was one")
    func secrets() throws {
        let key = PreferenceKeyDescription.weather(
            "key",
            .integer(.int),
            default: 1234,
            isSecret: true,
            formerNames: ["pin"]
        )
        let secrets = LayeredStore([MemoryStore(["weather:key": "hunter2"]), MemoryStore(["weather:key": 5678])])
        let explanation = explanation(of: key, in: MemoryStore(["pin": 9012]), secrets: secrets)
        #expect(explanation.value == nil)
        #expect(explanation.candidates.map(\.value) == [nil, nil, nil])
        #expect(explanation.shadowed.map(\.source.name) == ["weather:key", "pin"])
        #expect(explanation.problems.map(\.message) == ["expected Int, found something else; using its default"])
        let texts = try ["\(explanation)", String(decoding: JSONEncoder().encode(explanation), as: UTF8.self)]
        for text in texts {
            for secret in ["1234", "hunter2", "5678", "9012"] { #expect(!text.contains(secret)) }
        }
    }

    @Test("A secret without a secrets store is a problem")
    func noSecretsStore() {
        let key = PreferenceKeyDescription.weather("key", .string, default: "", isSecret: true)
        let problems = Preferences(store: MemoryStore()).validate(PreferenceCatalogue([key]))
        #expect(problems.map(\.code) == [.noSecretsStore])
    }

    @Test("The problems that a validation or an explanation returns are reported by later reads, and not before")
    func returnedProblems() async throws {
        let result = try #require(
            await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                let keys = PreferenceCatalogue([
                    .weather("temperature", .double, default: 21.5), .weather("unit", .unit, default: "F"),
                    .weather("key", .string, default: "", isSecret: true),
                ])
                let preferences = Preferences(
                    store: LayeredStore([
                        MemoryStore(["weather:temperature": "warm", "weather:unit": "K"]), UnreadableStore(),
                    ])
                )
                #expect(preferences.explain(keys).problems.count == 4)
                #expect(preferences.validate(keys).count == 4)
                #expect(preferences.reference(to: keys[0]).explanation.problems.count == 2)
                #expect(preferences.reference(to: keys[0]).value == 21.5)
                #expect(preferences.reference(to: keys[0]).value == 21.5)
            }
        )
        let lines = String(decoding: result.standardErrorContent, as: UTF8.self).split(separator: "\n")
        #expect(
            lines.filter { $0.hasPrefix("preferences: ") } == [
                "preferences: memory: 'weather:temperature': expected Double, found the string \"warm\"; using its default"
            ]
        )
    }

    @Test("Validation returns the problems of all keys, and then finds misspelled names")
    func validation() throws {
        let store = MemoryStore(["weather:temperature": "warm", "weather:unit": "K", "weather:tempreature": 3])
        let preferences = Preferences(store: store)
        let keys = PreferenceCatalogue([temperature, .weather("unit", .unit, default: "F")])
        #expect(
            preferences.validate(keys).map(\.description) == [
                "memory: 'weather:temperature': expected Double, found the string \"warm\"; using its default",
                "memory: 'weather:unit': \"K\" must be one of celsius, F; using its default",
            ]
        )
        #expect(
            try preferences.unrecognizedNames(besides: keys).map(\.message) == [
                "no key used so far has this name; did you mean 'weather:temperature'?"
            ]
        )
    }

    @Test("Names of thousands of keys are recognized, whether or not they were read")
    func recognizedNames() throws {
        let keys = (0..<3_000).map { index in
            PreferenceKeyDescription("k\(index)", storageName: "k\(index)", type: .integer(.int), default: .value(0))
        }
        let catalogue = PreferenceCatalogue(keys)
        let values = Dictionary(uniqueKeysWithValues: keys.map { ($0.storageName, PreferenceValue.int(1)) })
        let store = MemoryStore(values.merging(["other": 1]) { $1 })
        let preferences = Preferences(store: store)
        #expect(preferences.validate(catalogue).isEmpty)
        #expect(try preferences.unrecognizedNames(besides: catalogue).map(\.key) == ["other"])
    }

    @Test("An encoded explanation has the documented fields")
    func encoding() throws {
        let store = LayeredStore([
            MemoryStore(["weather:unit": "K"]), MemoryStore(["weather:unit": "F", "weather:temperature": 3.5]),
        ])
        let keys = PreferenceCatalogue([.weather("unit", .unit, default: "celsius"), temperature])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let json = String(decoding: try encoder.encode(Preferences(store: store).explain(keys)), as: UTF8.self)
        #expect(
            json == """
                {
                  "keys" : [
                    {
                      "default" : "\\"celsius\\"",
                      "keyPath" : "weather.unit",
                      "problems" : [
                        {
                          "code" : "typeMismatch",
                          "key" : "weather:unit",
                          "message" : "\\"K\\" must be one of celsius, F; using its default",
                          "store" : "memory"
                        }
                      ],
                      "scope" : "machine",
                      "secret" : false,
                      "shadowed" : [
                        {
                          "source" : {
                            "description" : "memory",
                            "name" : "weather:unit",
                            "store" : "memory"
                          },
                          "value" : "F"
                        }
                      ],
                      "storageName" : "weather:unit",
                      "value" : "celsius"
                    },
                    {
                      "default" : "21.5",
                      "keyPath" : "weather.temperature",
                      "problems" : [

                      ],
                      "scope" : "machine",
                      "secret" : false,
                      "shadowed" : [

                      ],
                      "source" : {
                        "description" : "memory",
                        "name" : "weather:temperature",
                        "store" : "memory"
                      },
                      "storageName" : "weather:temperature",
                      "value" : 3.5
                    }
                  ]
                }
                """
        )
    }
}

extension PreferenceExplanation.Candidate {
    /// The value, the store's name for it, and where it is.
    fileprivate var text: String { "\(value?.description ?? "•••") of \(source.name), \(source)" }
}
