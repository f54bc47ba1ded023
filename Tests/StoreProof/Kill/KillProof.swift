import Foundation
import TestSupport

/// Kills a child that writes, over and over, and looks at what is left.
struct KillProof {
    private let store: ProvenStore
    private let workshop: Workshop

    init(_ store: ProvenStore, in workshop: Workshop) {
        self.store = store
        self.workshop = workshop
    }

    func run() throws -> [ProofResult] {
        let options = workshop.options
        let sizes = options.keys.map { [$0] } ?? [10, 1_000, 20_000]
        let short = [10: 40, 1_000: 25, 20_000: 8]
        return try sizes.map { keyCount in
            let rounds = options.rounds ?? workshop.amount(short[keyCount] ?? 40, long: 500)
            // Those that fall into closing, a third, come besides.
            return try run(keyCount, rounds: KillMoment.all(for: store).contains(.closing) ? rounds * 3 / 2 : rounds)
        }
    }

    private func run(_ keyCount: Int, rounds: Int) throws -> ProofResult {
        let name = "killed, \(Figures.text(keyCount)) keys"
        var result = ProofResult(store: store, what: name)
        let progress = Progress("\(store.rawValue): \(name)")
        var random = SeededRandom(seed: workshop.options.seed ^ UInt64(keyCount))
        var durations: [KillMoment: Double] = [:]
        var inside = 0
        var leftovers = 0
        // One file goes through rounds, so that damage would add up, and is made anew from time to time.
        var state: KilledWrites.State?
        var number: Int64 = 0
        let deadline = workshop.makeDeadline()
        for round in 1...rounds {
            if let deadline, deadline < .now { break }
            progress.note(round, of: rounds)
            var moment = KillMoment.all(for: store).randomElement(using: &random) ?? .writing
            let folder = workshop.folder.appending(component: "kill-\(keyCount)", directoryHint: .isDirectory)
            if moment == .firstWrite || round == 1 { state = nil }
            if state == nil {
                try removeDirectory(folder)
                moment = .firstWrite
            }
            let url = folder.appending(components: "app", store.fileName)
            let before = state
            let duration = durations[moment] ?? 0.002 + Double(keyCount) * 1e-5
            let outcome = try KillRound(
                workshop: workshop,
                store: store,
                url: url,
                keyCount: keyCount,
                moment: moment,
                duration: duration
            ).run(after: state, number: number + 1, &random)
            if outcome.writes.isInside { inside += 1 }
            leftovers += try Leftovers.count(in: url.deletingLastPathComponent())
            let check = KillCheck(store: store, url: url, keyCount: keyCount)
            let (found, complaints) = try check.judge(outcome.writes)
            result.count += 1
            for complaint in outcome.found + complaints {
                result.violations.append(
                    Violation(
                        proof: "kill",
                        store: store,
                        seed: workshop.options.seed,
                        round: "round \(round) with \(Figures.text(keyCount)) keys",
                        found: complaint,
                        folder: workshop.keep(folder, of: store)
                    )
                )
            }
            if result.violations.count >= 10 { break }
            if !outcome.durations.isEmpty {
                durations[moment] = outcome.durations.reduce(duration) { $0 * 0.7 + $1 * 0.3 }
            } else if !moment.isRepeated {
                // Such a moment is never seen to pass, so its length is approached by where the kills fell.
                if !outcome.writes.isInside {
                    durations[moment] = duration * 0.8
                } else if complaints.isEmpty, found == before {
                    durations[moment] = duration * 1.5
                }
            }
            number = max(number, outcome.writes.begun)
            state = complaints.isEmpty ? found : nil
        }
        result.remark = "\(inside) inside of a write, \(leftovers) left a temporary file"
        return result
    }
}
