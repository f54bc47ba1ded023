import Testing

@testable import PreferencesRuntime
import StoreTestSupport

/// Key paths that do not lead to keys are reported, as nothing can come of them.
struct NotAKeyTests {
    private let preferences = Preferences.inMemory()

    private func problems(_ body: (Preferences) -> Void) async -> [String] {
        body(preferences)
        let problems = await preferences.reportedProblems()
        #expect(problems.allSatisfy { $0.code == .notAKey && $0.key == nil && $0.store == "memory" })
        return problems.map(\.message)
    }

    @Test func aNamespaceIsNotReset() async {
        preferences.weather.temperature = 3
        let found = await problems { $0.reset(\.weather) }
        #expect(
            found == [
                "the key path from Preferences to Weather leads to a namespace, not to a key: nothing was reset; "
                    + "its resetAll() resets it"
            ]
        )
        #expect(preferences.weather.temperature == 3)
    }

    @Test func aNamespaceIsNotSet() async {
        preferences.weather.temperature = 3
        let found = await problems { #expect(!$0.isSet(\.weather)) }
        #expect(
            found == [
                "the key path from Preferences to Weather leads to a namespace, not to a key: nothing is set; "
                    + "ask for a key of it"
            ]
        )
    }

    @Test func aNamespaceHasNoSource() async {
        let found = await problems { #expect($0.source(of: \.weather) == nil) }
        #expect(
            found == [
                "the key path from Preferences to Weather leads to a namespace, not to a key: it has no source; "
                    + "ask for a key of it"
            ]
        )
    }

    @Test func aNamespaceIsNotWatchedNorAmongOthers() async {
        func message(_ line: UInt) -> String {
            "the key path from Preferences to Weather at \(#fileID):\(line) leads to a namespace, not to a key: "
                + "it is not watched; its didCommit(_:) tells of it"
        }
        let several: UInt = #line + 1
        let first = await problems { $0.watch(anyOf: [\.launchCount, \.weather]) {} }
        #expect(first == [message(several)])
        let one: UInt = #line + 1
        let both = await problems { $0.watch(\.weather) { _ in } }
        #expect(both == [message(several), message(one)])
    }

    @Test func aNamespaceHasHooksOfItsOwn() async {
        let found = await problems { $0.willChange(of: \.weather) { _ in } }
        #expect(
            found == [
                "the key path from Preferences to Weather leads to a namespace, not to a key: "
                    + "the hook will not be called; it has hooks of its own"
            ]
        )
    }

    @Test func whatReadsNoKeyIsNotWatched() async {
        let found = await problems { _ = $0.changes(\.isObserved) }
        #expect(
            found == [
                "the key path from Preferences to Bool leads to no key of these preferences: it is not watched"
            ]
        )
    }

    @Test func changesOfWhatIsNoKeyEnd() async {
        for await _ in preferences.changes(\.weather) { Issue.record("a namespace has no changes") }
        var seen: [Bool] = []
        for await change in preferences.changes(\.isObserved, options: .initial) { seen.append(change.new) }
        #expect(seen == [false])
        for await _ in preferences.changes(anyOf: []) { Issue.record("nothing has no changes") }
        #expect(!preferences.watch(\.weather) { _ in }.isActive)
        #expect(preferences.watch(anyOf: [\.weather, \.launchCount]) {}.isActive)
    }

    @Test func aPartOfAValueIsNotProcessed() async {
        let found = await problems { $0.weather.processValues(of: \.firstStation) { $0 + "!" } }
        #expect(
            found == [
                "the key path from Weather to String does not lead to one key, and to the whole of it: "
                    + "its values are not processed"
            ]
        )
    }

    @Test func severalKeysAreNotProcessed() async {
        let found = await problems { $0.processValues(of: \.both) { $0 } }
        #expect(
            found == [
                "the key path from Preferences to Double does not lead to one key, and to the whole of it: "
                    + "its values are not processed"
            ]
        )
    }

    @Test func keysAreNoProblem() async {
        let found = await problems { preferences in
            preferences.weather.processValues(of: \.nickname) { $0 }
            preferences.weather.processValues(of: \.stations) { $0 }
            preferences.watch(\.weather.stations.count) { _ in }
            preferences.watch(\.both) { _ in }
            preferences.watch(anyOf: []) {}
            preferences.reset(\.both)
            #expect(!preferences.isSet(\.weather.nickname))
        }
        #expect(found == [])
    }
}

extension Weather {
    fileprivate var firstStation: String {
        get { stations.first ?? "" }
        nonmutating set { stations = [newValue] }
    }
}

extension Preferences {
    fileprivate var both: Double {
        get { weather.temperature + Double(launchCount) }
        set {
            weather.temperature = newValue
            launchCount = 0
        }
    }
}
