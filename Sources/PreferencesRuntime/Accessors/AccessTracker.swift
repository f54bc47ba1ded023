import PreferencesSystem

/// Finds out what is behind a key path: while a probe is active on a task or thread, the accessors that run there tell
/// it which entries they use.
///
/// A key path to an accessor does not say its storage name, and one to a computed property over several keys has more
/// than one. Evaluating it does, whatever is in between: `\.radar.range`, `\.settings.theme`, a property of the user's.
///
/// A task-local costs some 20 ns to look up, so ordinary reads look at `Preferences.interceptorCount` first, which is zero
/// nearly always.
final class KeyPathProbe: Sendable {
    /// What the evaluation is for.
    enum Purpose: Sendable {
        /// Reads are as always; what they read is collected.
        case entries
        /// Reads give defaults, as if nothing were set.
        case defaults
        /// Writes are as always, but their failures are thrown by whoever probes, not reported.
        case failures
    }

    private struct Findings {
        var entries: Set<PreferenceEntry> = []
        /// What the last one was read as.
        var lastType: Any.Type?
        var failure: PreferenceProblem?
        /// A task that was started where the probe was active has it still, when nobody asks it any more.
        var isFinished = false
    }

    @TaskLocal private static var current: KeyPathProbe?
    /// The number of probes that are active on any task, so that nobody else looks for one.
    private static let activeCount = AtomicCounter()

    let purpose: Purpose
    private let preferences: Preferences
    /// The one, of whichever preferences, that was active where this began.
    private let outer: KeyPathProbe?
    private let findings = Locked(Findings())

    private init(_ purpose: Purpose, in preferences: Preferences) {
        self.purpose = purpose
        self.preferences = preferences
        outer = Self.current
    }

    /// The probe that the calling task or thread has active on some preferences. Of others it learns nothing.
    static func active(on preferences: Preferences) -> KeyPathProbe? {
        // A probe is counted before, on this very task.
        guard !activeCount.isZero else { return nil }
        return current?.nearest(on: preferences)
    }

    /// This or the next outer probe on some preferences that is not finished.
    private func nearest(on preferences: Preferences) -> KeyPathProbe? {
        var probe: KeyPathProbe? = self
        while let candidate = probe, candidate.preferences !== preferences || candidate.isFinished {
            probe = candidate.outer
        }
        return probe
    }

    private var isFinished: Bool { findings.withLock { $0.isFinished } }

    /// The one that this is nested in, on the same preferences.
    private var enclosing: KeyPathProbe? { outer?.nearest(on: preferences) }

    /// Whether reads give defaults, for this or for one that it is nested in.
    var givesDefaults: Bool { purpose == .defaults || enclosing?.givesDefaults == true }

    /// The entries that a body reads.
    static func entries(in preferences: Preferences, _ body: () -> Void) -> Set<PreferenceEntry> {
        let probe = KeyPathProbe(.entries, in: preferences)
        probe.run(body)
        return probe.findings.withLock { $0.entries }
    }

    /// The entry that a body reads as values of a type; nil where it reads several, or none, or as something else.
    static func entry(in preferences: Preferences, readAs type: Any.Type, _ body: () -> Void) -> PreferenceEntry? {
        let probe = KeyPathProbe(.entries, in: preferences)
        probe.run(body)
        return probe.findings.withLock { $0.entries.count == 1 && $0.lastType == type ? $0.entries.first : nil }
    }

    /// What a body gives when nothing is set.
    static func withDefaults<Value>(in preferences: Preferences, _ body: () -> Value) -> Value {
        KeyPathProbe(.defaults, in: preferences).run(body)
    }

    /// Runs a body and throws the first failure of a setter in it.
    static func throwingFailures(in preferences: Preferences, _ body: () -> Void) throws(PreferenceProblem) {
        let probe = KeyPathProbe(.failures, in: preferences)
        probe.run(body)
        if let failure = probe.findings.withLock({ $0.failure }) { throw failure }
    }

    /// Runs a body that is not part of what is probed, though it is called in its course, such as a watcher's.
    static func unprobed<Result>(_ body: () -> Result) -> Result {
        activeCount.isZero ? body() : $current.withValue(nil, operation: body)
    }

    /// Notes an entry, here and where this is nested.
    func note(_ entry: PreferenceEntry, as type: Any.Type) {
        findings.withLock {
            $0.entries.insert(entry)
            $0.lastType = type
        }
        enclosing?.note(entry, as: type)
    }

    /// Notes a failure for whoever throws it.
    ///
    /// - Returns: Whether anyone will.
    func note(failure: PreferenceProblem) -> Bool {
        guard purpose == .failures else { return enclosing?.note(failure: failure) == true }
        return findings.withLock { findings in
            guard !findings.isFinished else { return false }
            findings.failure = findings.failure ?? failure
            return true
        }
    }

    private func run<Result>(_ body: () -> Result) -> Result {
        preferences.interceptorCount.increment()
        Self.activeCount.increment()
        defer {
            findings.withLock { $0.isFinished = true }
            Self.activeCount.decrement()
            preferences.interceptorCount.decrement()
        }
        return Self.$current.withValue(self, operation: body)
    }
}
