import Dispatch
import Foundation
import PreferencesRuntime
import PreferencesSystem

/// An observer that records its calls, and the values that it reads during each.
final class NotificationRecorder: Sendable {
    /// One call of the observer.
    struct Call: Sendable {
        let change: PreferenceStoreChange
        /// The values of the names to read; nil for a missing or unreadable value.
        let found: [String: PreferenceValue?]
        let thread: ObjectIdentifier
    }

    private let calls = Locked<[Call]>([])
    private let isCalled = DispatchSemaphore(value: 0)
    private let store: any PreferenceStore
    private let names: Set<String>

    /// - Parameter names: The names to read in each call.
    init(of store: any PreferenceStore, reading names: Set<String> = []) {
        self.store = store
        self.names = names
    }

    var all: [Call] { calls.withLock { $0 } }

    /// The calls on the current thread.
    var onThisThread: [Call] { all.filter { $0.thread == ObjectIdentifier(Thread.current) } }

    func removeAll() {
        calls.withLock { $0 = [] }
    }

    /// Records a call. This function is the observer.
    func record(_ change: PreferenceStoreChange) {
        let found = Dictionary(uniqueKeysWithValues: names.map { ($0, try? store.value(for: $0)) })
        calls.withLock { $0.append(Call(change: change, found: found, thread: ObjectIdentifier(Thread.current))) }
        isCalled.signal()
    }

    /// Waits until a condition holds, which is evaluated after each call.
    ///
    /// - Returns: Whether the condition held before the timeout.
    func wait(timeout: Duration, until isTrue: ([Call]) -> Bool) -> Bool {
        let end = DispatchTime.now() + timeout.dispatchInterval
        while !isTrue(all) {
            if isCalled.wait(timeout: end) == .timedOut { return isTrue(all) }
        }
        return true
    }
}

extension [NotificationRecorder.Call] {
    /// Whether the calls together notify of all of the names.
    func notify(of names: Set<String>) -> Bool {
        var missing = names
        for call in self {
            switch call.change {
            case .everything, .reported(nil, _): return true
            case .names(let changed), .reported(let changed?, _): missing.subtract(changed)
            case .unreadable, .problem: continue
            }
        }
        return missing.isEmpty
    }

    /// The changes, for messages.
    var summary: String {
        if isEmpty { return "nothing" }
        return map { call in
            switch call.change {
            case .names(let names), .reported(let names?, _): names.sorted().map(\.quoted).joined(separator: ", ")
            case .everything, .reported(nil, _): "everything"
            case .unreadable(let problem): "unreadable (\(problem))"
            case .problem(let problem): "a problem (\(problem))"
            }
        }.joined(separator: "; ")
    }
}
