import PreferencesRuntime

/// A type with the name of one in another file, and a property with the same name.
private struct Profile: PropertyNamedAccessors {
    let preferences: Preferences

    var secret: String {
        get { get(default: "") }
        nonmutating set { set(newValue) }
    }
}

extension Preferences {
    /// The property of this file's type.
    var otherFilesSecret: String {
        get { Profile(preferences: self).secret }
        set { Profile(preferences: self).secret = newValue }
    }
}
