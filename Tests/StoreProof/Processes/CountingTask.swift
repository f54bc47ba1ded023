import Foundation
import PreferencesRuntime

/// One of many processes that write a file at the same time: it sets keys of its own, and adds one to a key of all.
enum CountingTask {
    static let counter = "count"

    static func name(_ number: Int, of index: Int) -> String { "process-\(index)-\(number)" }

    static func run(_ store: ProvenStore, _ url: URL, index: Int, keyCount: Int) throws {
        let values = store.open(url)
        for number in 0..<keyCount {
            try values.apply([name(number, of: index): .set(.int(Int64(number)))])
            try values.update { current in
                guard case .int(let count)? = try current(counter) else { return [counter: .set(1)] }
                return [counter: .set(.int(count + 1))]
            }
        }
        try values.flush()
        Speech.say("done")
    }
}
