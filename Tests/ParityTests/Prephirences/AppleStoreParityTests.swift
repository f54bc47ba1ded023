import Foundation
import Synchronization
import Testing

@testable import PreferencesRuntime
import StoreTestSupport

/// What runs on Apple platforms alone, over doubles of what the frameworks offer. `PreferencesRuntimeTests` has stricter ones.
@Suite("Prephirences: stores of Apple's frameworks", .timeLimit(.minutes(1)))
struct AppleStoreParityTests {
    @Test("iCloud key-value store: change notifications with their reasons reach watchers")
    func iCloud() async {
        let cloud = Cloud()
        let store = UbiquitousKeyValues(cloud)
        let preferences = Preferences(store: store)
        let watched = Names()
        #expect(preferences.get(named: "color", default: "red") == "red")
        let reference = PreferenceReference("color", default: "red", in: preferences)
        reference.watch(\.value) { watched.add($0.new) }
        var changes = store.streams.stream().makeAsyncIterator()
        cloud.change("color", to: "blue", reason: 0)
        cloud.change("color", to: "green", reason: 3)
        #expect(watched.all == ["blue", "green"])
        #expect(await changes.next()?.reason == .serverChange)
        #expect(await changes.next()?.reason == .accountChange)
        cloud.change("color", to: nil, reason: 2)
        let problem = await preferences.firstProblem()
        #expect(problem?.code == .quotaExceeded)
    }

    @Test("Key-Value Coding objects: an unknown key raises nothing")
    func keyValueCoding() throws {
        let object = Properties()
        let preferences = Preferences(store: CodedProperties(object))
        #expect(preferences.get(named: "title", default: "") == "old")
        preferences.set(named: "title", to: "new")
        #expect(object.title == "new")
        #expect(preferences.get(named: "unknown", default: 5) == 5)
        let problem = PreferenceProblem(
            .unsupportedValue,
            key: "unknown",
            store: "object of class Window",
            message: "Window has no property of this name that is a preference value and that Objective-C can use"
        )
        #expect(throws: problem) { try preferences.store.apply(["unknown": .set(1)]) }
        #expect(object.unknownKeys.isEmpty)
    }

    @Test("Core Data objects: an unknown key raises nothing")
    func coreData() throws {
        let object = Attributes()
        let store = ManagedAttributes(object)
        let preferences = Preferences(store: store)
        #expect(preferences.get(named: "age", default: 0) == 33)
        preferences.set(named: "age", to: 34)
        #expect(object.age == 34)
        #expect(preferences.get(named: "unknown", default: 5) == 5)
        #expect(throws: PreferenceProblem.self) { try store.apply(["unknown": .set(1)]) }
        #expect(throws: PreferenceProblem.self) { try store.apply(["age": .set("thirty")]) }
        #expect(object.age == 34)
    }
}

private final class Names: Sendable {
    private let names = Mutex<[String]>([])
    var all: [String] { names.withLock { $0 } }
    func add(_ name: String) { names.withLock { $0.append(name) } }
}

private final class Cloud: UbiquitousMedium {
    private let values = Mutex<[String: String]>([:])
    private let handler = Mutex<(@Sendable (UbiquitousChange) -> Void)?>(nil)

    func change(_ name: String, to value: String?, reason: Int) {
        values.withLock { $0[name] = value }
        handler.withLock { $0 }?(UbiquitousChange(reason: reason, names: [name]))
    }

    func object(for name: String) -> Any? { values.withLock { $0[name] } }
    func set(_ object: Any, for name: String) { values.withLock { $0[name] = object as? String } }
    func removeObject(for name: String) { values.withLock { $0[name] = nil } }
    var contents: [String: Any] { values.withLock { $0 } }
    func synchronize() -> Bool { true }

    func observe(_ handler: @escaping @Sendable (UbiquitousChange) -> Void) -> PreferenceStoreObservation {
        self.handler.withLock { $0 = handler }
        return PreferenceStoreObservation { [weak self] in self?.handler.withLock { $0 = nil } }
    }
}

/// An object with one property, which notes what would have raised an exception.
private final class Properties: PropertyMedium {
    private let value = Mutex("old")
    private let unknown = Mutex<[String]>([])

    var title: String { value.withLock { $0 } }
    var unknownKeys: [String] { unknown.withLock { $0 } }

    let className = "Window"
    let names: Set<String> = ["title"]

    func declaration(of name: String) -> PropertyDeclaration? {
        name == "title" ? PropertyDeclaration(name: name, attributes: "T@\"NSString\",C,N,V_title") : nil
    }

    func responds(to method: String) -> Bool { ["title", "setTitle:"].contains(method) }

    func value(of name: String) -> Any? {
        if name != "title" { unknown.withLock { $0.append(name) } }
        return title
    }

    func setValue(_ object: Any?, of name: String) {
        if name != "title" { unknown.withLock { $0.append(name) } }
        value.withLock { $0 = object as? String ?? "" }
    }

    func observe(
        _ names: Set<String>,
        _ handler: @escaping @Sendable (_ name: String) -> Void
    ) -> PreferenceStoreObservation {
        PreferenceStoreObservation {}
    }
}

/// An object with one attribute.
private final class Attributes: ManagedMedium {
    private let value = Mutex<Int64>(33)

    var age: Int64 { value.withLock { $0 } }

    let entityName = "Person"
    let names: Set<String> = ["age"]
    let isOfAnotherThread = false
    let isAlive = true

    func attribute(named name: String) -> ManagedAttribute? {
        name == "age" ? ManagedAttribute(typeNumber: 300, className: nil, isOptional: false, isDerived: false) : nil
    }

    func onQueue<Result>(_ body: () throws -> Result) throws -> Result { try body() }
    func afterwards(_ body: @escaping @Sendable () -> Void) { body() }
    func value(of name: String) -> Any? { age }

    func setValue(_ object: Any?, of name: String) {
        guard let number = object as? Int64 else {
            Issue.record("this would raise an exception: \(object ?? "nil")")
            return
        }
        value.withLock { $0 = number }
    }

    func validate() -> [ManagedFault] { [] }
    func processChanges() {}
    func save() {}
    func refresh() {}

    func observe(_ handler: @escaping @Sendable (_ names: Set<String>?) -> Void) -> PreferenceStoreObservation {
        PreferenceStoreObservation {}
    }
}
