import Foundation
import TestSupport

/// Kills a writing child repeatedly, and checks the file.
struct KillProof {
    private let store: ProvenStore
    private let workspace: Workspace

    init(_ store: ProvenStore, in workspace: Workspace) {
        self.store = store
        self.workspace = workspace
    }

    func run() throws -> [ProofResult] {
        let options = workspace.options
        let sizes = options.keys.map { [$0] } ?? [10, 1_000, 20_000]
        let short = [10: 40, 1_000: 25, 20_000: 8]
        return try sizes.map { keyCount in
            let rounds = options.rounds ?? workspace.amount(short[keyCount] ?? 40, long: 500)
            // A third of the kills, those that hit closing, are additional.
            return try run(keyCount, rounds: KillMoment.all(for: store).contains(.closing) ? rounds * 3 / 2 : rounds)
        }
    }

    private func run(_ keyCount: Int, rounds: Int) throws -> ProofResult {
        let name = "killed, \(Figures.text(keyCount)) keys"
        var result = ProofResult(store: store, what: name)
        let progress = Progress("\(store.rawValue): \(name)")
        var random = SeededRandom(seed: workspace.options.seed ^ UInt64(keyCount))
        var durations: [KillMoment: Double] = [:]
        var inside = 0
        var leftovers = 0
        // The file is kept for several rounds, so that damage would accumulate, and sometimes recreated.
        var state: KilledWrites.State?
        var number: Int64 = 0
        let deadline = workspace.makeDeadline()
        for round in 1...rounds {
            if let deadline, deadline < .now { break }
            progress.note(round, of: rounds)
            var moment = KillMoment.all(for: store).randomElement(using: &random) ?? .writing
            let folder = workspace.folder.appending(component: "kill-\(keyCount)", directoryHint: .isDirectory)
            if moment == .firstWrite || round == 1 { state = nil }
            if state == nil {
                try removeDirectory(folder)
                moment = .firstWrite
            }
            let url = folder.appending(components: "app", store.fileName)
            let before = state
            let duration = durations[moment] ?? 0.002 + Double(keyCount) * 1e-5
            let outcome = try KillRound(
                workspace: workspace,
                store: store,
                url: url,
                keyCount: keyCount,
                moment: moment,
                duration: duration
            ).run(after: state, number: number + 1, &random)
            if outcome.writes.isInside { inside += 1 }
            leftovers += try Leftovers.count(in: url.deletingLastPathComponent())
            let check = KillCheck(store: store, url: url, keyCount: keyCount)
            let (found, violations) = try check.judge(outcome.writes)
            result.count += 1
            for violation in outcome.found + violations {
                result.violations.append(
                    Violation(
                        proof: "kill",
                        store: store,
                        seed: workspace.options.seed,
                        round: "round \(round) with \(Figures.text(keyCount)) keys",
                        found: violation,
                        folder: workspace.keep(folder, of: store)
                    )
                )
            }
            if result.violations.count >= 10 { break }
            if !outcome.durations.isEmpty {
                durations[moment] = outcome.durations.reduce(duration) { $0 * 0.7 + $1 * 0.3 }
            } else if !moment.isRepeated {
                // Such a moment cannot be timed, so its duration is estimated from the states after the kills.
                if !outcome.writes.isInside {
                    durations[moment] = duration * 0.8
                } else if violations.isEmpty, found == before {
                    durations[moment] = duration * 1.5
                }
            }
            number = max(number, outcome.writes.begun)
            state = violations.isEmpty ? found : nil
        }
        result.remark = "\(inside) inside of a write, \(leftovers) left a temporary file"
        return result
    }
}

/// A child that writes until it is killed.
struct KillRound {
    let workspace: Workspace
    let store: ProvenStore
    let url: URL
    let keyCount: Int
    let moment: KillMoment
    /// The expected duration of the moment, in seconds.
    let duration: Double

    struct Outcome {
        var writes: KilledWrites
        /// The measured durations of the moment, in seconds.
        var durations: [Double] = []
        /// Violations by the child itself.
        var found: [String] = []
    }

    func run(after start: KilledWrites.State?, number: Int64, _ random: inout SeededRandom) throws -> Outcome {
        var outcome = Outcome(writes: KilledWrites(after: start, number: start == nil ? -1 : number))
        let child = try ChildProcess(
            workspace,
            [
                "write", store.rawValue, url.path, "\(keyCount)", "\(number)", "\(random.next() >> 1)",
                moment == .exiting ? "1" : "0",
            ]
        )
        var isKilled = false
        var turnsLeft = moment.isRepeated ? Int.random(in: 1...4, using: &random) : 1
        var near: ContinuousClock.Instant?
        do {
            while let line = try child.nextLine() {
                let words = line.split(separator: " ")
                note(words, &outcome)
                if words[0] == "done", let begun = near {
                    if !isKilled { outcome.durations.append((.now - begun) / .seconds(1)) }
                    near = nil
                }
                guard words[0] == moment.word, !isKilled else { continue }
                near = .now
                turnsLeft -= 1
                guard turnsLeft == 0 else { continue }
                let delay = Double.random(in: 0...1.3, using: &random) * duration
                usleep(UInt32(delay * 1e6))  // No event marks a random microsecond of a write.
                child.kill()
                isKilled = true
            }
        } catch is ChildProcess.Hangs {
            outcome.found.append("the child hangs")
            child.kill()
        }
        switch child.waitForEnd() {
        case .signal(SIGKILL): break
        // The child may have ended before the kill, after writing everything.
        case .status(0) where moment == .exiting: outcome.writes.acknowledge(outcome.writes.begun)
        case let ending: outcome.found.append("the child ended by itself: \(ending)")
        }
        return outcome
    }

    private func note(_ words: [Substring], _ outcome: inout Outcome) {
        guard words.count > 1, let number = Int64(words[1]) else { return }
        switch words[0] {
        case "done": outcome.writes.acknowledge(number)
        case "begin":
            if let kind = words.last.flatMap({ KilledWrites.Kind(rawValue: String($0)) }) {
                outcome.writes.begin(number, kind)
            } else {
                outcome.writes.beginFilling(number)
            }
        default: break
        }
    }
}

/// The moment at which a child process is killed.
enum KillMoment: CaseIterable, Hashable {
    /// A random time after the start of one of its first writes.
    case writing
    /// A random time after the start of the first write, which creates the folder and the file.
    case firstWrite
    /// A random time after the start of a flush.
    case flushing
    /// A random time after it has called `exit` with pending changes.
    case exiting
    /// A random time after the start of the release of a database, which moves the log into it.
    case closing

    /// The moments of a store.
    static func all(for store: ProvenStore) -> [KillMoment] {
        let always = [writing, firstWrite]
        return always + (store.isCoalescing ? [flushing, exiting] : store.isDatabase ? [closing] : [])
    }

    /// Whether the moment recurs in a child.
    var isRepeated: Bool { self == .writing || self == .flushing || self == .closing }

    /// The line that the child writes before the moment.
    var word: String {
        switch self {
        case .writing, .firstWrite: "begin"
        case .flushing: "flush"
        case .exiting: "exit"
        case .closing: "close"
        }
    }
}
