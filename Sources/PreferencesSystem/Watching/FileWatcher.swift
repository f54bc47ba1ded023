import Dispatch
import Synchronization

/// Watches for changes of the files at some paths.
///
/// After each event on the way to a file, the watches are replaced, since a missing folder may have appeared, for
/// example, and then the observer checks the file, which finds changes that preceded the new watches. Watching starts
/// in the same way, on another thread: the check after the start finds earlier changes, so that the first read need not
/// wait for the watches.
///
/// It starts late, so that a program that ends soon has no watches: with one, the system lets a program that ends wait
/// for 5 to 15 ms, until all processors have left the kernel's list of watches (`fsnotify_wait_marks_destroyed`).
package final class FileWatcher: Sendable {
    /// The functions that watch files. Tests replace them.
    package struct Mechanism: Sendable {
        /// Creates the watches of a watcher, which call `onEvent` after each event. By default those of the system.
        var makeWatches: @Sendable (_ onEvent: @escaping @Sendable () -> Void) -> any PathWatches = {
            SystemPathWatches(onEvent: $0)
        }
        /// Returns the remote file system of a folder; nil if the folder is in a local one.
        package var findRemoteFileSystem: @Sendable (_ folder: String) -> RemoteFileSystem? = {
            RemoteFileSystem(of: $0)
        }
        /// The time before watching starts: 250 ms.
        var startDelay = DispatchTimeInterval.milliseconds(250)

        package init() {}
    }

    private struct State {
        /// Checks the files; nil while the watcher is stopped.
        var onCheck: (@Sendable (_ isCertain: Bool) -> Void)?
        /// Nil until the first check.
        var watches: (any PathWatches)?
        /// Whether ``mayMissChanges`` has changed since the last check.
        var hasCertaintyChanged = false
        var remoteFileSystem: RemoteFileSystem?
    }

    private let paths: @Sendable () -> [String]
    private let mechanism: Mechanism
    /// Locked while watches are replaced.
    private let state = Locked(State())
    private let missesChanges = Atomic(false)
    private let isCheckPending = Atomic(false)
    /// The queue of the checks. Each watcher has its own, so that a file on a slow disk does not delay others.
    private let queue = DispatchQueue(label: "preferences.file-watcher")

    /// Creates a stopped watcher of a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which may not exist.
    ///   - mechanism: The functions that watch it; by default those of the system.
    package convenience init(path: String, using mechanism: Mechanism = Mechanism()) {
        self.init(paths: { [path] }, using: mechanism)
    }

    /// Creates a stopped watcher of several files.
    ///
    /// - Parameters:
    ///   - paths: Returns the paths of the files. Called again after each event.
    ///   - mechanism: The functions that watch them; by default those of the system.
    package init(paths: @escaping @Sendable () -> [String], using mechanism: Mechanism = Mechanism()) {
        self.paths = paths
        self.mechanism = mechanism
    }

    /// Whether changes may be missed: the system has reached a limit of watches, or a file system is remote.
    ///
    /// False until watching was tried: the check that follows finds earlier changes.
    package var mayMissChanges: Bool { missesChanges.load(ordering: .acquiring) }

    /// The remote file system of a watched file; nil if there is none, and while the watcher is stopped.
    package var remoteFileSystem: RemoteFileSystem? { state.withLock { $0.remoteFileSystem } }

    /// Starts watching, on another thread, or stops it. If changes may be missed, tries again to watch all files.
    ///
    /// - Parameters:
    ///   - isNeeded: Whether to watch. Called while no other thread starts or stops the watcher.
    ///   - onCheck: Called after the start, and when a file may have changed, once at a time. `isCertain` is false if
    ///     ``mayMissChanges`` has changed: there may then be changes that cannot be detected.
    package func startOrStop(isNeeded: () -> Bool, onCheck: @escaping @Sendable (_ isCertain: Bool) -> Void) {
        let delay: DispatchTimeInterval? = state.withLock { state in
            guard isNeeded() else {
                state = State()
                missesChanges.store(false, ordering: .releasing)
                return nil
            }
            if state.onCheck != nil, !mayMissChanges { return nil }
            state.onCheck = onCheck
            return state.watches == nil ? mechanism.startDelay : .milliseconds(0)
        }
        if let delay, !isCheckPending.exchange(true, ordering: .acquiringAndReleasing) {
            queue.runLater(at: .now() + delay) { [weak self] in self?.checkIfPending() }
        }
    }

    private func scheduleCheck() {
        if isCheckPending.exchange(true, ordering: .acquiringAndReleasing) { return }
        queue.async { [weak self] in self?.checkIfPending() }
    }

    /// Waits for the pending check, if there is one. The first one then takes place without delay.
    package func waitForCheck() {
        let isDone = DispatchSemaphore(value: 0)
        queue.async {
            self.checkIfPending()
            isDone.signal()
        }
        isDone.wait()
    }

    private func checkIfPending() {
        // First: events from now on need another check.
        guard isCheckPending.exchange(false, ordering: .sequentiallyConsistent) else { return }
        let (onCheck, isCertain) = state.withLock { state in
            if state.onCheck != nil {
                let isFirst = state.watches == nil
                replaceWatches(&state)
                // The system may have been short of resources only for a moment.
                if isFirst, mayMissChanges { replaceWatches(&state) }
            }
            defer { state.hasCertaintyChanged = false }
            return (state.onCheck, !state.hasCertaintyChanged)
        }
        onCheck?(isCertain)
    }

    private func replaceWatches(_ state: inout State) {
        let watches = state.watches ?? mechanism.makeWatches { [weak self] in self?.scheduleCheck() }
        state.watches = watches
        let isComplete = watchCurrentPoints(with: watches)
        let folders = paths().map { (try? FilePath($0).followingLinks().folder) ?? FilePath($0).folder }
        state.remoteFileSystem = Set(folders).lazy.compactMap(mechanism.findRemoteFileSystem).first
        let mayMiss = !isComplete || state.remoteFileSystem != nil
        if missesChanges.exchange(mayMiss, ordering: .acquiringAndReleasing) != mayMiss {
            state.hasCertaintyChanged = true
        }
    }

    /// Watches all points that currently affect the files.
    ///
    /// - Returns: Whether every later event at them is reported.
    private func watchCurrentPoints(with watches: any PathWatches) -> Bool {
        var points = currentPoints()
        // The watches may have missed changes while they were created. The number of attempts is limited, since some
        // file systems report another identity of a file each time.
        for _ in 0..<16 {
            let isComplete = watches.replace(with: points)
            let pointsNow = currentPoints()
            if pointsNow == points { return isComplete }
            points = pointsNow
        }
        return false
    }

    private func currentPoints() -> Set<WatchPoint> {
        paths().reduce(into: []) { $0.formUnion(WatchPoint.points(affecting: $1)) }
    }
}
