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
        LiveObjects.add(self)
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
        LiveObjects.remove(self)
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
