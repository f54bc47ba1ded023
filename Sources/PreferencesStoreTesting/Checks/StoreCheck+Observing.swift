import PreferencesRuntime
import Synchronization

extension StoreCheck {
    static let observing: [StoreCheck] = [
        StoreCheck(
            "observers are notified of all changed names on the writing thread before apply and update return",
            needs: .writing
        ) { trial in
            try trial.store.apply(["replaced": .set("old"), "removed": .set("old")])
            let batch: [String: PreferenceEdit] = [
                "replaced": .set("new"), "removed": .remove, "added": .set("new"),
            ]
            try trial.expectNotified(of: batch, by: "apply") { try trial.store.apply(PreferenceBatch(batch)) }
            let back: [String: PreferenceEdit] = [
                "replaced": .set("old"), "removed": .set("old"), "added": .remove,
            ]
            try trial.expectNotified(of: back, by: "update") { try trial.store.update { _ in PreferenceBatch(back) } }
        },

        StoreCheck("observers read the new values when they are notified", needs: .writing) { trial in
            let recorder = NotificationRecorder(of: trial.store, reading: ["a", "b"])
            let observation = trial.store.observe(recorder.record)
            defer { observation.cancel() }
            for batch in [
                ["a": .set("1"), "b": .set("2")], ["a": .set("3"), "b": .remove],
            ] as [[String: PreferenceEdit]] {
                recorder.removeAll()
                try trial.store.apply(PreferenceBatch(batch))
                for call in recorder.onThisThread {
                    for (name, edit) in batch.sorted(by: { $0.key < $1.key }) {
                        let found = call.found[name] ?? nil
                        if found == edit.value { continue }
                        let expected = "expected an observer to read \(edit.value.summary) under \(name.quoted)"
                        throw ExpectationFailure("\(expected) when it is notified, found \(found.summary)")
                    }
                }
            }
        },

        StoreCheck("observers, and other threads meanwhile, may read and write the store", needs: .writing) {
            trial in
            let timeout = trial.subject.timeout
            let store = trial.store
            let firstCall = Future<Result<Void, any Error>>()
            let isNotified = Atomic(false)
            let observation = store.observe { _ in
                // The store notifies of the observer's own write, too.
                guard !isNotified.exchange(true, ordering: .relaxed) else { return }
                firstCall.fulfill(
                    Result {
                        let other = BackgroundThread.run(timeout: timeout) {
                            Result {
                                _ = try store.value(for: "a")
                                try store.apply(["by another thread": .set("2")])
                            }
                        }
                        guard let other else {
                            let waiting = "another thread cannot read and write the store while an observer is notified"
                            throw ExpectationFailure("\(waiting): it waits for a lock that the store holds")
                        }
                        try other.get()
                        try trial.expect("1", under: "a", "in an observer")
                        try store.apply(["by the observer": .set("3")])
                    }
                )
            }
            defer { observation.cancel() }
            try store.apply(["a": .set("1")])
            guard isNotified.load(ordering: .relaxed) else { return try trial.expectIncompleteNotifications() }
            try firstCall.wait(timeout: timeout)?.get()
            try trial.expect(
                exactly: ["a": "1", "by another thread": "2", "by the observer": "3"],
                "after an observer has written"
            )
        },

        StoreCheck("every observer is notified", needs: .writing) { trial in
            let observers = (1...3).map { _ in NotificationRecorder(of: trial.store) }
            let observations = observers.map { trial.store.observe($0.record) }
            defer { for observation in observations { observation.cancel() } }
            try trial.store.apply(["a": .set("1")])
            for (number, recorder) in zip(1..., observers) where !recorder.all.notify(of: ["a"]) {
                guard trial.store.notifiesAllChanges else { return }
                throw ExpectationFailure(
                    "expected observer \(number) of 3 to be notified of \"a\", found \(recorder.all.summary)"
                )
            }
        },

        StoreCheck("an observation ends when it is cancelled", needs: .writing) { trial in
            try trial.expectObservationEnds { $0?.cancel() }
        },

        StoreCheck("an observation ends when it is released", needs: .writing) { trial in
            try trial.expectObservationEnds { $0 = nil }
        },
    ]
}

extension StoreTrial {
    /// Checks that a store that did not notify an observer does not declare that it notifies of all changes.
    fileprivate func expectIncompleteNotifications() throws {
        guard store.notifiesAllChanges else { return }
        throw ExpectationFailure("the store declares that it notifies of all changes, but did not notify an observer")
    }

    fileprivate func expectNotified(
        of batch: [String: PreferenceEdit],
        by call: String,
        _ makeChange: () throws -> Void
    ) throws {
        let recorder = NotificationRecorder(of: store)
        let observation = store.observe(recorder.record)
        defer { observation.cancel() }
        try makeChange()
        let names = Set(batch.keys)
        guard store.notifiesAllChanges, !recorder.onThisThread.notify(of: names) else { return }
        let expected = "expected to be notified of \(names.sorted().map(\.quoted).joined(separator: ", "))"
        throw ExpectationFailure(
            "\(expected) before \(call) returned, on its thread, found \(recorder.onThisThread.summary)"
        )
    }

    /// Checks that an observer is not notified after its observation has ended, while another one is.
    fileprivate func expectObservationEnds(_ end: (inout PreferenceStoreObservation?) -> Void) throws {
        let recorder = NotificationRecorder(of: store)
        let others = NotificationRecorder(of: store)
        var observation: PreferenceStoreObservation? = store.observe(recorder.record)
        let otherObservation = store.observe(others.record)
        defer { otherObservation.cancel() }
        try store.apply(["a": .set("1")])
        end(&observation)
        recorder.removeAll()
        others.removeAll()
        try store.apply(["a": .set("2")])
        guard recorder.all.isEmpty else {
            throw ExpectationFailure(
                "expected no notification after the observation ended, found \(recorder.all.summary)"
            )
        }
        guard store.notifiesAllChanges, !others.all.notify(of: ["a"]) else { return }
        throw ExpectationFailure("expected another observer to still be notified of \"a\", found \(others.all.summary)")
    }
}
