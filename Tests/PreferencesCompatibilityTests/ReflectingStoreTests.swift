import Foundation
import PreferencesCompatibility
import PreferencesRuntime
import Synchronization
import Testing

@Suite("Reflecting store")
struct ReflectingStoreTests {
    private struct Theme: Sendable {
        var color = "red"
        var age = 33
        var isEnabled = false
    }

    private class Base {
        var id = 7
    }

    private final class Model: Base {
        var name: String? = "a"
        var point = Point(x: 1)
        lazy var late = 5
        let closure: () -> Void = {}
    }

    private struct Point: Codable {
        var x: Int
    }

    @Test("Stored properties are read by their names")
    func storedPropertiesAreReadByName() throws {
        let store = ReflectingStore(reflecting: Theme())
        #expect(store.names() == ["color", "age", "isEnabled"])
        #expect(try store.value(for: "color") == "red")
        #expect(try store.value(for: "age") == 33)
        #expect(try store.value(for: "isEnabled") == false)
        #expect(try store.value(for: "other") == nil)
        #expect(store.label == "Theme")
    }

    @Test("A store over a closure reads changes of the value")
    func changesAreRead() {
        let current = Current()
        let preferences = Preferences(store: ReflectingStore { current.theme.withLock { $0 } })
        #expect(preferences.get(named: "age", default: 0) == 33)
        current.theme.withLock { $0.age = 34 }
        #expect(preferences.get(named: "age", default: 0) == 34)
    }

    private final class Current: Sendable {
        let theme = Mutex(Theme())
    }

    @Test("Inherited and lazy properties of objects are read")
    func inheritedPropertiesAreRead() throws {
        let current = Current()
        let store = ReflectingStore {
            let model = Model()
            if current.theme.withLock({ $0.isEnabled }) {
                model.name = nil
                model.late = 6
            }
            return model
        }
        #expect(store.names() == ["id", "name", "point"])
        #expect(try store.value(for: "id") == 7)
        #expect(try store.value(for: "name") == "a")
        #expect(try store.value(for: "point") == ["x": 1])
        current.theme.withLock { $0.isEnabled = true }
        #expect(store.names() == ["id", "point", "late"])
        #expect(try store.value(for: "name") == nil)
        #expect(try store.value(for: "late") == 6)
    }

    @Test("A store over a value has the properties at the time of its creation")
    func valuesAreCopied() throws {
        final class Shared: Sendable {
            let name = "a"
        }
        struct Holder: Sendable {
            let shared = Shared()
            let count = 3
        }
        let store = ReflectingStore(reflecting: Holder())
        #expect(store.notifiesAllChanges)
        #expect(store.names() == ["count"])
        #expect(ReflectingStore(reflecting: Shared()).names() == ["name"])
    }

    @Test(
        "Changes are refused",
        arguments: ["color", "other"]
    )
    func changesAreRefused(name: String) {
        #expect(throws: PreferenceProblem(.storeUnwritable, store: "Theme", message: "it is read-only")) {
            try ReflectingStore(reflecting: Theme()).commit([name: .set("blue")])
        }
    }
}
