import Foundation
import PreferencesRuntime
import StoreTestSupport
import Testing

/// A type that is only `Codable`, such as one of another module.
private struct Coordinate: Codable, Equatable {
    struct Refusal: Error, CustomStringConvertible {
        let description = "there is no latitude beyond the poles"
    }

    var latitude: Double
    var longitude: Double

    func encode(to encoder: any Encoder) throws {
        guard abs(latitude) <= 90 else { throw Refusal() }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(latitude, forKey: .latitude)
        try container.encode(longitude, forKey: .longitude)
    }

    private enum CodingKeys: CodingKey {
        case latitude, longitude
    }
}

private let oslo = Coordinate(latitude: 60, longitude: 11)
private let home = Coordinate(latitude: 0, longitude: 0)

private struct Map: PreferenceAccessors {
    let preferences: Preferences

    var centre: Coordinate {
        get { get(codable: "centre", default: home) }
        nonmutating set { set(codable: "centre", to: newValue) }
    }

    var marked: Coordinate? {
        get { get(codable: "marked", default: nil) }
        nonmutating set { set(codable: "marked", to: newValue) }
    }

    var origin: Coordinate? {
        get { get(codable: "origin", default: home) }
        nonmutating set { set(codable: "origin", to: newValue, default: home) }
    }

    var route: [Coordinate] {
        get { get(codable: "route", default: [], [.count(...2)]) }
        nonmutating set { set(codable: "route", to: newValue, [.count(...2)]) }
    }

    var places: [String: Coordinate] {
        get { get(codable: "places", default: [:]) }
        nonmutating set { set(codable: "places", to: newValue) }
    }

    var north: Coordinate {
        get { get(codable: "north", default: home, [inTheNorth]) }
        nonmutating set { set(codable: "north", to: newValue, [inTheNorth]) }
    }

    private var inTheNorth: PreferenceTrait<Coordinate> { .requiring("be in the north") { $0.latitude >= 0 } }

    var since: Date {
        get { get(codable: "since", default: Date(timeIntervalSinceReferenceDate: 0)) }
        nonmutating set { set(codable: "since", to: newValue) }
    }

    var units: [TemperatureUnit] {
        get { get(codable: "units", default: []) }
        nonmutating set { set(codable: "units", to: newValue) }
    }
}

struct CodableKeyTests {
    private let store = FaultyStore()
    private let preferences: Preferences
    private var map: Map { Map(preferences: preferences) }

    init() {
        preferences = Preferences(store: store)
    }

    @Test("A Codable value reads as it was set")
    func aCodableValueReadsAsItWasSet() throws {
        #expect(map.centre == home)
        #expect(!map.isSet(\.centre))
        map.centre = oslo
        #expect(map.centre == oslo)
        #expect(map.isSet(\.centre))
        #expect(try store.value(for: "centre") == ["latitude": 60.0, "longitude": 11.0])
        map.reset(\.centre)
        #expect(map.centre == home)
        #expect(!map.isSet(\.centre))
        #expect(map.defaultValue(\.centre) == home)
    }

    @Test("Setting nil resets an optional Codable key")
    func settingNilResetsAnOptionalKey() throws {
        #expect(map.marked == nil)
        map.marked = oslo
        #expect(map.marked == oslo)
        #expect(try store.value(for: "marked") == ["latitude": 60.0, "longitude": 11.0])
        map.marked = nil
        #expect(map.marked == nil)
        #expect(!map.isSet(\.marked))
        #expect(store.names().isEmpty)
    }

    @Test("Nil is stored if the default is not nil")
    func nilIsStoredIfTheDefaultIsNotNil() throws {
        #expect(map.origin == home)
        map.origin = nil
        #expect(map.origin == nil)
        #expect(map.isSet(\.origin))
        #expect(try store.value(for: "origin") == .null)
        map.origin = oslo
        #expect(map.origin == oslo)
        map.reset(\.origin)
        #expect(map.origin == home)
    }

    @Test("Arrays and dictionaries of Codable values read as they were set")
    func arraysAndDictionariesReadAsTheyWereSet() throws {
        map.route = [oslo, home]
        map.places = ["Oslo": oslo]
        #expect(map.route == [oslo, home])
        #expect(map.places == ["Oslo": oslo])
        #expect(try store.value(for: "places") == ["Oslo": ["latitude": 60.0, "longitude": 11.0]])
    }

    @Test("A type that is also PreferenceConvertible is stored in that representation")
    func aConvertibleTypeIsStoredInItsRepresentation() throws {
        let date = Date(timeIntervalSinceReferenceDate: 0.5)
        map.since = date
        #expect(map.since == date)
        #expect(try store.value(for: "since") == .date(date))
        map.units = [.fahrenheit]
        #expect(map.units == [.fahrenheit])
        #expect(try store.value(for: "units") == ["fahrenheit"])
    }

    @Test("An undecodable value reads as the default, is reported once, and is preserved")
    func anUndecodableValueReadsAsTheDefaultIsReportedOnceAndIsPreserved() async throws {
        let values: [String: PreferenceValue] = [
            "centre": ["latitude": "north", "longitude": 1], "marked": 5, "origin": ["latitude": 1],
            "route": [["latitude": 1, "longitude": 1], true], "since": "noon",
        ]
        try store.apply(PreferenceBatch(values.mapValues { .set($0) }))
        for _ in 0..<3 {
            #expect(map.centre == home)
            #expect(map.marked == nil)
            #expect(map.origin == home)
            #expect(map.route == [])
            #expect(map.since == Date(timeIntervalSinceReferenceDate: 0))
        }
        let problems = await preferences.reportedProblems()
        #expect(problems.map(\.key) == ["centre", "marked", "origin", "route", "since"])
        #expect(problems.allSatisfy { $0.code == .typeMismatch })
        #expect(
            problems.map(\.message) == [
                "at 'latitude': expected Double, found the string \"north\"; "
                    + "using default {\"latitude\": 0.0, \"longitude\": 0.0}",
                "expected a dictionary, found the integer 5; using its default",
                "'longitude' is missing; using default {\"latitude\": 0.0, \"longitude\": 0.0}",
                "at '[1]': expected a dictionary, found the boolean true; using default []",
                "expected Date, found the string \"noon\"; using default 2001-01-01T00:00:00Z",
            ]
        )
        for (name, value) in values { #expect(try store.value(for: name) == value) }
    }

    @Test("A value that cannot be encoded is reported, and changes nothing")
    func aValueThatCannotBeEncodedChangesNothing() async throws {
        map.centre = oslo
        let beyond = Coordinate(latitude: 91, longitude: 0)
        map.centre = beyond
        map.marked = beyond
        map.origin = beyond
        map.route = [beyond]
        #expect(map.centre == oslo)
        #expect(store.names() == ["centre"])
        let problems = await preferences.reportedProblems()
        #expect(problems.allSatisfy { $0.code == .unencodable })
        #expect(
            problems.map(\.message) == [
                "this Coordinate cannot be stored: there is no latitude beyond the poles; it was not set",
                "this Optional<Coordinate> cannot be stored: there is no latitude beyond the poles; it was not set",
                "this Optional<Coordinate> cannot be stored: there is no latitude beyond the poles; it was not set",
                "this Array<Coordinate> cannot be stored: there is no latitude beyond the poles; it was not set",
            ]
        )
    }

    @Test("Constraints apply to Codable values")
    func constraintsApplyToCodableValues() async throws {
        map.route = [oslo, oslo, oslo]
        map.north = Coordinate(latitude: -1, longitude: 0)
        try store.apply(["north": .set(["latitude": -2, "longitude": 0])])
        #expect(map.north == home)
        #expect(store.names() == ["north"])
        #expect(
            await preferences.reportedProblems().map(\.message) == [
                "an array of 3 elements must have at most 2 elements; it was not set",
                "this Coordinate must be in the north; it was not set",
                "this Coordinate must be in the north; using default {\"latitude\": 0.0, \"longitude\": 0.0}",
            ]
        )
    }
}
