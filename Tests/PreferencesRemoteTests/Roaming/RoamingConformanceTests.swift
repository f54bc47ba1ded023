import Foundation
import PreferencesRuntime
import PreferencesStoreTesting
import PreferencesSystem
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRemote

struct RoamingConformanceTests {
    /// How the names of a check are used.
    enum Use: Sendable, CaseIterable {
        /// They stay on the machine.
        case undeclared
        /// They are shared, and changes stay pending.
        case pending
        /// They are shared, and each change is synchronized at once.
        case synchronized
    }

    @Test("The store passes each check of the conformance kit", arguments: StoreCheck.all, Use.allCases)
    func storePassesConformanceCheck(check: StoreCheck, use: Use) async throws {
        try await withTemporaryDirectory { folder in
            let files = RoamingFiles(folder, use)
            try await onOwnThread { try check.run(on: files.subject) }
        }
    }
}

/// The files of a local and a shared store.
private final class RoamingFiles: Sendable {
    private let local: URL
    private let shared: URL
    private let use: RoamingConformanceTests.Use
    private let names = NameList()

    init(_ folder: URL, _ use: RoamingConformanceTests.Use) {
        local = folder.appending(component: "local.json")
        shared = folder.appending(component: "shared.json")
        self.use = use
    }

    var subject: StoreSubject {
        let backend = UnreachableFile(use == .synchronized ? shared : local)
        return StoreSubject(
            open: { self.open(FileStore(url: self.local)) },
            changeExternally: change,
            breakBackend: backend.put,
            repairBackend: backend.putBack
        )
    }

    private func open(_ local: FileStore) -> any PreferenceStore {
        let store = RoamingStore(
            local: local,
            shared: [.user: FileStore(url: shared)],
            synchronizesAutomatically: false
        )
        if use == .undeclared { return store }
        return DeclaringStore(store, names, isSynchronized: use == .synchronized)
    }

    private func change(_ batch: [String: PreferenceEdit]) throws {
        switch use {
        case .undeclared: try FileStore.saveAsAnEditor(local) { try $0.apply(PreferenceBatch(batch)) }
        case .pending: try FileStore.saveAsAnEditor(local) { try self.open($0).commit(PreferenceBatch(batch)) }
        case .synchronized: try FileStore.saveAsAnEditor(shared) { try $0.apply(PreferenceBatch(batch)) }
        }
    }
}

/// Declares each name that is used.
private final class DeclaringStore: PreferenceStoreAdapter {
    private let roaming: RoamingStore
    private let names: NameList
    private let isSynchronized: Bool

    init(_ roaming: RoamingStore, _ names: NameList, isSynchronized: Bool) {
        self.roaming = roaming
        self.names = names
        self.isSynchronized = isSynchronized
        for name in names.all { declare(name) }
    }

    var base: any PreferenceStore { roaming }

    func baseName(of name: String) -> String {
        if names.insert(name) || roaming.sharing(of: name) == nil { declare(name) }
        return name
    }

    private func declare(_ name: String) {
        roaming.declareShared(name, formerNames: [], scope: .user, mergeRule: .last)
    }

    func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        try update(by: writer) { _ in batch }
    }

    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try roaming.update(by: writer?.parts.first) { current in
            let batch = try withoutActuallyEscaping(current) { current in
                try makeBatch { try current(baseName(of: $0)) }
            }
            for (name, _) in batch { _ = baseName(of: name) }
            return batch
        }
        // A failure leaves the change pending. Notifications of merges have no writer.
        if isSynchronized { onAnotherThread { [roaming] in try? roaming.synchronize() } }
    }
}

/// The names that stores have used. Programs declare all their keys.
private final class NameList: Sendable {
    private let names = Locked<Set<String>>([])

    var all: Set<String> { names.withLock { $0 } }

    func insert(_ name: String) -> Bool { names.withLock { $0.insert(name).inserted } }
}
