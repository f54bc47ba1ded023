@testable import PreferencesRuntime
import Testing

/// The functions that generated accessors call.
@Suite("Functions of generated accessors")
struct GeneratedAccessorTests {
    private let store = MemoryStore()
    private let preferences: Preferences

    init() {
        preferences = Preferences(store: store)
    }

    @Test("A storage name is the text of its literal, whatever characters it contains")
    func aStorageNameIsTheTextOfItsLiteral() {
        let names: [(_StorageName, String)] = [
            ("a", "a"), ("ß", "ß"), ("weather:temperature", "weather:temperature"), ("größe:🌡", "größe:🌡"), ("", ""),
        ]
        for (name, text) in names {
            let string = String(storageName: name)
            #expect(Array(string.utf8) == Array(text.utf8))
            #expect(string == text && string.hashValue == text.hashValue)
        }
    }

    @Test("A generated accessor shares its cached value with a hand-written one of the same name and type")
    func generatedAndHandWrittenAccessorsShareACachedValue() {
        preferences._setInt("count", to: 3)
        #expect(preferences.get("count", default: 0) == 3)
        preferences.set("count", to: 4)
        #expect(preferences._getInt("count", default: 0) == 4 && preferences._get("count", default: 0) == 4)
    }

    @Test("A key of each type reads as its default, and then as the value that was set")
    func aKeyOfEachTypeReadsAsItsDefaultAndThenItsValue() {
        #expect(preferences._getBool("bool", default: true))
        #expect(preferences._getInt("int", default: 5) == 5)
        #expect(preferences._getDouble("double", default: 0.5) == 0.5)
        #expect(preferences._getString("string", default: "none") == "none")
        #expect(preferences._getStrings("strings", default: ["none"]) == ["none"])
        #expect(preferences._get("float", default: Float(2)) == 2)
        preferences._setBool("bool", to: false)
        preferences._setInt("int", to: 6)
        preferences._setDouble("double", to: 1.5)
        preferences._setString("string", to: "text")
        preferences._setStrings("strings", to: ["one", "two"])
        preferences._set("float", to: Float(3))
        // Once from the store, and once from the cache.
        for _ in 0..<2 {
            #expect(!preferences._getBool("bool", default: true))
            #expect(preferences._getInt("int", default: 5) == 6)
            #expect(preferences._getDouble("double", default: 0.5) == 1.5)
            #expect(preferences._getString("string", default: "none") == "text")
            #expect(preferences._getStrings("strings", default: ["none"]) == ["one", "two"])
            #expect(preferences._get("float", default: Float(2)) == 3)
        }
        #expect(store.value(for: "strings") == .array([.string("one"), .string("two")]))
    }

    @Test("Setting nil resets an optional key, and a stored nil takes precedence over a default")
    func settingNilResetsAnOptionalKey() {
        preferences._setOptionalInt("int", to: 1)
        preferences._setOptionalString("string", to: "text")
        #expect(preferences._getOptionalInt("int", default: nil) == 1)
        #expect(preferences._getOptionalString("string", default: nil) == "text")
        preferences._setOptionalInt("int", to: nil)
        preferences._setOptionalString("string", to: nil)
        #expect(preferences._getOptionalInt("int", default: 7) == 7)
        #expect(preferences._getOptionalString("string", default: "nobody") == "nobody")
        preferences.set("int", to: Int?.none, default: 7)
        preferences.set("string", to: String?.none, default: "nobody")
        #expect(preferences._getOptionalInt("int", default: 7) == nil)
        #expect(preferences._getOptionalString("string", default: "nobody") == nil)
    }
}
