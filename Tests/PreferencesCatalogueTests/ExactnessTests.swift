import Foundation
import PreferencesCatalogue
import PreferencesRuntime
import Testing

/// References are compared with the accessors that the generator writes, for many stored values.
@Suite("References read, accept and refuse what accessors do")
struct ExactnessTests {
    @Test("Scalars")
    func scalars() {
        expectEqual(Bool.self, .bool, default: false)
        expectEqual(Int.self, .integer(.int), default: 3)
        expectEqual(Int8.self, .integer(.int8), default: 3)
        expectEqual(Int16.self, .integer(.int16), default: 3)
        expectEqual(Int32.self, .integer(.int32), default: 3)
        expectEqual(Int64.self, .integer(.int64), default: 3)
        expectEqual(UInt.self, .integer(.uint), default: 3)
        expectEqual(UInt8.self, .integer(.uint8), default: 3)
        expectEqual(UInt16.self, .integer(.uint16), default: 3)
        expectEqual(UInt32.self, .integer(.uint32), default: 3)
        expectEqual(UInt64.self, .integer(.uint64), default: 3)
        expectEqual(Float.self, .float, default: 0.5)
        expectEqual(Double.self, .double, default: 0.5)
        expectEqual(String.self, .string, default: "")
        expectEqual(Data.self, .data, default: Data([9]))
        expectEqual(Date.self, .date, default: Date(timeIntervalSinceReferenceDate: 9))
        expectEqual(URL.self, .url, default: URL(string: "a:b")!)
        expectEqual(UUID.self, .uuid, default: UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
        expectEqual(Duration.self, .duration, default: .seconds(9))
    }

    @Test("Collections and optionals")
    func collections() {
        expectEqual([Int].self, .array(.integer(.int)), default: [7])
        expectEqual([[String]].self, .array(.array(.string)), default: [["x"]])
        expectEqual(Set<String>.self, .set(.string), default: ["x"])
        expectEqual([String: Double].self, .dictionary(.double), default: ["x": 1.5])
        expectEqual([String: Double?].self, .dictionary(.optional(.double)), default: [:])
        expectEqual(Double?.self, .optional(.double), default: nil)
        expectEqual(Double?.self, .optional(.double), default: 4)
        expectEqual([Date]?.self, .optional(.array(.date)), default: nil)
        expectEqual(Set<Duration>?.self, .optional(.set(.duration)), default: [.seconds(2)])
    }

    @Test("Enums of strings and integers, which the program has or does not have")
    func enums() {
        for isCompiled in [true, false] {
            let unit = Unit.type(isCompiled: isCompiled)
            let level = Level.type(isCompiled: isCompiled)
            expectEqual(Unit.self, unit, default: .fahrenheit)
            expectEqual(Level.self, level, default: .high)
            expectEqual(Unit?.self, .optional(unit), default: nil)
            expectEqual(Level?.self, .optional(level), default: .low)
            expectEqual([Unit].self, .array(unit), default: [.celsius])
            expectEqual([Level].self, .array(level), default: [.low])
            expectEqual(Set<Level>.self, .set(level), default: [.high, .low])
            expectEqual([String: Unit].self, .dictionary(unit), default: [:])
            expectEqual([[Unit]?].self, .array(.optional(.array(unit))), default: [])
            expectEqual(Many.self, Many.type(isCompiled: isCompiled), default: .c0)
        }
    }

    @Test("Structs, which the program has or does not have")
    func structs() {
        for isCompiled in [true, false] {
            let station = Station.type(isCompiled: isCompiled)
            let initial = Station(position: Position(latitude: 1, longitude: 2))
            expectEqual(Station.self, station, default: initial, comparesValues: isCompiled)
            expectEqual(Station?.self, .optional(station), default: nil, comparesValues: isCompiled)
            expectEqual([Station].self, .array(station), default: [initial], comparesValues: isCompiled)
            expectEqual([String: Station].self, .dictionary(station), default: [:], comparesValues: isCompiled)
            let position = Position.type(isCompiled: isCompiled)
            expectEqual(Set<Position>.self, .set(position), default: [], comparesValues: isCompiled)
        }
    }

    @Test("Types that are declared in Swift, which the program has")
    func externalTypes() {
        let color = PreferenceType.external("Color", Color.self)
        expectEqual(Color.self, color, default: Color(number: 7))
        expectEqual([Color]?.self, .optional(.array(color)), default: nil)
        expectEqual([String: Color].self, .dictionary(color), default: [:])

        // A type that is only `Codable` has other functions of the accessor.
        let key = PreferenceKeyDescription(
            "key",
            storageName: "key",
            type: .optional(.external("Size", Size.self)),
            default: .value(.null)
        )
        for stored in storedValues {
            let store = MemoryStore(["key": stored])
            let accessor = CodableAccessor(preferences: Preferences(store: store))
            let reference = Preferences(store: store).reference(to: key)
            let value = accessor.size.map { ["latitude": .double($0.latitude)] as PreferenceValue } ?? .null
            let expected = Outcome(value: value, isSet: accessor.isSet(\.size), accessor.resolution(of: \.size))
            let outcome = Outcome(value: reference.value, isSet: reference.isSet, reference.resolution)
            #expect(outcome == expected, "\(stored)")
        }
    }

    @Test("Constraints of every kind")
    func constraints() {
        expectEqual(
            Int.self,
            .integer(.int),
            default: 1,
            [.range(from: 1, through: 70)],
            [.range(1...70)]
        )
        expectEqual(Double.self, .double, default: 0, [.range(from: -0.5)], [.range((-0.5)...)])
        expectEqual(UInt64.self, .integer(.uint64), default: 1, [.range(through: UInt64.max)], [.range(...UInt64.max)])
        expectEqual(Float.self, .float, default: -1, [.range(through: Float(-0.5))], [.range(...(-0.5))])
        expectEqual(
            Duration.self,
            .duration,
            default: .seconds(2),
            [.range(from: Duration.milliseconds(500), through: .seconds(60))],
            [.range(.milliseconds(500)...(.seconds(60)))]
        )
        let (first, last) = (Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 99))
        expectEqual(
            Date.self,
            .date,
            default: first,
            [.range(from: first, through: last)],
            [.range(first...), .range(...last)]
        )
        expectEqual(String.self, .string, default: "ab", [.length(minimum: 2, maximum: 4)], [.length(2...4)])
        expectEqual(String.self, .string, default: "", [.length(minimum: nil, maximum: 3)], [.length(...3)])
        expectEqual(Data.self, .data, default: Data([1, 2, 3]), [.length(minimum: 3, maximum: nil)], [.length(3...)])
        expectEqual(String.self, .string, default: "a", [.pattern("[a-z]+")], [.pattern("[a-z]+")])
        expectEqual(String.self, .string, default: "a", [.oneOf(["a", "Oslo"])], [.oneOf(["a", "Oslo"])])
        expectEqual(
            Int?.self,
            .optional(.integer(.int)),
            default: nil,
            [.oneOf([1, 70])],
            [.unlessNil(.oneOf([1, 70]))]
        )
        expectEqual(
            [Int].self,
            .array(.integer(.int)),
            default: [1],
            [.count(minimum: 1, maximum: 2), .each([.range(from: 0, through: 9)])],
            [.count(1...2), .each(.range(0...9))]
        )
        expectEqual(
            Set<String>.self,
            .set(.string),
            default: [],
            [.count(minimum: nil, maximum: 2), .each([.length(minimum: 2, maximum: nil)])],
            [.count(...2), .each(.length(2...))]
        )
        expectEqual(
            [String].self,
            .array(.string),
            default: [],
            [.each([.length(minimum: 2, maximum: nil), .pattern("[A-Z].*")])],
            [.each(.length(2...), .pattern("[A-Z].*"))]
        )
        expectEqual(
            [String: Double?].self,
            .dictionary(.optional(.double)),
            default: [:],
            [.count(minimum: 1, maximum: nil), .each([.range(from: 0.0)])],
            [.count(1...), .eachValue(.unlessNil(.range(0...)))]
        )
        expectEqual(
            [[Int]]?.self,
            .optional(.array(.array(.integer(.int)))),
            default: nil,
            [.count(minimum: 2, maximum: nil), .each([.count(minimum: nil, maximum: 3), .each([.oneOf([1, 2])])])],
            [.unlessNil(.count(2...), .each(.count(...3), .each(.oneOf([1, 2]))))]
        )
        for isCompiled in [true, false] {
            let unit = Unit.type(isCompiled: isCompiled)
            expectEqual(Unit.self, unit, default: .celsius, [.oneOf([Unit.celsius])], [.oneOf([.celsius])])
            expectEqual(
                [Unit].self,
                .array(unit),
                default: [],
                [.count(minimum: nil, maximum: 1), .each([.oneOf([Unit.fahrenheit])])],
                [.count(...1), .each(.oneOf([.fahrenheit]))]
            )
        }
    }

    @Test("Text is converted in the same way in stores that hold only text")
    func texts() {
        let store = { (value: PreferenceValue) -> (any PreferenceStore)? in
            guard case .string(let text) = value else { return nil }
            return EnvironmentStore(prefix: "", environment: ["KEY": text])
        }
        expectEqual(Double.self, .double, default: 0.5, store: store)
        expectEqual(Date.self, .date, default: Date(timeIntervalSinceReferenceDate: 9), store: store)
        expectEqual([Int].self, .array(.integer(.int)), default: [7], store: store)
        expectEqual([String: Double].self, .dictionary(.double), default: [:], store: store)
        for isCompiled in [true, false] {
            expectEqual(Unit.self, Unit.type(isCompiled: isCompiled), default: .fahrenheit, store: store)
            expectEqual(Level.self, Level.type(isCompiled: isCompiled), default: .high, store: store)
            expectEqual([Level].self, .array(Level.type(isCompiled: isCompiled)), default: [], store: store)
            expectEqual([String: Unit].self, .dictionary(Unit.type(isCompiled: isCompiled)), default: [:], store: store)
            expectEqual(
                Position?.self,
                .optional(Position.type(isCompiled: isCompiled)),
                default: nil,
                comparesValues: isCompiled,
                store: store
            )
        }
    }

    /// Compares a reference with an accessor over each of the values.
    private func expectEqual<Value: PreferenceConvertible>(
        _: Value.Type,
        _ type: PreferenceType,
        default initial: Value,
        _ constraints: [PreferenceConstraint] = [],
        _ traits: [PreferenceTrait<Value>] = [],
        comparesValues: Bool = true,
        store makeStore: (PreferenceValue) -> (any PreferenceStore)? = { MemoryStore(["key": $0]) },
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let key = PreferenceKeyDescription(
            "key",
            storageName: "key",
            type: type,
            default: .constant(initial),
            constraints: constraints
        )
        for stored in storedValues {
            guard let store = makeStore(stored) else { continue }
            let accessor = Accessor(preferences: Preferences(store: store), initial: initial, traits: traits)
            let reference = Preferences(store: store).reference(to: key)
            var expected = Outcome(
                value: try? accessor.value.preferenceValue(),
                isSet: accessor.isSet(\.value),
                accessor.resolution(of: \.value)
            )
            var outcome = Outcome(value: reference.value, isSet: reference.isSet, reference.resolution)
            if !comparesValues, !outcome.isDefault { (expected.value, outcome.value) = (nil, nil) }
            #expect(outcome == expected, "\(type) of \(stored)", sourceLocation: sourceLocation)
        }
        for value in storedValues {
            let accessor = Accessor(preferences: .inMemory(), initial: initial, traits: traits)
            var expected: String?
            do {
                try accessor.set(\.value, to: Value(preferenceValue: value))
            } catch let problem as PreferenceProblem {
                expected = "\(problem)"
            } catch {
                expected = "memory: 'key': \(ErrorText(error))"
            }
            let reference = Preferences.inMemory().reference(to: key)
            var problem: String?
            do throws(PreferenceProblem) { try reference.set(value) } catch { problem = "\(error)" }
            #expect(problem == expected, "\(type) of \(value)", sourceLocation: sourceLocation)
            guard comparesValues else { continue }
            // The generator writes another setter for optional keys whose default is not nil.
            let isNil = type.isOptional && value == .null
            let read = isNil ? .null : try? accessor.value.preferenceValue()
            #expect(reference.value == read, "\(type) of \(value)", sourceLocation: sourceLocation)
        }
    }
}

/// The accessor of a key, as the generator writes it.
private struct Accessor<Value: PreferenceConvertible>: PreferenceAccessors {
    let preferences: Preferences
    let initial: Value
    let traits: [PreferenceTrait<Value>]

    var value: Value {
        get { get("key", default: initial, traits) }
        nonmutating set { set("key", to: newValue, traits) }
    }
}

/// The accessor of a key of a type that is only `Codable`.
private struct CodableAccessor: PreferenceAccessors {
    let preferences: Preferences

    var size: Size? {
        get { get(codable: "key") }
        nonmutating set { set(codable: "key", to: newValue) }
    }
}

private struct Size: Codable {
    var latitude: Double
}

private struct Color: PreferenceConvertible, Codable, Hashable {
    var number: Int

    init(number: Int) { self.number = number }

    init(preferenceValue: PreferenceValue) throws { number = try Int(preferenceValue: preferenceValue) }

    func preferenceValue() throws -> PreferenceValue { try number.preferenceValue() }
}

/// What a key reads as.
private struct Outcome: Equatable {
    var value: PreferenceValue?
    var isSet: Bool
    var isDefault: Bool
    /// The codes and messages, without the default that is used.
    var problems: [String]

    init(value: PreferenceValue?, isSet: Bool, _ resolution: PreferenceResolution) {
        self.value = value
        self.isSet = isSet
        isDefault = resolution.isDefault
        problems = resolution.problems.map { problem in
            "\(problem.code) \(problem.store) \(problem.key ?? "") \(problem.message.split(separator: "; using")[0])"
        }
    }
}

/// Values of every kind, among them those that one of the types in this file reads, and many that none does.
private let storedValues: [PreferenceValue] = {
    let position: PreferenceValue = ["latitude": 1.5, "longitude": 2]
    let integers: [PreferenceValue] = [
        0, 1, 7, 70, -1, -128, -129, 127, 128, 255, 256, 32767, 32768, 65536, 2_147_483_648, 4_294_967_296,
        16_777_217, 9_007_199_254_740_993, .int(.max), .int(.min), .unsignedInt(.max),
    ]
    let numbers: [PreferenceValue] = [
        0.0, -0.0, 0.5, 7.0, 7.5, -0.5, 1e10, 1e39, .double(.infinity), .double(.nan), 123.1, 9.3e18,
    ]
    let strings: [PreferenceValue] = [
        "", "a", "ab", "abcde", "Oslo", "celsius", "F", "fahrenheit", "1", "7", "true", "5m", "1h30m", "AAEC",
        "https://a.example", "a b", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "2026-01-31T12:00:00Z", "c3", "1,2",
        "x=1.5", "x=F", "[1, 2]", "{\"x\": 1}", "{\"latitude\": 1, \"longitude\": 2}", "{\"latitude\": 1}", "null",
    ]
    let arrays: [PreferenceValue] = [
        [], [1], [1, 2, 3], [1, "a"], [2.5], ["a"], ["a", "a"], ["Oslo", "Bergen"], ["celsius", "F"], ["x", .null],
        [[]], [["celsius"], .null], [[1, 2], [1]], [[1, 2], [3]], [["a"], ["b"]], [7, 1], [7.0], [true], [position],
        [["latitude": 1]], [position, 5], [.date(.distantPast)], [5, "5m"],
    ]
    let dictionaries: [PreferenceValue] = [
        [:], ["x": 1], ["x": 1.5, "y": -1], ["x": .null], ["x": "celsius"], ["x": "kelvin"], position,
        ["latitude": 1], ["latitude": "north", "longitude": 2], ["latitude": .null, "longitude": 2],
        ["latitude": 1, "longitude": 2, "altitude": 3], ["position": position], ["position": ["latitude": 1]],
        ["position": position, "name": 5], ["position": position, "name": .null], ["position": position, "h": 3],
        ["position": position, "kind": "F"], ["position": position, "kind": "kelvin"],
        ["position": position, "level": 7.0], ["position": position, "level": 8], ["position": position, "level": "1"],
        ["position": position, "nickname": .null], ["position": position, "nickname": 1],
        ["position": position, "opened": .date(.distantPast)],
        ["position": position, "opened": "2026-01-31T12:00:00Z"],
        ["position": position, "tags": ["b", "a", "a"]], ["position": position, "tags": [1]],
        ["position": position, "children": [["position": position]]], ["position": position, "children": [[:]]],
        ["position": position, "children": ["x"]], ["position": position, "places": ["home": position]],
        ["position": position, "places": ["home": 1]], ["position": position, "units": ["F", .null]],
        ["position": position, "units": ["F", "K"]], ["position": .null], ["position": position, "delay": "5m"],
        ["position": position, "delay": "never"], ["x": ["position": position]], ["x": ["position": 5]],
        ["attoseconds": "1"],
    ]
    return [.null, true, false] + integers + numbers + strings
        + [.data(Data()), .data(Data([1, 2, 3, 4])), .date(Date(timeIntervalSinceReferenceDate: 70))] + arrays
        + dictionaries
}()

// MARK: - Types as the generator writes them

private enum Unit: String, CaseIterable, Codable, PreferenceConvertible {
    case celsius
    case fahrenheit = "F"

    static func type(isCompiled: Bool) -> PreferenceType {
        .enumeration(
            .init(
                "Unit",
                cases: [.init("celsius", rawValue: "celsius"), .init("fahrenheit", rawValue: "F")],
                valueType: isCompiled ? Self.self : nil
            )
        )
    }
}

private enum Level: Int, CaseIterable, Codable, PreferenceConvertible {
    case low = 1
    case high = 7

    static func type(isCompiled: Bool) -> PreferenceType {
        .enumeration(
            .init(
                "Level",
                cases: [.init("low", rawValue: 1), .init("high", rawValue: 7)],
                valueType: isCompiled ? Self.self : nil
            )
        )
    }
}

/// An enum whose cases messages do not list.
private enum Many: String, CaseIterable, Codable, PreferenceConvertible {
    case c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20

    static func type(isCompiled: Bool) -> PreferenceType {
        .enumeration(
            .init(
                "Many",
                cases: allCases.map { .init($0.rawValue, rawValue: .string($0.rawValue)) },
                valueType: isCompiled ? Self.self : nil
            )
        )
    }
}

private struct Position: Codable, Hashable, PreferenceConvertible {
    var latitude: Double
    var longitude: Double

    static func type(isCompiled: Bool) -> PreferenceType {
        .structure(
            .init(
                "Position",
                fields: [
                    .init("latitude", id: "latitude", type: .double, isRequired: true),
                    .init("longitude", id: "longitude", type: .double, isRequired: true),
                ],
                valueType: isCompiled ? Self.self : nil
            )
        )
    }
}

private struct Station: Codable, Hashable, PreferenceConvertible {
    var name = "Nairobi"
    var height = -12.5
    var position: Position
    var opened: Date?
    var nickname: String? = "none"
    var kind = Unit.celsius
    var level = Level.low
    var tags: Set<String> = []
    var children: [Station] = []
    var places: [String: Position] = [:]
    var units: [Unit?]?
    var delay = Duration.zero

    init(position: Position) {
        self.position = position
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.name = try container.decodeIfPresent(String.self, forKey: .name) ?? "Nairobi"
        self.height = try container.decodeIfPresent(Double.self, forKey: .height) ?? -12.5
        self.position = try container.decode(Position.self, forKey: .position)
        self.opened = try container.decodeIfPresent(Date.self, forKey: .opened)
        if container.contains(.nickname) {
            self.nickname = try container.decodeIfPresent(String.self, forKey: .nickname)
        } else {
            self.nickname = "none"
        }
        self.kind = try container.decodeIfPresent(Unit.self, forKey: .kind) ?? .celsius
        self.level = try container.decodeIfPresent(Level.self, forKey: .level) ?? .low
        self.tags = try container.decodeIfPresent(Set<String>.self, forKey: .tags) ?? []
        self.children = try container.decodeIfPresent([Station].self, forKey: .children) ?? []
        self.places = try container.decodeIfPresent([String: Position].self, forKey: .places) ?? [:]
        self.units = try container.decodeIfPresent([Unit?].self, forKey: .units)
        self.delay = try container.decodeIfPresent(Duration.self, forKey: .delay) ?? .zero
    }

    private enum CodingKeys: String, CodingKey {
        case name
        case height = "h"
        case position, opened, nickname, kind, level, tags, children, places, units, delay
    }

    static func type(isCompiled: Bool) -> PreferenceType {
        @Sendable func field(_ name: String, id: String? = nil, _ type: PreferenceType)
            -> PreferenceType.Structure.Field
        {
            .init(name, id: id ?? name, type: type, isRequired: false)
        }
        return .structure(
            .init(
                "Station",
                fields: {
                    [
                        field("name", .string), field("height", id: "h", .double),
                        .init(
                            "position",
                            id: "position",
                            type: Position.type(isCompiled: isCompiled),
                            isRequired: true
                        ),
                        field("opened", .optional(.date)), field("nickname", .optional(.string)),
                        field("kind", Unit.type(isCompiled: isCompiled)),
                        field("level", Level.type(isCompiled: isCompiled)), field("tags", .set(.string)),
                        field("children", .array(type(isCompiled: isCompiled))),
                        field("places", .dictionary(Position.type(isCompiled: isCompiled))),
                        field("units", .optional(.array(.optional(Unit.type(isCompiled: isCompiled))))),
                        field("delay", .duration),
                    ]
                },
                valueType: isCompiled ? Self.self : nil
            )
        )
    }
}
