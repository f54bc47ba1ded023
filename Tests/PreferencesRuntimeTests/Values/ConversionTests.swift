import Foundation
import PreferencesRuntime
import StoreTestSupport
import Testing

struct ConversionTests {
    private enum Volume: Int, CaseIterable, PreferenceConvertible {
        case low = 1
        case high = 2
    }

    private enum Level: Int, PreferenceConvertible {
        case low = 1
        case high = 9
    }

    private struct Coordinate: PreferenceConvertible, Equatable {
        var latitude: Double
        var longitude: Double

        init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }

        init(preferenceValue: PreferenceValue) throws {
            let numbers = try [Double](preferenceValue: preferenceValue)
            guard numbers.count == 2 else {
                throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
            }
            (latitude, longitude) = (numbers[0], numbers[1])
        }

        func preferenceValue() throws -> PreferenceValue { [.double(latitude), .double(longitude)] }
    }

    private func expectRoundTrip<Value: PreferenceConvertible & Equatable>(
        _ value: Value,
        as stored: PreferenceValue,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try value.preferenceValue() == stored, sourceLocation: sourceLocation)
        #expect(try Value(preferenceValue: stored) == value, sourceLocation: sourceLocation)
    }

    private func expectMismatch<Value: PreferenceConvertible>(
        _ type: Value.Type,
        _ value: PreferenceValue,
        _ message: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: PreferenceConversionError.self, sourceLocation: sourceLocation) {
            try type.init(preferenceValue: value)
        }
        #expect(error?.description == message, sourceLocation: sourceLocation)
    }

    @Test("Strings round-trip, and no other value reads as a string")
    func stringsRoundTrip() throws {
        try expectRoundTrip("", as: "")
        try expectRoundTrip("a \u{0} 🌦️", as: "a \u{0} 🌦️")
        expectMismatch(String.self, 1, "expected String, found the integer 1")
        expectMismatch(String.self, true, "expected String, found the boolean true")
    }

    @Test("Data round-trips, and no other value reads as data")
    func dataRoundTrips() throws {
        try expectRoundTrip(Data(), as: .data(Data()))
        try expectRoundTrip(Data([0, 255]), as: .data(Data([0, 255])))
        expectMismatch(Data.self, "AP8=", "expected Data, found the string \"AP8=\"")
    }

    @Test("Dates round-trip, and no other value reads as a date")
    func datesRoundTrip() throws {
        let date = Date(timeIntervalSinceReferenceDate: 817_993_159.123_456_7)
        try expectRoundTrip(date, as: .date(date))
        try expectRoundTrip(Date.distantPast, as: .date(.distantPast))
        expectMismatch(
            Date.self,
            "2026-11-21T00:19:19Z",
            "expected Date, found the string \"2026-11-21T00:19:19Z\""
        )
        expectMismatch(Date.self, 5, "expected Date, found the integer 5")
    }

    @Test("URLs round-trip, and invalid strings do not read as URLs")
    func urlsRoundTrip() throws {
        let text = "https://example.org/a%20b?c=d#e"
        try expectRoundTrip(try #require(URL(string: text)), as: .string(text))
        try expectRoundTrip(URL(filePath: "/tmp/a b"), as: "file:///tmp/a%20b")
        expectMismatch(URL.self, "", "expected URL, found the string \"\"")
        expectMismatch(URL.self, "two words", "expected URL, found the string \"two words\"")
        expectMismatch(URL.self, 5, "expected URL, found the integer 5")
    }

    @Test("A relative URL is stored as an absolute one")
    func aRelativeURLIsStoredAsAnAbsoluteOne() throws {
        let url = try #require(URL(string: "b", relativeTo: URL(string: "https://example.org/a/")))
        #expect(url.preferenceValue() == "https://example.org/a/b")
    }

    @Test("UUIDs round-trip, and invalid strings do not read as UUIDs")
    func uuidsRoundTrip() throws {
        let text = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        let uuid = try #require(UUID(uuidString: text))
        try expectRoundTrip(uuid, as: .string(text))
        #expect(try UUID(preferenceValue: .string(text.lowercased())) == uuid)
        expectMismatch(UUID.self, "E621", "expected UUID, found the string \"E621\"")
    }

    @Test("Arrays round-trip, and an error gives the element's path")
    func arraysRoundTrip() throws {
        try expectRoundTrip([1, 2, 3, 4], as: [1, 2, 3, 4])
        try expectRoundTrip([String](), as: [])
        try expectRoundTrip([["a"], []], as: [["a"], []])
        expectMismatch([Int].self, [1, 2, "3"], "at '[2]': expected Int, found the string \"3\"")
        expectMismatch([Int].self, ["a": 1], "expected Array<Int>, found a dictionary")
    }

    @Test("Sets are stored sorted")
    func setsAreStoredSorted() throws {
        try expectRoundTrip(["b", "c", "a"] as Set, as: ["a", "b", "c"])
        try expectRoundTrip([3, -1, 20] as Set, as: [-1, 3, 20])
        try expectRoundTrip([1.5, -2] as Set<Double>, as: [-2.0, 1.5])
        try expectRoundTrip([[2, 1], [1, 9], [1]] as Set, as: [[1], [1, 9], [2, 1]])
        try expectRoundTrip(Set<String>(), as: [])
        #expect(try Set<Int>(preferenceValue: [1, 1, 2]) == [1, 2])
        expectMismatch(Set<Int>.self, [1, true], "at '[1]': expected Int, found the boolean true")
    }

    @Test("Dictionaries round-trip, and an error gives the entry's path")
    func dictionariesRoundTrip() throws {
        try expectRoundTrip(["a": 1, "b": 2], as: ["a": 1, "b": 2])
        try expectRoundTrip([String: Bool](), as: [:])
        try expectRoundTrip(["a": ["b": [1]]], as: ["a": ["b": [1]]])
        expectMismatch([String: [Int]].self, ["a": [1, []]], "at 'a[1]': expected Int, found an empty array")
        expectMismatch([String: Int].self, [1], "expected Dictionary<String, Int>, found an array")
    }

    @Test("Optionals round-trip, with null for nil")
    func optionalsRoundTrip() throws {
        try expectRoundTrip(Int?.none, as: .null)
        try expectRoundTrip(Int?(5), as: 5)
        try expectRoundTrip(["a": Int?.none, "b": 5], as: ["a": .null, "b": 5])
        expectMismatch(Int?.self, "5", "expected Int, found the string \"5\"")
        // What is below Int64.min in JSON, rounded.
        expectMismatch(Int.self, .double(-0x1p63), "expected Int, found the number -9.223372036854776e+18")
    }

    @Test("Enums are stored as their raw values")
    func enumsAreStoredAsTheirRawValues() throws {
        try expectRoundTrip(Level.high, as: 9)
        try expectRoundTrip(TemperatureUnit.fahrenheit, as: "fahrenheit")
        try expectRoundTrip([TemperatureUnit.celsius: 1].map { $0.key }, as: ["celsius"])
        #expect(try Level(preferenceValue: 1.0) == .low)
        expectMismatch(Level.self, 2, "expected Level, found the integer 2")
        expectMismatch(TemperatureUnit.self, "kelvin", "\"kelvin\" must be one of celsius, fahrenheit")
        expectMismatch(TemperatureUnit.self, 1, "the integer 1 must be one of celsius, fahrenheit")
        expectMismatch(Volume.self, 3, "3 must be one of 1, 2")
        expectMismatch(Volume.self, "3", "the string \"3\" must be one of 1, 2")
        expectMismatch(Volume.self, "1", "the string \"1\" must be one of 1, 2")
        expectMismatch([Volume].self, [1, "high"], "at '[1]': the string \"high\" must be one of 1, 2")
    }

    @Test("Types with custom representations round-trip")
    func customRepresentationsRoundTrip() throws {
        try expectRoundTrip(Coordinate(latitude: 59.9, longitude: 10.7), as: [59.9, 10.7])
        expectMismatch(Coordinate.self, [1], "expected Coordinate, found an array")
        expectMismatch(
            [Coordinate].self,
            [[1, 2], [1, "2"]],
            "at '[1][1]': expected Double, found the string \"2\""
        )
    }

    @Test("Errors do not contain long strings")
    func errorsDoNotContainLongStrings() {
        expectMismatch(Int.self, .string(String(repeating: "x", count: 61)), "expected Int, found a string")
    }
}
