import Dispatch
import Synchronization

/// Hears of every change of what is at a path, for as long as someone needs to.
///
/// Whenever something happens on the way to the file it has what is on the way then watched, such as a folder that was
/// missing, and has the file looked at: that finds what happened before the new watches. Watching begins in the same way, on
/// another thread: the file is looked at as soon as it is watched, so that its first value need not wait for that.
package final class FileWatcher: Sendable {
    /// What a file is watched with.
    package struct Means: Sendable {
        /// Makes what asks for the system's word.
        var makeWatches: @Sendable (_ onEvent: @escaping @Sendable () -> Void) -> any PathWatches = {
            SystemPathWatches(onEvent: $0)
        }
        /// Says where a folder is.
        package var findFileSystem: @Sendable (_ folder: String) -> RemoteFileSystem? = { RemoteFileSystem(of: $0) }

        package init() {}
    }

    private struct State {
        /// Looks at the file; nil while nobody needs to hear of anything.
        var onLook: (@Sendable (_ isCertain: Bool) -> Void)?
        /// Nil until the first look.
        var watches: (any PathWatches)?
        /// Whether ``isBlind`` has become another since the last look.
        var isBlindnessNews = false
        /// Where the file is, if its changes are not all told.
        var fileSystem: RemoteFileSystem?
    }

    private let paths: @Sendable () -> [String]
    private let means: Means
    /// Held while watches are changed.
    private let state = Locked(State())
    private let isBlindNow = Atomic(false)
    private let isLookAhead = Atomic(false)
    /// Where looking happens. Each watcher has its own, so that a file on a slow disk keeps no others waiting.
    private let queue = DispatchQueue(label: "preferences.file-watcher")

    /// Makes a watcher that does nothing yet.
    ///
    /// - Parameters:
    ///   - path: Of a file, or of where one may come to be.
    ///   - means: What it is watched with. By default what asks for the system's word.
    package convenience init(path: String, with means: Means = Means()) {
        self.init(paths: { [path] }, with: means)
    }

    /// Makes a watcher of several files that does nothing yet.
    ///
    /// - Parameters:
    ///   - paths: Gives the paths of the files. Called again whenever something has happened at one of them.
    ///   - means: What they are watched with.
    package init(paths: @escaping @Sendable () -> [String], with means: Means = Means()) {
        self.paths = paths
        self.means = means
    }

    /// Whether changes may go unheard: the system could not watch all that it should, as it has a limit for that, or does
    /// not hear of all changes itself. False until that was tried: what has changed by then is found by the look that
    /// follows.
    package var isBlind: Bool { isBlindNow.load(ordering: .acquiring) }

    /// Where the file is, if the system does not hear of all its changes, and someone needs to.
    package var fileSystem: RemoteFileSystem? { state.withLock { $0.fileSystem } }

    /// Begins watching, on another thread, or ends it. Where it could not watch all so far it tries once more.
    ///
    /// - Parameters:
    ///   - isNeeded: Whether changes are to be heard of. Asked once nobody else starts or stops.
    ///   - onLook: Called when the file may have changed, never twice at a time; soon, too, after watching began.
    ///     `isCertain` is false where ``isBlind`` has become another: more may have changed then than can be seen.
    package func startOrStop(isNeeded: () -> Bool, onLook: @escaping @Sendable (_ isCertain: Bool) -> Void) {
        let isStarted = state.withLock { state in
            guard isNeeded() else {
                state = State()
                isBlindNow.store(false, ordering: .releasing)
                return false
            }
            if state.onLook != nil, !isBlind { return false }
            state.onLook = onLook
            return true
        }
        if isStarted { lookSoon() }
    }

    private func lookSoon() {
        if isLookAhead.exchange(true, ordering: .acquiringAndReleasing) { return }
        queue.async { [weak self] in self?.look() }
    }

    /// Waits for the look that is due, if one is.
    package func waitForLook() {
        let isDone = DispatchSemaphore(value: 0)
        queue.async { isDone.signal() }
        isDone.wait()
    }

    private func look() {
        // First of all: what happens from now on needs another look.
        isLookAhead.store(false, ordering: .sequentiallyConsistent)
        let (onLook, isCertain) = state.withLock { state in
            if state.onLook != nil {
                let isFirst = state.watches == nil
                watch(&state)
                // The system may have lacked something for a moment only.
                if isFirst, isBlind { watch(&state) }
            }
            defer { state.isBlindnessNews = false }
            return (state.onLook, !state.isBlindnessNews)
        }
        onLook?(isCertain)
    }

    /// Has watched what is on the way to the file now.
    private func watch(_ state: inout State) {
        let watches = state.watches ?? means.makeWatches { [weak self] in self?.lookSoon() }
        state.watches = watches
        let isComplete = watch(with: watches)
        let folders = paths().map { (try? FilePath($0).followingLinks().folder) ?? FilePath($0).folder }
        state.fileSystem = Set(folders).lazy.compactMap(means.findFileSystem).first
        let isBlind = !isComplete || state.fileSystem != nil
        if isBlindNow.exchange(isBlind, ordering: .acquiringAndReleasing) != isBlind { state.isBlindnessNews = true }
    }

    /// - Returns: Whether everything that happens there from now on is told.
    private func watch(with watches: any PathWatches) -> Bool {
        var points = findPoints()
        // What changed while the watches were made may have been missed by them. There is an end to it even on a file
        // system that calls a file another each time.
        for _ in 0..<16 {
            let isComplete = watches.replace(with: points)
            let pointsNow = findPoints()
            if pointsNow == points { return isComplete }
            points = pointsNow
        }
        return false
    }

    private func findPoints() -> Set<WatchPoint> {
        paths().reduce(into: []) { $0.formUnion(WatchPoint.points(deciding: $1)) }
    }
}
