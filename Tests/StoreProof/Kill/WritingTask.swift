import Foundation
import PreferencesRuntime
import TestSupport

/// The child that is killed: it writes numbers in rising order, and says each when it begins and when it is safe.
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

    /// - Parameter endsByItself: Whether it ends after some writes, with something unwritten, instead of writing on.
    func run(endsByItself: Bool) throws {
        var random = SeededRandom(seed: UInt64(bitPattern: Int64(seed)))
        var number = Int64(first)
        while true {
            try write(after: &number, endsByItself: endsByItself, &random)
            Speech.say("done \(number)")
        }
    }

    /// Writes until it lets go of the store, which a database alone has work with.
    private func write(after number: inout Int64, endsByItself: Bool, _ random: inout SeededRandom) throws {
        let values = store.open(url)
        if try values.value(for: KilledWrites.single) == nil { try fill(values, number) }
        for step in 1... {
            number += 1
            let kind = KilledWrites.Kind.allCases.randomElement(using: &random) ?? .group
            Speech.say("begin \(number) \(kind.rawValue)")
            let names = kind == .group ? KilledWrites.group : [KilledWrites.single]
            let batch = Dictionary(uniqueKeysWithValues: names.map { ($0, PreferenceEdit.set(.int(number))) })
            if endsByItself, step > 3 {
                try values.commit(PreferenceBatch(batch))
                Speech.say("exit")
                exit(0)
            }
            if Bool.random(using: &random) {
                try values.commit { _ in PreferenceBatch(batch) }
            } else {
                try values.commit(PreferenceBatch(batch))
                // What is not flushed is written by another thread some time, or with what comes next.
                if store.isCoalescing {
                    if Int.random(in: 0..<3, using: &random) > 0 { continue }
                    Speech.say("flush")
                    try values.flush()
                }
            }
            Speech.say("done \(number)")
            if store.isDatabase, Int.random(in: 0..<4, using: &random) == 0 {
                return withExtendedLifetime(values) { Speech.say("close") }
            }
        }
    }

    private func fill(_ values: any PreferenceStore, _ number: Int64) throws {
        Speech.say("begin \(number) all")
        var numbers = KillCheck.fillers(keyCount)
        for name in KilledWrites.group + [KilledWrites.single] { numbers[name] = number }
        try values.commit(PreferenceBatch(numbers.mapValues { .set(.int($0)) }))
        try values.flush()
        Speech.say("done \(number)")
    }
}
