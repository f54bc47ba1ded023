import Foundation
import PreferencesRuntime
import PreferencesSQLite
import StoreTestSupport
import TestSupport
import Testing

/// A writable store over a new backend of each kind.
private enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case memory, json, propertyList, userDefaults, sqlite, prefixed, layered

    var testDescription: String { rawValue }

    func withStore(_ body: (any PreferenceStore) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            switch self {
            case .memory: try body(MemoryStore())
            case .json: try body(FileStore(url: folder.appending(path: "a.json")))
            case .propertyList: try body(FileStore(url: folder.appending(path: "a.plist")))
            case .userDefaults: try withSuite { suite, _ in try body(UserDefaultsStore(suite: suite)) }
            case .sqlite: try body(SQLiteStore(url: folder.appending(path: "a.sqlite")))
            case .prefixed:
                let base: MemoryStore = ["other": 1]
                try body(PrefixedStore(base, prefix: "a"))
                #expect(base.value(for: "other") == 1)
            case .layered: try body(LayeredStore([EnvironmentStore(prefix: "P_", environment: [:]), MemoryStore()]))
            }
        }
    }
}

private enum Name: String {
    case volume, theme
}

@Suite("Prephirences: dictionaries")
struct DictionaryParityTests {
    @Test(
        "+= of a dictionary and of another store, -= of a name, all as a dictionary: merge, remove, dictionary()",
        arguments: Kind.allCases
    )
    private func merge(_ kind: Kind) throws {
        try kind.withStore { store in
            try store.merge(["volume": 1, "theme": "light", "list": [1, 2]])
            try store.merge(["volume": 2, "scale": 1.5])
            #expect(try store.dictionary() == ["volume": 2, "theme": "light", "list": [1, 2], "scale": 1.5])
            try store.merge(["theme": "dark", "on": true] as MemoryStore)
            try store.remove(["list", "scale", "unknown"])
            #expect(try store.dictionary() == ["volume": 2, "theme": "dark", "on": true])
            try store.remove([Name.volume, .theme])
            #expect(try store.dictionary() == ["on": true])
            try store.replaceAll(with: ["volume": 3])
            #expect(try store.dictionary() == ["volume": 3])
            try store.replaceAll(with: [:])
            #expect(try store.names() == [])
        }
    }

    @Test("A merge is one batch: observers are notified once, and a value that cannot be stored changes nothing")
    func atomic() throws {
        let store: MemoryStore = ["a": 1]
        let changes = Recorder<PreferenceStoreChange>()
        let observation = store.observe { changes.add($0) }
        try store.merge(["a": 2, "b": 3])
        #expect(changes.all == [.names(["a", "b"])])
        observation.cancel()

        let fixed = ReadOnlyStore(store)
        let error = #expect(throws: PreferenceProblem.self) { try fixed.merge(["a": 4]) }
        #expect(error?.description == "memory: it is read-only")
        #expect(throws: PreferenceProblem.self) { try fixed.remove(["a"]) }
        #expect(throws: PreferenceProblem.self) { try fixed.replaceAll(with: [:]) }
        #expect(try store.dictionary() == ["a": 2, "b": 3])
    }

    @Test("The record of migrations and the schema of a file are not merged, nor replaced, with other values")
    func bookkeeping() throws {
        let exported: [String: PreferenceValue] = ["a": 2, "::version": 9, "$schema": "other"]
        for replaces in [false, true] {
            let store: MemoryStore = ["old": 1, "::version": 1]
            if replaces { try store.replaceAll(with: exported) } else { try store.merge(exported) }
            #expect(store.value(for: "::version") == 1 && store.value(for: "$schema") == nil)
            #expect(try store.dictionary() == (replaces ? ["a": 2] : ["a": 2, "old": 1]))
        }
        let store: MemoryStore = ["old": 1]
        try store.merge(exported)
        let migration = PreferenceMigration(version: 1, [.move("old", to: "new")])
        #expect(Preferences(store: store, migrations: [migration])["new"] == 1)
    }

    @Test("Merging a store of text stores its strings")
    func text() throws {
        let store = MemoryStore()
        try store.merge(EnvironmentStore(prefix: "P_", environment: ["P_VOLUME": "5"]))
        #expect(try store.dictionary() == ["VOLUME": "5"])
    }
}
