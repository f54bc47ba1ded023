import PreferencesRuntime

/// Keys as an app has them.
extension PreferenceAccessors {
    var kept: Int64 { self.get("kept", default: 0) }
    var a: Int64 { self.get("a", default: 0) }
}
