import PreferencesRuntime

/// Has a property with a name that a type of this name in another file has a property of.
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
