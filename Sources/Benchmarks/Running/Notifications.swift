import Foundation
import PreferencesRuntime

/// The time to set a key that is observed, until all observers were notified.
enum Notifications {
    static func run(_ report: inout BenchmarkReport, in folder: URL) throws {
        let suite = try TemporaryDefaults()
        defer { suite.remove() }
        let peers = [center(observerCount: 1), userDefaults(suite), gsettings(in: folder)]
        for (index, peer) in peers.enumerated() {
            try report.compare(
                "1 watcher",
                watched(watcherCount: 1),
                with: peer,
                target: index == 0 ? .ratio(1.2) : nil,
                about: "sets sample.count in a MemoryStore; a watcher is given the new value before the setter returns"
            )
        }
        try report.compare(
            "10 watchers",
            watched(watcherCount: 10),
            with: center(observerCount: 10),
            about: "the same with ten watchers of the key"
        )
        try report.compare(
            "each of 10 watchers",
            .each(of: 10, with: watched(watcherCount: 10), without: watched(watcherCount: 0)),
            target: .nanoseconds(100),
            about: "the difference between a set with ten watchers and one without, divided by ten"
        )
        try report.compare(
            "1 watcher, .old",
            watched(watcherCount: 1, options: [.old, .new]),
            with: peers[0],
            about: "the watcher is given the old value too"
        )
        try report.compare(
            "1 sequence",
            sequence(),
            with: stream(),
            about: "sets sample.count; changes(_:buffering:) buffers the newest change, which is never read"
        )
    }

    private static func watched(watcherCount: Int, options: PreferenceWatchOptions = .new) -> Subject {
        let sample = Samples.makePreferences().sample
        let values = ValueSum()
        for _ in 0..<watcherCount { sample.watch(\.count, options: options) { values.sum &+= $0.new } }
        return .numbered { sample.count = $0 }
    }

    private static func sequence() -> Subject {
        let sample = Samples.makePreferences().sample
        let changes = sample.changes(\.count, buffering: .newest)
        return .numbered { number in withExtendedLifetime(changes) { sample.count = number } }
    }
}

// MARK: - Peers

extension Notifications {
    private static func center(observerCount: Int) -> Subject {
        let center = NotificationCenter()
        let name = Notification.Name("changed")
        let properties = MutexProperties()
        let values = ValueSum()
        for _ in 0..<observerCount {
            _ = center.addObserver(forName: name, object: nil, queue: nil) { _ in values.sum &+= properties.count }
        }
        return .numbered(
            "NotificationCenter",
            about: "sets a property that locks a Mutex<Int> and posts; as many observers read the property"
        ) { number in
            properties.count = number
            center.post(name: name, object: nil)
        }
    }

    private static func userDefaults(_ suite: TemporaryDefaults) -> Subject {
        let values = ValueSum()
        _ = NotificationCenter.default.addObserver(
            forName: UserDefaults.didChangeNotification,
            object: suite.defaults,
            queue: nil
        ) { _ in values.sum &+= 1 }
        return .numbered("UserDefaults", about: "set(_:forKey:), and an observer of didChangeNotification") {
            suite.defaults.set($0, forKey: "count")
        }
    }

    private static func gsettings(in folder: URL) -> Subject {
        let values = ValueSum()
        let settings = Result {
            let settings = try GSettings(names: [], in: folder)
            settings.watchCount(Unmanaged.passUnretained(values).toOpaque()) { _, _, context in
                guard let context else { return }
                Unmanaged<ValueSum>.fromOpaque(context).takeUnretainedValue().sum &+= 1
            }
            return settings
        }
        return .numbered("GSettings", about: "g_settings_set_int in memory, and a handler of changed::count") {
            number in
            try withExtendedLifetime(values) { try settings.get().count = number }
        }
    }

    private static func stream() -> Subject {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        let properties = MutexProperties()
        return .numbered("AsyncStream", about: "sets a property that locks a Mutex<Int>, and yields to a stream") {
            number in
            properties.count = number
            withExtendedLifetime(stream) { _ = continuation.yield(number) }
        }
    }
}
