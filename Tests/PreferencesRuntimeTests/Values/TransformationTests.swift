import Foundation
import PreferencesRuntime
import Testing
import StoreTestSupport

/// Accessors whose keys are stored as something else.
private protocol TransformedPreferences: PreferenceAccessors {}

extension TransformedPreferences {
    fileprivate var isEnabled: Bool {
        get { get("disabled", default: true, through: .inverted) }
        nonmutating set { set("disabled", to: newValue, through: .inverted) }
    }

    fileprivate var volume: Int {
        get { get("volume", default: 50, through: .clamping(to: 0...100)) }
        nonmutating set { set("volume", to: newValue, through: .clamping(to: 0...100)) }
    }

    fileprivate var priority: Priority {
        get { get("priority", default: .low, through: .rawValue) }
        nonmutating set { set("priority", to: newValue, through: .rawValue) }
    }

    fileprivate var title: String {
        get { get("title", default: "unset", through: .replacingNil(with: "none")) }
        nonmutating set { set("title", to: newValue, through: .replacingNil(with: "none")) }
    }

    fileprivate var even: Int {
        get { get("even", default: 0, through: .ensuring({ $0.isMultiple(of: 2) }, else: 2)) }
        nonmutating set { set("even", to: newValue, through: .ensuring({ $0.isMultiple(of: 2) }, else: 2)) }
    }

    fileprivate var points: [Point] {
        get { get("points", default: [], through: .json) }
        nonmutating set { set("points", to: newValue, through: .json) }
    }

    fileprivate var swapped: Point {
        get { get("point", default: Point(x: 0, y: 0), through: .json.followed(by: swapping)) }
        nonmutating set { set("point", to: newValue, through: .json.followed(by: swapping)) }
    }

    private var swapping: PreferenceTransformation<Point, Point> {
        PreferenceTransformation {
            Point(x: $0.y, y: $0.x)
        } write: {
            Point(x: $0.y, y: $0.x)
        }
    }

    fileprivate var archived: NSArray {
        get { get("archived", default: [], through: .archive) }
        nonmutating set { set("archived", to: newValue, through: .archive) }
    }
}

private enum Priority: Int {
    case low = 1
    case high = 2
}

/// Known to `Codable` alone.
private struct Point: Codable, Hashable {
    var x: Int
    var y: Int
}

extension Preferences: TransformedPreferences {}

struct TransformationTests {
    private let store = MemoryStore()
    private var preferences: Preferences { Preferences(store: store) }

    @Test func aBooleanMayBeStoredAsItsOpposite() {
        #expect(preferences.isEnabled)
        preferences.isEnabled = false
        #expect(store.value(for: "disabled") == true)
        #expect(!preferences.isEnabled)
        preferences.isEnabled.toggle()
        #expect(store.value(for: "disabled") == false)
    }

    @Test func aValueBeyondItsLimitsReadsAsTheNearestAndStaysAsItIs() {
        store.apply(["volume": .set(120)])
        #expect(preferences.volume == 100)
        #expect(store.value(for: "volume") == 120)
        store.apply(["volume": .set(-5)])
        #expect(preferences.volume == 0)
        store.apply(["volume": .set(70)])
        #expect(preferences.volume == 70)
        preferences.reset(\.volume)
        #expect(preferences.volume == 50)
    }

    @Test func aValueThatDoesNotMeetItsConditionReadsAsAnother() {
        store.apply(["even": .set(3)])
        #expect(preferences.even == 2)
        #expect(store.value(for: "even") == 3)
        preferences.even = 8
        #expect(preferences.even == 8)
    }

    @Test func rawValuesAreStored() async {
        let preferences = preferences
        preferences.priority = .high
        #expect(store.value(for: "priority") == 2)
        #expect(preferences.priority == .high)
        store.apply(["priority": .set(3)])
        #expect(preferences.priority == .low)
        #expect(
            await preferences.reportedProblems().map(\.description) == [
                "memory: 'priority': 3 is no raw value of Priority; its default is used until it is set"
            ]
        )
    }

    @Test func nilReadsAsItsReplacementAndWhatIsNotSetAsTheDefault() {
        #expect(preferences.title == "unset")
        store.apply(["title": .set(.null)])
        #expect(preferences.title == "none")
        preferences.title = "Weather"
        #expect(store.value(for: "title") == "Weather")
    }

    @Test func codableValuesAreStoredAsJSON() {
        preferences.points = [Point(x: 1, y: 2)]
        guard case .data(let data)? = store.value(for: "points") else { return #expect(Bool(false), "no data") }
        #expect((try? JSONDecoder().decode([Point].self, from: data)) == [Point(x: 1, y: 2)])
        #expect(preferences.points == [Point(x: 1, y: 2)])
    }

    @Test func transformationsFollowEachOther() throws {
        preferences.swapped = Point(x: 1, y: 2)
        guard case .data(let data)? = store.value(for: "point") else { return #expect(Bool(false), "no data") }
        #expect(try JSONDecoder().decode(Point.self, from: data) == Point(x: 2, y: 1))
        #expect(preferences.swapped == Point(x: 1, y: 2))
    }

    @Test func objectsAreArchived() {
        preferences.archived = ["a", "b"]
        guard case .data? = store.value(for: "archived") else { return #expect(Bool(false), "no data") }
        #expect(preferences.archived == ["a", "b"])
    }

    @Test func whatCannotBeReadReadsAsTheDefaultAndStays() async {
        let preferences = preferences
        let damaged = PreferenceValue.data(Data("[{\"x\":1}]".utf8))
        store.apply(["points": .set(damaged)])
        #expect(preferences.points == [])
        #expect(store.value(for: "points") == damaged)
        #expect(await preferences.reportedProblems().map(\.code) == [.typeMismatch])
    }

    @Test func theirValuesAreNotProcessedAndThatIsReported() async {
        let preferences = preferences
        preferences.processValues(of: \.isEnabled) { _ in true }
        preferences.processValues(of: \.isEnabled) { old, _ in old }
        preferences.isEnabled = false
        #expect(!preferences.isEnabled)
        #expect(
            await preferences.reportedProblems().map(\.message)
                == [String](
                    repeating:
                        "the key path from Preferences to Bool does not lead to one key, and to the whole of it: "
                        + "its values are not processed",
                    count: 2
                )
        )
    }

    @Test func keyPathsOfSuchKeysAreWatchedAndReset() {
        let preferences = preferences
        let seen = Recorder<Bool>()
        preferences.watch(\.isEnabled) { seen.add($0.new) }
        preferences.isEnabled = false
        preferences.reset(\.isEnabled)
        #expect(seen.all == [false, true])
        #expect(!preferences.isSet(\.isEnabled))
    }
}
