import PreferencesSystem

/// Tracks which entries accessors use. While a tracker is active on a task or thread, the accessors that run there
/// record their entries in it.
///
/// A key path to an accessor does not reveal the storage name, and one to a computed property may involve several.
/// Evaluating the key path reveals the names, also for `\.radar.range`, `\.settings.theme`, or a property that the app
/// declares.
///
/// Looking up a task-local takes some 20 ns, so ordinary reads check `Preferences.interceptorCount` first, which is
/// nearly always zero.
final class AccessTracker: Sendable {
    /// The purpose of the evaluation.
    enum Purpose: Sendable {
        /// Reads behave as usual, and their entries are collected.
        case entries
        /// As `entries`, and the sources of the values are collected.
        case resolution
        /// Reads return defaults, as if no key were set.
        case defaults
        /// Writes behave as usual, but their failures are thrown instead of reported.
        case failures
        /// Reads of other keys, from which the default of a key is computed. They are not reads of that key, so that
        /// enclosing trackers do not collect their entries.
        case dependencies
        /// Reads behave as usual, but their problems are not reported, because the caller returns them.
        case returnedProblems
    }

    private struct Records {
        var entries: Set<PreferenceEntry> = []
        /// The type that the last entry was read as.
        var lastType: Any.Type?
        var failure: PreferenceProblem?
        /// The sources of the entries that do not read as their defaults.
        var sources: [PreferenceEntry: PreferenceSource] = [:]
        /// The problems of values that could not be used.
        var unusable: [PreferenceProblem] = []
        /// Whether the evaluation has ended. A task that was started during it still inherits the tracker.
        var isFinished = false
    }

    @TaskLocal private static var current: AccessTracker?
    /// The number of trackers that are active on any task. While it is zero, the task-local need not be looked up.
    private static let activeCount = AtomicCounter()

    let purpose: Purpose
    private let preferences: Preferences
    /// The tracker, of any preferences, that was active when this one began.
    private let outer: AccessTracker?
    private let records = Locked(Records())

    private init(_ purpose: Purpose, in preferences: Preferences) {
        self.purpose = purpose
        self.preferences = preferences
        outer = Self.current
    }

    /// Returns the tracker that is active for some preferences on the calling task or thread.
    static func active(on preferences: Preferences) -> AccessTracker? {
        // The count is incremented on this same task before the tracker becomes active.
        guard !activeCount.isZero else { return nil }
        return current?.nearest(on: preferences)
    }

    /// Returns the innermost unfinished tracker of some preferences, starting with this one.
    private func nearest(on preferences: Preferences) -> AccessTracker? {
        var tracker: AccessTracker? = self
        while let candidate = tracker, candidate.preferences !== preferences || candidate.isFinished {
            tracker = candidate.outer
        }
        return tracker
    }

    private var isFinished: Bool { records.withLock { $0.isFinished } }

    /// The enclosing tracker of the same preferences.
    private var enclosing: AccessTracker? { outer?.nearest(on: preferences) }

    /// Whether reads return defaults, because of this tracker or an enclosing one.
    var givesDefaults: Bool { purpose == .defaults || enclosing?.givesDefaults == true }

    /// Returns the entries that a body reads.
    static func entries(in preferences: Preferences, _ body: () -> Void) -> Set<PreferenceEntry> {
        let tracker = AccessTracker(.entries, in: preferences)
        tracker.run(body)
        return tracker.records.withLock { $0.entries }
    }

    /// Returns the entry that a body reads as a given type; nil if it reads none or several, or reads it as another
    /// type.
    static func entry(in preferences: Preferences, readAs type: Any.Type, _ body: () -> Void) -> PreferenceEntry? {
        let tracker = AccessTracker(.entries, in: preferences)
        tracker.run(body)
        return tracker.records.withLock { $0.entries.count == 1 && $0.lastType == type ? $0.entries.first : nil }
    }

    /// Returns the resolution of the entries that a body reads, and the entries.
    static func resolution(
        in preferences: Preferences,
        _ body: () -> Void
    ) -> (PreferenceResolution, Set<PreferenceEntry>) {
        let tracker = AccessTracker(.resolution, in: preferences)
        tracker.run(body)
        let (entries, sources, problems) = tracker.records.withLock { ($0.entries, $0.sources, $0.unusable) }
        for entry in entries { preferences.noteReads(of: preferences.records(of: entry)) }
        let source = sources.min { $0.key.name < $1.key.name }?.value
        return (PreferenceResolution(source: source, problems: problems), entries)
    }

    /// Returns the result of a body for which no key is set.
    static func withDefaults<Value>(in preferences: Preferences, _ body: () -> Value) -> Value {
        AccessTracker(.defaults, in: preferences).run(body)
    }

    /// Returns the default of a key, which may be computed from other keys.
    static func `default`<Value>(in preferences: Preferences, _ makeDefault: () -> Value) -> Value {
        guard active(on: preferences) != nil else { return makeDefault() }
        return AccessTracker(.dependencies, in: preferences).run(makeDefault)
    }

    /// Whether problems of reads are not reported, because of this tracker or an enclosing one.
    var returnsProblems: Bool { purpose == .returnedProblems || enclosing?.returnsProblems == true }

    /// Runs reads whose problems the caller returns.
    static func returningProblems<Result>(in preferences: Preferences, _ body: () -> Result) -> Result {
        AccessTracker(.returnedProblems, in: preferences).run(body)
    }

    /// Runs a body, and throws the first failure of a setter in it.
    static func throwingFailures(in preferences: Preferences, _ body: () -> Void) throws(PreferenceProblem) {
        let tracker = AccessTracker(.failures, in: preferences)
        tracker.run(body)
        if let failure = tracker.records.withLock({ $0.failure }) { throw failure }
    }

    /// Runs a body whose accesses are not tracked, such as a watcher's body that is called during the evaluation.
    static func withoutTracking<Result>(_ body: () -> Result) -> Result {
        activeCount.isZero ? body() : $current.withValue(nil, operation: body)
    }

    /// Records an entry in this tracker and the enclosing ones.
    func record(_ entry: PreferenceEntry, as type: Any.Type) {
        if purpose == .dependencies { return }
        records.withLock {
            $0.entries.insert(entry)
            $0.lastType = type
        }
        enclosing?.record(entry, as: type)
    }

    /// Records the source of an entry's value for the resolutions among this tracker and the enclosing ones.
    func record(_ entry: PreferenceEntry, source: () -> PreferenceSource) {
        forEachResolution { tracker in
            let source = source()
            tracker.records.withLock { $0.sources[entry] = source }
        }
    }

    /// Records the problem of a value that could not be used, as ``record(_:source:)`` does.
    func record(unusable problem: PreferenceProblem) {
        forEachResolution { tracker in
            tracker.records.withLock { records in
                if !records.unusable.contains(problem) { records.unusable.append(problem) }
            }
        }
    }

    private func forEachResolution(_ body: (AccessTracker) -> Void) {
        var tracker: AccessTracker? = self
        while let current = tracker, current.purpose != .dependencies {
            if current.purpose == .resolution { body(current) }
            tracker = current.enclosing
        }
    }

    /// Records a failure to be thrown at the end of the evaluation.
    ///
    /// - Returns: Whether it will be thrown.
    func record(failure: PreferenceProblem) -> Bool {
        guard purpose == .failures else { return enclosing?.record(failure: failure) == true }
        return records.withLock { records in
            guard !records.isFinished else { return false }
            records.failure = records.failure ?? failure
            return true
        }
    }

    private func run<Result>(_ body: () -> Result) -> Result {
        preferences.interceptorCount.increment()
        Self.activeCount.increment()
        defer {
            records.withLock { $0.isFinished = true }
            Self.activeCount.decrement()
            preferences.interceptorCount.decrement()
        }
        return Self.$current.withValue(self, operation: body)
    }
}
