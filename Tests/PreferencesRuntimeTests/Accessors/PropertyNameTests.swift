import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// Another file has a type of the same name, with a property of the same name.
private struct Viewer: PropertyNamedAccessors {
    let preferences: Preferences

    var isHidden: Bool {
        get { get(default: false) }
        nonmutating set { set(newValue) }
    }
}

/// ``Viewer`` has a property of the same name in this file.
private struct Browser: PropertyNamedAccessors {
    let preferences: Preferences

    var isHidden: Bool {
        get { get(default: false) }
        nonmutating set { set(newValue) }
    }

    /// Another type of this name is in this file.
    struct Viewer: PropertyNamedAccessors {
        let preferences: Preferences

        var isHidden: Bool {
            get { get(default: false) }
            nonmutating set { set(newValue) }
        }
    }
}

private class Base: PropertyNamedAccessors {
    let preferences: Preferences

    init(_ preferences: Preferences) {
        self.preferences = preferences
    }

    var isVisible: Bool {
        get { get(default: false) }
        set { set(newValue) }
    }
}

private final class Derived: Base {
    var isHidden: Bool {
        get { get(default: false) }
        set { set(newValue) }
    }
}

private struct Window: PropertyNamedAccessors {
    let preferences: Preferences

    var width: Int {
        self.get(default: 1)
    }
}

private let windowLine = #line - 4

/// Its property calls another type's `get`.
private struct Pane {
    let window: Window

    var width: Int {
        get { window.get(default: 2) }
        nonmutating set { window.set(newValue) }
    }
}

private let paneLine = #line - 5

private struct Box<Content>: PropertyNamedAccessors {
    let preferences: Preferences

    var size: Int {
        get { get(default: 0) }
        nonmutating set { set(newValue) }
    }

    subscript(index: Int) -> Int {
        get { get(default: 0) }
        nonmutating set { set(newValue) }
    }
}

private struct Counter: PropertyNamedAccessors {
    let preferences: Preferences

    var `w.z`: Int {
        get { get(default: 0) }
        nonmutating set { set(newValue) }
    }

    // swift-format-ignore: TypeNamesShouldBeCapitalized
    struct w: PropertyNamedAccessors {
        let preferences: Preferences

        var z: Int {
            get { get(default: 0) }
            nonmutating set { set(newValue) }
        }
    }

    func next() -> Int { get(default: 0) }
}

/// A type whose keys have traits.
private struct Slider: PropertyNamedAccessors {
    let preferences: Preferences

    static let changes = Recorder<String>()

    private static let percentage: PreferenceTrait<Int> = .combining(
        .processing { min($0, 100) },
        .range(0...),
        .didChange { changes.add("\($0.new ?? -1)") }
    )

    var position: Int {
        get { get(default: 50, [Self.percentage]) }
        nonmutating set { set(newValue, [Self.percentage]) }
    }

    var limit: Int? {
        get { get([.unlessNil(.range(...9))]) }
        nonmutating set { set(newValue, [.unlessNil(.range(...9))]) }
    }

    static let start = Date(timeIntervalSinceReferenceDate: 1)

    var date: Date? {
        get { get(default: Self.start) }
        nonmutating set { set(newValue, default: Self.start) }
    }

    var label: String? {
        get { get("label") }
        nonmutating set { set("label", to: newValue) }
    }

    var hint: String? {
        get { get("hint", [.unlessNil(.length(...3))]) }
        nonmutating set { set("hint", to: newValue, [.unlessNil(.length(...3))]) }
    }
}

struct PropertyNameTests {
    private let store = MemoryStore()
    private static let file = "PreferencesRuntimeTests/PropertyNameTests.swift"
    private static let editor = "PreferencesRuntimeTests/PropertyNames.swift:Editor"

    @Test("Properties have traits, and an optional one with a storage name needs no default")
    func traits() async {
        let store = MemoryStore()
        let slider = Slider(preferences: Preferences(store: store))
        slider.position = 120
        slider.position = -1
        #expect(slider.position == 100)
        #expect(Slider.changes.all == ["100"])
        slider.limit = 9
        slider.limit = 10
        #expect(slider.limit == 9)
        slider.limit = nil
        #expect(slider.limit == nil && !slider.isSet(\.limit))
        #expect(slider.date == Slider.start)
        slider.date = nil
        #expect(slider.date == nil)
        slider.reset(\.date)
        #expect(slider.label == nil)
        slider.label = "speed"
        slider.hint = "abcd"
        #expect(slider.label == "speed" && slider.hint == nil)
        slider.label = nil
        #expect(store.names().count == 1)
        let problems = await slider.preferences.reportedProblems()
        #expect(problems.map(\.code) == Array(repeating: .constraintViolation, count: 3))
    }

    @Test("The storage name consists of the file, the type and the property")
    func theStorageNameConsistsOfFileTypeAndProperty() {
        let preferences = Preferences(store: store)
        let editor = Editor(preferences: preferences)
        #expect(editor.fontSize == 12)
        #expect(editor.author == nil)
        editor.fontSize = 14
        editor.author = "Ada"
        #expect(store.value(for: "\(Self.editor).fontSize") == 14)
        #expect(store.value(for: "\(Self.editor).author") == "Ada")
        #expect(Editor(preferences: Preferences(store: store)).fontSize == 14)
        editor.author = nil
        #expect(store.names() == ["\(Self.editor).fontSize"])
        editor.reset(\.fontSize)
        #expect(editor.fontSize == 12)
        Viewer(preferences: preferences).isHidden = true
        Browser.Viewer(preferences: preferences).isHidden = true
        // Without the addresses in the names of private types.
        Derived(preferences).isHidden = true
        let names = ["Viewer.isHidden", "Browser.Viewer.isHidden", "Derived.isHidden"].map { "\(Self.file):\($0)" }
        #expect(store.names() == Set(names))
    }

    @Test("A property of a class is one key in all its subclasses")
    func aPropertyOfAClassIsOneKeyInAllSubclasses() {
        let preferences = Preferences(store: store)
        Derived(preferences).isVisible = true
        #expect(Base(preferences).isVisible)
        #expect(store.names() == ["\(Self.file):Base.isVisible"])
    }

    @Test("Nil is stored for an optional property whose default is not nil")
    func nilIsStoredIfTheDefaultIsNotNil() {
        let editor = Editor(preferences: Preferences(store: store))
        #expect(editor.signature == "anonymous")
        editor.signature = nil
        #expect(editor.signature == nil)
        #expect(store.value(for: "\(Self.editor).signature") == .null)
        #expect(Editor(preferences: Preferences(store: store)).signature == nil)
        editor.signature = "Ada"
        #expect(editor.signature == "Ada")
        editor.reset(\.signature)
        #expect(editor.signature == "anonymous")
    }

    @Test("A migration or an explicit storage name preserves a value that was stored under another name")
    func aMigrationOrAStorageNamePreservesAValue() {
        store.apply(["fontSize": .set(9)])
        let moved = Preferences(
            store: store,
            migrations: [PreferenceMigration(version: 1, [.move("fontSize", to: "\(Self.editor).fontSize")])]
        )
        #expect(Editor(preferences: moved).fontSize == 9)
        #expect(Preferences(store: store).get(named: "\(Self.editor).fontSize", default: 12) == 9)
    }

    @Test("Preferences over two stores have separate values")
    func preferencesOverTwoStoresHaveSeparateValues() {
        let shared = Editor(preferences: Preferences(store: store))
        let local = Editor(preferences: Preferences(store: MemoryStore()))
        shared.fontSize = 1
        local.fontSize = 2
        #expect(shared.fontSize == 1)
        #expect(local.fontSize == 2)
    }

    @Test("Watchers observe own and external changes")
    func watchersObserveOwnAndExternalChanges() {
        let preferences = Preferences(store: store)
        let editor = Editor(preferences: preferences)
        let seen = Recorder<Int>()
        preferences.watch(\.editor.fontSize) { seen.add($0.new) }
        editor.fontSize = 20
        store.apply(["\(Self.editor).fontSize": .set(21)])
        #expect(seen.all == [20, 21])
    }

    /// Properties of one name: in two files, in two types of one file, in two types of one name, and in a subclass.
    private static let uses: [@Sendable (Preferences, Bool?) -> Bool] = [
        { preferences, newValue in
            if let newValue { preferences.editor.setViewerIsHidden(newValue) }
            return preferences.editor.viewerIsHidden
        },
        { preferences, newValue in
            if let newValue { Viewer(preferences: preferences).isHidden = newValue }
            return Viewer(preferences: preferences).isHidden
        },
        { preferences, newValue in
            if let newValue { Browser(preferences: preferences).isHidden = newValue }
            return Browser(preferences: preferences).isHidden
        },
        { preferences, newValue in
            if let newValue { Browser.Viewer(preferences: preferences).isHidden = newValue }
            return Browser.Viewer(preferences: preferences).isHidden
        },
        { preferences, newValue in
            if let newValue { Derived(preferences).isHidden = newValue }
            return Derived(preferences).isHidden
        },
    ]

    @Test("Properties of the same name never share a value, in whichever order they are used", arguments: uses.indices)
    func propertiesOfTheSameNameNeverShareAValue(first: Int) async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "store.json")
            func run(_ body: (Preferences) -> Void) async {
                let preferences = Preferences(store: FileStore(url: url, durability: .immediate))
                body(preferences)
                #expect(await preferences.reportedProblems().isEmpty)
            }
            let others = Self.uses.indices.filter { $0 != first }
            await run { #expect(Self.uses[first]($0, true)) }
            for other in others { await run { #expect(!Self.uses[other]($0, nil)) } }
            await run { preferences in
                for other in others { #expect(!Self.uses[other](preferences, nil)) }
                #expect(Self.uses[first](preferences, nil))
                for other in others { #expect(Self.uses[other](preferences, true)) }
                #expect(!Self.uses[first](preferences, false))
            }
            await run { preferences in
                #expect(!Self.uses[first](preferences, nil))
                for other in others { #expect(Self.uses[other](preferences, nil)) }
            }
        }
    }

    @Test("A property that calls get on another type has no key once that type's own property uses it")
    func aCallOnAnotherTypeHasNoKey() async {
        let preferences = Preferences(store: store)
        let window = Window(preferences: preferences)
        #expect(window.width == 1)
        store.apply(["\(Self.file):Window.width": .set(7)])
        for _ in 0..<2 { #expect((window.width, Pane(window: window).width) == (7, 2)) }
        let problems = await preferences.reportedProblems()
        #expect(
            problems.map(\.description) == [
                "memory: '\(Self.file):Window.width': the call at \(Self.file):\(windowLine) has this key: the property at "
                    + "\(Self.file):\(paneLine) reads as its default and cannot be set; give it a storage name, as in "
                    + "get(\"NAME\", default:)"
            ]
        )
        #expect(problems.map(\.code) == [.nameClash])
    }

    @Test("A type that is declared in a function has no keys")
    func aTypeDeclaredInAFunctionHasNoKeys() async {
        struct Local: PropertyNamedAccessors {
            let preferences: Preferences

            var size: Int {
                get { get(default: 3) }
                nonmutating set { set(newValue) }
            }
        }
        let preferences = Preferences(store: store)
        Local(preferences: preferences).size = 4
        #expect(Local(preferences: preferences).size == 3)
        #expect(store.names().isEmpty)
        let line = #line - 7
        let message =
            "PropertyNameTests.Local is declared in a function, and another function may have a type of this name: the property at "
        let advice = " reads as its default and cannot be set; give it a storage name, as in get(\"NAME\", default:)"
        #expect(
            await preferences.reportedProblems().map(\.description)
                == [line, line - 1].map {
                    "memory: '\(Self.file):PropertyNameTests.Local.size': \(message)\(Self.file):\($0)\(advice)"
                }
        )
    }

    @Test("Properties of generic types, subscripts and functions have no keys")
    func ambiguousNamesHaveNoKeys() async {
        let preferences = Preferences(store: store)
        let box = Box<Int>(preferences: preferences)
        box.size = 1
        box[1] = 7
        #expect((box.size, box[1], Counter(preferences: preferences).next()) == (0, 0, 0))
        #expect(store.names().isEmpty)
        let problems = await preferences.reportedProblems()
        #expect(problems.allSatisfy { $0.code == .nameClash })
        #expect(
            problems.map { $0.message.prefix { $0 != ":" } } == [
                "Box<Swift.Int> is generic, and another extension of it may have a property of this name",
                "Box<Swift.Int> is generic, and another extension of it may have a property of this name",
                "Box<Swift.Int> is generic, and another extension of it may have a property of this name",
                "Box<Swift.Int> is generic, and another extension of it may have a property of this name",
                "'next()' is not a property, and others may have this name",
            ]
        )
    }

    @Test("Raw identifiers are distinguished")
    func rawIdentifiersAreDistinguished() {
        let preferences = Preferences(store: store)
        Counter(preferences: preferences).`w.z` = 1
        Counter.w(preferences: preferences).z = 2
        #expect(Counter(preferences: preferences).`w.z` == 1)
        #expect(store.names() == ["\(Self.file):Counter.`w.z`", "\(Self.file):Counter.w.z"])
    }

    /// The call that the compiler suggests for each.
    private static let refused = [
        "extension Counting { var count: Int { get { get(default: 1) } } }":
            ("get(default:_:)", "get(\"NAME\", default:)"),
        "extension Counting { var count: Int? { get { get() } } }": ("get", "get(\"NAME\")"),
        "extension Counting { func count() { set(1) } }": ("set", "set(\"NAME\", to:)"),
        "extension Counting { func count() { set(1, default: 2) } }":
            ("set(_:default:_:)", "set(\"NAME\", to:default:)"),
        "extension Preferences { var count: Int { get { get(default: 1) } } }":
            ("get(default:_:)", "get(\"NAME\", default:)"),
        "extension Preferences { var count: Int { get { 1 } set { set(newValue) } } }": ("set", "set(\"NAME\", to:)"),
        "struct Counter { let preferences: Preferences; var count: Int { preferences.get(default: 1) } }":
            ("get(default:_:)", "get(\"NAME\", default:)"),
        "struct Counter: PreferenceAccessors { let preferences: Preferences; var count: Int { get { get(default: 1) } } }":
            ("get(default:_:)", "get(\"NAME\", default:)"),
        "struct Counter: PreferenceAccessors { let preferences: Preferences; func count() { set(1) } }":
            ("set", "set(\"NAME\", to:)"),
        "extension Preferences { var count: Int { get { get(default: 1, [.range(0...3)]) } } }":
            ("get(default:_:)", "get(\"NAME\", default:)"),
        "extension Preferences { func count() { set(1, [.range(0...3)]) } }": ("set", "set(\"NAME\", to:)"),
        "extension Preferences: PropertyNamedAccessors { var count: Int { get { get(default: 1) } } }":
            ("get(default:_:)", "get(\"NAME\", default:)"),
    ]

    @Test("The compiler asks for a storage name where the property's type is unspecified", arguments: refused)
    func theCompilerAsksForAStorageName(declaration: String, call: (refused: String, suggested: String)) async throws {
        let source = """
            import PreferencesRuntime
            protocol Counting: PropertyNamedAccessors {}
            \(declaration)
            """
        let run = try await Compiler.compile(["Use.swift": source], importing: ["PreferencesRuntime"])
        #expect(!run.succeeded)
        let message =
            "error: '\(call.refused)' is unavailable: add a storage name, \(call.suggested), "
            + "or declare the property in a type that conforms to PropertyNamedAccessors"
        #expect(run.output.contains(message), "\(run.output)")
    }
}
