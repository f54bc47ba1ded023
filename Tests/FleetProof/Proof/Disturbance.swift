import Foundation
import TestSupport

/// A kind of disturbance.
enum Disturbance: String, CaseIterable {
    case suspendedFollower = "follower suspended"
    case suspendedLeader = "leader suspended"
    case killedFollower = "follower killed"
    case killedLeader = "leader killed"
    case suspendedTwo = "two members suspended"
    case killedTwo = "two members killed"
    case killedAll = "all members killed at once"
    case cutWriting = "link of a writing store cut"
    case silencedWriting = "link of a writing store silent"
    case cutWatching = "link of a watching store cut"
    case silencedWatching = "link of a watching store silent"
    case compacted = "history compacted while a watching store was cut off"
    case killedClient = "client killed, and started without a network"

    /// The disturbances of members, as often as they are made in a round.
    static let ofMembers: [Disturbance] =
        Array(repeating: [.suspendedFollower, .suspendedLeader, .killedFollower, .killedLeader], count: 3).flatMap(
            \.self
        )
        + [.suspendedTwo, .killedTwo, .killedAll]

    /// The disturbances of links, as often as they are made in a round.
    static let ofLinks: [Disturbance] = [
        .cutWriting, .silencedWriting, .cutWatching, .cutWatching, .silencedWatching, .silencedWatching, .compacted,
    ]
}

/// The disturbances of the members of a cluster, one after the other.
struct MemberDisturbances {
    let cluster: EtcdCluster
    let journal: Journal
    var random: SeededRandom
    var pace: Pace

    mutating func make(_ disturbance: Disturbance) async throws {
        let leader = try await cluster.waitForLeader()
        let followers = (0..<cluster.endpoints.count).filter { $0 != leader }.shuffled(using: &random)
        let members: [Int]
        switch disturbance {
        case .suspendedLeader, .killedLeader: members = [leader]
        case .suspendedTwo, .killedTwo: members = [followers[0], Bool.random(using: &random) ? leader : followers[1]]
        case .killedAll: members = [leader] + followers
        default: members = [followers[0]]
        }
        let isSuspension = [.suspendedFollower, .suspendedLeader, .suspendedTwo].contains(disturbance)
        for member in members.map(cluster.member) {
            if isSuspension { try await member.suspend() } else { try await member.kill() }
        }
        try await pace.wait(0.3...5, using: &random)
        for member in members.map(cluster.member) {
            if isSuspension { try await member.resume() } else { try await member.restart() }
        }
        journal.note(disturbance)
        try await cluster.waitUntilReady()
        try await pace.wait(0.5...3, using: &random)
    }
}

/// The links of a client's two stores.
struct ClientLinks {
    let writing: EtcdCluster.Link
    let watching: EtcdCluster.Link
}

/// The disturbances of the links of clients, one after the other.
struct LinkDisturbances {
    let cluster: EtcdCluster
    let links: [ClientLinks]
    let journal: Journal
    var random: SeededRandom
    var pace: Pace

    init(
        _ cluster: EtcdCluster,
        _ links: [ClientLinks],
        _ journal: Journal,
        _ random: SeededRandom,
        _ pace: Pace
    ) {
        (self.cluster, self.links, self.journal, self.random, self.pace) = (cluster, links, journal, random, pace)
    }

    mutating func make(_ disturbance: Disturbance) async throws {
        let links = links.randomElement(using: &random) ?? links[0]
        switch disturbance {
        case .cutWriting: try await cut(links.writing, silently: false, 0.2...4)
        case .silencedWriting: try await cut(links.writing, silently: true, 0.2...6)
        case .cutWatching: try await cut(links.watching, silently: false, 0.5...8)
        // The store notices after ten seconds that its member is silent.
        case .silencedWatching: try await cut(links.watching, silently: true, 0.5...20)
        default:
            try await links.watching.cut(silently: false)
            try await compact()
            try await links.watching.heal()
        }
        journal.note(disturbance)
        try await pace.wait(0.3...2, using: &random)
    }

    private mutating func cut(
        _ link: EtcdCluster.Link,
        silently: Bool,
        _ seconds: ClosedRange<Double>
    ) async throws {
        try await link.cut(silently: silently)
        try await pace.wait(seconds, using: &random)
        try await link.heal()
    }

    /// Removes the history after a change that a store that is cut off has not received.
    private func compact() async throws {
        let first = try await repeatedly { try await cluster.revision }
        var revision = first
        while revision < first + 3 { revision = try await repeatedly { try await cluster.revision } }
        try await repeatedly { [revision] in
            do {
                try await cluster.compact(revision: revision)
            } catch let failure as EtcdCluster.Failure {
                // The answer to an earlier attempt was lost.
                guard failure.description.contains("required revision has been compacted") else { throw failure }
            }
        }
    }

    /// Repeats a command of etcdctl, which fails while there is no majority.
    private func repeatedly<Result>(_ body: () async throws -> Result) async throws -> Result {
        let end = ContinuousClock.now + .seconds(600)
        while true {
            do {
                return try await body()
            } catch let failure as EtcdCluster.Failure {
                if .now > end { throw failure }
            }
            // A majority returns at an unknown time, of which etcdctl does not notify.
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}

/// The durations of disturbances and of the pauses between them.
struct Pace: Sendable {
    let scale: Double

    /// Waits while a disturbance lasts, or until the next one begins. The proof holds for all durations.
    func wait(_ seconds: ClosedRange<Double>, using random: inout SeededRandom) async throws {
        try await Task.sleep(for: .seconds(Double.random(in: seconds, using: &random) * scale))
    }
}
