import AppleStoresTestSupport
import PreferencesRuntime
import Testing

@testable import PreferencesApple

struct AppleStoreWriterTests {
    @Test(
        "Every store over a framework of Apple's excludes other writers",
        arguments: [
            ObjectProperties(PropertyDouble()), UbiquitousKeyValues(CloudDouble()),
            ManagedAttributes(ManagedDouble(nil, row: ManagedRowDouble())),
        ] as [any WriterExcludingStore]
    )
    func excludeWriters(store: any WriterExcludingStore) {
        #expect(store.excludesWriters)
    }
}
