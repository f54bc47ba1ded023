import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime

@Suite("Updates")
struct UpdateTests {
    private struct Refusal: Error, Equatable {}

    private let preferences = Preferences(store: MemoryStore())

    @Test("An update changes the current value")
    func aValueIsUpdated() throws {
        try preferences.update(\.launchCount) { $0 += 1 }
        try preferences.update(\.launchCount) { $0 += 1 }
        #expect(preferences.launchCount == 2)
        let removed = try preferences.weather.update(\.stations) { stations in
            stations = ["Oslo", "Nairobi"]
            return stations.removeFirst()
        }
        #expect(removed == "Oslo")
        #expect(preferences.weather.stations == ["Nairobi"])
    }

    @Test("An update whose body throws changes nothing")
    func aBodyThatThrowsChangesNothing() {
        #expect(throws: Refusal()) {
            try preferences.update(\.launchCount) { count in
                count = 5
                throw Refusal()
            }
        }
        #expect(!preferences.isSet(\.launchCount))
    }

    @Test("A refused value of a body that throws neither hides its error nor fails the transaction around it")
    func aBodyThatThrowsAfterARefusedValue() throws {
        try preferences.transaction { preferences in
            #expect(throws: Refusal()) {
                try preferences.update(\.height) { height in
                    height = 10
                    throw Refusal()
                }
            }
            preferences.launchCount = 1
        }
        #expect(preferences.launchCount == 1)
        #expect(!preferences.isSet(\.height))
    }

    @Test("An update throws if its value is refused")
    func aRefusedValueIsThrown() async {
        let owner = preferences
        let problem = #expect(throws: PreferenceProblem.self) { try owner.update(\.height) { $0 += 1 } }
        #expect(problem?.message == "10 must be at most 9; it was not set")
        #expect(await preferences.reportedProblems().isEmpty)
        #expect(preferences.height == 9)
    }

    @Test("A key path into a value can be updated")
    func partOfAValueIsUpdated() throws {
        try preferences.update(\.weather.stations) { $0.append("Oslo") }
        #expect(preferences.weather.stations == ["Oslo"])
    }

    @Test("An optional can be updated to nil")
    func anOptionalIsUpdatedToNil() throws {
        try preferences.weather.update(\.nickname) { $0 = nil }
        #expect(preferences.weather.nickname == nil)
        #expect(preferences.weather.isSet(\.nickname))
    }

    @Test("An update does not lose external changes")
    func externalChangesAreNotLost() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let (first, second) = (Preferences(store: FileStore(url: url)), Preferences(store: FileStore(url: url)))
            for _ in 0..<10 {
                try first.update(\.launchCount) { $0 += 1 }
                try second.update(\.launchCount) { $0 += 1 }
            }
            #expect(try FileStore(url: url).value(for: "launchCount") == 20)
            #expect(second.launchCount == 20)
        }
    }
}

extension Preferences {
    fileprivate var height: Int {
        get { get("height", default: 9, [.range(...9)]) }
        set { set("height", to: newValue, [.range(...9)]) }
    }
}
