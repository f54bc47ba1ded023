import PreferencesRuntime
import Synchronization

extension StoreCheck {
    static let observing: [StoreCheck] = [
        StoreCheck(
            "observers are told of all changed names before apply and update return, on that thread",
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

        StoreCheck("observers read what they are told of", needs: .writing) { trial in
            let told = ToldChanges(of: trial.store, reading: ["a", "b"])
            let observation = trial.store.observe(told.tell)
            defer { observation.cancel() }
            for batch in [
                ["a": .set("1"), "b": .set("2")], ["a": .set("3"), "b": .remove],
            ] as [[String: PreferenceEdit]] {
                told.forget()
                try trial.store.apply(PreferenceBatch(batch))
                for call in told.onThisThread {
                    for (name, edit) in batch.sorted(by: { $0.key < $1.key }) {
                        let found = call.found[name] ?? nil
                        if found == edit.value { continue }
                        let expected = "expected an observer to read \(edit.value.words) under \(name.quoted)"
                        throw BrokenPromise("\(expected) when it is told, found \(found.words)")
                    }
                }
            }
        },

        StoreCheck("observers may read and write the store, and so may other threads meanwhile", needs: .writing) {
            trial in
            let patience = trial.subject.patience
            let store = trial.store
            let firstCall = Answer<Result<Void, any Error>>()
            let hasBegun = Atomic(false)
            let observation = store.observe { _ in
                // What it writes is told, too.
                guard !hasBegun.exchange(true, ordering: .relaxed) else { return }
                firstCall.give(
                    Result {
                        let other = OtherThread.run(atMost: patience) {
                            Result {
                                _ = try store.value(for: "a")
                                try store.apply(["by another thread": .set("2")])
                            }
                        }
                        guard let other else {
                            let waiting = "another thread cannot read and write the store while an observer is told"
                            throw BrokenPromise("\(waiting): it waits for a lock that the store holds")
                        }
                        try other.get()
                        try trial.expect("1", under: "a", "in an observer")
                        try store.apply(["by the observer": .set("3")])
                    }
                )
            }
            defer { observation.cancel() }
            try store.apply(["a": .set("1")])
            guard hasBegun.load(ordering: .relaxed) else { return try trial.expectSilence() }
            try firstCall.wait(atMost: patience)?.get()
            try trial.expect(
                exactly: ["a": "1", "by another thread": "2", "by the observer": "3"],
                "after an observer has written"
            )
        },

        StoreCheck("every observer is told", needs: .writing) { trial in
            let observers = (1...3).map { _ in ToldChanges(of: trial.store) }
            let observations = observers.map { trial.store.observe($0.tell) }
            defer { for observation in observations { observation.cancel() } }
            try trial.store.apply(["a": .set("1")])
            for (number, told) in zip(1..., observers) where !told.all.tell(of: ["a"]) {
                guard trial.store.notifiesAllChanges else { return }
                throw BrokenPromise("expected observer \(number) of 3 to be told of \"a\", found \(told.all.words)")
            }
        },

        StoreCheck("an observation ends when it is cancelled", needs: .writing) { trial in
            try trial.expectEnd { $0?.cancel() }
        },

        StoreCheck("an observation ends when it is gone", needs: .writing) { trial in
            try trial.expectEnd { $0 = nil }
        },
    ]
}

extension StoreTrial {
    /// Checks that a store of which nothing was told does not claim to tell all.
    fileprivate func expectSilence() throws {
        guard store.notifiesAllChanges else { return }
        throw BrokenPromise("the store tells all changes, but told an observer nothing")
    }

    fileprivate func expectNotified(
        of batch: [String: PreferenceEdit],
        by call: String,
        _ makeChange: () throws -> Void
    ) throws {
        let told = ToldChanges(of: store)
        let observation = store.observe(told.tell)
        defer { observation.cancel() }
        try makeChange()
        let names = Set(batch.keys)
        guard store.notifiesAllChanges, !told.onThisThread.tell(of: names) else { return }
        let expected = "expected to be told of \(names.sorted().map(\.quoted).joined(separator: ", "))"
        throw BrokenPromise("\(expected) before \(call) returned, on its thread, found \(told.onThisThread.words)")
    }

    /// Checks that nothing is told once an observation has ended, and that others go on.
    fileprivate func expectEnd(_ end: (inout PreferenceStoreObservation?) -> Void) throws {
        let told = ToldChanges(of: store)
        let others = ToldChanges(of: store)
        var observation: PreferenceStoreObservation? = store.observe(told.tell)
        let otherObservation = store.observe(others.tell)
        defer { otherObservation.cancel() }
        try store.apply(["a": .set("1")])
        end(&observation)
        told.forget()
        others.forget()
        try store.apply(["a": .set("2")])
        guard told.all.isEmpty else {
            throw BrokenPromise("expected nothing to be told after the observation ended, found \(told.all.words)")
        }
        guard store.notifiesAllChanges, !others.all.tell(of: ["a"]) else { return }
        throw BrokenPromise("expected another observer to be told of \"a\" still, found \(others.all.words)")
    }
}
