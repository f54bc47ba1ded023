import Foundation
import PreferencesRuntime

/// What the keys of the schema's namespace `sample` are set to.
enum Samples {
    /// Texts that are made now, as those are that are read from a file: a literal of the source would have no reference
    /// count to change.
    static let path = ["", "var", "lib", "benchmarks", "some-text-of-a-usual-length.."].joined(separator: "/")
    static let otherPath = ["", "var", "lib", "benchmarks", "another-text-of-usual-length."].joined(separator: "/")

    /// Sets all keys but those of `unset`.
    static func set(in preferences: Preferences) {
        let sample = preferences.sample
        sample.flag = true
        sample.count = 1
        sample.level = 21.5
        sample.volume = 30
        sample.unit = .kelvin
        sample.limit = 7
        sample.code = "ENBL"
        sample.path = path
        sample.owner = path
        sample.stations = [path, otherPath]
        sample.moment = Date(timeIntervalSinceReferenceDate: 800_000_000)
    }

    /// Preferences in memory where they are set.
    static func makePreferences(isObserved: Bool = false) -> Preferences {
        let preferences = Preferences(store: MemoryStore(), isObserved: isObserved)
        set(in: preferences)
        return preferences
    }
}
