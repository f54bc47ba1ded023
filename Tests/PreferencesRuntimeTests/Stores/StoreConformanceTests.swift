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
            try check.run(on: .fileStore(folder.appending(component: "preferences"), format, .immediate))
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
            try check.run(on: .fileStore(url, format, .coalesced(milliseconds: 50)))
        }
    }

    @Test("FileStore that writes when it is flushed passes the conformance checks", arguments: StoreCheck.all)
    func fileStoreThatWritesWhenItIsFlushedPassesTheConformanceChecks(check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences")
            try check.run(on: .fileStore(url, .json, .coalesced(milliseconds: 3_600_000)))
        }
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

extension StoreSubject {
    fileprivate static func fileStore(
        _ url: URL,
        _ format: FileStore.Format,
        _ durability: FileStore.Durability
    ) -> StoreSubject {
        let aside = UnreachableFile(url)
        return StoreSubject(
            open: { FileStore(url: url, format: format, durability: durability) },
            changeExternally: { batch in
                try FileStore.saveAsAnEditor(url, format) { try $0.apply(PreferenceBatch(batch)) }
            },
            breakBackend: aside.put,
            repairBackend: aside.putBack
        )
    }

    fileprivate static func userDefaultsStore(_ suite: String) -> StoreSubject {
        let environment = ProcessInfo.processInfo.environment
        // On Linux, `UserDefaults` uses `HOME`, and `NSHomeDirectory()` uses the user database.
        let home = environment["HOME"] ?? NSHomeDirectory()
        let folder = environment["XDG_CONFIG_HOME"] ?? home + "/.config"
        let aside = UnreachableFile(URL(filePath: "\(folder)/\(suite).plist"))
        return StoreSubject(
            open: { UserDefaultsStore(suite: suite) },
            breakBackend: aside.put,
            repairBackend: aside.putBack
        )
    }
}
