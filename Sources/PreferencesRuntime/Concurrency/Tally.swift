import Synchronization

/// How many there are of something, to be asked for by any thread at the cost of one load.
///
/// It orders nothing else: a thread sees its own counting, and that of others some time.
struct Tally: ~Copyable, Sendable {
    let count = Atomic<Int>(0)

    var isZero: Bool { count.load(ordering: .relaxed) == 0 }

    func add() {
        count.add(1, ordering: .relaxed)
    }

    func remove() {
        count.subtract(1, ordering: .relaxed)
    }
}
