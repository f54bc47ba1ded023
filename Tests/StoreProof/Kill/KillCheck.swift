import Foundation
import PreferencesRuntime

/// The check of a store's file after its writer was killed.
struct KillCheck {
    let store: ProvenStore
    let url: URL
    let keyCount: Int

    /// The entries that the first write adds.
    static func fillers(_ count: Int) -> [String: Int64] {
        Dictionary(uniqueKeysWithValues: (0..<count).map { ("filler-\($0)", Int64($0)) })
    }

    /// - Returns: The state of the file, and the violations.
    func judge(_ writes: KilledWrites) throws -> (KilledWrites.State?, [String]) {
        let contents = try store.plainContents(of: url)
        var found: [String] = []
        var state: KilledWrites.State?
        switch contents {
        case .unreadable(let why): found.append(why)
        case .missing: break
        // A database exists before its first batch.
        case .entries(let entries) where store.isDatabase && entries.isEmpty: break
        case .entries:
            let numbers = contents.numbers ?? [:]
            found += judge(numbers)
            let group = KilledWrites.group.map { numbers[$0] ?? -1 }
            if Set(group).count > 1 { found.append("a batch is incomplete: a, b and c are \(group)") }
            state = KilledWrites.State(group: group[0], single: numbers[KilledWrites.single] ?? -1)
        }
        if found.isEmpty, !writes.possible.contains(state) {
            found.append(
                "an acknowledged change is lost: found \(Self.text(state)); after write \(writes.acknowledged), "
                    + "the last acknowledged, the state was \(Self.text(writes.possible[0])), "
                    + "and the last started was \(writes.begun)"
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

    /// Reads and writes the file with a new store, which must also remove temporary files.
    ///
    /// - Parameter number: A value that differs each time.
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

/// The writes that a child reported before it was killed, and the states that its file may have: those after each write
/// from the last acknowledged to the last started one.
struct KilledWrites {
    /// The names that a write sets to its number.
    enum Kind: String, CaseIterable {
        /// The names of ``group``, in one batch.
        case group
        /// The name ``single``, alone.
        case single
    }

    static let group = ["a", "b", "c"]
    static let single = "single"

    /// The state of the file after a write.
    struct State: Hashable, CustomStringConvertible {
        var group: Int64
        var single: Int64
        var description: String { "group \(group), single \(single)" }
    }

    /// The states after the last acknowledged write, and after each later one. Nil for no file.
    private(set) var possible: [State?]
    private var numbers: [Int64]
    /// The number of the last started write.
    private(set) var begun: Int64

    /// - Parameter start: The state before the first write; nil for no file.
    init(after start: State?, number: Int64) {
        possible = [start]
        numbers = [number]
        begun = number
    }

    /// Records the start of the first write, which sets all keys.
    mutating func beginFilling(_ number: Int64) {
        append(State(group: number, single: number), number)
    }

    mutating func begin(_ number: Int64, _ kind: Kind) {
        guard var state = possible.last ?? nil else { return }
        switch kind {
        case .group: state.group = number
        case .single: state.single = number
        }
        append(state, number)
    }

    private mutating func append(_ state: State, _ number: Int64) {
        possible.append(state)
        numbers.append(number)
        begun = number
    }

    mutating func acknowledge(_ number: Int64) {
        guard let index = numbers.firstIndex(of: number) else { return }
        possible.removeFirst(index)
        numbers.removeFirst(index)
    }

    /// Whether a started write was not acknowledged.
    var isInside: Bool { numbers.count > 1 }

    /// The number of the last acknowledged write.
    var acknowledged: Int64 { numbers[0] }
}
