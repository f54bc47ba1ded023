import PreferencesRuntime

/// Whether watchers cost the same however many there are: 100,000 of 10,000 keys, against 1,000 of 100 keys.
enum Watchers {
    static func run(_ report: inout BenchmarkReport) throws {
        // One beforehand, to get warm.
        _ = Costs(keyCount: 10_000)
        var many: [Costs] = []
        var few: [Costs] = []
        for _ in 0..<report.repeats {
            many.append(Costs(keyCount: 10_000))
            // As many watchers as above altogether, so that an interruption counts for the same.
            few.append(Costs(meanOf: (0..<100).map { _ in Costs(keyCount: 100) }))
        }
        func add(
            _ name: String,
            _ cost: KeyPath<Costs, Double>,
            against peerCost: KeyPath<Costs, Double>? = nil,
            peer: String = "1,000 of 100 keys",
            peerAbout: String = "the same with a hundredth of the watchers and of the keys",
            bar: BenchmarkReport.Bar? = nil,
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
                    bar: bar
                )
            )
        }
        add(
            "register",
            \.registering,
            bar: .ratio(1.5),
            about: "watch(_:_:), one of 100,000 watchers, ten for each of 10,000 keys"
        )
        add(
            "change",
            \.changing,
            bar: .ratio(1.5),
            about: "sets a key with ten watchers, and calls them; 100,000 in all"
        )
        add("cancel", \.cancelling, bar: .ratio(1.5), about: "cancel() of one of 100,000 watchers")
        add(
            "set another key",
            \.settingAnother,
            against: \.settingAlone,
            peer: "no watcher at all",
            peerAbout: "the same of preferences without any watcher",
            // Nothing, but no two figures are the same.
            bar: .ratio(1.1),
            about: "sets a key without watchers, while there are 100,000 of other keys"
        )
    }

    private static let watchersPerKey = 10

    /// What some preferences with watchers took for each of their doings, in nanoseconds.
    private struct Costs {
        var registering = 0.0
        var changing = 0.0
        var cancelling = 0.0
        var settingAnother = 0.0
        var settingAlone = 0.0

        init(keyCount: Int) {
            let preferences = Samples.makePreferences()
            let keys = ManyKeys(preferences: preferences)
            // Remembered from here on, so that figures are not those of first reads.
            for key in 0..<keyCount { keys[key] = keys[key] + 1 }
            let others = Samples.makePreferences()
            var watchers: [PreferenceWatcher] = []
            let values = ValueSum()

            let watcherCount = keyCount * watchersPerKey
            watchers.reserveCapacity(watcherCount)
            registering = Timepiece.thread.nanoseconds {
                for index in 0..<watcherCount {
                    watchers.append(keys.watch(\.[index % keyCount]) { values.sum &+= $0.new })
                }
            }
            changing = Timepiece.thread.nanoseconds { for key in 0..<keyCount { keys[key] = 2 } }
            precondition(values.sum == watcherCount * 2, "not every watcher was notified")
            let sample = preferences.sample
            let alone = others.sample
            settingAnother = Timepiece.thread.nanoseconds { for number in 0..<watcherCount { sample.count = number } }
            settingAlone = Timepiece.thread.nanoseconds { for number in 0..<watcherCount { alone.count = number } }
            cancelling = Timepiece.thread.nanoseconds { for watcher in watchers { watcher.cancel() } }

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
