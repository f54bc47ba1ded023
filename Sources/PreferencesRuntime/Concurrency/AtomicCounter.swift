import Synchronization

/// A number that any thread may count up or down, and read at the cost of one load.
struct AtomicCounter: ~Copyable, Sendable {
    private let count = Atomic<Int>(0)

    /// Whether the number is 0. Orders no other memory access.
    var isZero: Bool { count.load(ordering: .relaxed) == 0 }

    /// The number. What a thread has written before it counted is seen after this.
    var value: Int { count.load(ordering: .acquiring) }

    /// - Returns: The new number.
    @discardableResult
    func increment() -> Int {
        count.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
    }

    func decrement() {
        count.wrappingSubtract(1, ordering: .releasing)
    }
}
