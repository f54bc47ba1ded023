import Foundation
import PreferencesRuntime

extension Defect {
    static let batches: [Defect] = [
        Defect(
            "drops the last of a batch",
            fails: [
                "a batch is seen whole by other threads", "a batch leaves alone what was changed outside",
                "a batch of a thousand changes is made whole", "a batch sets, replaces and removes",
                "an update is made from what is kept, and its closure runs once",
                "another store over the medium has what was flushed",
                "arrays and dictionaries are kept, empty and nested ones too",
                "changes made outside are read after reload", "changes made outside are told, and read by then",
                "data is kept byte for byte", "dates are kept to the bit",
                "dictionaries keep whatever names are in them",
                "eight threads may read, write, list and observe at the same time",
                "integers are kept up to the limits of Int64 and UInt64", "names are told apart by case",
                "names may have characters of all scripts", "names may have control characters",
                "names of ten thousand characters are kept apart at their ends",
                "names with dots, colons and spaces are kept apart",
                "names() has the names of all values, and no others", "null is told from a name that is not set",
                "numbers with fractions are kept to the bit", "observers read what they are told of",
                "reloading keeps what was applied", "text is kept, whatever its characters",
                "the empty name is a name", "values made at random are kept", "values of a megabyte are kept",
                "values of different kinds are kept apart",
                "a writer's batches and updates are made as those without a writer",
            ]
        ) {
            $0.write = { store, batch in
                let kept = batch.sorted { $0.key < $1.key }.prefix(max(1, batch.count - 1))
                try store.right.write(Dictionary(uniqueKeysWithValues: Array(kept)))
            }
        },
        Defect(
            "never removes",
            fails: [
                "a batch of a thousand changes is made whole", "a batch sets, replaces and removes",
                "a name is one in both normal forms of Unicode",
                "an update is made from what is kept, and its closure runs once",
                "another store over the medium has what was flushed",
                "names() has the names of all values, and no others", "null is told from a name that is not set",
                "observers read what they are told of", "values made at random are kept",
                "a writer's batches and updates are made as those without a writer",
            ]
        ) {
            $0.write = { store, batch in try store.right.write(batch.filter { $0.value != .remove }) }
        },
        Defect(
            "sets what is to be removed to null",
            fails: [
                "a batch of a thousand changes is made whole", "a batch sets, replaces and removes",
                "a name is one in both normal forms of Unicode",
                "an update is made from what is kept, and its closure runs once",
                "another store over the medium has what was flushed",
                "names() has the names of all values, and no others", "null is told from a name that is not set",
                "observers read what they are told of", "removing what is not set changes nothing",
                "values made at random are kept",
                "a writer's batches and updates are made as those without a writer",
            ]
        ) {
            $0.write = { store, batch in
                try store.right.write(batch.mapValues { $0 == .remove ? .set(.null) : $0 })
            }
        },
        Defect(
            "is emptied by an empty batch",
            fails: [
                "an empty batch changes nothing",
                "a writer's batches and updates are made as those without a writer",
            ]
        ) {
            $0.apply = { store, batch in
                let all = try batch.isEmpty ? store.right.names() : []
                try store.right.apply(PreferenceBatch(batch.merging(all.map { ($0, .remove) }) { $1 }))
            }
        },
        Defect(
            "removes all where it has nothing to remove",
            fails: [
                "names() has the names of all values, and no others", "removing what is not set changes nothing",
            ]
        ) {
            $0.write = { store, batch in
                let all = try store.right.names()
                let misses = batch.contains { $0.value == .remove && !all.contains($0.key) }
                try store.right.write(misses ? batch.merging(all.map { ($0, .remove) }) { $1 } : batch)
            }
        },
        Defect(
            "never replaces a value by one of another kind",
            fails: [
                "a value is replaced by one of another kind"
            ]
        ) {
            $0.write = { store, batch in
                try store.right.write(
                    batch.filter { name, edit in
                        guard case .set(.int) = edit, case .string? = try store.right.value(for: name) else {
                            return true
                        }
                        return false
                    }
                )
            }
        },
        Defect("makes no more than three hundred changes", fails: ["a batch of a thousand changes is made whole"]) {
            $0.write = { store, batch in
                try store.right.write(Dictionary(uniqueKeysWithValues: Array(batch.prefix(300))))
            }
        },
        Defect(
            "applies half of a batch that it refuses",
            fails: [
                "a batch that is refused changes nothing", "null is told from a name that is not set",
                "values made at random are kept",
            ]
        ) { $0.refuseNull(afterWriting: true, key: true) },
        Defect(
            "refuses without saying which key",
            fails: [
                "a batch that is refused changes nothing", "null is told from a name that is not set",
                "values made at random are kept",
            ]
        ) { $0.refuseNull(afterWriting: false, key: false) },
        Defect("applies name by name", fails: ["a batch is seen whole by other threads"]) {
            $0.write = { store, batch in
                for (name, edit) in batch.sorted(by: { $0.key < $1.key }) {
                    try store.right.write([name: edit])
                    for _ in 0..<100 { sched_yield() }
                }
            }
        },
        Defect(
            "writes all that it has, without a lock",
            fails: [
                "eight threads may read, write, list and observe at the same time"
            ]
        ) {
            $0.write = { store, batch in
                var all = try store.right.medium.read { $0 }
                all.make(batch)
                for _ in 0..<100 { sched_yield() }
                let changed = all
                try store.right.medium.read { $0 = changed }
            }
        },
    ]

    /// A store that lacks null, and refuses it in a wrong way.
    private mutating func refuseNull(afterWriting: Bool, key: Bool) {
        unsupportedCapabilities = .null
        write = { store, batch in
            guard let name = batch.first(where: { $0.value == .set(.null) })?.key else {
                return try store.right.write(batch)
            }
            if afterWriting { try store.right.write(batch.filter { $0.key != name }) }
            throw PreferenceProblem(.unsupportedValue, key: key ? name : nil, store: store.label, message: "no null")
        }
    }
}
