/// What has the system tell of changes at points, for as long as it exists. Each platform has one of its own, which
/// calls a closure, on any thread and perhaps too often, when something happened at one of the points.
protocol PathWatches: AnyObject, Sendable {
    /// Has these points watched, and no others.
    ///
    /// - Returns: Whether everything that happens at them from now on is told. A point that has gone counts for nothing:
    ///   whoever looks again finds others in its place.
    func replace(with points: Set<WatchPoint>) -> Bool
}

#if canImport(Darwin)
    typealias SystemPathWatches = DispatchPathWatches
#else
    typealias SystemPathWatches = InotifyPathWatches
#endif
