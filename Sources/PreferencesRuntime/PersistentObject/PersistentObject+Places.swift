public import Foundation

/// The places that objects are kept in without a repository of one's own.
extension PersistentObject {
    /// Makes an object that is one value of a store.
    ///
    /// ```swift
    /// let station = PersistentObject<Station>(named: "station", in: FileStore(url: url))
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name that it is kept under.
    ///   - store: The store, which may have other values as well.
    public convenience init(named name: String, in store: any PreferenceStore) {
        self.init(StoreObjectRepository(store, name))
    }

    /// Makes an object that is a key of preferences, which their hooks, migrations and watchers have to do with as with
    /// any other. A key that is secret or was renamed is none for this.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - preferences: The preferences.
    public convenience init(named name: String, in preferences: Preferences) {
        self.init(PreferencesObjectRepository(preferences, name))
    }

    /// Makes an object that has a file of its own: the value as JSON.
    ///
    /// The file is read and written as that of a ``FileStore`` is: never half written, locked among programs, watched,
    /// and set aside where it is damaged and has to be overwritten. It is made by the first save, and has `null` in it
    /// when the object was reset to nil.
    ///
    /// - Parameter url: Where the file is, or will be. It must be a file URL; the program ends with another.
    public convenience init(file url: URL) {
        let store = FileStore(singleValueAt: url)
        self.init(StoreObjectRepository(store, "value", isAlone: true))
    }
}
