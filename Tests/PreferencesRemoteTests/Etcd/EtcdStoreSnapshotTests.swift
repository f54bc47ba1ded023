import Foundation
import PreferencesRuntime
import TestSupport
import Testing

@testable import PreferencesRemote

@Suite("The values that updates of a store in etcd read")
struct EtcdStoreSnapshotTests {
    @Test("An update reads the values of one revision, also when another client changes them meanwhile")
    func oneRevision() async throws {
        try await EtcdCluster.run(configure: { $0.syncsWrites = false }) { cluster in
            let endpoints = cluster.endpoints
            try await onOwnThread {
                let options = EtcdClient.Options(limit: .seconds(600))
                let store = EtcdStore(endpoints, "fleet", options, over: TestStreams.make())
                let other = EtcdStore(endpoints, "fleet", options, over: TestStreams.make())
                try other.apply(["host": .set("north"), "port": .set("north")])
                try store.reload()
                /// Changes both values, and waits until the store has received them.
                func change() throws {
                    try other.apply(["host": .set("south"), "port": .set("south")])
                    let revision = try #require(other.revision)
                    let isReceived = store.client.state.wait(until: Deadline(after: .seconds(600))) { state in
                        (state.replica?.revision ?? 0) >= revision ? true : nil
                    }
                    try #require(isReceived == true)
                }
                var pairs: [[PreferenceValue?]] = []
                try store.update { current in
                    let host = try current("host")
                    if pairs.isEmpty { try change() }
                    let port = try current("port")
                    pairs.append([host, port])
                    return try ["seen": .set(#require(host))]
                }
                // The first run has conflicted with the change.
                #expect(pairs == [["north", "north"], ["south", "south"]])
                #expect(try store.value(for: "seen") == "south")
            }
        }
    }

    @Test("An update reads what its closure has written, or has read from etcd")
    func ownChanges() async throws {
        try await EtcdCluster.run(configure: { $0.syncsWrites = false }) { cluster in
            let endpoints = cluster.endpoints
            try await onOwnThread {
                let options = EtcdClient.Options(limit: .seconds(600))
                let store = EtcdStore(endpoints, "fleet", options, over: TestStreams.make())
                let other = EtcdStore(endpoints, "fleet", options, over: TestStreams.make())
                var units: [PreferenceValue?] = []
                try store.update { current in
                    units.append(try current("unit"))
                    try store.apply(["unit": .set("kelvin")])
                    units.append(try current("unit"))
                    try other.apply(["unit": .set("celsius")])
                    try store.reload()
                    units.append(try current("unit"))
                    return [:]
                }
                #expect(units == [nil, "kelvin", "celsius"])
            }
        }
    }
}

/// The requests of the platform.
private enum TestStreams {
    #if canImport(Darwin)
        static func make() -> some HTTPStreamSource { URLSessionStreams(for: .shared) }
    #else
        static func make() -> some HTTPStreamSource { CurlStreams(.init()) }
    #endif
}
