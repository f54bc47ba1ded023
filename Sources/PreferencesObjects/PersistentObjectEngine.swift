import PreferencesRuntime
import PreferencesSystem

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What a ``PersistentObject`` does, in an object of its own: the end of the program finds it, and what was begun
/// before the object was released goes on.
final class PersistentObjectEngine<Value: Codable & Sendable>: Sendable {
    let repository: any PersistentObjectRepository<Value>
    let reporter = ProblemReporter()
    /// Held for moments only, and never while anything outside is called.
    let state = LockedReferences(PersistentObjectState<Value>())
    /// Held by whoever uses the repository, so that what was seen there is what is there. Taken before `state`.
    private let access = RecursiveLock()
    private let observation = Locked<PreferenceStoreObservation?>(nil)
    /// The process that it was made in. One that is forked leaves its changes to that.
    private let process = getpid()

    init(_ repository: some PersistentObjectRepository<Value>) {
        self.repository = repository
    }

    /// Loads the value, and follows what others make of it.
    func begin() {
        ObjectRegistry.add(self)
        let observation = repository.observe { [weak self] in self?.noteOutside($0) }
        self.observation.withLock { $0 = observation }
        do throws(PreferenceProblem) {
            // What is there at first is no news to anybody, and reported where it cannot be read.
            try withAccess { () throws(PreferenceProblem) in _ = try look() }
        } catch {}
    }

    /// Ends with its object.
    func end() {
        observation.withLock { $0.take() }?.cancel()
        // A released object waits no longer than a released store.
        FileLockWait.$limit.withValue(FileStoreEngine.lastLockTimeout) {
            saveByItself(isLast: true) { [reporter] in reporter.report($0) }
        }
        ObjectRegistry.remove(self)
        endWatchers()
    }

    var hasUnsavedChange: Bool { state.withLock { $0.isChanged } }

    /// Whether there is something to save for this process.
    var isUnsavedHere: Bool { process == getpid() && hasUnsavedChange }

    func reset(to value: Value?) {
        let value = value.map { UserReference($0) }
        state.withLock { state in
            state.value = value
            state.isChanged = true
            state.resetCount += 1
            state.mayOverwriteUnreadable = state.loadProblem != nil
        }
    }

    /// Runs a body that uses the repository, alone among the threads, and then tells of what it has found out there.
    func withAccess(_ body: () throws(PreferenceProblem) -> Void) throws(PreferenceProblem) {
        // Others who are told of what is written here are told when the lock is free.
        let deferral = DeferredNotifications.begin()
        defer {
            deferral.end {
                self.deliver()
                self.settle()
            }
        }
        try access.withLock(body)
    }

    /// As ``withAccess(_:)``, and without telling, unless somebody is at it.
    ///
    /// - Returns: Whether the body was run.
    func withAccessIfAvailable(_ body: () -> Void) -> Bool {
        access.withLockIfAvailable(body)
    }
}

/// What a ``PersistentObject`` knows of its value.
struct PersistentObjectState<Value: Codable & Sendable>: Sendable {
    var value: UserReference<Value>?
    /// How often it was reset.
    var resetCount: UInt64 = 0
    /// Whether it was reset since it was last loaded or saved.
    var isChanged = false
    /// What was stored when it was last loaded or saved; at first nothing.
    var seen = StoredLook<Value>.nothing
    /// Why what is stored cannot be read.
    var loadProblem: PreferenceProblem?
    /// Whether it was reset when that was known, so that what cannot be read may be overwritten.
    var mayOverwriteUnreadable = false
    /// Whether others may have changed what is stored, and nobody has looked yet.
    var isOvertaken = false

    var watchers:
        [(id: UInt64, queue: WatchQueue<PersistentObjectChange<Value>>, onEnd: UserReference<@Sendable () -> Void>)] =
            []
    var nextWatcherID: UInt64 = 0
    /// Whether the object has gone, so that there is nothing to tell any more.
    var isEnded = false
}

/// What is stored, to tell whether it is another thing than before, by what it encodes as: a value that is an object may have
/// changed since, and `==` of a type may mean less than that all is the same.
enum StoredLook<Value: Codable & Sendable>: Sendable {
    case nothing
    case value(UserReference<Value>, encoding: PreferenceValue)
    /// Something that does not encode, although it was decoded.
    case unknown

    init(_ value: Value?) {
        guard let value else {
            self = .nothing
            return
        }
        self =
            (try? CodedValue(value: value).preferenceValue())
            .map { .value(UserReference(value), encoding: $0) } ?? .unknown
    }

    func isSame(as other: StoredLook) -> Bool {
        switch (self, other) {
        case (.nothing, .nothing): true
        case (.value(let value, let encoding), .value(let other, let otherEncoding)):
            // Sets of the same elements may encode in another order.
            encoding.isIdentical(to: otherEncoding)
                || (encoding.isReordering(of: otherEncoding) && Self.areEqual(value.value, other.value))
        default: false
        }
    }

    private static func areEqual(_ first: Value, _ second: Value) -> Bool {
        func equal<T: Equatable>(_ first: T, _ second: Any) -> Bool { second as? T == first }
        return (first as? any Equatable).map { equal($0, second) } ?? false
    }
}

extension PreferenceValue {
    /// Whether this has the same as another, were it not for the order of arrays' elements.
    fileprivate func isReordering(of other: PreferenceValue) -> Bool {
        orderless.isIdentical(to: other.orderless)
    }

    /// With the elements of all arrays in one order.
    private var orderless: PreferenceValue {
        switch self {
        case .array(let elements):
            let sorted = elements.map(\.orderless).map { (text: "\($0)", value: $0) }.sorted { $0.text < $1.text }
            return .array(sorted.map(\.value))
        case .dictionary(let entries): return .dictionary(entries.mapValues(\.orderless))
        default: return self
        }
    }
}

/// Changes that others make of what is stored.
extension PersistentObjectEngine {
    /// Is told by the repository, on any thread, with whatever locks that has.
    func noteOutside(_ change: PreferenceStoreChange) {
        switch change {
        case .names, .everything:
            state.withLock { $0.isOvertaken = true }
            // Whoever makes the change may hold the lock of their `Preferences`.
            DeferredNotifications.perform { self.settle() }
        case .unreadable(let problem): reporter.report(PreferenceProblem(usingCachedValuesAfter: problem))
        case .problem(let problem): reporter.report(problem)
        }
    }

    /// Looks at what others have stored, unless another thread is using the repository: that one does it then, when it
    /// has finished.
    func settle() {
        while state.withLock({ $0.isOvertaken && !$0.isEnded }) {
            let deferral = DeferredNotifications.begin()
            let isDone = withAccessIfAvailable {
                state.withLock { $0.isOvertaken = false }
                do throws(PreferenceProblem) { try look() } catch {}  // Reported already.
            }
            if isDone { deferral.end { self.deliver() } } else { deferral.end() }
            guard isDone else { return }
        }
    }

    /// Loads what is stored, takes it over if it is another than before, and notes what is to be told. With `access`
    /// held.
    ///
    /// - Throws: Where it cannot be read, which was reported unless it was so before.
    func look() throws(PreferenceProblem) {
        let loaded: Value?
        do {
            loaded = try repository.load()
        } catch {
            let problem = PreferenceProblem(loading: repository, failed: error)
            let isNews = state.withLock { state in
                defer { state.loadProblem = problem }
                return state.loadProblem != problem
            }
            if isNews { reporter.report(problem) }
            throw problem
        }
        let seen = StoredLook(loaded)
        // The comparison may call the value's own `==`, which must not run while `state` is locked.
        let isSame = state.withLock { $0.seen }.isSame(as: seen)
        let change = state.withLock { state -> PersistentObjectChange<Value>? in
            state.loadProblem = nil
            state.mayOverwriteUnreadable = false
            guard !isSame else { return nil }
            state.seen = seen
            let change = PersistentObjectChange(old: state.value?.value, new: loaded, isConflict: state.isChanged)
            if !state.isChanged { state.value = loaded.map { UserReference($0) } }
            for watcher in state.watchers { watcher.queue.add(change) }
            return change
        }
        if change?.isConflict == true { reporter.report(PreferenceProblem(conflictIn: repository)) }
    }
}

extension PersistentObjectEngine {
    /// Stores the value if it was reset.
    ///
    /// - Parameter isLast: Whether what cannot be stored now is lost.
    func save(isLast: Bool) throws(PreferenceProblem) {
        guard hasUnsavedChange else { return }
        try checkThatRepositoryIsFree()
        try withAccess { () throws(PreferenceProblem) in
            // Somebody else may have just done it.
            guard hasUnsavedChange else { return }
            let (value, resetCount) = state.withLock { ($0.value?.value, $0.resetCount) }
            var refusal: PreferenceProblem?
            var problem: PreferenceProblem?
            do {
                try checkEncoding(of: value)
                try repository.save(value) {
                    do throws(PreferenceProblem) {
                        try lookBeforeSaving(isLast: isLast)
                    } catch {
                        refusal = error
                        throw error
                    }
                }
            } catch {
                if let refusal { throw refusal }
                let failure = PreferenceProblem(saving: repository, failed: error, isLast: isLast)
                guard failure.code == .notDurable else { throw failure }
                problem = failure
            }
            let seen = StoredLook(value)
            state.withLock { state in
                state.seen = seen
                state.loadProblem = nil
                state.mayOverwriteUnreadable = false
                // What it was reset to meanwhile is still to be saved.
                if state.resetCount == resetCount { state.isChanged = false }
            }
            if let problem { throw problem }
        }
    }

    /// Finds out what others have stored that is to be overwritten, and tells of it.
    private func lookBeforeSaving(isLast: Bool) throws(PreferenceProblem) {
        do throws(PreferenceProblem) {
            try look()
        } catch {
            // Who has reset the object after that was known wants it so.
            if !state.withLock({ $0.mayOverwriteUnreadable }) {
                throw PreferenceProblem(keeping: error, isLast: isLast)
            }
        }
    }

    private func checkEncoding(of value: Value?) throws(PreferenceProblem) {
        guard let value else { return }
        do {
            _ = try CodedValue(value: value).preferenceValue()
        } catch {
            throw PreferenceProblem(encoding: Value.self, for: repository, failed: error)
        }
    }

    /// Refuses to wait for a repository that this thread keeps from being used: others that have `access` may wait for it.
    private func checkThatRepositoryIsFree() throws(PreferenceProblem) {
        do {
            try (repository as? any RepositoryOfWriters)?.checkThatItIsFree()
        } catch {
            throw PreferenceProblem(saving: repository, failed: error, isLast: false)
        }
    }

    func synchronize() throws(PreferenceProblem) {
        try checkThatRepositoryIsFree()
        try withAccess { () throws(PreferenceProblem) in
            do {
                try repository.synchronize()
            } catch {
                throw PreferenceProblem(synchronizing: repository, failed: error)
            }
            try look()
        }
    }

    /// Saves where nobody is there whom a problem could be thrown to.
    ///
    /// - Parameter isLast: Whether what cannot be stored now is lost.
    func saveByItself(isLast: Bool, _ report: (PreferenceProblem) -> Void) {
        guard isUnsavedHere else { return }
        do throws(PreferenceProblem) {
            try save(isLast: isLast)
        } catch {
            report(error)
        }
    }
}

extension PersistentObjectEngine {
    /// Adds a watcher.
    ///
    /// - Parameter onEnd: Is called when it ends.
    func add(_ queue: WatchQueue<PersistentObjectChange<Value>>, onEnd: @escaping @Sendable () -> Void = {})
        -> PersistentObjectWatcher
    {
        let reference = UserReference(onEnd)
        let id = state.withLock { state in
            state.nextWatcherID += 1
            state.watchers.append((state.nextWatcherID, queue, reference))
            return state.nextWatcherID
        }
        return PersistentObjectWatcher { [weak self] in
            queue.cancel()
            onEnd()
            self?.remove(id)
        }
    }

    private func remove(_ id: UInt64) {
        state.withLock { $0.watchers.removeAll { $0.id == id } }
    }

    /// Has watchers told of what was noted for them. With no lock held.
    func deliver() {
        for watcher in state.withLock({ $0.watchers }) { watcher.queue.deliver() }
    }

    /// Has nothing more told than what is waiting.
    func endWatchers() {
        let watchers = state.withLock { state in
            defer {
                state.watchers = []
                state.isEnded = true
            }
            return state.watchers
        }
        for watcher in watchers { watcher.onEnd.value() }
    }
}

extension PersistentObjectEngine: ExitSaveable {
    func saveForEnd(isLast: Bool) {
        let report = { (problem: PreferenceProblem) in
            // Nobody reads streams any more when the program ends.
            if isLast { Self.writeToStandardError(problem) } else { self.reporter.report(problem) }
        }
        saveByItself(isLast: isLast, report)
        // What could not be saved was reported.
        if hasUnsavedChange { return }
        do throws(PreferenceProblem) {
            try synchronize()
        } catch {
            // What is stored cannot be read: that has been reported already, unless nobody reads streams any more.
            if isLast || error != state.withLock({ $0.loadProblem }) { report(error) }
        }
    }

    func reportWaitInVain() {
        Self.writeToStandardError(PreferenceProblem(waitingInVainFor: repository))
    }

    private static func writeToStandardError(_ problem: PreferenceProblem) {
        ProblemLog.write(problem)
    }
}
