import Foundation
import PreferencesRuntime
import TestSupport

/// The keys that clients use.
enum FleetKeys {
    static let prefix = "fleet/"
    /// Only incremented, so that they never decrease.
    static let counters = ["visits", "failures"]
    static let texts = ["theme", "banner", "region", "notice"]
    /// Always changed together, to equal values.
    static let pair = ["server:host", "server:port"]
    static let all = counters + texts + pair

    /// Returns one of several keys: the first one twice as often as the second one, three times as often as the third one,
    /// and so on.
    static func key(from keys: [String], using random: inout SeededRandom) -> String {
        let weights = keys.indices.map { 60 / ($0 + 1) }
        var number = Int.random(in: 0..<weights.reduce(0, +), using: &random)
        for (key, weight) in zip(keys, weights) {
            if number < weight { return key }
            number -= weight
        }
        return keys[0]
    }
}

extension PreferenceValue? {
    /// The value as the history of the calls has it; nil if there is none.
    var text: String? {
        switch self {
        case nil: nil
        case .string(let text): text
        case .int(let number): String(number)
        case let other?: "\(other)"
        }
    }
}

/// The options of a client process, which are its argument.
struct ClientOptions: Codable {
    /// The number of the client: 0 or 1.
    var index: Int
    /// How often it has been started before.
    var generation: Int
    /// The members, by the link of the store that writes and reads.
    var endpoints: [URL]
    /// The members, by the link of the store that only watches.
    var watchingEndpoints: [URL]
    /// The folder for caches and logs.
    var folder: URL
    var seed: UInt64
    var fault: ClientFault?

    /// The number of a store of the client in the history. A client that was started again has other copies.
    func number(isWatching: Bool) -> Int { generation * 4 + index * 2 + (isWatching ? 1 : 0) }

    /// The file of the calls of this start.
    var log: URL { folder.appending(component: "calls-\(index)-\(generation).jsonl") }

    /// The cache of a store, which later starts use as well.
    func cache(isWatching: Bool) -> URL {
        folder.appending(component: "cache-\(index)-\(isWatching ? "watching" : "writing").json")
    }
}

/// A command to a client, a line of JSON on its standard input. The client ends with its standard input.
enum ClientCommand: Codable {
    /// Ends all calls.
    case stop
    /// Reports the state, when it has reached a revision and the values that etcd has.
    case finish(revision: Int64, values: [String: String])
}

/// A report of a client, a line of JSON on its standard output.
enum ClientReport: Codable {
    /// The client has read the first values of both stores, at these revisions, and begins.
    case started(revisions: [Int64])
    /// The numbers of acknowledged changes and increments so far.
    case counts(changes: Int, increments: Int)
    case violation(String)
    case stopped
    case finished([CopyState])
}

/// The state of a store at the end.
struct CopyState: Codable {
    let name: String
    let revision: Int64
    /// The values that each reader has: the store, the preferences over it, their watchers, and the store's observer.
    let values: [String: [String: String]]
}
