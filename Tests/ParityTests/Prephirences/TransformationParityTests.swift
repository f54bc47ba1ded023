import Foundation
import TestSupport
import Testing

@testable import PreferencesRuntime

/// A raw-representable type that is `Codable`.
private enum Level: Int, Codable {
    case low = 1
    case high = 2
}

private struct Place: Codable, Equatable {
    var name: String
}

private protocol TransformedPreferences: PreferenceAccessors {}

extension TransformedPreferences {
    fileprivate var archive: NSString {
        get { get("archive", default: "", through: .archive) }
        nonmutating set { set("archive", to: newValue, through: .archive) }
    }

    fileprivate var place: Place? {
        get { get("place", default: nil, through: .json) }
        nonmutating set { set("place", to: newValue, through: .json) }
    }

    fileprivate var level: Level {
        get { get("level", default: .low, through: .rawValue) }
        nonmutating set { set("level", to: newValue, through: .rawValue) }
    }

    fileprivate var age: Int {
        get { get("age", default: 18, through: .clamping(to: 0...100)) }
        nonmutating set { set("age", to: newValue, through: .clamping(to: 0...100)) }
    }

    fileprivate var title: String {
        get { get("title", default: "unset", through: .replacingNil(with: "none")) }
        nonmutating set { set("title", to: newValue, through: .replacingNil(with: "none")) }
    }

    fileprivate var hex: Int {
        get { get("hex", default: 0, through: Self.hexadecimal.followed(by: Self.negated)) }
        nonmutating set { set("hex", to: newValue, through: Self.hexadecimal.followed(by: Self.negated)) }
    }

    private static var hexadecimal: PreferenceTransformation<String, Int> {
        PreferenceTransformation {
            Int($0, radix: 16) ?? 0
        } write: {
            String($0, radix: 16)
        }
    }

    private static var negated: PreferenceTransformation<Int, Int> {
        PreferenceTransformation {
            -$0
        } write: {
            -$0
        }
    }
}

extension Preferences: TransformedPreferences {}

@Suite("Prephirences: transformations")
struct TransformationParityTests {
    private let store = MemoryStore()
    private let preferences: Preferences

    init() {
        preferences = Preferences(store: store)
    }

    @Test("transformations: archive")
    func archive() throws {
        preferences.archive = "red"
        guard case .data(let data)? = store.value(for: "archive") else {
            Issue.record("no data is stored")
            return
        }
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSString.self, from: data) == "red")
        #expect(preferences.archive == "red")
        // Codable structs, which the original lost silently.
        preferences.place = Place(name: "Oslo")
        #expect(preferences.place == Place(name: "Oslo"))
    }

    @Test("transformations: archive: the compiler rejects types that cannot be archived, such as Codable structs")
    func archiveOfStruct() async throws {
        let source = """
            import PreferencesRuntime
            struct Place: Codable { var name: String }
            let archive: PreferenceTransformation<Data, Place> = .archive

            """
        let run = try await Compiler.compile(
            ["Use.swift": "import Foundation\n" + source],
            importing: ["PreferencesRuntime"]
        )
        #expect(!run.succeeded)
        #expect(run.output.contains("Use.swift:4:"), "\(run.output)")
        let json = try await Compiler.compile(
            [
                "Use.swift": "import Foundation\n"
                    + source.replacing(".archive", with: ".json").replacing("Codable {", with: "Codable, Sendable {")
            ],
            importing: ["PreferencesRuntime"]
        )
        #expect(json.succeeded, "\(json.output)")
    }

    @Test("transformations: closure pair, compose")
    func closures() {
        preferences.hex = -255
        #expect(store.value(for: "hex") == "ff")
        #expect(preferences.hex == -255)
    }

    @Test("transformations: value transformer")
    func valueTransformer() throws {
        struct Negating: ReversibleTransformer {
            let allowsReverse = true
            func transformedValue(_ value: Any?) -> Any? { (value as? Bool).map { !$0 } }
            func reverseTransformedValue(_ value: Any?) -> Any? { transformedValue(value) }
        }
        // Equivalent to `.valueTransformer(.negateBooleanTransformerName)`, which exists on Apple platforms.
        let negating = PreferenceTransformation<Bool, Bool>(transformer: "NSNegateBoolean") { Negating() }
        preferences.set("enabled", to: false, through: negating)
        #expect(store.value(for: "enabled") == true)
        #expect(preferences.get("enabled", default: true, through: negating) == false)
    }

    @Test("transformations: raw-representable; default when nil")
    func rawRepresentable() {
        #expect(preferences.level == .low)
        #expect(preferences.title == "unset")
        store.apply(["title": .set(.null)])
        #expect(preferences.title == "none")
        preferences.level = .high
        #expect(store.value(for: "level") == 2)
        #expect(preferences.level == .high)
    }

    @Test("transformations: ensure (120 reads as 100, the stored 120 unchanged)")
    func ensure() {
        store.apply(["age": .set(120)])
        #expect(preferences.age == 100)
        #expect(store.value(for: "age") == 120)
        store.apply(["age": .remove])
        #expect(preferences.age == 18)
    }

    @Test("transformations: TransformedStore for a store")
    func wholeStore() throws {
        let upper = PreferenceTransformation<String, String> {
            $0.uppercased()
        } write: {
            $0.lowercased()
        }
        let preferences = Preferences(store: TransformedStore(store, upper))
        preferences.set(named: "name", to: "ADA")
        #expect(store.value(for: "name") == "ada")
        #expect(preferences.get(named: "name", default: "") == "ADA")
    }
}
