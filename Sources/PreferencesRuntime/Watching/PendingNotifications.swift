/// Notifications of committed changes, deferred until `writing` is free.
struct PendingNotifications {
    var watchers = SmallArray<PreferenceWatcher>()
    var trackers: [ReadTracker] = []
    /// Whether there are external changes to look at.
    var isUnsettled = false

    var isEmpty: Bool { watchers.isEmpty && trackers.isEmpty && !isUnsettled }

    /// Puts watchers into the order of their registration.
    ///
    /// - Parameter start: The index of the first.
    mutating func sort(from start: Int) {
        guard watchers.count > start + 1 else { return }
        watchers[start...].sort { $0.registration.token < $1.registration.token }
    }

    func deliver(in preferences: Preferences) {
        if !(watchers.isEmpty && trackers.isEmpty) {
            AccessTracker.withoutTracking {
                for tracker in trackers { tracker.noteChange() }
                watchers.forEach { $0.deliver() }
            }
        }
        if isUnsettled { preferences.settle() }
    }
}
