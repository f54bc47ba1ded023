import PreferencesSystem

/// What was seen, in its order, by any thread.
package final class Recorder<Element: Sendable>: Sendable {
    private let elements = Locked<[Element]>([])

    package init() {}

    package var all: [Element] { elements.withLock { $0 } }

    package func add(_ element: Element) {
        elements.withLock { $0.append(element) }
    }
}
