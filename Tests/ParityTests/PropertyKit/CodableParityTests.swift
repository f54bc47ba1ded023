import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// Properties of types that are `Codable`, but not `PreferenceConvertible`.
private struct Chart: PropertyNamedAccessors {
    struct Point: Codable, Equatable {
        var x, y: Double
    }

    let preferences: Preferences

    var span: Range<Int> {
        get { get(codable: Range<Int>.self, default: 0..<1) }
        nonmutating set { set(codable: newValue) }
    }

    var points: [Point] {
        get { get(codable: [Point].self, default: []) }
        nonmutating set { set(codable: newValue) }
    }

    var origin: Point? {
        get { get(codable: Point.self) }
        nonmutating set { set(codable: newValue) }
    }

    var target: Point? {
        get { get(codable: Point?.self, default: Point(x: 1, y: 1)) }
        nonmutating set { set(codable: newValue, default: Point(x: 1, y: 1)) }
    }

    static let limited: [PreferenceTrait<Range<Int>>] = [.requiring("be short") { $0.count < 10 }]

    var limited: Range<Int> {
        get { get(codable: Range<Int>.self, default: 0..<1, Self.limited) }
        nonmutating set { set(codable: newValue, Self.limited) }
    }

    var edge: Range<Int>? {
        get { get(codable: Range<Int>.self, default: 1..<2) }
        nonmutating set { set(codable: newValue, default: 1..<2) }
    }

    var named: Point? {
        get { get(codable: "chart:named") }
        nonmutating set { set(codable: "chart:named", to: newValue) }
    }
}

@Suite("PropertyKit: accessors of Codable types")
struct CodableParityTests {
    @Test("accessors keyed by their property's name for a type that is Codable alone: as for any other")
    func accessors() throws {
        let store = MemoryStore()
        let chart = Chart(preferences: Preferences(store: store))
        #expect(chart.span == 0..<1)
        #expect(chart.points == [])
        #expect(chart.origin == nil)
        #expect(chart.target == Chart.Point(x: 1, y: 1))
        #expect(store.names() == [])

        chart.span = 2..<5
        chart.points.append(Chart.Point(x: 1, y: 2))
        chart.origin = Chart.Point(x: 3, y: 4)
        chart.target = nil
        let file = "PropertyKitParityTests/CodableParityTests.swift:"
        let type = try #require(store.names().first { $0.hasSuffix(".span") }?.dropLast(5))
        #expect(type.hasPrefix(file))
        #expect(store.names() == Set(["span", "points", "origin", "target"].map { "\(type).\($0)" }))
        #expect(store.value(for: "\(type).points") == [["x": 1.0, "y": 2.0]])

        let later = Chart(preferences: Preferences(store: store))
        #expect(later.span == 2..<5)
        #expect(later.points == [Chart.Point(x: 1, y: 2)])
        #expect(later.origin == Chart.Point(x: 3, y: 4))
        #expect(later.target == nil)

        // Nil resets an optional without a default, as for any other type.
        later.origin = nil
        #expect(!later.isSet(\.origin) && chart.origin == nil)
        later.reset(\.target)
        #expect(chart.target == Chart.Point(x: 1, y: 1))
        try chart.update(\.points) { $0.removeAll() }
        #expect(later.points == [])

        // A value that cannot be decoded reads as the default, and is kept.
        store.apply(["\(type).span": .set("x")])
        #expect(later.span == 0..<1)
        #expect(store.value(for: "\(type).span") == "x")
    }

    @Test("Such accessors have traits, and an optional one with a storage name needs no default")
    func traits() async {
        let store = MemoryStore()
        let chart = Chart(preferences: Preferences(store: store))
        chart.limited = 0..<9
        chart.limited = 0..<100
        #expect(chart.limited == 0..<9)
        #expect(chart.edge == 1..<2)
        chart.edge = nil
        #expect(chart.edge == nil)
        chart.reset(\.edge)
        #expect(chart.named == nil)
        chart.named = Chart.Point(x: 1, y: 2)
        #expect(chart.named == Chart.Point(x: 1, y: 2))
        #expect(store.value(for: "chart:named") == ["x": 1.0, "y": 2.0])
        chart.named = nil
        #expect(store.value(for: "chart:named") == nil)
        let problems = await chart.preferences.reportedProblems()
        #expect(problems.map(\.code) == [.constraintViolation])
    }

    @Test("The compiler rejects such an accessor of a protocol, and says what to add")
    func refusal() async throws {
        let source = """
            import PreferencesRuntime
            struct Point: Codable { var x = 0 }
            protocol Charts: PropertyNamedAccessors {}
            extension Charts {
                var origin: Point {
                    get { get(codable: Point.self, default: Point()) }
                    nonmutating set { set(codable: newValue) }
                }
            }

            """
        let run = try await Compiler.compile(["Use.swift": source], importing: ["PreferencesRuntime"])
        #expect(!run.succeeded)
        let form = "or declare the property in a type that conforms to PropertyNamedAccessors"
        for (line, call) in [(6, "get(codable: \"NAME\", default:)"), (7, "set(codable: \"NAME\", to:)")] {
            #expect(
                run.output.split(separator: "\n").contains {
                    $0.contains("Use.swift:\(line):") && $0.contains("add a storage name, \(call), \(form)")
                },
                "\(run.output)"
            )
        }
    }
}
