import Foundation
import PreferencesRuntime
import PreferencesSystem
import TestSupport

@testable import PreferencesRemote

/// Several machines with clocks of their own, which change shared values, and are partitioned and killed at random.
///
/// The expected values are computed from the changes that the machines have acknowledged.
struct RoamingSimulation {
    fileprivate static let rules: [String: PreferenceMergeRule] = [
        "last": .last, "union": .union, "max": .max, "min": .min, "sum": .sum, "ask": .ask,
    ]

    private let server: SharedServer
    private var machines: [Machine] = []
    private var random: SeededRandom
    private var oracle = Oracle()
    /// The true time.
    private let time: SimulatedTime
    private var counter = 0
    private(set) var violations: [String] = []

    /// Runs a simulation.
    ///
    /// - Parameters:
    ///   - server: The server of the values; by default one that works.
    ///   - mutate: Introduces a fault into the stores.
    /// - Returns: The violations of the rules; none if the stores are correct.
    static func violations(
        seed: UInt64,
        on server: SharedServer = SharedServer(),
        mutate: (inout RoamingStore.Mechanism) -> Void = { _ in }
    ) throws -> [String] {
        var simulation = RoamingSimulation(seed: seed, on: server, mutate: mutate)
        for _ in 1...70 { try simulation.step() }
        try simulation.heal()
        try simulation.check()
        return simulation.violations.map { "seed \(seed): \($0)" }
    }

    private init(seed: UInt64, on server: SharedServer, mutate: (inout RoamingStore.Mechanism) -> Void) {
        self.server = server
        random = SeededRandom(seed: seed)
        let time = SimulatedTime()
        self.time = time
        for number in 0..<Int.random(in: 2...5, using: &random) {
            let clock = SimulatedClock(
                offset: .random(in: -20_000...20_000, using: &random),
                drift: .random(in: 0.9...1.1, using: &random)
            )
            var mechanism = RoamingStore.Mechanism()
            mechanism.now = { clock.date(at: time.seconds) }
            mutate(&mechanism)
            let processCount = Int.random(in: 1...2, using: &random)
            machines.append(Machine(number: number, clock: clock, mechanism, processCount: processCount, server))
        }
    }

    // MARK: - Events

    private mutating func step() throws {
        time.advance(by: Double(Int.random(in: 0...3, using: &random)) / 1_000)
        let machine = machines.randomElement(using: &random)!
        let process = Int.random(in: 0..<machine.processes.count, using: &random)
        let connection = machine.processes[process].connection
        switch Int.random(in: 0..<100, using: &random) {
        case ..<50: try change(machine, process)
        case ..<75: try synchronize(machine, process)
        case ..<85: connection.receive()
        case ..<92: connection.fault = [nil, .partition, .lostReply].randomElement(using: &random)!
        case ..<96:
            let moment: KillableStore.Moment = Bool.random(using: &random) ? .beforeWrite : .afterWrite
            machine.plan.kill(moment, ofWrite: Int.random(in: 1...3, using: &random))
        case ..<98: machine.restart(process)
        default: machine.clock.set(forwardBy: .random(in: -7_200...3_600, using: &random))
        }
    }

    private func synchronize(_ machine: Machine, _ process: Int) throws {
        do {
            try machine.processes[process].store.synchronize()
        } catch is KillableStore.Kill {
            machine.restart(process)
        } catch let problem as PreferenceProblem where problem == ServerConnection.partitionProblem {
            // The changes stay pending.
        }
    }

    /// Changes one key or several together.
    private mutating func change(_ machine: Machine, _ process: Int) throws {
        let store = machine.processes[process].store
        let names = Self.rules.keys.sorted().shuffled(using: &random).prefix(
            [1, 1, 2, 4].randomElement(using: &random)!
        )
        var batch = PreferenceBatch()
        var changes: [Oracle.Change] = []
        for name in names {
            let value = try store.value(for: name)
            guard let edit = edit(of: name, from: value) else { continue }
            batch[name] = edit
            var seen: Set<PreferenceValue> = value.map { [$0] } ?? []
            if let conflict = try store.conflict(for: name) {
                seen.formUnion(conflict.alternatives.compactMap(\.value) + [conflict.value].compactMap(\.self))
            }
            changes.append(Oracle.Change(name: name, machine: machine.number, old: value, edit: edit, seen: seen))
        }
        let former = machine.stamp(of: "last")
        do {
            if Bool.random(using: &random) { try store.apply(batch) } else { try store.update { _ in batch } }
        } catch is KillableStore.Kill {
            machine.restart(process)
        }
        // A killed program may have made the change.
        guard machine.plan.wasWritten else { return }
        for change in changes {
            let stamp = change.name == "last" ? machine.stamp(of: "last") : nil
            if change.name == "last", stamp == former { continue }
            let clock = machine.clock.date(at: time.seconds)
            violations += oracle.note(change, stamp: stamp, clock: clock)
        }
    }

    /// Returns a random change of a key; nil for none.
    private mutating func edit(of name: String, from value: PreferenceValue?) -> PreferenceEdit? {
        counter += 1
        let isRemoval = Int.random(in: 0..<10, using: &random) == 0
        switch (name, value) {
        case ("last", _): return isRemoval ? .remove : .set(.int(Int64(counter)))
        case ("ask", _): return .set(.int(Int64(counter)))
        // A removal is no increment: two concurrent ones are one.
        case ("sum", .int(let sum)?): return .set(.int(sum + .random(in: -5...9, using: &random)))
        case ("sum", _): return .set(.int(.random(in: -5...9, using: &random)))
        case ("max", .int(let number)?), ("min", .int(let number)?):
            let step = Int64.random(in: 1...50, using: &random)
            return .set(.int(name == "max" ? number + step : number - step))
        case ("max", _), ("min", _): return .set(.int(.random(in: -50...50, using: &random)))
        case ("union", .array(let elements)?):
            if isRemoval { return .remove }
            var elements = elements.shuffled(using: &random)
            if Bool.random(using: &random), !elements.isEmpty { elements.removeLast() }
            return .set(.array(elements + [.int(Int64(counter))]))
        default: return .set([.int(Int64(counter))])
        }
    }

    /// Ends all faults, and synchronizes until nothing changes.
    private mutating func heal() throws {
        for machine in machines {
            machine.plan.cancel()
            for process in machine.processes { process.connection.fault = nil }
        }
        for _ in 1...3 {
            for machine in machines {
                for (index, process) in machine.processes.enumerated() {
                    try synchronize(machine, index)
                    process.connection.receive()
                }
            }
        }
        for machine in machines {
            for process in machine.processes {
                process.connection.receive()
                let pending = try process.store.pendingNames()
                if !pending.isEmpty { violations.append("changes of \(pending.sorted()) are still pending") }
            }
        }
    }

    private mutating func check() throws {
        let stores = machines.flatMap(\.processes).map(\.store)
        for name in Self.rules.keys.sorted() {
            let values = try stores.map { try $0.value(for: name) }
            if Set(values).count > 1 { violations.append("\(name): machines read different values: \(values)") }
            violations += oracle.violations(
                of: name,
                value: values[0],
                alternatives: try stores[0].conflict(for: name)?.alternatives.compactMap(\.value) ?? []
            )
        }
    }
}

/// The changes that users have made, and the values that must result from them.
private struct Oracle {
    struct Change {
        var name: String
        var machine: Int
        var old: PreferenceValue?
        var edit: PreferenceEdit
        /// The values that the user has seen before.
        var seen: Set<PreferenceValue>
    }

    /// A stamp, as it is stored.
    struct Stamp: Hashable, Comparable {
        var time: Date
        var counter: Int64
        var machine: String

        static func < (first: Stamp, second: Stamp) -> Bool {
            (first.time, first.counter, first.machine) < (second.time, second.counter, second.machine)
        }
    }

    private var sum: Int64 = 0
    private var (added, removed) = (Set<PreferenceValue>(), Set<PreferenceValue>())
    private var (highest, lowest) = (Int64?.none, Int64?.none)
    private var asked: [Int: Set<PreferenceValue>] = [:]
    private var superseded: Set<PreferenceValue> = []
    private var stamps: [Stamp: PreferenceValue?] = [:]
    private var stampsByValue: [PreferenceValue: Stamp] = [:]
    private var lastStamps: [Int: Stamp] = [:]

    /// Notes an acknowledged change.
    ///
    /// - Returns: The violations that the change shows already.
    mutating func note(_ change: Change, stamp: Stamp?, clock: Date) -> [String] {
        let value = change.edit.value
        switch change.name {
        case "sum": sum += Self.integer(value) - Self.integer(change.old)
        case "max": highest = max(highest ?? .min, Self.integer(value))
        case "min": lowest = min(lowest ?? .max, Self.integer(value))
        case "union":
            let (old, new) = (Self.elements(change.old), Self.elements(value))
            added.formUnion(new.subtracting(old))
            removed.formUnion(old.subtracting(new))
        case "ask":
            superseded.formUnion(change.seen)
            superseded.formUnion(asked[change.machine, default: []])
            if let value { asked[change.machine, default: []].insert(value) }
        default: return note(change, stamp, clock)
        }
        return []
    }

    private mutating func note(_ change: Change, _ stamp: Stamp?, _ clock: Date) -> [String] {
        guard let stamp else { return ["last: a change has no stamp"] }
        defer {
            stamps[stamp] = .some(change.edit.value)
            change.edit.value.map { stampsByValue[$0] = stamp }
            lastStamps[change.machine] = stamp
        }
        var violations: [String] = []
        if stamps[stamp] != nil { violations.append("last: two changes have the stamp \(stamp)") }
        if let former = lastStamps[change.machine], stamp <= former {
            violations.append("last: the clock of a machine ran back from \(former) to \(stamp)")
        }
        if let seen = change.old.flatMap({ stampsByValue[$0] }), stamp <= seen {
            violations.append("last: a change at \(stamp) has replaced one at \(seen)")
        }
        // Stamps have milliseconds.
        if stamp.time < clock.addingTimeInterval(-0.001) {
            violations.append("last: a change at \(clock) has the stamp \(stamp)")
        }
        return violations
    }

    func violations(of name: String, value: PreferenceValue?, alternatives: [PreferenceValue]) -> [String] {
        func expect(_ expected: PreferenceValue?) -> [String] {
            value == expected ? [] : ["\(name): expected \(expected as Any), found \(value as Any)"]
        }
        switch name {
        case "sum": return Self.integer(value) == sum ? [] : expect(.int(sum))
        case "max": return expect(highest.map(PreferenceValue.int))
        case "min": return expect(lowest.map(PreferenceValue.int))
        case "union":
            let (found, expected) = (Self.elements(value), added.subtracting(removed))
            return found == expected
                ? [] : ["union: lost \(expected.subtracting(found)), revived \(found.subtracting(expected))"]
        case "ask":
            let kept = Set(alternatives + [value].compactMap(\.self))
            let lost = asked.values.reduce(into: Set()) { $0.formUnion($1) }.subtracting(superseded).subtracting(kept)
            return lost.isEmpty ? [] : ["ask: lost \(lost), kept \(kept)"]
        default: return expect(stamps.max { $0.key < $1.key }?.value)
        }
    }

    private static func integer(_ value: PreferenceValue?) -> Int64 {
        if case .int(let number)? = value { number } else { 0 }
    }

    private static func elements(_ value: PreferenceValue?) -> Set<PreferenceValue> {
        if case .array(let elements)? = value { Set(elements) } else { [] }
    }
}

/// The true time of a simulation, in seconds.
private final class SimulatedTime: Sendable {
    private let state = Locked(1_800_000_000.0)

    var seconds: Double { state.withLock { $0 } }

    func advance(by seconds: Double) { state.withLock { $0 += seconds } }
}

/// A clock that shows another time than the true one, and is set at times.
private final class SimulatedClock: Sendable {
    private let offset: Locked<Double>
    private let drift: Double

    init(offset: Double, drift: Double) {
        self.offset = Locked(offset)
        self.drift = drift
    }

    func set(forwardBy seconds: Double) { offset.withLock { $0 += seconds } }

    func date(at seconds: Double) -> Date {
        Date(timeIntervalSince1970: (seconds - 1_800_000_000) * drift + 1_800_000_000 + offset.withLock { $0 })
    }
}

/// A machine with a local store, and one or two processes that use it.
private final class Machine: Sendable {
    struct Process {
        var store: RoamingStore
        var connection: ServerConnection
    }

    let number: Int
    let clock: SimulatedClock
    let plan = KillableStore.Plan()
    private let local = MemoryStore()
    private let mechanism: RoamingStore.Mechanism
    private let server: SharedServer
    private let running: Locked<[Process]>

    init(
        number: Int,
        clock: SimulatedClock,
        _ mechanism: RoamingStore.Mechanism,
        processCount: Int,
        _ server: SharedServer
    ) {
        self.number = number
        self.clock = clock
        self.mechanism = mechanism
        self.server = server
        running = Locked([])
        for _ in 0..<processCount {
            let process = makeProcess()
            running.withLock { $0.append(process) }
        }
    }

    var processes: [Process] { running.withLock { $0 } }

    /// Replaces a process that was killed.
    func restart(_ index: Int) {
        let fault = processes[index].connection.fault
        let process = makeProcess()
        process.connection.fault = fault
        running.withLock { $0[index] = process }
    }

    private func makeProcess() -> Process {
        let connection = ServerConnection(server)
        let store = RoamingStore(
            local: KillableStore(base: local, plan: plan),
            shared: [.user: connection],
            synchronizesAutomatically: false,
            mechanism: mechanism
        )
        for (name, rule) in RoamingSimulation.rules {
            store.declareShared(name, formerNames: [], scope: .user, mergeRule: rule)
        }
        return Process(store: store, connection: connection)
    }

    /// Returns the stamp of the pending change of a name.
    func stamp(of name: String) -> Oracle.Stamp? {
        guard case .dictionary(let entry)? = local.value(for: "::roaming:\(name)"),
            case .dictionary(let fields)? = entry["stamp"], case .date(let time)? = fields["time"],
            case .int(let counter)? = fields["counter"], case .string(let machine)? = fields["machine"]
        else { return nil }
        return Oracle.Stamp(time: time, counter: counter, machine: machine)
    }
}
