import Dispatch

/// Writing later what is set now.
extension FileStoreEngine {
    /// Gives a batch to readers, and plans to write it.
    ///
    /// - Throws: ``PreferenceProblem`` where a value has no representation in the file's format.
    func postpone(_ batch: [String: PreferenceEdit], for milliseconds: Int) throws(PreferenceProblem) {
        for case (let name, .set(let value)) in batch { try check(name, value) }
        // Its folder may have been missing so far, and others not be found by where it is.
        if !isListedByPlace { catchUpWithOthers() }
        // What is there decides what is news. Where it cannot be read everything is, and the writing will say so.
        let contents = try? currentContents()
        let news = changing.withLock { state.withLock { $0.add(batch, over: contents) } }
        Self.endAllAtExit()
        if !news.isEmpty { observers.notify(.names(news)) }
        // Asked only now: another store that has found this one has written what was set by then. A process that was forked
        // has no threads that would write later.
        if !othersOfSameFile.isEmpty || isEnding || Self.isProgramEnding || !Self.isOwnProcess {
            writeWhatIsUnwritten()
        } else {
            planToWrite(within: milliseconds)
        }
    }

    private func check(_ name: String, _ value: PreferenceValue) throws(PreferenceProblem) {
        do {
            try contentsType.check(name, value)
        } catch {
            throw problem(.unsupportedValue, error)
        }
    }

    /// Writes what was set, if it is not written.
    ///
    /// - Throws: ``PreferenceProblem`` where that is still to be done.
    func writeUnwritten() throws {
        state.withLock { $0.leaveEditsToParent() }
        guard hasUnwritten else { return }
        list()
        // Nothing to remove is no reason to make a folder.
        let unwritten = state.withLock { $0.unwritten }
        if !unwritten.needsRewrite, unwritten.edits.values.allSatisfy({ $0 == .remove }), findsNoFile() {
            return state.withLock { $0.unwritten.noteNeedless(unwritten) }
        }
        // Before the lock that is taken here already, for the second look.
        try checkForOtherStores()
        try tellingChanges { changes in
            do {
                try writing.withLock {
                    // Who has waited here may find it written by another thread, and its folder gone since.
                    if hasUnwritten { try withLockedFile(changes) { file in try write([:], to: file, changes) } }
                }
            } catch let failure as UnlockableFile {
                throw failure.problem
            }
        }
    }

    var hasUnwritten: Bool { state.withLock { !$0.unwritten.isEmpty } }

    var unwrittenNames: Set<String> { state.withLock { Set($0.unwritten.edits.keys) } }

    // MARK: - On another thread

    /// Plans to write, unless that is planned for an earlier time.
    private func planToWrite(within milliseconds: Int) {
        let time = DispatchTime.now() + .milliseconds(milliseconds)
        guard let plan = state.withLock({ $0.unwritten.plan(at: time.uptimeNanoseconds) }) else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: time) { [weak self] in
            guard let self, !isEnding, state.withLock({ $0.unwritten.begin(plan) }) else { return }
            writeWhatIsUnwritten()
        }
    }

    /// Writes what was set; if it cannot be written, says so, and plans to try again.
    func writeWhatIsUnwritten() {
        do {
            try writeUnwritten()
        } catch {
            let problem = PreferenceProblem(describing: error, or: .storeUnwritable, key: nil, store: label)
            let failure = state.withLock { $0.unwritten.noteFailure(problem) }
            // Another thread has written it meanwhile.
            guard let failure else { return }
            // An editor has half written the file, as it looks: that is told by others, if it stays so.
            let isHalfWritten = problem.code == .storeMalformed && !isDatabase
            if isEnding || (failure.isNews && !isHalfWritten) {
                report(PreferenceProblem(unwritten: unwrittenNames, because: problem, isLost: isEnding))
            }
            if !isEnding { planToWrite(within: Self.pause(afterFailure: failure.count)) }
        }
    }

    /// Tries again what could not be written, as something has changed on the way to the file.
    func writeWhatFailed() {
        // What a store that has gone could not write was reported as lost: its user may have removed the folder since.
        if isEnding { return }
        // Where the file has it all, and only is not synced, the change was this store's own.
        guard let pause = state.withLock({ $0.unwritten.pauseBeforeRetry() }) else { return }
        if pause == 0 { writeWhatIsUnwritten() } else { planToWrite(within: pause) }
    }

    /// In milliseconds: half a second after the first failure, twice as long after each other, at most a minute.
    private static func pause(afterFailure count: Int) -> Int {
        min(500 << min(count - 1, 7), 60_000)
    }
}

extension FileStoreState {
    /// Adds a batch to what is unwritten.
    ///
    /// - Parameter contents: What is in the file, as far as that is known.
    /// - Returns: The names whose values are others now.
    fileprivate mutating func add(
        _ batch: [String: PreferenceEdit],
        over contents: (any StoreFileContents)?
    ) -> Set<String> {
        let contents = file.lastGood?.contents ?? contents
        var news: Set<String> = []
        for (name, edit) in batch {
            let isKnown: Bool
            if let old = unwritten[name] {
                isKnown = old == edit
            } else if let contents, let old = try? Optional(contents.value(for: name)) {
                isKnown = old == edit.value
            } else {
                isKnown = false
            }
            // Also what was there when it was last read: others may have changed it since.
            unwritten.add(edit, for: name)
            if !isKnown { news.insert(name) }
        }
        return news
    }
}
