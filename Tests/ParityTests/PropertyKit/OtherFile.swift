import PreferencesRuntime

/// Another file has a type of the same name, with a property of the same name.
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
