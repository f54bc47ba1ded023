extension UbiquitousKeyValues {
    /// Tells of what iCloud says. It may say so from within a call of this store, which has a lock then.
    func note(_ change: UbiquitousChange) {
        changes.tell { [weak self] in self?.tell(change) }
    }

    private func tell(_ change: UbiquitousChange) {
        streams.tell(change)
        changes.observers.notify(change.names.map { .names($0) } ?? .everything)
        if change.reason == .quotaViolation {
            changes.observers.notify(.problem(PreferenceProblem(quotaOf: label, exceededBy: change.names ?? [])))
        }
    }
}

extension PreferenceProblem {
    /// iCloud has not kept what was set.
    ///
    /// - Parameter names: Of which values; empty where that is not known.
    fileprivate init(quotaOf store: String, exceededBy names: Set<String>) {
        let what =
            names.isEmpty
            ? "some of what was set last" : names.sorted().map { "'\($0)'" }.joined(separator: ", ")
        let message =
            "iCloud has not kept \(what): it takes 1,024 names at most, and 1 MB of values, in one as in all; remove values, "
            + "or have large ones in another store, and set it again"
        self.init(.quotaExceeded, key: names.count == 1 ? names.first : nil, store: store, message: message)
    }
}
