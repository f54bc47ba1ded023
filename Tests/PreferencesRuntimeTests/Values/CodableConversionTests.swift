import Foundation
import PreferencesRuntime
import Testing
import StoreTestSupport

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

    @Test func aNestedValueRoundTrips() throws {
        #expect(try Station(preferenceValue: Station.oslo.preferenceValue()) == .oslo)
    }

    @Test func knownTypesAreStoredAsWhatTheyAre() throws {
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

    @Test func enumsWithAssociatedValues() throws {
        for shape in [Shape.circle(radius: 1.5), .square] {
            #expect(try Shape(preferenceValue: shape.preferenceValue()) == shape)
        }
        #expect(try Shape.square.preferenceValue() == ["square": [:]])
    }

    @Test func superclassesAreCodedToo() throws {
        let cat = Cat(lives: 9)
        cat.legs = 3
        let value = try PreferenceValueEncoder().encode(cat)
        #expect(value == ["lives": 9, "super": ["legs": 3]])
        let copy = try PreferenceValueDecoder().decode(Cat.self, from: value)
        #expect(copy.lives == 9)
        #expect(copy.legs == 3)
    }

    @Test func dictionariesWithOtherKeysAreCodedAsSwiftCodesThem() throws {
        let value = try PreferenceValueEncoder().encode([7: "seven"])
        #expect(try PreferenceValueDecoder().decode([Int: String].self, from: value) == [7: "seven"])
    }

    @Test func optionalsInArraysAndDictionariesAreNull() throws {
        let value = try PreferenceValueEncoder().encode([1, nil, 3])
        #expect(value == [1, .null, 3])
        #expect(try PreferenceValueDecoder().decode([Int?].self, from: value) == [1, nil, 3])
    }

    @Test func scalarsAreCodedAtTheRoot() throws {
        #expect(try PreferenceValueEncoder().encode(UInt64.max) == .unsignedInt(.max))
        #expect(try PreferenceValueDecoder().decode(UInt64.self, from: .unsignedInt(.max)) == .max)
        #expect(try PreferenceValueEncoder().encode("a") == "a")
    }

    @Test func numbersFollowTheSameRulesAsOutside() throws {
        let value: PreferenceValue = ["name": "Anna", "age": 30.0, "child": []]
        #expect(try Person(preferenceValue: value) == Person(name: "Anna", age: 30))
    }

    @Test func aTypeThatEncodesNothingThrows() {
        struct Silent: Encodable {
            func encode(to encoder: any Encoder) {}
        }
        let error = #expect(throws: EncodingError.self) { try PreferenceValueEncoder().encode(Silent()) }
        guard case .invalidValue(_, let context) = error else { Issue.record("another error"); return }
        #expect(context.debugDescription == "Silent encodes no value")
    }

    @Test(
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
    func aProblemSaysWhereInTheValueItIs(value: PreferenceValue, message: String) async {
        let preferences = Preferences(store: ["person": value] as MemoryStore)
        #expect(preferences.get("person", default: Person(name: "", age: 0)) == Person(name: "", age: 0))
        #expect(
            await preferences.reportedProblems().map(\.message) == ["\(message); its default is used until it is set"]
        )
    }
}
