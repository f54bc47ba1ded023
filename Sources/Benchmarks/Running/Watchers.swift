import PreferencesRuntime

/// Whether the cost of a watcher depends on their number: 100,000 of 10,000 keys, against 1,000 of 100 keys.
enum Watchers {
    static func run(_ report: inout BenchmarkReport) throws {
        // Warm up.
        _ = Costs(keyCount: 10_000)
        var many: [Costs] = []
        var few: [Costs] = []
        for _ in 0..<report.repeats {
            many.append(Costs(keyCount: 10_000))
            // The total number of watchers is the same as above, so that an interruption has the same effect.
            few.append(Costs(meanOf: (0..<100).map { _ in Costs(keyCount: 100) }))
        }
        func add(
            _ name: String,
            _ cost: KeyPath<Costs, Double>,
            against peerCost: KeyPath<Costs, Double>? = nil,
            peer: String = "1,000 of 100 keys",
            peerAbout: String = "the same with a hundredth of the watchers and of the keys",
            target: BenchmarkReport.Target? = nil,
            about: String
        ) {
            report.add(
                BenchmarkReport.Row(
                    name: name,
                    about: about,
                    figure: Figure(samples: many.map { $0[keyPath: cost] }),
                    peer: peer,
                    peerAbout: peerAbout,
                    peerFigure: Figure(samples: (peerCost == nil ? few : many).map { $0[keyPath: peerCost ?? cost] }),
                    target: target
                )
            )
        }
        add(
            "register",
            \.registering,
            target: .ratio(1.5),
            about: "watch(_:_:), one of 100,000 watchers, ten for each of 10,000 keys"
        )
        add(
            "change",
            \.changing,
            target: .ratio(1.5),
            about: "sets a key with ten watchers, and calls them; 100,000 in total"
        )
        add("cancel", \.cancelling, target: .ratio(1.5), about: "cancel() of one of 100,000 watchers")
        add(
            "set another key",
            \.settingAnother,
            against: \.settingAlone,
            peer: "no watcher",
            peerAbout: "the same of preferences without any watcher",
            // The difference should be zero, but figures vary.
            target: .ratio(1.1),
            about: "sets a key without watchers, while there are 100,000 of other keys"
        )
    }

    private static let watchersPerKey = 10

    /// The times of operations on preferences with watchers, in nanoseconds.
    private struct Costs {
        var registering = 0.0
        var changing = 0.0
        var cancelling = 0.0
        var settingAnother = 0.0
        var settingAlone = 0.0

        init(keyCount: Int) {
            let preferences = Samples.makePreferences()
            let keys = ManyKeys(preferences: preferences)
            // Cache the values, so that first reads are not measured.
            for key in 0..<keyCount { keys[key] = keys[key] + 1 }
            let others = Samples.makePreferences()
            var watchers: [PreferenceWatcher] = []
            let values = ValueSum()

            let watcherCount = keyCount * watchersPerKey
            watchers.reserveCapacity(watcherCount)
            registering = BenchmarkClock.thread.nanoseconds {
                for index in 0..<watcherCount {
                    watchers.append(keys.watch(\.[index % keyCount]) { values.sum &+= $0.new })
                }
            }
            changing = BenchmarkClock.thread.nanoseconds { for key in 0..<keyCount { keys[key] = 2 } }
            precondition(values.sum == watcherCount * 2, "not every watcher was notified")
            let sample = preferences.sample
            let alone = others.sample
            settingAnother = BenchmarkClock.thread.nanoseconds {
                for number in 0..<watcherCount { sample.count = number }
            }
            settingAlone = BenchmarkClock.thread.nanoseconds { for number in 0..<watcherCount { alone.count = number } }
            cancelling = BenchmarkClock.thread.nanoseconds { for watcher in watchers { watcher.cancel() } }

            registering /= Double(watcherCount)
            changing /= Double(keyCount)
            settingAnother /= Double(watcherCount)
            settingAlone /= Double(watcherCount)
            cancelling /= Double(watcherCount)
        }

        init(meanOf costs: [Costs]) {
            for cost in [\Costs.registering, \.changing, \.cancelling, \.settingAnother, \.settingAlone] {
                self[keyPath: cost] = costs.reduce(0) { $0 + $1[keyPath: cost] } / Double(costs.count)
            }
        }
    }
}
