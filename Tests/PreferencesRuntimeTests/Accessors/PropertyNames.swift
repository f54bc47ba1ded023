import PreferencesRuntime

/// Accessors that are named by their properties, of which another file has one of the same name.
protocol EditorPreferences: PreferenceAccessors {}

extension EditorPreferences {
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

    fileprivate var isHidden: Bool {
        get { get(default: false) }
        nonmutating set { set(newValue) }
    }

    /// What the file's own property reads.
    var editorIsHidden: Bool { isHidden }

    func hideEditor() { isHidden = true }
}

extension Preferences: EditorPreferences {}
