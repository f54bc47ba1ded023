import Testing

@testable import PreferencesRuntime

/// Accessors of one storage name and one type, in two files whose literals a linker has merged.
@Suite("Accessors of one name in two files")
struct AccessorIdentityTests {
    private let store = MemoryStore()
    private let secrets = MemoryStore()
    private let preferences: Preferences

    init() {
        preferences = Preferences(store: store, secrets: secrets)
    }

    @Test("Each accessor has its own constant default")
    func eachAccessorHasItsConstantDefault() {
        for _ in 0..<2 {
            #expect(preferences.theme(in: "A/A.swift") == "dark")
            #expect(preferences.theme(in: "B/B.swift") == "light")
        }
        store.apply(["theme": .set("blue")])
        #expect(preferences.theme(in: "A/A.swift") == "blue")
        #expect(preferences.theme(in: "B/B.swift") == "blue")
    }

    @Test("A value that one accessor has set is cached for the other")
    func aSetValueIsCachedForTheOtherAccessor() {
        #expect(preferences.theme(in: "A/A.swift") == "dark")
        preferences.set("theme", to: "green")
        #expect(
            preferences.cells.cell(for: CellKey("theme", in: "A/A.swift", hasTraits: false), String.self) == "green"
        )
        #expect(preferences.theme(in: "A/A.swift") == "green")
    }

    @Test("A secret of one accessor is not read or set by the other")
    func aSecretIsNotReadByTheOtherAccessor() {
        secrets.apply(["token": .set("hunter2")])
        store.apply(["token": .set("open")])
        for _ in 0..<2 {
            #expect(preferences.token(isSecret: true) == "hunter2")
            #expect(preferences.token(isSecret: false) == "open")
        }
        preferences.setToken("new", isSecret: false)
        #expect(preferences.token(isSecret: true) == "hunter2")
        #expect(secrets.value(for: "token") == "hunter2")
        preferences.setToken("other", isSecret: true)
        #expect(preferences.token(isSecret: false) == "new")
        #expect(store.value(for: "token") == "new")
    }

    @Test("Each accessor has its own constraints")
    func eachAccessorHasItsConstraints() {
        store.apply(["volume": .set(11)])
        for _ in 0..<2 {
            #expect(preferences.volume(upTo: 11) == 11)
            #expect(preferences.volume(upTo: 10) == 0)
        }
        preferences.set("volume", to: 12, [.range(0...12)], fileID: "C/C.swift")
        #expect(preferences.volume(upTo: 11) == 0)
    }
}

extension CellTable {
    /// Returns the cached value of an accessor.
    fileprivate func cell<Value: Sendable>(for key: CellKey, _ type: Value.Type) -> Value? {
        guard let cell = cell(for: key, ObjectIdentifier(type)),
            case .value(let value) = Unmanaged<Cell>.fromOpaque(cell).takeUnretainedValue().cachedValue(type)
        else { return nil }
        return value
    }
}

extension Preferences {
    fileprivate func theme(in file: StaticString) -> String {
        // One literal, as if a linker had merged two.
        let isDark = file.description == "A/A.swift"
        return _Accessor.getConstant(self, "theme", default: isDark ? "dark" : "light", fileID: file)
    }

    fileprivate func token(isSecret: Bool) -> String {
        get("token", default: "", [isSecret ? .secret : .length(0...90)], fileID: isSecret ? "A/A.swift" : "B/B.swift")
    }

    fileprivate func setToken(_ value: String, isSecret: Bool) {
        let file: StaticString = isSecret ? "A/A.swift" : "B/B.swift"
        set("token", to: value, [isSecret ? .secret : .length(0...90)], fileID: file)
    }

    fileprivate func volume(upTo limit: Int) -> Int {
        get("volume", default: 0, [.range(0...limit)], fileID: limit == 11 ? "A/A.swift" : "B/B.swift")
    }
}
