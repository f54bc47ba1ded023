public import PreferencesRuntime

/// Uses accessors that no other file has.
public func logbook(_ preferences: Preferences) -> String {
    preferences.keeper = preferences.keeper ?? "Grace"
    preferences.log.pages += 1
    preferences.tide.correction += preferences.tide.height
    return "\(preferences.keeper ?? "nobody"): \(preferences.log.pages) pages, \(preferences.tide.correction) m"
}

// preferences:begin Light -
nonisolated extension LightPreferences {
    /// Default `nil`. Stored as `keeper`.
    fileprivate var keeper: String? {
        get { _Accessor.getOptionalString(self, "keeper", default: nil) }
        nonmutating set { _Accessor.setOptionalString(self, "keeper", to: newValue) }
    }
}
// preferences:end 75c8684d4e50f198

// preferences:begin Light log
nonisolated extension Preferences {
    /// The preferences of namespace `log`.
    fileprivate var log: Log { .init(preferences: self) }
}

/// The preferences of namespace `log`.
nonisolated private protocol LogPreferences: PreferenceAccessors {}

nonisolated extension LogPreferences {
    /// Default `1`. Stored as `log:pages`.
    fileprivate var pages: Int {
        get { _Accessor.getInt(self, "log:pages", default: 1) }
        nonmutating set { _Accessor.setInt(self, "log:pages", to: newValue) }
    }
}

extension Preferences {
    /// The accessors of ``LogPreferences`` as a value that can be passed around.
    nonisolated fileprivate struct Log: LogPreferences, PreferenceNamespace {
        /// The preferences that contain the values.
        fileprivate let preferences: Preferences

        /// The prefix of the storage names of its keys.
        fileprivate static var storageName: String { "log" }
    }
}
// preferences:end 3d06ae8f6f0c79c7

// preferences:begin Sea tide
nonisolated extension TidePreferences {
    /// Default `0.1`. Stored as `tide:correction`.
    fileprivate var correction: Double {
        get { _Accessor.getDouble(self, "tide:correction", default: 0.1) }
        nonmutating set { _Accessor.setDouble(self, "tide:correction", to: newValue) }
    }
}
// preferences:end b2423779750e6477
