import Foundation
import PreferencesRuntime
import StoreTestSupport
import Testing

struct CodableConversionTests {
    private struct Person: Codable, Equatable, PreferenceConvertible {
        var name: String
        var age: Int8
        var child: [Person] = []
    }

    private enum Shape: Codable, Equatable, PreferenceConvertible {
        case circle(radius: Double)
        case square
    }

    private class Animal: Codable {
        var legs = 4
    }

    private final class Cat: Animal {
        var lives: Int

        init(lives: Int) {
            self.lives = lives
            super.init()
        }

        private enum CodingKeys: CodingKey { case lives }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            lives = try container.decode(Int.self, forKey: .lives)
            try super.init(from: container.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(lives, forKey: .lives)
            try super.encode(to: container.superEncoder())
        }
    }

    @Test("A nested value round-trips")
    func aNestedValueRoundTrips() throws {
        #expect(try Station(preferenceValue: Station.oslo.preferenceValue()) == .oslo)
    }

    @Test("Standard types inside Codable values keep their own representations")
    func standardTypesKeepTheirRepresentations() throws {
        let date = Date(timeIntervalSinceReferenceDate: -2_019_686_400.123)
        #expect(
            try Station.oslo.preferenceValue() == [
                "name": "Blindern",
                "height": 94.0,
                "serial": .unsignedInt(.max),
                "opened": .date(date),
                "page": "https://example.org/blindern?a=b#c",
                "tags": ["north", "old", "urban"],
                "sensors": [
                    [
                        "id": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "calibration": .data(Data([0, 1, 255])),
                        "offset": 123.1, "interval": 1.5,
                    ],
                    ["id": "00000000-0000-0000-0000-000000000000", "calibration": .data(Data()), "interval": 60],
                ],
                "neighbours": ["Tryvann": 514, "Alna": 90],
            ]
        )
    }

    @Test("Enums with associated values round-trip")
    func enumsWithAssociatedValuesRoundTrip() throws {
        for shape in [Shape.circle(radius: 1.5), .square] {
            #expect(try Shape(preferenceValue: shape.preferenceValue()) == shape)
        }
        #expect(try Shape.square.preferenceValue() == ["square": [:]])
    }

    @Test("Superclasses are encoded and decoded")
    func superclassesAreCoded() throws {
        let cat = Cat(lives: 9)
        cat.legs = 3
        let value = try PreferenceValueEncoder().encode(cat)
        #expect(value == ["lives": 9, "super": ["legs": 3]])
        let copy = try PreferenceValueDecoder().decode(Cat.self, from: value)
        #expect(copy.lives == 9)
        #expect(copy.legs == 3)
    }

    @Test("Dictionaries with other keys use Swift's own coding")
    func dictionariesWithOtherKeysUseSwiftsCoding() throws {
        let value = try PreferenceValueEncoder().encode([7: "seven"])
        #expect(try PreferenceValueDecoder().decode([Int: String].self, from: value) == [7: "seven"])
    }

    @Test("Nil in arrays and dictionaries is encoded as null")
    func nilInCollectionsIsEncodedAsNull() throws {
        let value = try PreferenceValueEncoder().encode([1, nil, 3])
        #expect(value == [1, .null, 3])
        #expect(try PreferenceValueDecoder().decode([Int?].self, from: value) == [1, nil, 3])
    }

    @Test("Scalars can be encoded at the root")
    func scalarsCanBeEncodedAtTheRoot() throws {
        #expect(try PreferenceValueEncoder().encode(UInt64.max) == .unsignedInt(.max))
        #expect(try PreferenceValueDecoder().decode(UInt64.self, from: .unsignedInt(.max)) == .max)
        #expect(try PreferenceValueEncoder().encode("a") == "a")
    }

    @Test("Numbers inside Codable values follow the same rules as other numbers")
    func numbersFollowTheSameRules() throws {
        let value: PreferenceValue = ["name": "Anna", "age": 30.0, "child": []]
        #expect(try Person(preferenceValue: value) == Person(name: "Anna", age: 30))
    }

    @Test("Encoding a type that encodes nothing throws")
    func encodingNothingThrows() {
        struct Silent: Encodable {
            func encode(to encoder: any Encoder) {}
        }
        let error = #expect(throws: EncodingError.self) { try PreferenceValueEncoder().encode(Silent()) }
        guard case .invalidValue(_, let context) = error else {
            Issue.record("another error")
            return
        }
        #expect(context.debugDescription == "Silent encodes no value")
    }

    @Test(
        "A problem gives the path inside the value",
        arguments: [
            (["name": "Anna"], "'age' is missing"),
            (["name": "Anna", "age": 300, "child": []], "at 'age': expected Int8, found the integer 300"),
            (
                ["name": "Anna", "age": 30, "child": [["name": "Bo", "age": "ten", "child": []]]],
                "at 'child[0].age': expected Int8, found the string \"ten\""
            ),
            (["name": "Anna", "age": 30, "child": 1], "at 'child': expected an array, found the integer 1"),
            ("Anna", "expected a dictionary, found the string \"Anna\""),
        ] as [(PreferenceValue, String)]
    )
    func aProblemGivesThePathInsideTheValue(value: PreferenceValue, message: String) async {
        let preferences = Preferences(store: ["person": value] as MemoryStore)
        #expect(preferences.get("person", default: Person(name: "", age: 0)) == Person(name: "", age: 0))
        #expect(
            await preferences.reportedProblems().map(\.message) == [
                #"\#(message); using default {"age": 0, "child": [], "name": ""}"#
            ]
        )
    }
}
