import Foundation
import PreferencesRemote
import PreferencesRuntime
import PreferencesStoreTesting
import TestSupport
import Testing

struct HTTPStoreConformanceTests {
    @Test("The store passes each check of the conformance kit", arguments: StoreCheck.all)
    func storePassesConformanceCheck(check: StoreCheck) async throws {
        try await PreferenceServer.run { server in
            try await withTemporaryDirectory { folder in
                for (format, hasCache) in [(.json, false), (.json, true), (.binaryPropertyList, true)] as [Kind] {
                    let place = folder.appending(component: "\(format) \(hasCache)")
                    let document = try ServedDocument(server, place, format, hasCache: hasCache)
                    try await onOwnThread { try check.run(on: document.subject) }
                }
            }
        }
    }

    private typealias Kind = (FileStore.Format, hasCache: Bool)
}

/// A document on a server that is changed externally.
private final class ServedDocument: Sendable {
    private struct Reference: Sendable {
        weak var store: HTTPStore?
    }

    private let server: PreferenceServer
    private let original: FileStore
    private let cache: URL?
    private let opened = Recorder<Reference>()

    init(_ server: PreferenceServer, _ folder: URL, _ format: FileStore.Format, hasCache: Bool) throws {
        self.server = server
        let file = folder.appending(component: "original")
        original = FileStore(url: file, format: format, durability: .immediate)
        cache = hasCache ? folder.appending(component: "cache.json") : nil
        try original.apply(["a": .set(1)])
        try original.apply(["a": .remove])
        try serve()
    }

    var subject: StoreSubject {
        StoreSubject(
            open: open,
            changeExternally: change,
            breakBackend: { [server] in try server.serve(.init(status: 503)) },
            repairBackend: serve,
            // A refresh is a task, which may have to wait while other tests occupy all threads of tasks.
            timeout: .seconds(600)
        )
    }

    @Sendable func open() throws -> any PreferenceStore {
        // Objects are values here.
        let store = HTTPStore(url: server.url(), layout: .flat, cache: cache)
        opened.add(Reference(store: store))
        // The failure is the subject of the check.
        try? refresh(store)
        return store
    }

    @Sendable func change(_ batch: [String: PreferenceEdit]) throws {
        try original.apply(PreferenceBatch(batch))
        try serve()
        for reference in opened.all { try reference.store.map(refresh) }
    }

    @Sendable func serve() throws {
        let type = original.format == .json ? "application/json" : "application/x-plist"
        try server.serve(.init(Data(contentsOf: original.url), type: type, etag: "\"\(UUID())\""))
    }

    /// Waits for a refresh on a thread that does not run tasks.
    private func refresh(_ store: HTTPStore) throws {
        let done = DispatchSemaphore(value: 0)
        let outcome = Recorder<Result<Bool, any Error>>()
        Task {
            do { outcome.add(.success(try await store.refresh())) } catch { outcome.add(.failure(error)) }
            done.signal()
        }
        done.wait()
        _ = try outcome.all.first?.get()
    }
}
