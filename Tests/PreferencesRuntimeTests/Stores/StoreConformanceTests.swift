import Foundation
import PreferencesRuntime
import PreferencesStoreTesting
import TestSupport
import Testing
import StoreTestSupport

/// Every store of this package, held to every promise of a store.
struct StoreConformanceTests {
    @Test(arguments: StoreCheck.all)
    func aMemoryStoreKeepsItsPromises(check: StoreCheck) throws {
        try check.run(on: StoreSubject { MemoryStore() })
    }

    @Test(arguments: FileStore.Format.allCases, StoreCheck.all)
    func aFileStoreThatWritesAtOnceKeepsItsPromises(format: FileStore.Format, check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            try check.run(on: .fileStore(folder.appending(component: "preferences"), format, .immediate))
        }
    }

    @Test(arguments: FileStore.Format.allCases, StoreCheck.all)
    func aFileStoreThatWritesLaterKeepsItsPromises(format: FileStore.Format, check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences")
            try check.run(on: .fileStore(url, format, .coalesced(milliseconds: 50)))
        }
    }

    @Test(arguments: StoreCheck.all)
    func aFileStoreThatWritesWhenItIsToldToKeepsItsPromises(check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences")
            try check.run(on: .fileStore(url, .json, .coalesced(milliseconds: 3_600_000)))
        }
    }

    // In a process of its own: a suite that Foundation on Linux cannot save fails the others of the process.
    @Test func aUserDefaultsStoreKeepsItsPromises() async {
        await #expect(processExitsWith: .success) {
            for check in StoreCheck.all {
                #expect(throws: Never.self) {
                    try withUserDefaultsSuite { suite in try check.run(on: .userDefaultsStore(suite)) }
                }
            }
        }
    }
}

extension StoreSubject {
    fileprivate static func fileStore(
        _ url: URL,
        _ format: FileStore.Format,
        _ durability: FileStore.Durability
    ) -> StoreSubject {
        let aside = MediumAside(url)
        return StoreSubject(
            open: { FileStore(url: url, format: format, durability: durability) },
            changeFromOutside: { batch in try FileStore.saveAsAnEditor(url, format) { try $0.apply(batch) } },
            breakMedium: aside.put,
            mendMedium: aside.putBack
        )
    }

    fileprivate static func userDefaultsStore(_ suite: String) -> StoreSubject {
        let environment = ProcessInfo.processInfo.environment
        // `UserDefaults` on Linux goes by `HOME`, and `NSHomeDirectory()` by the user database.
        let home = environment["HOME"] ?? NSHomeDirectory()
        let folder = environment["XDG_CONFIG_HOME"] ?? home + "/.config"
        let aside = MediumAside(URL(filePath: "\(folder)/\(suite).plist"))
        return StoreSubject(
            open: { UserDefaultsStore(suite: suite) },
            breakMedium: aside.put,
            mendMedium: aside.putBack
        )
    }
}
