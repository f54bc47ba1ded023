import PreferencesRuntime
import Testing

/// Accessors that are named by their properties.
private protocol ViewerPreferences: PreferenceAccessors {}

extension ViewerPreferences {
    /// ``EditorPreferences`` has one of the same name.
    fileprivate var isHidden: Bool {
        get { get(default: true) }
        nonmutating set { set(newValue) }
    }
}

private struct Viewer: ViewerPreferences {
    let preferences: Preferences
}

struct PropertyNameTests {
    private let store = MemoryStore()

    @Test func aPropertysKeyHasItsName() {
        let preferences = Preferences(store: store)
        #expect(preferences.fontSize == 12)
        #expect(preferences.author == nil)
        preferences.fontSize = 14
        preferences.author = "Ada"
        #expect(store.value(for: "fontSize") == 14)
        #expect(store.value(for: "author") == "Ada")
        #expect(Preferences(store: store).fontSize == 14)
        preferences.author = nil
        #expect(store.names() == ["fontSize"])
        preferences.reset(\.fontSize)
        #expect(preferences.fontSize == 12)
    }

    @Test func anOptionalWithADefaultKeepsNil() {
        let preferences = Preferences(store: store)
        #expect(preferences.signature == "anonymous")
        preferences.signature = nil
        #expect(preferences.signature == nil)
        #expect(store.value(for: "signature") == .null)
        #expect(Preferences(store: store).signature == nil)
        preferences.signature = "Ada"
        #expect(preferences.signature == "Ada")
        preferences.reset(\.signature)
        #expect(preferences.signature == "anonymous")
    }

    @Test func suitesAreApart() {
        let (shared, local) = (Preferences(store: store), Preferences(store: MemoryStore()))
        shared.fontSize = 1
        local.fontSize = 2
        #expect(shared.fontSize == 1)
        #expect(local.fontSize == 2)
    }

    @Test func theyAreWatched() {
        let preferences = Preferences(store: store)
        let seen = Recorder<Int>()
        preferences.watch(\.fontSize) { seen.add($0.new) }
        preferences.fontSize = 20
        store.apply(["fontSize": .set(21)])
        #expect(seen.all == [20, 21])
    }

    @Test func ofTwoFilesPropertiesWithOneNameTheSecondHasNoKey() async {
        let preferences = Preferences(store: store)
        preferences.hideEditor()
        #expect(preferences.editorIsHidden)
        let viewer = Viewer(preferences: preferences)
        for _ in 0..<2 { #expect(viewer.isHidden) }
        viewer.isHidden = false
        #expect(store.value(for: "isHidden") == true)
        #expect(throws: PreferenceProblem.self) { try viewer.set(\.isHidden, to: false) }
        let message =
            "memory: 'isHidden': a property in PreferencesRuntimeTests/PropertyNames.swift has this name, too: the one in "
            + "PreferencesRuntimeTests/PropertyNameTests.swift reads as its default and cannot be set; give one of them "
            + "a storage name of its own, as in get(\"NAME\", default:)"
        let problems = await preferences.reportedProblems()
        #expect(problems.map(\.code) == [.nameClash, .nameClash])
        #expect(problems.map(\.description) == [message, message])
    }

    @Test func theFileThatComesFirstHasTheKey() async {
        let preferences = Preferences(store: store)
        Viewer(preferences: preferences).isHidden = false
        #expect(store.value(for: "isHidden") == false)
        preferences.hideEditor()
        #expect(store.value(for: "isHidden") == false)
        #expect(await preferences.reportedProblems().map(\.code) == [.nameClash])
    }
}
