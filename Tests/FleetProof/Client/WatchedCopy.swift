import Foundation
import PreferencesRemote
import PreferencesRuntime
import Synchronization

/// A store, preferences over it, an observer of the store, and watchers of the preferences, which check what they see.
final class WatchedCopy: Sendable {
    private struct Seen {
        var revision: Int64 = 0
        /// The last values that the observer has read.
        var observed: [String: String?] = [:]
        /// The last values that watchers have received.
        var watched: [String: String?] = [:]
        var observation: PreferenceStoreObservation?
        var changeCount = 0
    }

    let number: Int
    let name: String
    let store: EtcdStore
    let preferences: Preferences
    private let fault: ClientFault?
    private let seen = Mutex(Seen())

    init(_ options: ClientOptions, isWatching: Bool) {
        number = options.number(isWatching: isWatching)
        name = "client \(number) (\(isWatching ? "watching" : "writing"))"
        fault = options.fault
        store = EtcdStore(
            endpoints: isWatching ? options.watchingEndpoints : options.endpoints,
            prefix: FleetKeys.prefix,
            cache: options.cache(isWatching: isWatching)
        )
        preferences = Preferences(store: store)
    }

    /// Begins to observe and to watch.
    func start() {
        let observation = store.observe { [weak self] in self?.note($0) }
        seen.withLock { $0.observation = observation }
        note(.everything)
        for key in FleetKeys.all {
            preferences.watch(\.[key], options: [.initial, .old, .new]) { [weak self] in self?.note($0, of: key) }
        }
    }

    /// Reads what a notification is about, one at a time.
    private func note(_ change: PreferenceStoreChange) {
        let violations = seen.withLock { seen -> [String] in
            if ignoresChange(&seen) { return [] }
            let names: [String]
            switch change {
            case .names(let changed):
                names = FleetKeys.all.filter(changed.contains)
                if FleetKeys.pair.count(where: changed.contains) == 1 {
                    return ["\(name): an observer was notified of half of a batch: \(changed.sorted())"]
                }
            case .everything: names = FleetKeys.all
            default: return []
            }
            var violations: [String] = []
            let revision = store.revision ?? 0
            if revision < seen.revision {
                violations.append("\(name): the revision went back from \(seen.revision) to \(revision)")
            }
            seen.revision = revision
            for name in names {
                // It can always be read once there are values.
                let value = (try? store.value(for: name)).flatMap(\.self).text
                violations += decrease(of: name, from: seen.observed[name] ?? nil, to: value, "an observer")
                seen.observed[name] = .some(value)
            }
            return violations
        }
        for violation in violations { Client.report(.violation(violation)) }
    }

    private func note(_ change: PreferenceChange<PreferenceValue?>, of key: String) {
        let (old, new) = (change.old?.text, change.new.text)
        let violations = seen.withLock { seen -> [String] in
            if ignoresChange(&seen) { return [] }
            defer { seen.watched[key] = .some(new) }
            guard change.origin != .initial, let last = seen.watched[key] else { return [] }
            var violations = decrease(of: key, from: last, to: new, "a watcher")
            if old != last {
                let values = "from \(old ?? "nothing") to \(new ?? "nothing")"
                violations.append("\(name): a watcher of '\(key)' had \(last ?? "nothing"), and got a change \(values)")
            }
            return violations
        }
        for violation in violations { Client.report(.violation(violation)) }
    }

    private func ignoresChange(_ seen: inout Seen) -> Bool {
        seen.changeCount += 1
        return fault == .ignoresChanges && seen.changeCount > 40
    }

    private func decrease(of key: String, from old: String?, to new: String?, _ reader: String) -> [String] {
        guard FleetKeys.counters.contains(key), let old = old.flatMap({ Int($0) }) else { return [] }
        if let new = new.flatMap({ Int($0) }), new >= old { return [] }
        return ["\(name): the counter '\(key)' went back from \(old) to \(new ?? "nothing") for \(reader)"]
    }

    /// The values that all readers have now.
    var state: CopyState {
        let fromStore = FleetKeys.all.map { ($0, (try? store.value(for: $0)).flatMap { $0 }.text) }
        let fromPreferences = FleetKeys.all.map { ($0, preferences[$0].text) }
        let (observed, watched) = seen.withLock { ($0.observed, $0.watched) }
        func present(_ pairs: [(String, String?)]) -> [String: String] {
            Dictionary(uniqueKeysWithValues: pairs).compactMapValues(\.self)
        }
        return CopyState(
            name: name,
            revision: store.revision ?? 0,
            values: [
                "the store": present(fromStore), "the preferences": present(fromPreferences),
                "the observer": observed.compactMapValues(\.self), "the watchers": watched.compactMapValues(\.self),
            ]
        )
    }
}
