import PreferencesSystem
import PreferencesRuntime
import Synchronization

extension StoreCheck {
    static let concurrency: [StoreCheck] = [
        StoreCheck("a batch is seen whole by other threads", needs: .writing) { trial in
            let hasEnded = Atomic(false)
            // By a lock that ThreadSanitizer sees.
            let comparisons = Locked([1: 0, 2: 0])
            try OtherThread.hammer(threads: 3) { thread in
                defer { hasEnded.store(true, ordering: .releasing) }
                if thread == 0 {
                    var number = 0
                    while !hasEnded.load(ordering: .acquiring) {
                        // Until both readers have had something to compare.
                        if number >= 100, comparisons.withLock({ $0.values.allSatisfy { $0 >= 20 } }) { break }
                        if number == 1_000_000 {
                            throw BrokenPromise("a million batches were applied, but a reader saw less than twenty")
                        }
                        number += 1
                        let edit = PreferenceEdit.set(.string(String(number)))
                        try trial.store.apply(["a": edit, "b": edit])
                    }
                    return
                }
                // The numbers rise: whoever has read one of them finds no lower one under the other name.
                let names = thread == 1 ? ["a", "b"] : ["b", "a"]
                var last = 0
                while !hasEnded.load(ordering: .acquiring) {
                    let first = try trial.number(under: names[0])
                    let second = try trial.number(under: names[1])
                    guard second >= first else {
                        let found = "\(first) under \(names[0].quoted) and then \(second) under \(names[1].quoted)"
                        throw BrokenPromise("each batch set both names to one number, but a reader found \(found)")
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
            try OtherThread.hammer { thread in
                let name = "thread \(thread)"
                for round in 1...rounds {
                    let observation = store.observe { _ in }
                    defer { observation.cancel() }
                    let text = PreferenceValue.string(String(repeating: "\(thread)", count: round * 100))
                    try store.apply([name: .set(text), "all": .set(text)])
                    try trial.expect(text, under: name, "on the thread that has set it")
                    guard case .string(let all)? = try store.value(for: "all"), Set(all).count == 1 else {
                        throw BrokenPromise(
                            "a text that threads set to one digit, repeated, was read as \(try store.value(for: "all").words)"
                        )
                    }
                    if trial.isUnsupported(.listing) { continue }
                    guard try store.names().isSuperset(of: [name, "all"]) else {
                        throw BrokenPromise("names() does not list \(name.quoted) on the thread that has set it")
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
    /// The number that is kept as text; 0 where none is.
    fileprivate func number(under name: String) throws -> Int {
        guard let value = try store.value(for: name) else { return 0 }
        guard case .string(let text) = value, let number = Int(text) else {
            throw BrokenPromise("expected a number as text under \(name.quoted), found \(value.words)")
        }
        return number
    }
}
