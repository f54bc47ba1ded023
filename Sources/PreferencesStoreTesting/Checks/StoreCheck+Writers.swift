import PreferencesRuntime
import PreferencesSystem

extension StoreCheck {
    /// Writers pass their observations, and stores that exclude writers do not notify them of their own batches.
    static let writers: [StoreCheck] = [
        StoreCheck("batches and updates with a writer have the effect of those without one", needs: .writing) { trial in
            let store = trial.store
            let writer = store.observe { _ in }
            defer { writer.cancel() }
            try store.apply(["replaced": .set("1"), "removed": .set("1")], by: writer)
            try trial.expect(exactly: ["replaced": "1", "removed": "1"])
            try store.apply(["replaced": .set("2"), "removed": .remove, "added": .set("2")], by: writer)
            try trial.expect(exactly: ["replaced": "2", "added": "2"], "after a writer's batch")
            try store.apply(PreferenceBatch(), by: writer)
            var runs = 0
            try store.update(by: writer) { current in
                runs += 1
                for (name, value) in [("replaced", "2"), ("removed", nil)] as [(String, PreferenceValue?)] {
                    let found = try current(name)
                    if found == value { continue }
                    throw ExpectationFailure(
                        "expected 'current' to give \(value.summary) for \(name.quoted), found \(found.summary)"
                    )
                }
                return ["replaced": .set("3"), "added": .remove]
            }
            guard runs == 1 else {
                throw ExpectationFailure("expected the closure to run once, but it ran \(runs) times")
            }
            try trial.expect(exactly: ["replaced": "3"], "after a writer's update")
            do {
                try store.update(by: writer) { _ in throw Refusal() }
                throw ExpectationFailure("expected update to throw what its closure threw, but it threw nothing")
            } catch is Refusal {}
            try trial.expect(exactly: ["replaced": "3"], "after a writer's update whose closure threw")
            try trial.expectInAnotherStore(exactly: ["replaced": "3"])
        },

        StoreCheck("a writer is notified of its own batches unless the store excludes writers", needs: .writing) {
            trial in
            let recorder = NotificationRecorder(of: trial.store)
            let writer = trial.store.observe(recorder.record)
            defer { writer.cancel() }
            for call in WriterCall.allCases {
                let isNotifiedOtherwise = try trial.write(call, by: nil, isNotifying: recorder)
                let isNotified = try trial.write(call, by: writer, isNotifying: recorder)
                if trial.store.excludesWriters, recorder.onThisThread.notifyOfAny(of: call.names) {
                    throw ExpectationFailure(
                        """
                        the store excludes writers, but \(call) notified the writer of \(recorder.onThisThread.summary); pass the \
                        writer that apply(_:by:) and update(by:_:) receive to notify(_:except:), and return from \
                        observe(_:) what add(_:) returns
                        """
                    )
                }
                if !trial.store.excludesWriters, isNotifiedOtherwise, !isNotified {
                    throw ExpectationFailure(
                        "the store does not exclude writers, but \(call) notified the writer of \(recorder.onThisThread.summary)"
                    )
                }
            }
        },

        StoreCheck("observers other than the writer are notified as they are without a writer", needs: .writing) {
            trial in
            let observers = (1...3).map { _ in NotificationRecorder(of: trial.store) }
            let observations = observers.map { trial.store.observe($0.record) }
            defer { for observation in observations { observation.cancel() } }
            for call in WriterCall.allCases {
                for number in [0, 2] {
                    try trial.expectNotified(observers[number], of: call, by: observations[1])
                }
            }
        },

        StoreCheck("a writer is notified of the batches of other writers, and of those without one", needs: .writing) {
            trial in
            let observers = (1...2).map { _ in NotificationRecorder(of: trial.store) }
            let observations = observers.map { trial.store.observe($0.record) }
            defer { for observation in observations { observation.cancel() } }
            for call in WriterCall.allCases {
                // A store might exclude every observer that has written once.
                for observation in observations { try trial.write(call, by: observation) }
                for (recorder, other) in zip(observers, observations.reversed()) {
                    try trial.expectNotified(recorder, of: call, by: other)
                    guard trial.store.notifiesAllChanges else { continue }
                    if try trial.write(call, by: nil, isNotifying: recorder) { continue }
                    throw ExpectationFailure(
                        "expected \(call) without a writer to notify an observer that has written of \(call.namesText), "
                            + "found \(recorder.onThisThread.summary)"
                    )
                }
            }
        },

        StoreCheck("writers on several threads are notified of each other's batches", needs: .writing) { trial in
            let store = trial.store
            let (threads, rounds) = (4, 10)
            let observers = (0..<threads).map { _ in NotificationRecorder(of: store) }
            let observations = observers.map { store.observe($0.record) }
            defer { for observation in observations { observation.cancel() } }
            @Sendable func names(of thread: Int) -> [String] { (0..<rounds).map { "thread \(thread), round \($0)" } }
            try BackgroundThread.runConcurrently(threads: threads) { thread in
                for (round, name) in names(of: thread).enumerated() {
                    let batch: PreferenceBatch = [name: .set("a")]
                    if round.isMultiple(of: 2) {
                        try store.apply(batch, by: observations[thread])
                    } else {
                        try store.update(by: observations[thread]) { _ in batch }
                    }
                }
                let own = observers[thread].onThisThread.filter { $0.change != .everything }
                guard store.excludesWriters, own.notifyOfAny(of: Set(names(of: thread))) else { return }
                throw ExpectationFailure("the store excludes writers, but notified one on its thread of \(own.summary)")
            }
            guard store.notifiesAllChanges else { return }
            for (number, recorder) in observers.enumerated() {
                let others = Set((0..<threads).filter { $0 != number }.flatMap(names))
                if recorder.all.notify(of: others) { continue }
                throw ExpectationFailure(
                    "expected a writer to be notified of all that \(threads - 1) other threads have set, found \(recorder.all.summary)"
                )
            }
        },

        StoreCheck("watchers of two Preferences over one store are notified of each change once", needs: .writing) {
            trial in
            let both = [Preferences(store: trial.store), Preferences(store: trial.store)]
            let seen = Locked<[[String]]>([[], []])
            for (index, preferences) in both.enumerated() {
                preferences.watch(\.checked) { @Sendable change in seen.withLock { $0[index].append(change.new) } }
            }
            let texts = ["a", "b", "c", "d", "e", "f"]
            for (index, text) in texts.enumerated() { both[index % 2].checked = text }
            for (index, all) in seen.withLock({ $0 }).enumerated() {
                // Changes of the other preferences are certain to be seen only if the store notifies of all changes.
                let isExpected = { (text: String) in
                    trial.store.notifiesAllChanges || texts.firstIndex(of: text).map { $0 % 2 == index } ?? false
                }
                let (expected, found) = (texts.filter(isExpected), all.filter(isExpected))
                if found == expected { continue }
                throw ExpectationFailure(
                    "expected a watcher to be notified of \(expected.joined(separator: ", ")), found "
                        + (found.isEmpty ? "nothing" : found.joined(separator: ", "))
                )
            }
            try trial.expect("f", under: "checked")
        },
    ]

    /// The error that a closure of an update throws.
    private struct Refusal: Error {}
}

extension PreferenceAccessors {
    /// A key for watchers.
    fileprivate var checked: String {
        get { get("checked", default: "") }
        nonmutating set { set("checked", to: newValue) }
    }
}

/// How a writer makes a change.
private enum WriterCall: String, CaseIterable, CustomStringConvertible {
    case apply
    case update

    /// The names that it changes.
    var names: Set<String> { ["\(self): replaced", "\(self): set and removed"] }

    var namesText: String { names.sorted().map(\.quoted).joined(separator: ", ") }

    var description: String { rawValue }
}

extension StoreTrial {
    /// Changes the values of a call's names.
    fileprivate func write(_ call: WriterCall, by writer: PreferenceStoreObservation?) throws {
        var batch = PreferenceBatch()
        for name in call.names {
            let value = try store.value(for: name)
            let isRemoved = name.hasSuffix("removed") && value != nil
            batch[name] = isRemoved ? .remove : .set(value == "a" ? "b" : "a")
        }
        switch (call, writer) {
        case (.apply, let writer?): try store.apply(batch, by: writer)
        case (.update, let writer?): try store.update(by: writer) { _ in batch }
        case (.apply, nil): try store.apply(batch)
        case (.update, nil): try store.update { _ in batch }
        }
    }

    /// Changes the values of a call's names.
    ///
    /// - Returns: Whether an observer was notified of them on the calling thread, before the call returned.
    fileprivate func write(
        _ call: WriterCall,
        by writer: PreferenceStoreObservation?,
        isNotifying recorder: NotificationRecorder
    ) throws -> Bool {
        recorder.removeAll()
        try write(call, by: writer)
        return recorder.onThisThread.notify(of: call.names)
    }

    /// Checks that an observer is notified of the change of another writer, if it is notified of one without a writer.
    fileprivate func expectNotified(
        _ recorder: NotificationRecorder,
        of call: WriterCall,
        by writer: PreferenceStoreObservation
    ) throws {
        let isNotifiedOtherwise = try write(call, by: nil, isNotifying: recorder)
        let isNotified = try write(call, by: writer, isNotifying: recorder)
        guard isNotifiedOtherwise || store.notifiesAllChanges, !isNotified else { return }
        throw ExpectationFailure(
            "expected \(call) by another writer to notify an observer of \(call.namesText) before it returned, on its "
                + "thread, found \(recorder.onThisThread.summary)"
        )
    }
}

extension [NotificationRecorder.Call] {
    /// Whether a call notifies of one of the names.
    fileprivate func notifyOfAny(of names: Set<String>) -> Bool {
        contains { call in
            switch call.change {
            case .everything, .reported(nil, _): true
            case .names(let changed), .reported(let changed?, _): !changed.isDisjoint(with: names)
            case .unreadable, .problem: false
            }
        }
    }
}
