/// Who is to hear of changes.
struct Deliveries {
    var watchers: [PreferenceWatcher] = []
    var trackers: [ReadTracker] = []

    var isEmpty: Bool { watchers.isEmpty && trackers.isEmpty }

    func deliver() {
        KeyPathProbe.unprobed {
            for tracker in trackers { tracker.noteChange() }
            for watcher in watchers { watcher.deliver() }
        }
    }
}
