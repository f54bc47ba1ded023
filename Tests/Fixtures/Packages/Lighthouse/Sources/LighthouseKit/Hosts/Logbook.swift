public import PreferencesRuntime

/// Uses accessors that no other file has.
public func logbook(_ preferences: Preferences) -> String {
    preferences.keeper = preferences.keeper ?? "Grace"
    preferences.log.pages += 1
    preferences.tide.correction += preferences.tide.height
    return "\(preferences.keeper ?? "nobody"): \(preferences.log.pages) pages, \(preferences.tide.correction) m"
}

// preferences:begin Light -
nonisolated extension Preferences {
    /// Default `nil`. Stored as `keeper`.
    fileprivate var keeper: String? {
        get { _getOptionalString("keeper", default: nil) }
        set { _setOptionalString("keeper", to: newValue) }
    }
}
// preferences:end aa1e45cd36eb2e6c

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
        get { _getInt("log:pages", default: 1) }
        nonmutating set { _setInt("log:pages", to: newValue) }
    }
}

/// The accessors of ``LogPreferences`` as a value that can be passed around.
nonisolated private struct Log: LogPreferences, PreferenceNamespace {
    /// Where the values are.
    fileprivate let preferences: Preferences

    /// What the storage names of its keys begin with.
    fileprivate static var storageName: String { "log" }
}
// preferences:end e0865e3b7a51ec18

// preferences:begin Sea tide
nonisolated extension TidePreferences {
    /// Default `0.1`. Stored as `tide:correction`.
    fileprivate var correction: Double {
        get { _getDouble("tide:correction", default: 0.1) }
        nonmutating set { _setDouble("tide:correction", to: newValue) }
    }
}
// preferences:end 90c74804e306379f
