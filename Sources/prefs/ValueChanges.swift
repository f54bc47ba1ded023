import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesRuntime

/// Changes of keys that are made at once, in the layer that is written.
struct ValueChanges {
    private let written: WrittenLayer
    /// The new values, by storage name.
    private var set: [String: PreferenceValue]
    private var reset: [PreferenceKeyDescription] = []

    /// Creates the changes that give keys their values. Keys that have them already in the layer are left out, and so are
    /// those that an administrator has fixed at them.
    ///
    /// - Parameter values: The values, by storage name.
    init(_ values: [String: PreferenceValue], in session: Session) {
        set = values
        written = WrittenLayer(session)
        for key in session.catalogue where values[key.storageName] != nil && session.isReadable(key) {
            let effective = session.preferences.reference(to: key)
            if effective.isManaged {
                if effective.value == values[key.storageName] { set[key.storageName] = nil }
                continue
            }
            let reference = written.preferences.reference(to: key)
            // A stored value that cannot be used reads as the default, and is to be replaced.
            let isUsable = !reference.resolution.isDefault
            if isUsable, reference.value == values[key.storageName] { set[key.storageName] = nil }
        }
    }

    /// Adds the resets of keys, except those that are not set in the layer.
    mutating func reset(_ keys: [PreferenceKeyDescription]) {
        reset += keys.filter { written.preferences.reference(to: $0).isSet }
    }

    /// Adds the resets of all keys without a new value, except secrets and keys that an administrator has fixed.
    mutating func resetOthers(_ values: [String: PreferenceValue], in session: Session) {
        reset(
            session.catalogue.filter {
                !$0.isSecret && values[$0.storageName] == nil && !session.preferences.reference(to: $0).isManaged
            }
        )
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

/// The preferences of the first writable layer alone. Values of other layers do not hide or replace its own.
private struct WrittenLayer {
    let preferences: Preferences
    /// Problems are not also printed while the stream exists: they are those of the session.
    private let problems: AsyncStream<PreferenceProblem>

    init(_ session: Session) {
        let layer = session.layers.first { $0.supports(.writing) }
        preferences = layer.map { Preferences(store: $0, secrets: session.preferences.secrets) } ?? session.preferences
        problems = preferences.problems
    }
}
