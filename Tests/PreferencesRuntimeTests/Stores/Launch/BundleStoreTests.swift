import Foundation
import PreferencesRuntime
import TestSupport
import Testing

struct BundleStoreTests {
    private func withBundle(_ list: [String: Any], _ body: (Bundle) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let contents = folder.appending(components: "Weather.bundle", "Contents")
            try FileManager.default.createDirectory(at: contents, withIntermediateDirectories: true)
            let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
            try data.write(to: contents.appending(component: "Info.plist"))
            try body(try #require(Bundle(url: folder.appending(component: "Weather.bundle"))))
        }
    }

    @Test("The property list is read by storage names")
    func thePropertyListIsReadByStorageNames() throws {
        try withBundle(
            [
                "CFBundleIdentifier": "com.example.weather", "CFBundleShortVersionString": "1.4.2",
                "LSUIElement": true, "UIDeviceFamily": [1, 2], "Limit": 20,
            ]
        ) { bundle in
            let store = BundleStore(bundle)
            let names = [
                BundleStore.Key.identifier, BundleStore.Key.shortVersion, BundleStore.Key.isAgent,
                BundleStore.Key.deviceFamily,
            ]
            let values = try names.map { try store.value(for: $0) }
            #expect(values == ["com.example.weather", "1.4.2", true, [1, 2]])
            #expect(store.names().isSuperset(of: ["CFBundleIdentifier", "Limit"]))
            let preferences = Preferences(store: store)
            #expect(preferences.get(named: "Limit", default: 0) == 20)
            #expect(preferences.get(named: BundleStore.Key.name, default: "Weather") == "Weather")
        }
    }

    @Test("A bundle is not written")
    func aBundleIsNotWritten() throws {
        try withBundle(["Limit": 20]) { bundle in
            let store = BundleStore(bundle)
            #expect(
                throws: PreferenceProblem(.storeUnwritable, store: store.label, message: "it is read-only")
            ) {
                try store.commit(["Limit": .set(1)])
            }
        }
    }

    @Test("A bundle without a property list has no values")
    func aBundleWithoutAPropertyListHasNoValues() throws {
        try withTemporaryDirectory { folder in
            let bundle = try #require(Bundle(url: folder))
            #expect(BundleStore(bundle).names().isEmpty)
        }
    }
}
