public import Foundation
public import PreferencesRuntime

// Forms with a leading dot, where a store is expected: `Preferences(store: .sqlite(path: "weather.sqlite"))`.

extension PreferenceStore where Self == SQLiteStore {
    /// A store in the database with a path: ``SQLiteStore/init(path:busyTimeout:)``.
    public static func sqlite(path: String) -> SQLiteStore { SQLiteStore(path: path) }

    /// A store in the database at a file URL: ``SQLiteStore/init(url:busyTimeout:)``.
    public static func sqlite(url: URL) -> SQLiteStore { SQLiteStore(url: url) }
}
