import Foundation
import PreferencesRuntime

/// What setting a key takes with somebody to be told of it, until all have been.
enum Notifications {
    static func run(_ report: inout BenchmarkReport, in folder: URL) throws {
        let suite = try DefaultsSuite()
        defer { suite.remove() }
        let peers = [center(observerCount: 1), userDefaults(suite), gsettings(in: folder)]
        for peer in peers {
            try report.compare(
                "1 watcher",
                watched(watcherCount: 1),
                with: peer,
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
            "1 watcher, .old",
            watched(watcherCount: 1, options: [.old, .new]),
            with: peers[0],
            about: "the watcher is given the old value too"
        )
        try report.compare(
            "1 sequence",
            sequence(),
            with: stream(),
            about: "sets sample.count; changes(_:buffering:) keeps the newest change for a reader that never comes"
        )
    }

    private static func watched(watcherCount: Int, options: PreferenceWatchOptions = .new) -> Subject {
        let sample = Samples.makePreferences().sample
        let told = Told()
        for _ in 0..<watcherCount { sample.watch(\.count, options: options) { told.sum &+= $0.new } }
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
    /// What those who are told do: something that takes next to no time.
    private static func center(observerCount: Int) -> Subject {
        let center = NotificationCenter()
        let name = Notification.Name("changed")
        let properties = MutexProperties()
        let told = Told()
        for _ in 0..<observerCount {
            _ = center.addObserver(forName: name, object: nil, queue: nil) { _ in told.sum &+= properties.count }
        }
        return .numbered(
            "NotificationCenter",
            about: "sets a property that locks a Mutex<Int> and posts; as many observers read the property"
        ) { number in
            properties.count = number
            center.post(name: name, object: nil)
        }
    }

    private static func userDefaults(_ suite: DefaultsSuite) -> Subject {
        let told = Told()
        _ = NotificationCenter.default.addObserver(
            forName: UserDefaults.didChangeNotification,
            object: suite.defaults,
            queue: nil
        ) { _ in told.sum &+= 1 }
        return .numbered("UserDefaults", about: "set(_:forKey:), and an observer of didChangeNotification") {
            suite.defaults.set($0, forKey: "count")
        }
    }

    private static func gsettings(in folder: URL) -> Subject {
        let told = Told()
        let settings = Result {
            let settings = try GSettings(names: [], in: folder)
            settings.watchCount(Unmanaged.passUnretained(told).toOpaque()) { _, _, context in
                guard let context else { return }
                Unmanaged<Told>.fromOpaque(context).takeUnretainedValue().sum &+= 1
            }
            return settings
        }
        return .numbered("GSettings", about: "g_settings_set_int in memory, and a handler of changed::count") {
            number in
            try withExtendedLifetime(told) { try settings.get().count = number }
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
