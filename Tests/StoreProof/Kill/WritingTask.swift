import Foundation
import PreferencesRuntime
import TestSupport

/// The task of a child to kill: it writes increasing numbers, and reports when each write starts and is durable.
struct WritingTask {
    private let store: ProvenStore
    private let url: URL
    private let keyCount: Int
    private let first: Int
    private let seed: Int

    init(_ store: ProvenStore, _ url: URL, keyCount: Int, first: Int, seed: Int) {
        self.store = store
        self.url = url
        self.keyCount = keyCount
        self.first = first
        self.seed = seed
    }

    /// - Parameter exitsByItself: Whether the child exits after some writes, with pending changes.
    func run(exitsByItself: Bool) throws {
        var random = SeededRandom(seed: UInt64(bitPattern: Int64(seed)))
        var number = Int64(first)
        while true {
            try write(after: &number, exitsByItself: exitsByItself, &random)
            ChildOutput.writeLine("done \(number)")
        }
    }

    /// Writes until the store is released, which takes time only for a database.
    private func write(after number: inout Int64, exitsByItself: Bool, _ random: inout SeededRandom) throws {
        let values = store.open(url)
        if try values.value(for: KilledWrites.single) == nil { try fill(values, number) }
        for step in 1... {
            number += 1
            let kind = KilledWrites.Kind.allCases.randomElement(using: &random) ?? .group
            ChildOutput.writeLine("begin \(number) \(kind.rawValue)")
            let names = kind == .group ? KilledWrites.group : [KilledWrites.single]
            let batch = Dictionary(uniqueKeysWithValues: names.map { ($0, PreferenceEdit.set(.int(number))) })
            if exitsByItself, step > 3 {
                try values.commit(PreferenceBatch(batch))
                ChildOutput.writeLine("exit")
                exit(0)
            }
            if Bool.random(using: &random) {
                try values.commit { _ in PreferenceBatch(batch) }
            } else {
                try values.commit(PreferenceBatch(batch))
                // Without a flush, another thread or the next write writes the change.
                if store.isCoalescing {
                    if Int.random(in: 0..<3, using: &random) > 0 { continue }
                    ChildOutput.writeLine("flush")
                    try values.flush()
                }
            }
            ChildOutput.writeLine("done \(number)")
            if store.isDatabase, Int.random(in: 0..<4, using: &random) == 0 {
                return withExtendedLifetime(values) { ChildOutput.writeLine("close") }
            }
        }
    }

    private func fill(_ values: any PreferenceStore, _ number: Int64) throws {
        ChildOutput.writeLine("begin \(number) all")
        var numbers = KillCheck.fillers(keyCount)
        for name in KilledWrites.group + [KilledWrites.single] { numbers[name] = number }
        try values.commit(PreferenceBatch(numbers.mapValues { .set(.int($0)) }))
        try values.flush()
        ChildOutput.writeLine("done \(number)")
    }
}
