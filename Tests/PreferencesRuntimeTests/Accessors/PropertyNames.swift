import PreferencesRuntime

/// A type with property-named keys, one of which has the same name as a key in another file.
struct Editor: PropertyNamedAccessors {
    let preferences: Preferences

    var fontSize: Int {
        get { get(default: 12) }
        nonmutating set { set(newValue) }
    }

    var author: String? {
        get { get() }
        nonmutating set { set(newValue) }
    }

    var signature: String? {
        get { get(default: "anonymous") }
        nonmutating set { set(newValue, default: "anonymous") }
    }
}

extension Preferences {
    var editor: Editor { Editor(preferences: self) }
}

private struct Viewer: PropertyNamedAccessors {
    let preferences: Preferences

    var isHidden: Bool {
        get { get(default: false) }
        nonmutating set { set(newValue) }
    }
}

extension Editor {
    /// The value of the property of this file's viewer.
    var viewerIsHidden: Bool { Viewer(preferences: preferences).isHidden }

    func setViewerIsHidden(_ newValue: Bool) { Viewer(preferences: preferences).isHidden = newValue }
}
