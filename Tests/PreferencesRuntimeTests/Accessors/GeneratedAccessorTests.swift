import Testing

@testable import PreferencesRuntime

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
        _Accessor.setInt(preferences, "count", to: 3)
        #expect(preferences.get("count", default: 0) == 3)
        preferences.set("count", to: 4)
        #expect(
            _Accessor.getInt(preferences, "count", default: 0) == 4
                && _Accessor.get(preferences, "count", default: 0) == 4
        )
    }

    @Test("A key of each type reads as its default, and then as the value that was set")
    func aKeyOfEachTypeReadsAsItsDefaultAndThenItsValue() {
        #expect(_Accessor.getBool(preferences, "bool", default: true))
        #expect(_Accessor.getInt(preferences, "int", default: 5) == 5)
        #expect(_Accessor.getDouble(preferences, "double", default: 0.5) == 0.5)
        #expect(_Accessor.getString(preferences, "string", default: "none") == "none")
        #expect(_Accessor.getStrings(preferences, "strings", default: ["none"]) == ["none"])
        #expect(_Accessor.get(preferences, "float", default: Float(2)) == 2)
        _Accessor.setBool(preferences, "bool", to: false)
        _Accessor.setInt(preferences, "int", to: 6)
        _Accessor.setDouble(preferences, "double", to: 1.5)
        _Accessor.setString(preferences, "string", to: "text")
        _Accessor.setStrings(preferences, "strings", to: ["one", "two"])
        _Accessor.set(preferences, "float", to: Float(3))
        // Once from the store, and once from the cache.
        for _ in 0..<2 {
            #expect(!_Accessor.getBool(preferences, "bool", default: true))
            #expect(_Accessor.getInt(preferences, "int", default: 5) == 6)
            #expect(_Accessor.getDouble(preferences, "double", default: 0.5) == 1.5)
            #expect(_Accessor.getString(preferences, "string", default: "none") == "text")
            #expect(_Accessor.getStrings(preferences, "strings", default: ["none"]) == ["one", "two"])
            #expect(_Accessor.get(preferences, "float", default: Float(2)) == 3)
        }
        #expect(store.value(for: "strings") == .array([.string("one"), .string("two")]))
    }

    @Test("Setting nil resets an optional key, and a stored nil takes precedence over a default")
    func settingNilResetsAnOptionalKey() {
        _Accessor.setOptionalInt(preferences, "int", to: 1)
        _Accessor.setOptionalString(preferences, "string", to: "text")
        #expect(_Accessor.getOptionalInt(preferences, "int", default: nil) == 1)
        #expect(_Accessor.getOptionalString(preferences, "string", default: nil) == "text")
        _Accessor.setOptionalInt(preferences, "int", to: nil)
        _Accessor.setOptionalString(preferences, "string", to: nil)
        #expect(_Accessor.getOptionalInt(preferences, "int", default: 7) == 7)
        #expect(_Accessor.getOptionalString(preferences, "string", default: "nobody") == "nobody")
        preferences.set("int", to: Int?.none, default: 7)
        preferences.set("string", to: String?.none, default: "nobody")
        #expect(_Accessor.getOptionalInt(preferences, "int", default: 7) == nil)
        #expect(_Accessor.getOptionalString(preferences, "string", default: "nobody") == nil)
    }
}
