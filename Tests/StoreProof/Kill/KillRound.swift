import Foundation
import TestSupport

/// One child that writes until it is killed.
struct KillRound {
    let workshop: Workshop
    let store: ProvenStore
    let url: URL
    let keyCount: Int
    let moment: KillMoment
    /// How long the child takes for what it is killed in, in seconds, as far as that is known.
    let duration: Double

    struct Outcome {
        var writes: KilledWrites
        /// From when the moment was near until it was over, in seconds, for each time that it was seen to pass.
        var durations: [Double] = []
        /// What the child did besides: nothing, if all is well.
        var found: [String] = []
    }

    func run(after start: KilledWrites.State?, number: Int64, _ random: inout SeededRandom) throws -> Outcome {
        var outcome = Outcome(writes: KilledWrites(after: start, number: start == nil ? -1 : number))
        let child = try ChildProcess(
            workshop,
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
                usleep(UInt32(delay * 1e6))  // A random microsecond of a write is what is tried: no event marks it.
                child.kill()
                isKilled = true
            }
        } catch is ChildProcess.Hangs {
            outcome.found.append("the child hangs")
            child.kill()
        }
        switch child.waitForEnd() {
        case .signal(SIGKILL): break
        // It may have been faster, and has written all then.
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
