import Foundation
import PreferencesCatalogue
import PreferencesRuntime
import StoreTestSupport
import Testing

@Suite("Export and import of values")
struct ValuesTests {
    private static let catalogue = PreferenceCatalogue([
        PreferenceKeyDescription("verbose", storageName: "verbose", type: .bool, default: .value(false)),
        .weather("temperature", .double, default: 21.5, [.range(from: 0.0, through: 40)]),
        .weather("unit", .unit, default: "celsius"),
        .weather("nickname", .optional(.string), default: "none"),
        .weather("password", .optional(.string), isSecret: true),
        .init("weather.since", storageName: "weather:since", type: .date, default: .expression("Date()", result: nil)),
    ])

    /// Returns the problems of an import; none if it succeeds.
    private func problems(
        importing values: [String: PreferenceValue],
        into preferences: Preferences
    ) -> [PreferenceProblem] {
        do throws(PreferenceProblems) {
            try preferences.importValues(values, of: Self.catalogue)
            return []
        } catch {
            return error.problems
        }
    }

    @Test("Only set values are exported by default, and no secrets")
    func export() {
        let preferences = Preferences.inMemory(
            ["weather:temperature": 3, "weather:unit": "K", "weather:nickname": nil, "other": 1],
            secrets: ["weather:password": "hunter2"]
        )
        #expect(preferences.exportValues(of: Self.catalogue) == ["weather:temperature": 3.0, "weather:nickname": nil])
        #expect(
            preferences.exportValues(of: Self.catalogue, options: [.defaults, .keyPaths]) == [
                "verbose": false, "weather.temperature": 3.0, "weather.unit": "celsius", "weather.nickname": nil,
            ]
        )
        #expect(
            preferences.exportValues(of: Self.catalogue, options: .secrets) == [
                "weather:temperature": 3.0, "weather:nickname": nil, "weather:password": "hunter2",
            ]
        )
    }

    @Test("Exported values can be imported, by storage names and by key paths, also from JSON")
    func roundTrip() throws {
        let values: [String: PreferenceValue] = [
            "weather:temperature": 3.5, "weather:nickname": nil, "weather:password": "hunter2",
            "weather:since": .date(Date(timeIntervalSinceReferenceDate: 5)),
        ]
        for options in [[.secrets], [.secrets, .keyPaths]] as [PreferenceExportOptions] {
            let first = Preferences.inMemory()
            try first.importValues(values, of: Self.catalogue)
            let exported = first.exportValues(of: Self.catalogue, options: options)
            #expect(exported.count == 4)
            let json = try PreferenceValue.dictionary(exported).jsonText()
            guard case .dictionary(let read)? = PreferenceValue(jsonText: json) else {
                Issue.record("\(json) is no object")
                continue
            }
            let second = Preferences.inMemory()
            try second.importValues(read, of: Self.catalogue)
            #expect(second.exportValues(of: Self.catalogue, options: .secrets) == values)
            #expect(try second.store.names() == ["weather:temperature", "weather:nickname", "weather:since"])
        }
    }

    @Test("An import with any refused value changes nothing, and throws all problems")
    func refusedImport() throws {
        let preferences = Preferences.inMemory(["weather:temperature": 3])
        let problems = problems(
            importing: [
                "verbose": true, "weather:temperature": 99, "weather.unit": "K", "weather:unti": "F",
                "weather:nickname": "a", "weather.nickname": "b", "unrelated": 1, "weather:password": 1234,
            ],
            into: preferences
        )
        #expect(
            problems.map(\.description) == [
                "memory: 'unrelated': no key has this name",
                "memory: 'weather:nickname': it is the key that 'weather.nickname' names, too",
                "memory: 'weather:unti': no key has this name; did you mean 'weather:unit'?",
                "memory: 'weather:unit': \"K\" must be one of celsius, F",
                "memory: 'weather:password': expected String?",
                "memory: 'weather:temperature': 99.0 is out of range 0.0...40.0",
            ]
        )
        #expect(preferences.exportValues(of: Self.catalogue) == ["weather:temperature": 3.0])
    }

    @Test("An import is one change, also for watchers")
    func transaction() throws {
        let preferences = Preferences.inMemory(["weather:temperature": 3])
        let changes = Recorder<PreferenceCommit>()
        preferences.didCommit { changes.add($0) }
        try preferences.importValues(
            ["weather:temperature": 4, "weather:unit": "F", "verbose": true],
            of: Self.catalogue
        )
        #expect(changes.all.count == 1)
    }

    @Test("An import that the store refuses is a problem")
    func refusingStores() {
        let readOnly = Preferences(store: MemoryStore(["weather:temperature": 3]).readOnly)
        #expect(
            problems(importing: ["weather:temperature": 4], into: readOnly).map(\.description) == [
                "memory: 'weather:temperature': it is read-only; it was not set"
            ]
        )
        #expect(
            problems(importing: ["weather:password": "x"], into: Preferences(store: MemoryStore())).map(\.code) == [
                .noSecretsStore
            ]
        )
    }

    @Test("All problems are printed, one on each line")
    func description() {
        let preferences = Preferences.inMemory()
        #expect(
            throws: PreferenceProblems.self
        ) { try preferences.importValues(["a": 1, "b": 2], of: Self.catalogue) }
        do throws(PreferenceProblems) {
            try preferences.importValues(["a": 1, "b": 2], of: Self.catalogue)
        } catch {
            let text = "memory: 'a': no key has this name\nmemory: 'b': no key has this name"
            #expect(error.description == text)
            #expect(error.localizedDescription == text)
        }
    }
}
