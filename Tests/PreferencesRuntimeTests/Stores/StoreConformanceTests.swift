import Foundation
import PreferencesRuntime
import PreferencesStoreTesting
import TestSupport
import Testing

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
            changeFromOutside: { batch in
                // As an editor saves: another file takes the place of this one.
                let draft = url.appendingPathExtension("draft")
                try? FileManager.default.copyItem(at: url, to: draft)
                let editor = FileStore(url: draft, format: format)
                try editor.apply(batch)
                try editor.flush()
                try FileManager.default.removeItem(at: url)
                try FileManager.default.moveItem(at: draft, to: url)
            },
            breakMedium: aside.put,
            mendMedium: aside.putBack
        )
    }

    fileprivate static func userDefaultsStore(_ suite: String) -> StoreSubject {
        let environment = ProcessInfo.processInfo.environment
        let folder = environment["XDG_CONFIG_HOME"] ?? NSHomeDirectory() + "/.config"
        let aside = MediumAside(URL(filePath: "\(folder)/\(suite).plist"))
        return StoreSubject(
            open: { UserDefaultsStore(suite: suite) },
            breakMedium: aside.put,
            mendMedium: aside.putBack
        )
    }
}

/// Has a file be out of reach, with a link to itself in its place. There is always something: a store that writes by itself
/// would make a file where there is none.
private struct MediumAside {
    private let url: URL
    private let aside: URL
    private let loop: URL

    init(_ url: URL) {
        self.url = url
        aside = url.appendingPathExtension("aside")
        loop = url.appendingPathExtension("loop")
    }

    @Sendable func put() throws {
        try FileManager.default.linkItem(at: url, to: aside)
        try FileManager.default.createSymbolicLink(
            atPath: loop.filePath,
            withDestinationPath: url.lastPathComponent
        )
        try #require(rename(loop.filePath, url.filePath) == 0)
    }

    @Sendable func putBack() throws {
        try #require(rename(aside.filePath, url.filePath) == 0)
    }
}
