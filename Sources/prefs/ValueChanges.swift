import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesRuntime

/// Changes of keys that are made at once.
struct ValueChanges {
    /// The new values, by storage name.
    private var set: [String: PreferenceValue]
    private var reset: [PreferenceKeyDescription] = []

    /// Creates the changes that give keys their values. Keys that have them already are left out.
    ///
    /// - Parameter values: The values, by storage name.
    init(_ values: [String: PreferenceValue], in session: Session) {
        set = values
        for key in session.catalogue where values[key.storageName] != nil && session.isReadable(key) {
            let reference = session.preferences.reference(to: key)
            // A stored value that cannot be used reads as the default, and is to be replaced.
            let isUsable = !reference.resolution.isDefault
            if isUsable, reference.value == values[key.storageName] { set[key.storageName] = nil }
        }
    }

    /// Adds the resets of keys.
    mutating func reset(_ keys: [PreferenceKeyDescription]) { reset += keys }

    /// Adds the resets of all keys without a new value, except secrets.
    mutating func resetOthers(_ values: [String: PreferenceValue], in session: Session) {
        reset += session.catalogue.filter { key in
            !key.isSecret && values[key.storageName] == nil && session.preferences.reference(to: key).isSet
        }
    }

    var summary: String {
        if set.isEmpty, reset.isEmpty { return "Nothing to change" }
        return [(set.count, "set"), (reset.count, "reset")].filter { $0.0 > 0 }
            .map { "\(counted($0, "key")) \($1)" }.joined(separator: ", ")
    }

    /// Makes the changes, or none.
    ///
    /// - Throws: `PreferenceProblems`, or a `PreferenceProblem`.
    func apply(in session: Session) throws {
        try session.preferences.transaction { preferences in
            try preferences.importValues(set, of: session.catalogue)
            for key in reset { try preferences.reference(to: key).reset() }
        }
    }
}
