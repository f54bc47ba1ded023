import PreferencesRuntime

/// A type with the name of one in another file, and a property with the same name.
private struct Profile: PropertyNamedAccessors {
    let preferences: Preferences

    var secret: String {
        get { get(default: "default") }
        nonmutating set { set(newValue) }
    }
}

extension Preferences {
    var otherFilesSecret: String { Profile(preferences: self).secret }

    func setOtherFilesSecret(_ value: String) { Profile(preferences: self).secret = value }
}
