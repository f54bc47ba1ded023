import AppleStoresTestSupport
@testable import PreferencesApple
import PreferencesRuntime
import Testing

struct AppleStoreWriterTests {
    @Test(
        "The stores of Apple's frameworks exclude writers",
        arguments: [
            ObjectProperties(PropertyDouble()), UbiquitousKeyValues(CloudDouble()),
            ManagedAttributes(ManagedDouble(nil, row: ManagedRowDouble())),
        ] as [any PreferenceStore]
    )
    func excludeWriters(store: any PreferenceStore) {
        #expect(store.excludesWriters)
    }
}
