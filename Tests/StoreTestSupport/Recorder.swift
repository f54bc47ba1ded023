import PreferencesSystem

/// A thread-safe list of events.
package final class Recorder<Element: Sendable>: Sendable {
    private let elements = Locked<[Element]>([])

    package init() {}

    package var all: [Element] { elements.withLock { $0 } }

    package func add(_ element: Element) {
        elements.withLock { $0.append(element) }
    }
}
