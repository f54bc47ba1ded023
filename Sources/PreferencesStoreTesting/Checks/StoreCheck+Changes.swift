import PreferencesRuntime
import PreferencesSystem
import Synchronization

extension StoreCheck {
    static let batches: [StoreCheck] = [
        StoreCheck("a batch sets, replaces and removes values") { trial in
            var changedStore = try trial.change(["a": .set("1"), "b": .set("2"), "c": .set("3")])
            try trial.expect(exactly: ["a": "1", "b": "2", "c": "3"], in: changedStore)
            changedStore = try trial.change(["a": .set("4"), "b": .remove, "d": .set("5")])
            try trial.expect(exactly: ["a": "4", "c": "3", "d": "5"], in: changedStore, "after the second batch")
        },

        StoreCheck("a value can be replaced by one of another type", needs: .writing) { trial in
            let kinds: [PreferenceValue] = ["text", "1", 1, 1.0, true, [], [1], [1.0], ["a": 1], ["a": true]]
            let values = trial.isUnsupported(.typedValues) ? kinds.filter(\.isString) : kinds
            for old in values {
                for new in values {
                    try trial.store.apply(["a": .set(old)])
                    try trial.store.apply(["a": .set(new)])
                    try trial.expect(exactly: ["a": new], "after it was \(old.summary)")
                }
            }
        },

        StoreCheck("removing a name that is not set changes nothing", needs: .writing) { trial in
            try trial.store.apply(["absent": .remove])
            try trial.expect(exactly: [:])
            try trial.store.apply(["kept": .set("a")])
            try trial.store.apply(["absent": .remove, "never": .remove])
            try trial.expect(exactly: ["kept": "a"], "after others were removed")
        },

        StoreCheck("an empty batch changes nothing", needs: .writing) { trial in
            try trial.store.apply([:])
            try trial.expect(exactly: [:])
            try trial.store.apply(["kept": .set("a")])
            try trial.store.apply([:])
            try trial.expect(exactly: ["kept": "a"], "after an empty batch")
        },

        StoreCheck("a batch of a thousand changes is applied completely") { trial in
            let values = (1...1_000).map { ("name \($0)", PreferenceValue.string("value \($0)")) }
            let all = Dictionary(uniqueKeysWithValues: values)
            try trial.expect(exactly: all, in: trial.change(all.mapValues(PreferenceEdit.set)))
            let odd = all.filter { $0.key.hasSuffix("1") }
            let changedStore = try trial.change(odd.mapValues { _ in .remove })
            let rest = all.filter { odd[$0.key] == nil }
            try trial.expect(exactly: rest, in: changedStore, "after a hundred were removed")
            try trial.expectInAnotherStore(exactly: rest)
        },

        StoreCheck("a refused batch changes nothing", needs: .writing) { trial in
            // All that a store may refuse. It must store what it does not refuse.
            let deep: [PreferenceValue] = [64, 512].map { depth in
                (0..<depth).reduce("a") { value, _ in [value] }
            }
            for value in deep + [.null, 1, .double(.nan)] {
                try trial.expectRefused(value, under: "a", mayBeStored: true)
            }
            for name in unusualNames { try trial.expectRefused("a", under: name, mayBeStored: true) }
        },
    ]
}

extension StoreCheck {
    /// The error that a closure of an update throws.
    private struct Refusal: Error, Equatable {}

    static let updates: [StoreCheck] = [
        StoreCheck("an update reads the stored values, and its closure runs once", needs: .writing) { trial in
            try trial.store.apply(["a": .set("1"), "b": .set("2")])
            var runs = 0
            try trial.store.update { current in
                runs += 1
                for (name, value) in [("a", "1"), ("b", "2"), ("c", nil)] as [(String, PreferenceValue?)] {
                    let found = try current(name)
                    if found == value { continue }
                    throw ExpectationFailure(
                        "expected 'current' to give \(value.summary) for \(name.quoted), found \(found.summary)"
                    )
                }
                return ["a": .set("3"), "b": .remove, "c": .set("4")]
            }
            guard runs == 1 else {
                throw ExpectationFailure("expected the closure to run once, but it ran \(runs) times")
            }
            try trial.expect(exactly: ["a": "3", "c": "4"], "after the update")
        },

        StoreCheck("an update with an empty batch changes nothing", needs: .writing) { trial in
            try trial.store.apply(["kept": .set("a")])
            try trial.store.update { _ in [:] }
            try trial.expect(exactly: ["kept": "a"], "after the update")
        },

        StoreCheck("an update whose closure throws changes nothing, and throws that error", needs: .writing) { trial in
            try trial.store.apply(["kept": .set("a")])
            do {
                try trial.store.update { current in
                    _ = try current("kept")
                    throw Refusal()
                }
                throw ExpectationFailure("expected update to throw what its closure threw, but it threw nothing")
            } catch is Refusal {}
            try trial.expect(exactly: ["kept": "a"], "after the update")
            // No lock is still held.
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

        StoreCheck("concurrent updates of one store lose no change", needs: .writing) { trial in
            try trial.expectNoLostUpdates(in: [trial.store])
        },

        StoreCheck("concurrent updates of two stores over one backend lose no change", needs: [.writing]) { trial in
            // This declaration cannot be checked within one process.
            if trial.isUnsupported(.exclusiveUpdates) || trial.isUnsupported(.persistence) {
                return
            }
            try trial.expectNoLostUpdates(in: [trial.store, trial.reopened()])
        },
    ]
}

extension StoreTrial {
    /// Checks that no increment is lost when several threads increment a value at the same time.
    fileprivate func expectNoLostUpdates(in stores: [any PreferenceStore]) throws {
        try incrementDuringUpdate(stores[0], stores[stores.count - 1])
        let rounds = 10
        try BackgroundThread.runConcurrently { thread in
            for _ in 0..<rounds { try stores[thread % stores.count].commit(Self.increment) }
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

    /// Increments the value while another thread tries to increment it, which must wait.
    private func incrementDuringUpdate(_ store: any PreferenceStore, _ other: any PreferenceStore) throws {
        var adding: Future<Result<Void, any Error>>?
        try store.commit { current in
            let batch = try Self.increment(current)
            // Another check verifies that the closure runs once.
            if adding == nil {
                let beginning = Future<Void>()
                let future = BackgroundThread.start {
                    beginning.fulfill(())
                    return Result { try other.commit(Self.increment) }
                }
                _ = beginning.wait(timeout: subject.timeout)
                // Long enough for an update that does not wait. Whether it waits cannot be observed.
                _ = future.wait(timeout: .milliseconds(10))
                adding = future
            }
            return batch
        }
        guard let adding else { throw ExpectationFailure("expected the closure of an update to run, but it did not") }
        guard let result = adding.wait(timeout: subject.timeout) else {
            throw ExpectationFailure("expected update to continue after another thread's update, but it hangs")
        }
        try result.get()
    }

    private static func increment(
        _ current: (_ name: String) throws -> PreferenceValue?
    ) throws -> PreferenceBatch {
        guard case .string(let text)? = try current("count"), let count = Int(text) else {
            return ["count": .set("1")]
        }
        return ["count": .set(.string(String(count + 1)))]
    }
}

extension StoreCheck {
    static let concurrency: [StoreCheck] = [
        StoreCheck("other threads see a batch completely or not at all", needs: .writing) { trial in
            let hasEnded = Atomic(false)
            // ThreadSanitizer recognizes this lock.
            let comparisons = Locked([1: 0, 2: 0])
            try BackgroundThread.runConcurrently(threads: 3) { thread in
                defer { hasEnded.store(true, ordering: .releasing) }
                if thread == 0 {
                    var number = 0
                    while !hasEnded.load(ordering: .acquiring) {
                        // Both readers need something to compare.
                        if number >= 100, comparisons.withLock({ $0.values.allSatisfy { $0 >= 20 } }) { break }
                        if number == 1_000_000 {
                            throw ExpectationFailure(
                                "a million batches were applied, but a reader saw less than twenty"
                            )
                        }
                        number += 1
                        let edit = PreferenceEdit.set(.string(String(number)))
                        try trial.store.apply(["a": edit, "b": edit])
                    }
                    return
                }
                // The numbers rise: after one of them, the other name has no lower one.
                let names = thread == 1 ? ["a", "b"] : ["b", "a"]
                var last = 0
                while !hasEnded.load(ordering: .acquiring) {
                    let first = try trial.number(under: names[0])
                    let second = try trial.number(under: names[1])
                    guard second >= first else {
                        let found = "\(first) under \(names[0].quoted) and then \(second) under \(names[1].quoted)"
                        throw ExpectationFailure("each batch set both names to one number, but a reader found \(found)")
                    }
                    // A comparison counts only while the writer changes the numbers.
                    guard first > last else { continue }
                    last = first
                    comparisons.withLock { $0[thread, default: 0] += 1 }
                }
            }
        },

        StoreCheck("eight threads may read, write, list and observe at the same time", needs: .writing) { trial in
            let store = trial.store
            let rounds = 10
            try BackgroundThread.runConcurrently { thread in
                let name = "thread \(thread)"
                for round in 1...rounds {
                    let observation = store.observe { _ in }
                    defer { observation.cancel() }
                    let text = PreferenceValue.string(String(repeating: "\(thread)", count: round * 100))
                    try store.apply([name: .set(text), "all": .set(text)])
                    try trial.expect(text, under: name, "on the thread that has set it")
                    guard case .string(let all)? = try store.value(for: "all"), Set(all).count == 1 else {
                        throw ExpectationFailure(
                            "a text that threads set to one digit, repeated, was read as \(try store.value(for: "all").summary)"
                        )
                    }
                    if trial.isUnsupported(.listing) { continue }
                    guard try store.names().isSuperset(of: [name, "all"]) else {
                        throw ExpectationFailure("names() does not list \(name.quoted) on the thread that has set it")
                    }
                }
            }
            var expected: [String: PreferenceValue] = [:]
            for thread in 0..<8 {
                expected["thread \(thread)"] = .string(String(repeating: "\(thread)", count: rounds * 100))
            }
            expected["all"] = try store.value(for: "all")
            try trial.expect(exactly: expected, "when all threads have ended")
            try trial.expectInAnotherStore(exactly: expected)
        },
    ]
}

extension StoreTrial {
    /// The number that is stored as text; 0 for a missing value.
    fileprivate func number(under name: String) throws -> Int {
        guard let value = try store.value(for: name) else { return 0 }
        guard case .string(let text) = value, let number = Int(text) else {
            throw ExpectationFailure("expected a number as text under \(name.quoted), found \(value.summary)")
        }
        return number
    }
}
