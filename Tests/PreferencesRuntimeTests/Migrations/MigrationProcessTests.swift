import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// Processes that are killed during their migrations.
@Suite("Migrations across processes")
struct MigrationProcessTests {
    /// A store that ends the process instead of removing values.
    private struct DeadlyStore: WritablePreferenceStore {
        let store: FileStore
        /// Whether values are removed first.
        let isLate: Bool

        var label: String { store.label }

        func value(for name: String) throws -> PreferenceValue? { try store.value(for: name) }
        func names() throws -> Set<String> { try store.names() }

        func apply(_ batch: PreferenceBatch) throws {
            if isLate { try store.apply(batch) }
            fatalError("killed while it moves values")
        }
    }

    private struct Files {
        let folder: URL
        var store: FileStore { FileStore(url: folder.appending(component: "new.json")) }
        var old: FileStore { FileStore(url: folder.appending(component: "old.plist"), durability: .immediate) }
    }

    private static func migrations(
        from old: any PreferenceStore,
        _ convert: @escaping @Sendable (Int) -> Int = { $0 * 2 }
    ) -> [PreferenceMigration] {
        [PreferenceMigration(version: 1, [.moveAll(from: old), .move("distance", to: "distance", convert)])]
    }

    @Test(
        "The next process finishes a migration whose process has died",
        arguments: ["conversion", "removal", "after removal"]
    )
    func theNextProcessFinishes(death: String) async throws {
        try await withTemporaryDirectory { folder in
            let files = Files(folder: folder)
            try files.old.apply(["city": .set("Oslo")])
            try files.store.apply(["distance": .set(10)])
            await #expect(processExitsWith: .failure) { [path = folder.filePath as String, death = death as String] in
                let files = Files(folder: URL(filePath: path))
                let migrations =
                    death == "conversion"
                    ? Self.migrations(from: files.old) { _ in fatalError("killed while it converts") }
                    : Self.migrations(from: DeadlyStore(store: files.old, isLate: death == "after removal"))
                _ = Preferences(store: files.store, migrations: migrations).get(named: "city", default: "")
            }
            let isMoved = death != "conversion"
            #expect(
                try files.store.names() == (isMoved ? ["city", "distance", "::version", "::unfinished"] : ["distance"])
            )
            #expect(try files.old.names() == (death == "after removal" ? [] : ["city"]))

            let store = files.store
            let preferences = Preferences(store: store, migrations: Self.migrations(from: files.old))
            #expect(preferences.get(named: "city", default: "") == "Oslo")
            #expect(preferences.get(named: "distance", default: 0) == 20)
            #expect(try store.names() == ["city", "distance", "::version"])
            #expect(try files.old.names() == [])
        }
    }
}
