import Foundation
import PreferencesStoreTesting
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesCompatibility
@testable import PreferencesRuntime

/// The conformance checks of the stores of key files.
@Suite("Conformance of key file stores")
struct KeyFileConformanceTests {
    private static let durabilities: [FileStore.Durability] = [.immediate, .coalesced(milliseconds: 50)]

    /// A ``KConfigStore`` in which only text is set, since the checks compare what they read with what they set.
    private struct TextStore: PreferenceStoreAdapter {
        let base: any PreferenceStore

        var unsupportedCapabilities: PreferenceStoreCapabilities {
            PreferenceStoreCapabilities(unsupportedBy: base).subtracting(.exactValues).union(.typedValues)
        }

        func baseValue(of value: PreferenceValue, for name: String) throws -> PreferenceValue {
            if case .string = value { return value }
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: "only text can be set")
        }
    }

    @Test("KConfigStore passes the conformance checks", arguments: durabilities, StoreCheck.all)
    func kConfigStorePassesTheConformanceChecks(durability: FileStore.Durability, check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "apprc")
            try check.run(
                on: subject(url, KeyFileContents<KConfigFormat>.self, { $0 }) {
                    TextStore(base: KConfigStore(url: url, locale: "C", durability: durability))
                }
            )
        }
    }

    @Test("GSettingsKeyfileStore passes the conformance checks", arguments: durabilities, StoreCheck.all)
    func gSettingsKeyfileStorePassesTheConformanceChecks(durability: FileStore.Durability, check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "keyfile")
            let open = { @Sendable in
                GSettingsKeyfileStore(url: url, paths: ["a": "/a/", "a:b": "/b/", "d": "/d/"], durability: durability)
            }
            try check.run(on: subject(url, KeyFileContents<GSettingsKeyfileFormat>.self, open().baseName, open))
        }
    }

    private func subject<Contents: StoreFileContents>(
        _ url: URL,
        _ contents: Contents.Type,
        _ baseName: @escaping @Sendable (String) -> String,
        _ open: @escaping @Sendable () -> any PreferenceStore
    ) -> StoreSubject {
        let (aside, loop) = (url.appendingPathExtension("aside"), url.appendingPathExtension("loop"))
        return StoreSubject(
            open: open,
            changeExternally: { batch in
                // Other programs replace the file by another one.
                var contents = try (try? Data(contentsOf: url)).map { try Contents(parsing: Array($0)) } ?? Contents()
                let batch = Dictionary(uniqueKeysWithValues: batch.map { (baseName($0.key), $0.value) })
                _ = try contents.apply(batch)
                try Data(contents.encoded()).write(to: url, options: .atomic)
            },
            breakBackend: {
                // A link to itself cannot be read. The file is never missing, since a store would create one.
                try FileManager.default.linkItem(at: url, to: aside)
                try FileManager.default.createSymbolicLink(
                    atPath: loop.filePath,
                    withDestinationPath: url.lastPathComponent
                )
                try #require(rename(loop.filePath, url.filePath) == 0)
            },
            repairBackend: { try #require(rename(aside.filePath, url.filePath) == 0) }
        )
    }
}
