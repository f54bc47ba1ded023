/// A search for an order of the calls for one key, a register, in which each takes effect between its start and its
/// end.
///
/// The search is that of Wing and Gong ("Testing and verifying concurrent objects", JPDC 1993), which tries all orders,
/// with Lowe's improvements ("Testing for linearizability", CCPE 2017): no configuration is tried twice, and calls take
/// effect only when another one ends that must come after them, so that a configuration contains only calls that are
/// under way. Knossos and Porcupine are built on the same search.
///
/// Three properties of registers make most searches linear:
///
/// - A read takes effect as soon as the value is right. Nothing else can depend on it.
/// - A write that no call reads comes immediately before another write, which hides it. Once a write has taken effect,
///   all others that were under way may be hidden by it, without a choice between their orders.
/// - An unknown write or increment takes effect only immediately before the call that reads it, since it can otherwise
///   be left out. Unknown writes of equal values are the same, and so are unknown increments: their number is enough.
///
/// The search is exponential only in the number of overlapping acknowledged calls, and of unknown writes of equal
/// values.
struct OrderSearch {
    /// A state of the search: the calls that have ended before a step are in an order, together with some others.
    private struct Configuration: Hashable {
        /// The number of ended calls.
        var step = 0
        /// The number of the value.
        var value: Int
        /// The calls under way that have taken effect, as a bit for each slot.
        var done: UInt64 = 0
        /// The writes under way that a later write may hide.
        var hideable: UInt64 = 0
        var usedIncrements = 0
        /// The numbers of the values of the unknown writes that have taken effect, sorted.
        var usedWrites: [Int] = []
    }

    /// An acknowledged call.
    private struct Call {
        enum Kind {
            case observation(HistoryEntry.Observation)
            /// The value is a number.
            case write(Int)
        }

        let entry: HistoryEntry
        let kind: Kind
        /// The number of the value after the call; nil if it is a read.
        let result: Int?
        var bit: UInt64 = 0
    }

    /// The end of a call.
    private struct Step {
        let call: Int
        /// The calls that have started, and that have not ended before.
        let pending: [Int]
        /// The writes among them.
        let writes: UInt64
        /// The number of unknown increments that have started.
        let increments: Int
    }

    private let key: String
    private let entries: [HistoryEntry]
    private let origin: Int64
    private var calls: [Call] = []
    private var steps: [Step] = []
    /// The first call for which there are more calls under way than a configuration has bits. The steps end there.
    private var crowdedCall: Int?
    /// The values, and their numbers.
    private var values: [String?] = []
    private var numbers: [String?: Int] = [:]
    /// The starts of the unknown writes of each value, sorted.
    private var unknownWrites: [(value: Int, starts: [Int64])] = []

    /// - Parameters:
    ///   - entries: The entries for the key, in the order of their starts.
    ///   - origin: The time to which descriptions are relative.
    init(key: String, entries: [HistoryEntry], origin: Int64) {
        (self.key, self.entries, self.origin) = (key, entries, origin)
        _ = number(of: nil)
        addCalls()
        addSteps()
    }

    private mutating func number(of value: String?) -> Int {
        if let number = numbers[value] { return number }
        numbers[value] = values.count
        values.append(value)
        return values.count - 1
    }

    private mutating func addCalls() {
        var starts: [Int: [Int64]] = [:]
        for entry in entries {
            switch (entry.operation, entry.outcome) {
            case (.read(let value), .ok):
                calls.append(Call(entry: entry, kind: .observation(.value(value)), result: nil))
            case (.increment(let before?), .ok):
                let result = number(of: String(before + 1))
                calls.append(Call(entry: entry, kind: .observation(.number(before)), result: result))
            case (.write(let value), .ok):
                let value = number(of: value)
                calls.append(Call(entry: entry, kind: .write(value), result: value))
            case (.write(let value), .unknown): starts[number(of: value), default: []].append(entry.start)
            default: break
            }
        }
        for call in calls {
            if case .observation(.value(let value)) = call.kind { _ = number(of: value) }
        }
        unknownWrites = starts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private mutating func addSteps() {
        let increments = entries.filter { $0.change == .increment && $0.outcome != .failed }
        var started = 0
        var (next, pending, free): (Int, [Int], UInt64) = (0, [], .max)
        for ended in calls.indices.sorted(by: { end(of: $0) < end(of: $1) }) {
            // A call that starts when another one ends overlaps it.
            while next < calls.count, calls[next].entry.start <= end(of: ended) {
                guard free != 0 else {
                    crowdedCall = next
                    return
                }
                calls[next].bit = free & (~free + 1)
                free &= ~calls[next].bit
                pending.append(next)
                next += 1
            }
            while started < increments.count, increments[started].start <= end(of: ended) { started += 1 }
            let writes = pending.reduce(0 as UInt64) { bits, call in
                if case .write = calls[call].kind { bits | calls[call].bit } else { bits }
            }
            steps.append(Step(call: ended, pending: pending, writes: writes, increments: started))
            pending.removeAll { $0 == ended }
            free |= calls[ended].bit
        }
    }

    private func end(of call: Int) -> Int64 { calls[call].entry.end ?? .max }
}

extension OrderSearch {
    /// - Parameter limit: The number of configurations after which the search ends.
    func run(limit: Int) -> History.Order {
        var stack = [Configuration(value: 0)]
        var visited: Set<Configuration> = []
        // The values at the first end that no order has reached yet.
        var (furthest, reached): (Int, Set<Int>) = (0, [])
        while var configuration = stack.popLast() {
            let index = configuration.step
            guard index < steps.count else {
                return crowdedCall.map { undecided(at: $0, "more than 64 calls overlap") } ?? .found
            }
            performReads(of: steps[index], in: &configuration)
            guard visited.insert(configuration).inserted else { continue }
            guard visited.count <= limit else {
                return undecided(at: steps[furthest].call, "there are more than \(limit) configurations")
            }
            if index > furthest { (furthest, reached) = (index, []) }
            if index == furthest { reached.insert(configuration.value) }
            // The last one is tried first.
            stack += successors(of: configuration, at: steps[index])
        }
        return .violation(violation(at: furthest, values: reached))
    }

    /// Performs the reads under way that read the current value.
    private func performReads(of step: Step, in configuration: inout Configuration) {
        for index in step.pending {
            let call = calls[index]
            guard case .observation(.value(let value)) = call.kind, value == values[configuration.value] else {
                continue
            }
            configuration.done |= call.bit
        }
    }

    /// Returns the configurations that follow from one with one more call under way, or in which a call has ended.
    private func successors(of configuration: Configuration, at step: Step) -> [Configuration] {
        let ended = calls[step.call]
        func advanced(_ configuration: Configuration) -> Configuration {
            var configuration = configuration
            configuration.step += 1
            configuration.done &= ~ended.bit
            configuration.hideable &= ~ended.bit
            return configuration
        }
        // Other calls can still take effect at a later end.
        if configuration.done & ended.bit != 0 { return [advanced(configuration)] }
        var successors: [Configuration] = []
        for index in step.pending where index != step.call && configuration.done & calls[index].bit == 0 {
            successors += results(ofObserving: calls[index], in: configuration, at: step)
        }
        switch ended.kind {
        case .observation: successors += results(ofObserving: ended, in: configuration, at: step).map(advanced)
        case .write(let value):
            if configuration.hideable & ended.bit != 0 { successors.append(advanced(configuration)) }
            successors.append(advanced(written(value, by: ended.bit, in: configuration, at: step)))
        }
        return successors
    }

    /// Returns the configurations in which a call under way has read its value, if it can. The write that it reads, or
    /// unknown increments, may take effect immediately before. If the call is a write, there are none.
    private func results(
        ofObserving call: Call,
        in configuration: Configuration,
        at step: Step
    ) -> [Configuration] {
        guard case .observation(let observation) = call.kind else { return [] }
        let available = step.increments - configuration.usedIncrements
        var results: [Configuration] = []
        /// Adds the result of the call after unknown increments of a value.
        func add(after configuration: @autoclosure () -> Configuration, value: Int) -> Int? {
            guard let count = observation.increments(after: values[value]), count <= available else { return nil }
            var result = configuration()
            result.usedIncrements += count
            result.done |= call.bit
            if case .value(let value) = observation { result.value = numbers[value] ?? 0 }
            if let value = call.result { result.value = value }
            results.append(result)
            return count
        }
        let direct = add(after: configuration, value: configuration.value)
        // An unknown write of the same value is needed only to hide others.
        if direct != 0 || step.writes & ~configuration.done & ~configuration.hideable != 0 {
            for (value, starts) in unknownWrites {
                func canWrite() -> Bool {
                    let started = starts.prefix { $0 <= end(of: step.call) }.count
                    return configuration.usedWrites.count { $0 == value } < started
                }
                guard observation.increments(after: values[value]) != nil, canWrite() else { continue }
                var written = written(value, by: 0, in: configuration, at: step)
                written.usedWrites.append(value)
                written.usedWrites.sort()
                _ = add(after: written, value: value)
            }
        }
        for index in step.pending where configuration.done & calls[index].bit == 0 {
            guard case .write(let value) = calls[index].kind else { continue }
            _ = add(after: written(value, by: calls[index].bit, in: configuration, at: step), value: value)
        }
        // The simplest explanation is tried first.
        return results.reversed()
    }

    /// Returns the configuration in which a write has taken effect.
    ///
    /// - Parameter bit: The bit of the write; 0 if it is unknown.
    private func written(
        _ value: Int,
        by bit: UInt64,
        in configuration: Configuration,
        at step: Step
    ) -> Configuration {
        var result = configuration
        result.value = value
        result.done |= bit
        result.hideable = step.writes & ~result.done
        return result
    }
}

extension OrderSearch {
    private func undecided(at call: Int, _ reason: String) -> History.Order {
        let place = calls[call].entry.description(since: origin)
        return .undecided("the search for an order of the calls for '\(key)' has stopped: \(reason)\n  \(place)")
    }

    /// - Parameters:
    ///   - index: The step of the first end that no order reaches.
    ///   - values: The possible values before it.
    private func violation(at index: Int, values reached: Set<Int>) -> HistoryViolation {
        let (step, ended) = (steps[index], calls[steps[index].call])
        let possible = reached.map { values[$0].quoted }.sorted().joined(separator: " or ")
        var involved = Set(step.pending.map { calls[$0].entry })
        // The calls that have most likely made the value.
        involved.formUnion(steps[..<index].suffix(3).map { calls[$0.call].entry })
        involved.formUnion(entries.unknownChanges(before: ended.entry))
        var text = "no order of the calls for '\(key)' explains this one"
        if case .observation(let observation) = ended.kind {
            let (reason, failed) = entries.origin(of: observation)
            if let failed { involved.insert(failed) }
            text = "no order of the calls for '\(key)' explains that one read \(observation.text)\(reason)"
        }
        involved.remove(ended.entry)
        let around = involved.sorted { ($0.start, $0.client, $0.call) < ($1.start, $1.client, $1.call) }
        return HistoryViolation("\(text); the value was \(possible)", [ended.entry] + around, origin: origin)
    }
}
