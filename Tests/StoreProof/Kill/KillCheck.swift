import Foundation
import PreferencesRuntime

/// What must hold of a store's file after its writer was killed.
struct KillCheck {
    let store: ProvenStore
    let url: URL
    let keyCount: Int

    /// The names that are there from the first write on, with their values.
    static func fillers(_ count: Int) -> [String: Int64] {
        Dictionary(uniqueKeysWithValues: (0..<count).map { ("filler-\($0)", Int64($0)) })
    }

    /// - Returns: What there is; and what does not hold, in words.
    func judge(_ writes: KilledWrites) throws -> (KilledWrites.State?, [String]) {
        let contents = try store.plainContents(of: url)
        var found: [String] = []
        var state: KilledWrites.State?
        switch contents {
        case .unreadable(let why): found.append(why)
        case .missing: break
        // A database is there before the first batch is in it.
        case .entries(let entries) where store.isDatabase && entries.isEmpty: break
        case .entries:
            let numbers = contents.numbers ?? [:]
            found += judge(numbers)
            let group = KilledWrites.group.map { numbers[$0] ?? -1 }
            if Set(group).count > 1 { found.append("a batch is not whole: a, b and c are \(group)") }
            state = KilledWrites.State(group: group[0], single: numbers[KilledWrites.single] ?? -1)
        }
        if found.isEmpty, !writes.possible.contains(state) {
            found.append(
                "what was acknowledged is lost: there is \(Self.text(state)); after write \(writes.acknowledged), "
                    + "the last acknowledged, there was \(Self.text(writes.possible[0])), "
                    + "and the last begun was \(writes.begun)"
            )
        }
        let leftovers = try Leftovers.count(in: url.deletingLastPathComponent())
        if leftovers > 1 { found.append("there are \(leftovers) temporary files") }
        if case .unreadable = contents { return (nil, found) }
        found += compare(contents, writing: writes.begun)
        return (state, found)
    }

    private static func text(_ state: KilledWrites.State?) -> String { state?.description ?? "no file" }

    private func judge(_ numbers: [String: Int64]) -> [String] {
        let missing = Self.fillers(keyCount).filter { numbers[$0.key] != $0.value }
        return missing.isEmpty ? [] : ["\(missing.count) of \(keyCount) other keys are gone or have other values"]
    }

    /// Has a store that knows nothing of the past read the file, and write it: what is left over is gone with it.
    ///
    /// - Parameter number: Another each time, so that there is something to be written.
    private func compare(_ contents: PlainContents, writing number: Int64) -> [String] {
        var found: [String] = []
        do {
            let fresh = store.open(url)
            let numbers = contents.numbers ?? [:]
            let names = try fresh.names()
            if names != Set(numbers.keys) { found.append("a new store finds \(names.count) names of \(numbers.count)") }
            for (name, number) in numbers where try fresh.value(for: name) != .int(number) {
                found.append("a new store reads another value for \(name) than \(number)")
                break
            }
            try fresh.commit(["next": .set(.int(number))])
            try fresh.flush()
        } catch {
            found.append("a new store fails: \(error)")
        }
        do {
            let leftovers = try Leftovers.count(in: url.deletingLastPathComponent())
            if leftovers > 0 { found.append("the next writer leaves \(leftovers) temporary files") }
        } catch {
            found.append("the folder cannot be listed: \(error)")
        }
        return found
    }
}
