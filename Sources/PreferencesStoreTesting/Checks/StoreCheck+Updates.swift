import PreferencesRuntime
import Synchronization

extension StoreCheck {
    /// The error that a closure of an update throws.
    private struct Refusal: Error, Equatable {}

    static let updates: [StoreCheck] = [
        StoreCheck("an update is made from what is kept, and its closure runs once", needs: .writing) { trial in
            try trial.store.apply(["a": .set("1"), "b": .set("2")])
            var runs = 0
            try trial.store.update { current in
                runs += 1
                for (name, value) in [("a", "1"), ("b", "2"), ("c", nil)] as [(String, PreferenceValue?)] {
                    let found = try current(name)
                    if found == value { continue }
                    throw BrokenPromise(
                        "expected 'current' to give \(value.words) for \(name.quoted), found \(found.words)"
                    )
                }
                return ["a": .set("3"), "b": .remove, "c": .set("4")]
            }
            guard runs == 1 else { throw BrokenPromise("expected the closure to run once, but it ran \(runs) times") }
            try trial.expect(exactly: ["a": "3", "c": "4"], "after the update")
        },

        StoreCheck("an update with an empty batch changes nothing", needs: .writing) { trial in
            try trial.store.apply(["kept": .set("a")])
            try trial.store.update { _ in [:] }
            try trial.expect(exactly: ["kept": "a"], "after the update")
        },

        StoreCheck("an update whose closure throws changes nothing, and throws the same", needs: .writing) { trial in
            try trial.store.apply(["kept": .set("a")])
            do {
                try trial.store.update { current in
                    _ = try current("kept")
                    throw Refusal()
                }
                throw BrokenPromise("expected update to throw what its closure threw, but it threw nothing")
            } catch is Refusal {}
            try trial.expect(exactly: ["kept": "a"], "after the update")
            // No lock is left behind.
            try trial.store.update { _ in ["kept": .set("b")] }
            try trial.expect(exactly: ["kept": "b"], "after another update")
        },

        StoreCheck("the closure of an update may read the store", needs: .writing) { trial in
            try trial.store.apply(["a": .set("1")])
            try trial.store.update { current in
                try trial.expect("1", under: "a", "within the closure of update")
                try trial.expect(names: ["a"], "within the closure of update")
                _ = try trial.store.source(of: "a")
                return ["a": .set("2")]
            }
            try trial.expect(exactly: ["a": "2"], "after the update")
        },

        StoreCheck("threads that count in one store lose nothing", needs: .writing) { trial in
            try trial.expectCounted(in: [trial.store])
        },

        StoreCheck("threads that count in two stores over one medium lose nothing", needs: [.writing]) { trial in
            // Taken at its word: what other processes do cannot be seen from here.
            if trial.isUnsupported(.exclusiveUpdates) || trial.isUnsupported(.persistence) {
                return
            }
            try trial.expectCounted(in: [trial.store, trial.reopened()])
        },
    ]
}

extension StoreTrial {
    /// Has threads count in some stores at the same time.
    fileprivate func expectCounted(in stores: [any PreferenceStore]) throws {
        try addWhileAdding(stores[0], stores[stores.count - 1])
        let rounds = 10
        try OtherThread.hammer { thread in
            for _ in 0..<rounds { try stores[thread % stores.count].commit(Self.addOne) }
        }
        for store in stores {
            try store.reload()
            try expect(
                .string(String(2 + 8 * rounds)),
                under: "count",
                in: store,
                "after 2 threads added 1, one within the other's update, and 8 threads, \(rounds) times each"
            )
        }
    }

    /// Adds one while another thread tries to do the same: that has to wait until this is done.
    private func addWhileAdding(_ store: any PreferenceStore, _ other: any PreferenceStore) throws {
        var adding: Answer<Result<Void, any Error>>?
        try store.commit { current in
            let batch = try Self.addOne(current)
            // That the closure runs once is another check's.
            if adding == nil {
                let beginning = Answer<Void>()
                let answer = OtherThread.start {
                    beginning.give(())
                    return Result { try other.commit(Self.addOne) }
                }
                _ = beginning.wait(atMost: subject.patience)
                // Long enough for one that does not wait. One that does has no way to say so.
                _ = answer.wait(atMost: .milliseconds(10))
                adding = answer
            }
            return batch
        }
        guard let adding else { throw BrokenPromise("expected the closure of an update to run, but it did not") }
        guard let result = adding.wait(atMost: subject.patience) else {
            throw BrokenPromise("expected update to go on when another thread's has ended, but it waits for ever")
        }
        try result.get()
    }

    private static func addOne(
        _ current: (_ name: String) throws -> PreferenceValue?
    ) throws -> PreferenceBatch {
        guard case .string(let text)? = try current("count"), let count = Int(text) else {
            return ["count": .set("1")]
        }
        return ["count": .set(.string(String(count + 1)))]
    }
}
