import Foundation
import PreferencesSystem

/// A read-only store of a file, which has an effect only if no user other than the superuser can have written it.
///
/// A file that is not trusted reads as if it were missing. One that does not parse, or cannot be read, keeps the values
/// that were read last. Either is reported once.
final class TrustedFileStore: PreferenceStore {
    /// The file's path.
    let label: String
    private let files: TrustedFiles<any StoreFileContents>

    init(_ path: String, _ format: FileStore.Format? = nil, _ layout: FileStore.Layout = .flat) {
        let path = Self.absolutePath(path)
        let contentsType = (format ?? FileStore.Format(ofFileAt: FilePath(path))).contents(in: layout)
        label = path
        files = TrustedFiles(
            paths: { [path] },
            initial: contentsType.init(),
            load: { last, problems in
                do {
                    return try TrustedFile.read(path).map { try contentsType.init(parsing: $0) } ?? contentsType.init()
                } catch {
                    problems.append(PreferenceProblem(reading: path, failed: error))
                    return error is UntrustedFileError ? contentsType.init() : last
                }
            },
            change: { old, new in
                let names = new.namesChanged(since: old)
                return names.isEmpty ? nil : .names(names)
            }
        )
    }

    /// Returns an absolute path without a slash at its end.
    static func absolutePath(_ path: String) -> String {
        FileStore.path(of: URL(filePath: path))
    }

    /// - Throws: ``PreferenceProblem`` if the value is not a ``PreferenceValue``.
    func value(for name: String) throws -> PreferenceValue? {
        do {
            return try files.current().value(for: name)
        } catch let error as StoreFileValueError {
            throw PreferenceProblem(
                .unsupportedValue,
                key: name,
                store: label,
                message: error.message,
                isMessagePublic: true
            )
        }
    }

    func names() -> Set<String> { files.current().names }

    var notifiesAllChanges: Bool { files.notifiesAllChanges }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        files.observe(observer)
    }

    func reload() {
        files.reload()
    }
}

/// The contents of trusted files, which are watched while the contents are observed.
final class TrustedFiles<Contents: Sendable>: Sendable {
    private struct State {
        var contents: Contents
        var isRead = false
        /// The problems of the last reading.
        var problems: [PreferenceProblem] = []
        /// Those of them that were reported.
        var reported: [PreferenceProblem] = []
    }

    private let state: Locked<State>
    /// Held while the files are read. Acquired before `state`.
    private let reading = Locked<Void>(())
    private let observers = PreferenceStoreObservers()
    private let reports = DispatchQueue(label: "preferences.policy-reports")
    private let watcher: FileWatcher
    private let load: @Sendable (_ last: Contents, _ problems: inout [PreferenceProblem]) -> Contents
    private let change: @Sendable (_ old: Contents, _ new: Contents) -> PreferenceStoreChange?

    /// - Parameters:
    ///   - paths: Returns the paths to watch.
    ///   - initial: The contents of missing files.
    ///   - load: Reads the files, given what was read last.
    ///   - change: Returns the change to notify; nil if there is none.
    init(
        paths: @escaping @Sendable () -> [String],
        initial: Contents,
        load: @escaping @Sendable (_ last: Contents, _ problems: inout [PreferenceProblem]) -> Contents,
        change: @escaping @Sendable (_ old: Contents, _ new: Contents) -> PreferenceStoreChange?
    ) {
        state = Locked(State(contents: initial))
        watcher = FileWatcher(paths: paths)
        self.load = load
        self.change = change
    }

    /// Returns the contents. The files are read at each call, except while they are observed and watched reliably.
    func current() -> Contents {
        let isWatched = !observers.isEmpty && !watcher.mayMissChanges
        if isWatched, let known = state.withLock({ $0.isRead ? $0.contents : nil }) { return known }
        let change = read(again: !isWatched)
        let (contents, hasNewProblems) = state.withLock { ($0.contents, $0.problems != $0.reported) }
        if change != nil || hasNewProblems {
            // Later, since the caller may hold locks that observers need.
            reports.async {
                if let change { self.observers.notify(change) }
                self.reportProblems()
            }
        }
        return contents
    }

    var notifiesAllChanges: Bool { !watcher.mayMissChanges }

    func reload() {
        if watcher.mayMissChanges { watchIfObserved() }
        if let change = read(again: true) { observers.notify(change) }
        reportProblems()
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        let observation = observers.add(observer)
        // Later changes are found by comparison with the contents now.
        if let change = read(again: true) { observers.notify(change) }
        watchIfObserved()
        // Problems that were reported before are reported to a new observer as well.
        for problem in state.withLock({ $0.reported }) { observer(.problem(problem)) }
        reportProblems()
        return PreferenceStoreObservation { [weak self] in
            observation.cancel()
            self?.watchIfObserved()
        }
    }

    private func watchIfObserved() {
        watcher.startOrStop(isNeeded: { !observers.isEmpty }) { [weak self] isCertain in
            guard let self else { return }
            if let change = read(again: true) { observers.notify(change) }
            if !isCertain { observers.notify(.everything) }
            guard state.withLock({ $0.problems != $0.reported }) else { return }
            // An editor may be writing the file, or a script may be about to change its owner.
            DispatchQueue.global().runLater(at: .now() + .milliseconds(500)) { [weak self] in self?.reportProblems() }
        }
    }

    /// Reads the files.
    ///
    /// - Parameter again: Whether to do so if they were read before.
    /// - Returns: The change to notify; nil if there is none.
    private func read(again: Bool) -> PreferenceStoreChange? {
        reading.withLock { _ in
            let (old, isRead) = state.withLock { ($0.contents, $0.isRead) }
            if isRead, !again { return nil }
            var problems: [PreferenceProblem] = []
            let new = load(old, &problems)
            state.withLock { state in
                (state.contents, state.problems, state.isRead) = (new, problems, true)
                state.reported.removeAll { !problems.contains($0) }
            }
            return isRead ? change(old, new) : nil
        }
    }

    private func reportProblems() {
        let new = state.withLock { state in
            let new = state.problems.filter { !state.reported.contains($0) }
            state.reported = state.problems
            return new
        }
        for problem in new { observers.report(problem) }
    }
}

extension PreferenceProblem {
    /// Creates the problem of a policy's file that has no effect.
    init(reading path: String, failed error: any Error) {
        let (code, message): (Code, String) =
            switch error {
            case let error as UntrustedFileError: (.untrustedPolicy, "it has no effect, because \(error)")
            case let error as StoreFileSyntaxError:
                (.storeMalformed, (error.position.map { "\($0): " } ?? "") + error.message)
            default: (.storeUnreadable, ErrorText(error).description)
            }
        self.init(code, store: path, message: message, isMessagePublic: true)
    }
}
