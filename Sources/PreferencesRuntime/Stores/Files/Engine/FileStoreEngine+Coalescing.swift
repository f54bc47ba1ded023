import Dispatch

/// Writing later what is set now.
extension FileStoreEngine {
    /// Gives a batch to readers, and plans to write it.
    ///
    /// - Throws: ``PreferenceProblem`` where a value has no representation in the file's format.
    func postpone(_ batch: [String: PreferenceEdit], for milliseconds: Int) throws(PreferenceProblem) {
        for case (let name, .set(let value)) in batch { try check(name, value) }
        // What is there decides what is news. Where it cannot be read everything is, and the writing will say so.
        let contents = try? currentContents()
        let news = changing.withLock { state.withLock { $0.add(batch, over: contents) } }
        guard !news.isEmpty else { return }
        Self.writeAllAtExit()
        observers.notify(.names(news))
        // Asked only now: another store that has found this one has written what was set by then.
        if !othersOfSameFile.isEmpty { writeWhatIsUnwritten() } else { planToWrite(within: milliseconds) }
    }

    private func check(_ name: String, _ value: PreferenceValue) throws(PreferenceProblem) {
        do {
            try format.contents.check(name, value)
        } catch {
            throw problem(.unsupportedValue, error)
        }
    }

    /// Writes what was set, if it is not written.
    ///
    /// - Throws: ``PreferenceProblem`` where that is still to be done.
    func writeUnwritten() throws {
        guard hasUnwritten else { return }
        list()
        try tellingChanges { changes in
            do {
                try withLockedFile(changes) { file in try write([:], to: file, changes) }
            } catch let failure as UnlockableFile {
                throw failure.problem
            }
        }
    }

    var hasUnwritten: Bool { state.withLock { !$0.unwritten.isEmpty } }

    var unwrittenNames: Set<String> { state.withLock { Set($0.unwritten.edits.keys) } }

    // MARK: - On another thread

    /// Plans to write, unless it is planned. Where it could not be written so far, there will be another try.
    private func planToWrite(within milliseconds: Int) {
        let plan = state.withLock { state in
            state.unwritten.plan == nil || state.unwritten.failureCount > 0 ? state.unwritten.makePlan() : nil
        }
        if let plan { write(plan, in: milliseconds) }
    }

    private func write(_ plan: UInt64, in milliseconds: Int) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            guard let self, state.withLock({ $0.unwritten.begin(plan) }) else { return }
            writeWhatIsUnwritten()
        }
    }

    /// Writes what was set; if it cannot be written, says so, and plans to try again.
    func writeWhatIsUnwritten() {
        do {
            try writeUnwritten()
        } catch {
            let problem = PreferenceProblem(describing: error, or: .storeUnwritable, key: nil, store: label)
            let (isNews, failureCount, plan) = state.withLock { state in
                let isNews = state.unwritten.noteFailure(problem)
                return (isNews, state.unwritten.failureCount, isEnding ? UInt64?.none : state.unwritten.makePlan())
            }
            // An editor has half written the file, as it looks: that is told by others, if it stays so.
            let isTransient = problem.code == .storeMalformed && !isEnding
            if isNews, !isTransient {
                report(PreferenceProblem(unwritten: unwrittenNames, because: problem, isLost: isEnding))
            }
            if let plan { write(plan, in: Self.pause(afterFailure: failureCount)) }
        }
    }

    /// Tries again what could not be written, as something has changed on the way to the file.
    func writeWhatFailed() {
        if state.withLock({ !$0.unwritten.isEmpty && $0.unwritten.failureCount > 0 }) { writeWhatIsUnwritten() }
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
                isKnown = edit == old.map { .set($0) } ?? .remove
            } else {
                isKnown = false
            }
            if isKnown { continue }
            unwritten.add(edit, for: name)
            news.insert(name)
        }
        return news
    }
}
