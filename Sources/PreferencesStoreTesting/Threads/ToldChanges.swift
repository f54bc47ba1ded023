import PreferencesSystem
import Dispatch
import Foundation
import PreferencesRuntime

/// What an observer of a store is told, and what it finds there at that moment.
final class ToldChanges: Sendable {
    /// One call of the observer.
    struct Call: Sendable {
        let change: PreferenceStoreChange
        /// What the store has under the names that are looked at; nil for nothing, and where it cannot be read.
        let found: [String: PreferenceValue?]
        let thread: ObjectIdentifier
    }

    private let calls = Locked<[Call]>([])
    private let isCalled = DispatchSemaphore(value: 0)
    private let store: any PreferenceStore
    private let names: Set<String>

    /// - Parameter names: What it reads whenever it is told of something.
    init(of store: any PreferenceStore, reading names: Set<String> = []) {
        self.store = store
        self.names = names
    }

    var all: [Call] { calls.withLock { $0 } }

    /// What was told on the calling thread.
    var onThisThread: [Call] { all.filter { $0.thread == ObjectIdentifier(Thread.current) } }

    func forget() {
        calls.withLock { $0 = [] }
    }

    /// The observer.
    func tell(_ change: PreferenceStoreChange) {
        let found = Dictionary(uniqueKeysWithValues: names.map { ($0, try? store.value(for: $0)) })
        calls.withLock { $0.append(Call(change: change, found: found, thread: ObjectIdentifier(Thread.current))) }
        isCalled.signal()
    }

    /// Waits until something holds of the calls, which is looked at after each.
    ///
    /// - Returns: Whether it did in time.
    func wait(atMost limit: Duration, until isTrue: ([Call]) -> Bool) -> Bool {
        let end = DispatchTime.now() + limit.interval
        while !isTrue(all) {
            if isCalled.wait(timeout: end) == .timedOut { return isTrue(all) }
        }
        return true
    }
}

extension [ToldChanges.Call] {
    /// Whether these calls, taken together, tell of all these names.
    func tell(of names: Set<String>) -> Bool {
        var untold = names
        for call in self {
            switch call.change {
            case .everything: return true
            case .names(let told): untold.subtract(told)
            case .unreadable, .problem: continue
            }
        }
        return untold.isEmpty
    }

    /// What was told, for failures.
    var words: String {
        if isEmpty { return "nothing" }
        return map { call in
            switch call.change {
            case .names(let names): names.sorted().map(\.quoted).joined(separator: ", ")
            case .everything: "everything"
            case .unreadable(let problem): "unreadable (\(problem))"
            case .problem(let problem): "a problem (\(problem))"
            }
        }.joined(separator: "; ")
    }
}
