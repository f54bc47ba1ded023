import Foundation
import PreferencesRuntime
import TestSupport
import Testing

/// ``EditorPreferences`` has a property of the same name in another file.
private struct Viewer: PreferenceAccessors {
    let preferences: Preferences

    var isHidden: Bool {
        get { get(default: false) }
        nonmutating set { set(newValue) }
    }
}

/// ``Viewer`` has a property of the same name in this file.
private struct Browser: PreferenceAccessors {
    let preferences: Preferences

    var isHidden: Bool {
        get { get(default: false) }
        nonmutating set { set(newValue) }
    }

    /// Another type of this name is in this file.
    struct Viewer: PreferenceAccessors {
        let preferences: Preferences

        var isHidden: Bool {
            get { get(default: false) }
            nonmutating set { set(newValue) }
        }
    }
}

private class Base: PreferenceAccessors {
    let preferences: Preferences

    init(_ preferences: Preferences) {
        self.preferences = preferences
    }
}

private final class Derived: Base {
    var isHidden: Bool {
        get { get(default: false) }
        set { set(newValue) }
    }
}

private protocol LeftPreferences: PreferenceAccessors {}
private protocol RightPreferences: PreferenceAccessors {}

extension LeftPreferences {
    fileprivate var isWide: Bool {
        get { get(default: false) }
        nonmutating set { set(newValue) }
    }

    fileprivate var left: Int { width }

    private var width: Int {
        get { get(default: 1) }
    }
}

private let leftLine = #line - 4

extension RightPreferences {
    fileprivate var right: Int { width }

    private var width: Int {
        get { get(default: 2) }
        nonmutating set { set(newValue) }
    }
}

private let rightLine = #line - 5

private struct Pane: LeftPreferences, RightPreferences {
    let preferences: Preferences
}

private struct Window: LeftPreferences {
    let preferences: Preferences
}

struct PropertyNameTests {
    private let store = MemoryStore()
    private static let file = "PreferencesRuntimeTests/PropertyNameTests.swift"
    private static let editor = "PreferencesRuntimeTests/PropertyNames.swift"

    @Test("The storage name consists of the file, the type unless it is a protocol, and the property")
    func storageNames() {
        let preferences = Preferences(store: store)
        #expect(preferences.fontSize == 12)
        #expect(preferences.author == nil)
        preferences.fontSize = 14
        preferences.author = "Ada"
        #expect(store.value(for: "\(Self.editor):fontSize") == 14)
        #expect(store.value(for: "\(Self.editor):author") == "Ada")
        #expect(Preferences(store: store).fontSize == 14)
        preferences.author = nil
        #expect(store.names() == ["\(Self.editor):fontSize"])
        preferences.reset(\.fontSize)
        #expect(preferences.fontSize == 12)
        Viewer(preferences: preferences).isHidden = true
        Browser.Viewer(preferences: preferences).isHidden = true
        // Without the addresses in the names of private types.
        Derived(preferences).isHidden = true
        let names = ["Viewer.isHidden", "Browser.Viewer.isHidden", "Derived.isHidden"].map { "\(Self.file):\($0)" }
        #expect(store.names() == Set(names))
    }

    @Test("Nil is stored for an optional whose default is another value")
    func optionalsWithDefaults() {
        let preferences = Preferences(store: store)
        #expect(preferences.signature == "anonymous")
        preferences.signature = nil
        #expect(preferences.signature == nil)
        #expect(store.value(for: "\(Self.editor):signature") == .null)
        #expect(Preferences(store: store).signature == nil)
        preferences.signature = "Ada"
        #expect(preferences.signature == "Ada")
        preferences.reset(\.signature)
        #expect(preferences.signature == "anonymous")
    }

    @Test("Preferences over two stores have a value each")
    func suites() {
        let (shared, local) = (Preferences(store: store), Preferences(store: MemoryStore()))
        shared.fontSize = 1
        local.fontSize = 2
        #expect(shared.fontSize == 1)
        #expect(local.fontSize == 2)
    }

    @Test("Watchers observe changes that are made here and elsewhere")
    func watching() {
        let preferences = Preferences(store: store)
        let seen = Recorder<Int>()
        preferences.watch(\.fontSize) { seen.add($0.new) }
        preferences.fontSize = 20
        store.apply(["\(Self.editor):fontSize": .set(21)])
        #expect(seen.all == [20, 21])
    }

    /// Properties of one name: in two files, in two types of one file, in two types of one name, and in a subclass.
    private static let uses: [@Sendable (Preferences, Bool?) -> Bool] = [
        { preferences, newValue in
            if let newValue { preferences.setEditorIsHidden(newValue) }
            return preferences.editorIsHidden
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

    @Test("Properties of one name never share a value, in whichever order runs use them", arguments: uses.indices)
    func distinctKeys(first: Int) async throws {
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

    @Test("Of two protocols' properties of one name and one type, the second has no key")
    func protocols() async {
        let preferences = Preferences(store: store)
        let pane = Pane(preferences: preferences)
        #expect(pane.left == 1)
        store.apply(["\(Self.file):width": .set(7)])
        for _ in 0..<2 { #expect((pane.left, pane.right) == (7, 2)) }
        let problems = await preferences.reportedProblems()
        #expect(
            problems.map(\.description) == [
                "memory: '\(Self.file):width': another property, at \(Self.file):\(leftLine), has this key: the one at "
                    + "\(Self.file):\(rightLine) reads as its default and cannot be set; give one of them a storage name of its own, as "
                    + "in get(\"NAME\", default:)"
            ]
        )
        #expect(problems.map(\.code) == [.nameClash])
    }

    @Test("A property of a protocol's extension is one key, whichever type it is used through")
    func types() async {
        Pane(preferences: Preferences(store: store)).isWide = true
        #expect(store.value(for: "\(Self.file):isWide") == true)
        let preferences = Preferences(store: store)
        #expect(Window(preferences: preferences).isWide)
        Window(preferences: preferences).isWide = false
        #expect(!Pane(preferences: preferences).isWide)
        #expect(await preferences.reportedProblems().isEmpty)
    }
}
