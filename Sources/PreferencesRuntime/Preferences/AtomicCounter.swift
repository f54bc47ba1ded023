import Synchronization

/// An atomic counter whose value is read at the cost of one load.
struct AtomicCounter: ~Copyable, Sendable {
    private let count = Atomic<Int>(0)

    /// Whether the count is 0. Orders no other memory access.
    var isZero: Bool { count.load(ordering: .relaxed) == 0 }

    /// The count. Writes of a thread that precede its increment or decrement are visible after this load.
    var value: Int { count.load(ordering: .acquiring) }

    /// Adds 1, and returns the new count.
    @discardableResult
    func increment() -> Int {
        count.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
    }

    /// Subtracts 1.
    func decrement() {
        count.wrappingSubtract(1, ordering: .releasing)
    }
}
