import PreferencesRuntime

/// Accessors that are named after their properties, one of which has the name of another file's.
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

    /// The value of the file's own property.
    var editorIsHidden: Bool { isHidden }

    func setEditorIsHidden(_ newValue: Bool) { isHidden = newValue }
}

extension Preferences: EditorPreferences {}
