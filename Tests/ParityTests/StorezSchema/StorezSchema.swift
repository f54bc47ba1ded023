import PreferencesRuntime

// The accessors are generated from the schema beside this file.

/// The hooks of the keys of the namespace `aquarium`.
enum AquariumHooks: PreferenceHooks {
    static func addHooks(to preferences: Preferences) {
        preferences.aquarium.processValues(of: \.keeper) { "\($0) Heisenburg" }
        preferences.aquarium.didCommit { [weak preferences] _ in preferences?.aquarium.commitCount += 1 }
    }
}
