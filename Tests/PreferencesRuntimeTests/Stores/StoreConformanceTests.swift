import Foundation
import PreferencesRuntime
import PreferencesStoreTesting
import StoreTestSupport
import TestSupport
import Testing

/// The conformance checks of all stores with a backend of their own.
struct StoreConformanceTests {
    @Test("MemoryStore passes the conformance checks", arguments: StoreCheck.all)
    func memoryStorePassesTheConformanceChecks(check: StoreCheck) throws {
        try check.run(on: StoreSubject { MemoryStore() })
    }

    @Test(
        "FileStore that writes at once passes the conformance checks",
        arguments: FileStore.Format.allCases,
        StoreCheck.all
    )
    func fileStoreThatWritesAtOncePassesTheConformanceChecks(format: FileStore.Format, check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            try check.run(on: .fileStore(folder.appending(component: "preferences"), format, .flat, .immediate))
        }
    }

    @Test(
        "FileStore that coalesces writes passes the conformance checks",
        arguments: FileStore.Format.allCases,
        StoreCheck.all
    )
    func fileStoreThatCoalescesWritesPassesTheConformanceChecks(format: FileStore.Format, check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences")
            try check.run(on: .fileStore(url, format, .flat, .coalesced(milliseconds: 50)))
        }
    }

    @Test("FileStore that writes when it is flushed passes the conformance checks", arguments: StoreCheck.all)
    func fileStoreThatWritesWhenItIsFlushedPassesTheConformanceChecks(check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences")
            try check.run(on: .fileStore(url, .json, .flat, .coalesced(milliseconds: 3_600_000)))
        }
    }

    @Test(
        "FileStore in the nested layout passes the conformance checks of values that are not dictionaries",
        arguments: FileStore.Format.allCases,
        StoreCheck.all.filter { !checksOfDictionaries.contains($0.name) }
    )
    func fileStoreInTheNestedLayoutPassesTheConformanceChecks(format: FileStore.Format, check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            try check.run(on: .fileStore(folder.appending(component: "preferences"), format, .nested, .immediate))
        }
    }

    /// The checks that set dictionaries, whose members are listed as names in the nested layout, as are namespaces.
    private static let checksOfDictionaries: Set<String> = [
        "values of different types are distinguished",
        "arrays and dictionaries are stored, including empty and nested ones",
        "dictionaries are stored with any keys", "random values are stored exactly",
        "names with dots, colons and spaces are distinguished", "a value can be replaced by one of another type",
    ]

    @Test("The checks that the nested layout cannot pass exist")
    func checksOfDictionariesExist() {
        #expect(Self.checksOfDictionaries.isSubset(of: Set(StoreCheck.all.map(\.name))))
    }

    // The test runs in its own process: if Foundation on Linux cannot save a suite, it fails to save the others, too.
    @Test("UserDefaultsStore passes the conformance checks")
    func userDefaultsStorePassesTheConformanceChecks() async {
        await #expect(processExitsWith: .success) {
            for check in StoreCheck.all {
                #expect(throws: Never.self) {
                    try withUserDefaultsSuite { suite in try check.run(on: .userDefaultsStore(suite)) }
                }
            }
        }
    }
}
