import Foundation
import TestSupport

/// A run of the proof: a cluster, two clients, and disturbances.
struct FleetRun {
    /// The violations, and the summary.
    struct Result {
        var violations: [String]
        var summary: String
    }

    private let options: Options
    private let program: URL
    private let folder: URL
    private let journal = Journal()

    /// The numbers of acknowledged changes and increments that each client must have made at least.
    private var minimum: (changes: Int, increments: Int) { (max(60, options.seconds * 4), max(20, options.seconds)) }
    /// How much longer than planned a run may take until enough has happened.
    private static let patience = Duration.seconds(900)

    init(_ options: Options, program: URL, folder: URL) {
        (self.options, self.program, self.folder) = (options, program, folder)
    }

    func result() async throws -> Result {
        try await EtcdCluster.run(members: 3) { cluster in
            var links: [ClientLinks] = []
            for _ in 0..<2 {
                links.append(ClientLinks(writing: try await cluster.link(), watching: try await cluster.link()))
            }
            var clients: [ClientProcess] = []
            for index in links.indices { clients.append(try await start(index, generation: 0, links[index])) }
            let start = ContinuousClock.now
            clients = try await disturb(cluster, links, clients)
            try await cluster.waitUntilReady()
            for client in clients {
                try client.send(.stop)
                _ = try await client.answer()
            }
            let duration = ContinuousClock.now - start
            let (revision, values) = try await finish(clients, cluster)
            for client in clients { try await client.end() }
            return try check(revision, values, duration)
        }
    }

    /// Starts a client, and waits until it has read the first values.
    private func start(_ index: Int, generation: Int, _ links: ClientLinks) async throws -> ClientProcess {
        let clientOptions = ClientOptions(
            index: index,
            generation: generation,
            endpoints: links.writing.endpoints,
            watchingEndpoints: links.watching.endpoints,
            folder: folder,
            seed: options.seed,
            fault: options.fault
        )
        let client = try ClientProcess(program, clientOptions, journal)
        guard case .started(let revisions) = try await client.answer() else { return client }
        if generation > 0 {
            if revisions.contains(0) {
                journal.note(violation: "client \(index) has no values after a start without a network")
            } else {
                journal.noteOfflineStart()
            }
        }
        return client
    }

    // MARK: - Disturbing

    /// Makes disturbances until the end of the run.
    ///
    /// - Returns: The clients, which have been started again.
    private func disturb(
        _ cluster: EtcdCluster,
        _ links: [ClientLinks],
        _ clients: [ClientProcess]
    ) async throws -> [ClientProcess] {
        let end = ContinuousClock.now + .seconds(options.seconds)
        let pace = Pace(scale: options.isLong ? 1 : 0.15)
        let seed = options.seed
        // If one of the two fails, the other one ends.
        return try await withThrowingTaskGroup(of: [ClientProcess]?.self) { group in
            group.addTask {
                var random = SeededRandom(seed: seed &* 2)
                var disturbances = MemberDisturbances(cluster: cluster, journal: journal, random: random, pace: pace)
                try await repeatRounds(Disturbance.ofMembers, until: end, &random) { try await disturbances.make($0) }
                return nil
            }
            group.addTask {
                var random = SeededRandom(seed: seed &* 2 &+ 1)
                var disturbances = LinkDisturbances(cluster, links, journal, random, pace)
                var clients = clients
                // Each client is killed once, at another time.
                var kills = [0.3, 0.6].map { ContinuousClock.now + .seconds(options.seconds) * $0 }
                try await repeatRounds(Disturbance.ofLinks, until: end, &random) { disturbance in
                    if let time = kills.first, .now >= time {
                        let index = 2 - kills.count
                        kills.removeFirst()
                        clients[index] = try await restart(clients[index], links[index])
                    }
                    try await disturbances.make(disturbance)
                }
                return clients
            }
            var result = clients
            for try await restarted in group { result = restarted ?? result }
            return result
        }
    }

    /// Kills a client, and starts it again without a network.
    private func restart(_ client: ClientProcess, _ links: ClientLinks) async throws -> ClientProcess {
        try await links.writing.cut(silently: false)
        try await links.watching.cut(silently: false)
        await client.kill()
        journal.noteEnd(of: client.options.index)
        let next = try await start(client.options.index, generation: client.options.generation + 1, links)
        try await links.writing.heal()
        try await links.watching.heal()
        journal.note(.killedClient)
        return next
    }

    /// Makes disturbances in rounds, each of which has all of them in another order.
    private func repeatRounds(
        _ round: [Disturbance],
        until end: ContinuousClock.Instant,
        _ random: inout SeededRandom,
        _ make: (Disturbance) async throws -> Void
    ) async throws {
        var progress = Progress()
        var rest: [Disturbance] = []
        while .now < end || (!hasEnough && !journal.isClientMissing && .now < end + Self.patience) {
            if rest.isEmpty { rest = round.shuffled(using: &random) }
            try await make(rest.removeLast())
            if round == Disturbance.ofLinks { progress.note(journal, of: options.seconds) }
        }
    }

    private var hasEnough: Bool { shortcomings.isEmpty }

    /// The minima that the run has not reached.
    private var shortcomings: [String] {
        var texts = journal.counts.enumerated().flatMap { index, counts in
            [("changes", counts.changes, minimum.changes), ("increments", counts.increments, minimum.increments)]
                .filter { $0.1 < $0.2 }.map { "only \($0.1) acknowledged \($0.0) of client \(index), at least \($0.2)" }
        }
        let disturbances = journal.disturbances
        if disturbances[.killedClient] != 2 { texts.append("not every client was killed") }
        let groups = options.isLong ? Disturbance.allCases.map { [$0] } : [Disturbance.ofMembers, Disturbance.ofLinks]
        for group in groups where !group.contains(where: { disturbances[$0] != nil }) {
            texts.append("no disturbance: \(group.map(\.rawValue).joined(separator: ", "))")
        }
        return texts
    }

    // MARK: - Ending

    /// Waits until all copies have the values of etcd, and notes those that do not.
    private func finish(
        _ clients: [ClientProcess],
        _ cluster: EtcdCluster
    ) async throws -> (revision: Int64, values: [String: String]) {
        while true {
            let (revision, values) = (try await cluster.revision, try await cluster.fleetValues())
            var states: [CopyState] = []
            for client in clients {
                try client.send(.finish(revision: revision, values: values))
                if case .finished(let copies) = try await client.answer() { states += copies }
            }
            // A request of a client that was killed may have been made late.
            guard try await cluster.revision == revision else { continue }
            for state in states {
                for (reader, found) in state.values.sorted(by: { $0.key < $1.key }) where found != values {
                    let keys = FleetKeys.all.filter { found[$0] != values[$0] }
                    let texts = keys.map { "'\($0)' is \(found[$0] ?? "nothing"), not \(values[$0] ?? "nothing")" }
                    journal.note(
                        violation: "\(state.name): \(reader) did not end on the values of revision \(revision): "
                            + texts.joined(separator: ", ")
                    )
                }
            }
            return (revision, values)
        }
    }

    /// Checks the history.
    private func check(_ revision: Int64, _ values: [String: String], _ duration: Duration) throws -> Result {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let logs = try files.filter { $0.pathExtension == "jsonl" }.map { try Data(contentsOf: $0) }
        let calls = try History(lines: logs).entries
        let final = FleetKeys.all.enumerated().map { index, key in
            HistoryEntry(client: -1, call: index, key: key, .read(nil)).ended(.read(values[key]), revision: revision)
        }
        var violations = journal.violations + shortcomings.map { "too little has happened: \($0)" }
        for key in FleetKeys.counters { violations += counterViolations(key, calls, values[key]) }
        violations += History(calls + final).problems
        let summary = Summary(calls, journal, duration, revision: revision)
        return Result(violations: violations, summary: summary.description)
    }

    /// Compares the final number with those of the acknowledged and unknown increments.
    private func counterViolations(_ key: String, _ calls: [HistoryEntry], _ value: String?) -> [String] {
        let increments = calls.filter { if case .increment = $0.operation { $0.key == key } else { false } }
        let acknowledged = increments.count { $0.outcome == .ok }
        let unknown = increments.count { $0.outcome == .unknown }
        let number = value.flatMap { Int($0) } ?? 0
        if number < acknowledged {
            return ["the counter '\(key)' is \(number), but \(acknowledged) increments were acknowledged"]
        }
        if number > acknowledged + unknown {
            let text = "\(acknowledged) increments were acknowledged, and \(unknown) may have been made"
            return ["the counter '\(key)' is \(number), but only \(text)"]
        }
        return []
    }
}

private struct NoValues: Error, CustomStringConvertible {
    let description: String
}

extension EtcdCluster {
    /// The values that etcdctl prints.
    fileprivate func fleetValues() async throws -> [String: String] {
        let run = try await etcdctl(["get", "--prefix", FleetKeys.prefix])
        guard run.succeeded else { throw NoValues(description: "etcdctl: \(run.errors)") }
        let lines = run.output.split(separator: "\n").map(String.init)
        var values: [String: String] = [:]
        for (name, value) in zip(lines, lines.dropFirst()) {
            let key = String(name.dropFirst(FleetKeys.prefix.count))
            // Texts are in quotation marks.
            if FleetKeys.all.contains(key) { values[key] = value.filter { $0 != "\"" } }
        }
        return values
    }
}
