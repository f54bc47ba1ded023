import Foundation
import PreferencesRuntime
import PreferencesStoreTesting
import TestSupport
import Testing

@testable import PreferencesRemote

struct EtcdStoreConformanceTests {
    @Test("The store passes each check of the conformance kit, with and without a cache")
    func storePassesConformanceChecks() async throws {
        try await EtcdCluster.run(configure: { $0.syncsWrites = false }) { cluster in
            try await withCaches { folder in
                let link = try await cluster.link()
                for (number, check) in StoreCheck.all.enumerated() {
                    let prefix = "check \(number)/"
                    let cache = number.isMultiple(of: 2) ? folder.appending(component: "cache \(number).json") : nil
                    let options = EtcdClient.Options(
                        limit: .seconds(20),
                        heartbeat: .seconds(60),
                        longestPause: .milliseconds(50)
                    )
                    let editor = EtcdStore(cluster.endpoints, prefix, options, over: CurlStreams(.init()))
                    let subject = StoreSubject(
                        open: {
                            let store = EtcdStore(
                                link.endpoints,
                                prefix,
                                options,
                                cache: cache,
                                over: CurlStreams(.init())
                            )
                            store.awaitRelease()
                            // The cache has earlier values, which reads return until etcd has answered.
                            try? store.reload()
                            return store
                        },
                        changeExternally: { try editor.apply(PreferenceBatch($0)) },
                        breakBackend: { waitForTask { try await link.cut(silently: false) } },
                        repairBackend: { waitForTask { try await link.heal() } }
                    )
                    try await onOwnThread {
                        do { try check.run(on: subject) } catch { Issue.record("\(check): \(error)") }
                    }
                }
            }
        }
    }
}
