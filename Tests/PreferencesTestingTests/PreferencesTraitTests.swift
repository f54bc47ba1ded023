import PreferencesRuntime
import PreferencesTesting
import Testing

@Suite("The trait for preferences of tests", .preferences(.inMemory(["count": 1])))
struct PreferencesTraitTests {
    /// Returns the number that a test finds in its preferences, and changes it for tests that would share them.
    private func count() -> Int {
        defer { Preferences.shared.set("count", to: 0) }
        return Preferences.shared.get("count", default: -1)
    }

    @Test("Each test of a suite has preferences of its own")
    func suite() { #expect(count() == 1) }

    @Test("Each test of a suite has preferences of its own, in any order")
    func sameSuite() { #expect(count() == 1) }

    @Test("Each case of a test with arguments has preferences of its own", arguments: 1...10)
    func cases(number: Int) async {
        #expect(count() == 1)
        Preferences.shared.set("count", to: number)
        await Task.yield()
        let count = await Task { Preferences.shared.get("count", default: -1) }.value
        #expect(count == number)
    }

    @Test("The trait of a test overrides that of its suite", .preferences(.inMemory(["count": 2])))
    func ownTrait() { #expect(count() == 2) }
}
