import Foundation
import PreferencesRuntime
import RoamingExample
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRemote

/// Two machines of one user, whose preferences are in a real etcd.
struct RoamingExampleTests {
    @Test("Preferences follow their user, are set offline, and are merged by the rules of the schema")
    func preferencesFollowTheirUser() async throws {
        try await EtcdCluster.run(configure: { $0.syncsWrites = false }) { cluster in
            try await withCaches { folder in
                let link = try await cluster.link()
                let desk = machine("desk", in: folder, cluster.endpoints)
                var laptop = machine("laptop", in: folder, link.endpoints)
                let (office, travel) = (desk.preferences.reader, laptop.preferences.reader)

                // Online, a change arrives at the other machine.
                office.unit = "kelvin"
                office.favorites = ["Oslo", "Bergen"]
                office.starts = 10
                office.windowWidth = 1_200
                try await wait(for: laptop) {
                    travel.unit == "kelvin" && travel.favorites.count == 2 && travel.starts == 10
                }
                #expect(travel.windowWidth == 800)
                let endpoint = "etcd http://127.0.0.1:\(try #require(link.endpoints[0].port))"
                #expect(travel.source(of: \.unit)?.hasPrefix("\(endpoint), revision ") == true)
                #expect(travel.source(of: \.city) == nil)

                // Offline, both are changed. The program of the laptop even ends, and starts again.
                try await link.cut(silently: false)
                travel.unit = "fahrenheit"
                travel.favorites = ["Oslo", "Tromsø"]
                travel.starts += 2
                travel.warmest = 31
                travel.coldest = -4
                travel.city = "Rome"
                #expect(travel.source(of: \.unit)?.contains("not shared with etcd") == true)
                laptop = machine("laptop", in: folder, link.endpoints)
                let later = laptop.preferences.reader
                #expect(later.unit == "fahrenheit")
                #expect(later.favorites == ["Oslo", "Tromsø"])
                #expect(later.starts == 12)
                later.starts += 1
                office.favorites.insert("Narvik")
                office.starts += 5
                office.warmest = 24
                office.coldest = -11
                office.city = "Paris"
                office.notice = "closed on Monday"
                try desk.roaming.synchronize()

                // Together again, all machines read the same.
                try await link.heal()
                try laptop.roaming.reload()
                try laptop.roaming.synchronize()
                for machine in [desk, laptop] {
                    let reader = machine.preferences.reader
                    try await wait(for: machine) { reader.starts == 18 && reader.notice != nil }
                    #expect(reader.unit == "fahrenheit")
                    #expect(reader.favorites == ["Oslo", "Tromsø", "Narvik"])
                    #expect(reader.warmest == 31)
                    #expect(reader.coldest == -11)
                    #expect(reader.notice == "closed on Monday")
                    // Both cities are kept.
                    #expect(reader.city == "Paris")
                    #expect(try machine.roaming.conflicts().map(\.name) == ["reader:city"])
                    let conflict = try #require(try machine.roaming.conflict(of: \.reader.city))
                    #expect(conflict.value == "Paris")
                    #expect(conflict.alternatives.map(\.value) == ["Rome"])
                }
                #expect(try laptop.resolveCity { $0.alternatives[0].value })
                #expect(try !laptop.resolveCity { _ in "Oslo" })
                try laptop.roaming.synchronize()
                try await wait(for: desk) { office.city == "Rome" }
                #expect(try desk.roaming.conflicts().isEmpty)

                // Other programs read plain values, and none that belongs to one machine.
                let stored = try await cluster.etcdctl(["get", "--prefix", "users/ann/reader/reader:"]).output
                #expect(stored.contains("users/ann/reader/reader:starts\n18\n"))
                let everything = try await cluster.etcdctl(["get", "--prefix", "--keys-only", ""]).output
                #expect(!everything.contains("windowWidth"))
                #expect(everything.contains("fleet/reader/reader:notice\n"))
                #expect(office.windowWidth == 1_200)
            }
        }
    }

    private func machine(_ name: String, in folder: URL, _ endpoints: [URL]) -> RoamingExample {
        let example = RoamingExample(
            in: folder.appending(component: name),
            endpoints: endpoints,
            user: "ann",
            // The limit must not end while the machine is busy.
            timeout: .seconds(300)
        )
        for case let store as EtcdStore in example.roaming.shared.values { store.awaitRelease() }
        // An accessor declares its key when it is first used.
        let reader = example.preferences.reader
        _ = (reader.unit, reader.favorites, reader.starts, reader.warmest, reader.coldest, reader.city, reader.notice)
        return example
    }

    /// Waits until a condition on a machine's preferences holds, which is evaluated after each change.
    private func wait(for machine: RoamingExample, until isTrue: () -> Bool) async throws {
        let changes = StoreChanges(of: machine.roaming)
        await changes.wait(until: isTrue)
        changes.cancel()
    }
}
