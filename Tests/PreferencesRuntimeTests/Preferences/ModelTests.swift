import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime

/// Random operations on preferences and on a dictionary as the model.
///
/// Two `Preferences` share a store that is also changed externally. After each operation, both must read the values
/// of the dictionary.
@Suite("A model of reads and writes")
struct ModelTests {
    private struct Model {
        var values: [String: PreferenceValue] = [:]

        var launchCount: Int { (values["launchCount"].flatMap { try? Int(preferenceValue: $0) }) ?? 0 }
        var temperature: Double {
            (values["weather-service:temperature"].flatMap { try? Double(preferenceValue: $0) }) ?? 0
        }
        var unit: TemperatureUnit {
            (values["weather-service:unit"].flatMap { try? TemperatureUnit(preferenceValue: $0) }) ?? .celsius
        }
        var stations: [String] {
            (values["weather-service:stations"].flatMap { try? [String](preferenceValue: $0) }) ?? []
        }
        var nickname: String? {
            switch values["weather-service:nickname"] {
            case .null: nil
            case .string(let text): text
            default: "anonymous"
            }
        }
        var range: Int {
            (values["weather-service:radar:radar-range"].flatMap { try? Int(preferenceValue: $0) }) ?? 50
        }
    }

    private struct Rollback: Error {}

    private static let names = [
        "launchCount", "weather-service:temperature", "weather-service:unit", "weather-service:stations",
        "weather-service:nickname", "weather-service:radar:radar-range",
    ]

    @Test(
        "Preferences read the same values as a dictionary after random operations",
        arguments: [true, false],
        1...8 as ClosedRange<UInt64>
    )
    func readsMatchADictionary(notifiesAllChanges: Bool, seed: UInt64) throws {
        var generator = SeededRandom(seed: seed)
        let store = SharedStore(notifiesAllChanges: notifiesAllChanges)
        // External changes must not be written to standard error.
        let all = [Preferences(store: store), Preferences(store: store)]
        let streams = all.map(\.problems)
        var model = Model()
        let seen = all.map { preferences in
            let seen = Recorder<Int>()
            if notifiesAllChanges { preferences.watch(\.launchCount, options: .initial) { seen.add($0.new) } }
            return seen
        }
        for step in 0..<400 {
            let preferences = all.randomElement(using: &generator)!
            switch Int.random(in: 0..<10, using: &generator) {
            case 0:
                let name = Self.names.randomElement(using: &generator)!
                let value = Self.raw.randomElement(using: &generator)!
                store.memory.apply([name: value.map { .set($0) } ?? .remove])
                model.values[name] = value
            case 1:
                let isKept = Bool.random(using: &generator)
                let before = model
                do {
                    try preferences.transaction { preferences in
                        for _ in 0..<Int.random(in: 0..<5, using: &generator) {
                            change(preferences, &model, &generator)
                            check(preferences, model, "inside of the transaction, step \(step)")
                        }
                        if !isKept { throw Rollback() }
                    }
                } catch is Rollback {
                    model = before
                }
            case 2:
                try preferences.update(\.launchCount) { $0 += 1 }
                model.values["launchCount"] = .int(Int64(model.launchCount + 1))
            case 3 where Int.random(in: 0..<10, using: &generator) == 0:
                try preferences.weather.resetAll()
                model.values = model.values.filter { $0.key == "launchCount" }
            case 4: try preferences.reload()
            default: change(preferences, &model, &generator)
            }
            for preferences in all { check(preferences, model, "step \(step)") }
            if notifiesAllChanges { for seen in seen { #expect(seen.all.last == model.launchCount, "step \(step)") } }
        }
        withExtendedLifetime(streams) {}
    }

    private static let raw: [PreferenceValue?] = [
        nil, .null, true, 1, -7, 2.5, 70.0, "kelvin", "fahrenheit", "", ["a"], ["a", 1], ["a": 1],
    ]

    private func change(_ preferences: Preferences, _ model: inout Model, _ generator: inout SeededRandom) {
        let weather = preferences.weather
        switch Int.random(in: 0..<9, using: &generator) {
        case 0, 1:
            let value = Int.random(in: -3...3, using: &generator)
            preferences.launchCount = value
            model.values["launchCount"] = .int(Int64(value))
        case 2:
            let value = [0, -0.0, 1.5, .infinity].randomElement(using: &generator)!
            weather.temperature = value
            model.values["weather-service:temperature"] = .double(value)
        case 3:
            let value = [TemperatureUnit.celsius, .fahrenheit].randomElement(using: &generator)!
            weather.unit = value
            model.values["weather-service:unit"] = .string(value.rawValue)
        case 4:
            weather.stations.append("Oslo")
            model.values["weather-service:stations"] = .array((model.stations + ["Oslo"]).map { .string($0) })
        case 5:
            let value = [nil, "a", "anonymous"].randomElement(using: &generator)!
            weather.nickname = value
            model.values["weather-service:nickname"] = value.map { .string($0) } ?? .null
        case 6:
            let value = Int.random(in: 0...3, using: &generator)
            preferences.set(named: "weather-service:radar:radar-range", to: value)
            model.values["weather-service:radar:radar-range"] = .int(Int64(value))
        case 7:
            weather.reset(\.stations)
            model.values["weather-service:stations"] = nil
        default:
            let name = Self.names.randomElement(using: &generator)!
            preferences.reset(named: name)
            model.values[name] = nil
        }
    }

    private func check(_ preferences: Preferences, _ model: Model, _ moment: String) {
        let weather = preferences.weather
        #expect(preferences.launchCount == model.launchCount, "\(moment)")
        #expect(weather.temperature == model.temperature, "\(moment)")
        #expect(weather.unit == model.unit, "\(moment)")
        #expect(weather.stations == model.stations, "\(moment)")
        #expect(weather.nickname == model.nickname, "\(moment)")
        #expect(weather.radar.range == model.range, "\(moment)")
        #expect(preferences.get(named: "launchCount", default: 0) == model.launchCount, "\(moment)")
        for name in Self.names {
            #expect(preferences.isSet(named: name) == (model.values[name] != nil), "\(name), \(moment)")
        }
    }
}

/// A store in memory that notifies of changes, or does not.
private final class SharedStore: WritablePreferenceStore {
    let label = "shared"
    let memory = MemoryStore()
    let notifiesAllChanges: Bool

    init(notifiesAllChanges: Bool) {
        self.notifiesAllChanges = notifiesAllChanges
    }

    func value(for name: String) throws -> PreferenceValue? { memory.value(for: name) }
    func apply(_ batch: PreferenceBatch) throws { memory.apply(batch) }
    func names() throws -> Set<String> { memory.names() }

    func update(_ makeBatch: (_ current: (String) throws -> PreferenceValue?) throws -> PreferenceBatch) throws {
        try memory.update(makeBatch)
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        notifiesAllChanges ? memory.observe(observer) : PreferenceStoreObservation {}
    }
}
