@testable import PreferencesRuntime
import PreferencesSystem

/// What was seen, in its order, by any thread.
final class Recorder<Element: Sendable>: Sendable {
    private let elements = Locked<[Element]>([])

    var all: [Element] { elements.withLock { $0 } }

    func add(_ element: Element) {
        elements.withLock { $0.append(element) }
    }
}
