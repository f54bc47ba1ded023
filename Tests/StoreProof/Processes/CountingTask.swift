import Foundation
import PreferencesRuntime

/// One of many processes that write a file at the same time: it sets keys of its own, and adds one to a key of all for
/// each.
enum CountingTask {
    static let counter = "count"

    static func name(_ number: Int, of index: Int) -> String { "process-\(index)-\(number)" }

    static func run(_ store: ProvenStore, _ url: URL, index: Int, keyCount: Int) throws {
        let values = store.open(url)
        var unaddedCount = 0
        for number in 0..<keyCount {
            try values.commit([name(number, of: index): .set(.int(Int64(number)))])
            unaddedCount += 1
            // Adding writes, also what was to be written later: some at a time are to be.
            guard unaddedCount == 5 || number == keyCount - 1 else { continue }
            for _ in 0..<unaddedCount {
                try values.commit { current in
                    guard case .int(let count)? = try current(counter) else { return [counter: .set(1)] }
                    return [counter: .set(.int(count + 1))]
                }
            }
            unaddedCount = 0
        }
        try values.flush()
        Speech.say("done")
    }
}
