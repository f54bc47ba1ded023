import Foundation
import PreferencesRuntime

/// The values of the keys of the schema's namespace `sample`.
enum Samples {
    /// Texts that are made at run time, like those that are read from a file: a literal has no reference count.
    static let path = ["", "var", "lib", "benchmarks", "some-text-of-a-usual-length.."].joined(separator: "/")
    static let otherPath = ["", "var", "lib", "benchmarks", "another-text-of-usual-length."].joined(separator: "/")
    /// A text that a `String` holds itself, as it does up to 15 bytes.
    static let code = "ENBL"

    /// One of two texts of 48 bytes, another one for the next number.
    static func alternatingPath(_ number: Int) -> String { number & 1 == 0 ? path : otherPath }

    /// Edits of 999 keys beside `sample.count`, which fill a store.
    static let otherKeys: [String: PreferenceEdit] = Dictionary(
        uniqueKeysWithValues: (1..<1000).map { ("key-\($0)", .set(1)) }
    )

    /// Sets all keys but those of `unset`.
    static func set(in preferences: Preferences) {
        let sample = preferences.sample
        sample.flag = true
        sample.count = 1
        sample.level = 21.5
        sample.volume = 30
        sample.unit = .kelvin
        sample.limit = 7
        sample.code = code
        sample.path = path
        sample.owner = path
        sample.stations = [path, otherPath]
        sample.moment = Date(timeIntervalSinceReferenceDate: 800_000_000)
    }

    /// Preferences in memory where they are set.
    static func makePreferences(over store: MemoryStore = MemoryStore(), isObserved: Bool = false) -> Preferences {
        let preferences = Preferences(store: store, isObserved: isObserved)
        set(in: preferences)
        return preferences
    }
}
