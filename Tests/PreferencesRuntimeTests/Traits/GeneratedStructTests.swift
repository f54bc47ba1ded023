import PreferencesRuntime
import StoreTestSupport
import Testing

/// A struct in the form of generated code.
nonisolated private struct Observatory: Codable, Hashable, PreferenceConvertible {
    var name: String
    var height: Double
    var nickname: String?
    var keeper: String?
    var tags: Set<String>

    init(
        name: String,
        height: Double = -12.5,
        nickname: String? = "none",
        keeper: String? = nil,
        tags: Set<String> = ["a", "b"]
    ) {
        self.name = name
        self.height = height
        self.nickname = nickname
        self.keeper = keeper
        self.tags = tags
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.name = try container.decode(String.self, forKey: .name)
        self.height = try container.decodeIfPresent(Double.self, forKey: .height) ?? -12.5
        if container.contains(.nickname) {
            self.nickname = try container.decodeIfPresent(String.self, forKey: .nickname)
        } else {
            self.nickname = "none"
        }
        self.keeper = try container.decodeIfPresent(String.self, forKey: .keeper)
        self.tags = try container.decodeIfPresent(Set<String>.self, forKey: .tags) ?? ["a", "b"]
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(self.name, forKey: .name)
        try container.encode(self.height, forKey: .height)
        try container.encode(self.nickname, forKey: .nickname)
        try container.encodeIfPresent(self.keeper, forKey: .keeper)
        try container.encode(self.tags, forKey: .tags)
    }

    private enum CodingKeys: String, CodingKey {
        case name
        case height = "h"
        case nickname
        case keeper
        case tags
    }
}

struct GeneratedStructTests {
    private let store = MemoryStore()
    private let preferences: Preferences
    private let fallback = Observatory(name: "default")

    init() {
        preferences = Preferences(store: store)
    }

    private var stored: Observatory {
        get { preferences.get("place", default: fallback) }
        nonmutating set { preferences.set("place", to: newValue) }
    }

    @Test("Missing fields have their defaults")
    func missingFieldsHaveTheirDefaults() {
        store.apply(["place": .set(["name": "Blindern"])])
        #expect(
            stored == Observatory(name: "Blindern", height: -12.5, nickname: "none", keeper: nil, tags: ["a", "b"])
        )
    }

    @Test("Unknown fields are ignored")
    func unknownFieldsAreIgnored() {
        store.apply(["place": .set(["name": "Blindern", "colour": "red"])])
        #expect(stored == Observatory(name: "Blindern"))
    }

    @Test("Fields are stored under their ids")
    func fieldsAreStoredUnderTheirIDs() {
        stored = Observatory(name: "Blindern", height: 94, nickname: "hill", keeper: "Anna", tags: ["x", "c"])
        #expect(
            store.value(for: "place") == [
                "name": "Blindern", "h": 94.0, "nickname": "hill", "keeper": "Anna", "tags": ["c", "x"],
            ]
        )
        #expect(
            stored == Observatory(name: "Blindern", height: 94, nickname: "hill", keeper: "Anna", tags: ["c", "x"])
        )
    }

    @Test("Nil is stored in a field whose default is not nil")
    func nilIsStoredInAFieldWhoseDefaultIsNotNil() {
        stored = Observatory(name: "Blindern", nickname: nil)
        #expect(stored.nickname == nil)
        #expect(
            store.value(for: "place") == [
                "name": "Blindern", "h": -12.5, "nickname": .null, "tags": ["a", "b"],
            ]
        )
    }

    @Test("A struct with an unreadable or missing required field reads as the key's default")
    func aStructWithABadFieldReadsAsTheDefault() async {
        for value in [["name": "Blindern", "h": "high"], ["h": 94]] as [PreferenceValue] {
            store.apply(["place": .set(value)])
            #expect(stored == fallback)
            #expect(store.value(for: "place") == value)
        }
        #expect(
            await preferences.reportedProblems().map(\.message) == [
                "at 'h': expected Double, found the string \"high\"; using its default",
                "'name' is missing; using its default",
            ]
        )
    }

    @Test("The problem of a collection names the element that does not fit")
    func theProblemOfACollectionNamesTheElement() async {
        let good: PreferenceValue = ["name": "Blindern"]
        store.apply([
            "list": .set([good, ["name": "Vardø", "h": "x"]]), "groups": .set(["north": [good, [:]]]),
        ])
        #expect(preferences.get("list", default: [Observatory]()) == [])
        #expect(preferences.get("groups", default: [String: [Observatory]]()) == [:])
        #expect(
            await preferences.reportedProblems().map(\.message) == [
                "at '[1].h': expected Double, found the string \"x\"; using default []",
                "at 'north[1]': 'name' is missing; using default {}",
            ]
        )
    }

    @Test("Null counts as a missing field if the field is not optional")
    func nullCountsAsAMissingField() {
        store.apply(["place": .set(["name": "Blindern", "h": .null, "tags": .null])])
        #expect(stored == Observatory(name: "Blindern"))
    }
}
