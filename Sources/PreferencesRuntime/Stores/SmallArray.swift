/// An array that stores its first element in place, so that one element, the usual count, takes no allocation.
struct SmallArray<Element> {
    private var firstElement: Element?
    private var others: [Element] = []

    init() {}

    init(_ element: Element) {
        firstElement = element
    }

    init(_ elements: some Sequence<Element>) {
        for element in elements { append(element) }
    }

    mutating func append(_ element: Element) {
        if firstElement == nil { firstElement = element } else { others.append(element) }
    }

    func forEach(_ body: (Element) throws -> Void) rethrows {
        guard let firstElement else { return }
        try body(firstElement)
        if !others.isEmpty { for element in others { try body(element) } }
    }
}

extension SmallArray: Sendable where Element: Sendable {}

extension SmallArray: RandomAccessCollection, MutableCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { firstElement == nil ? 0 : 1 + others.count }
    var isEmpty: Bool { firstElement == nil }

    subscript(index: Int) -> Element {
        get { index == 0 ? firstElement! : others[index - 1] }
        set { if index == 0 { firstElement = newValue } else { others[index - 1] = newValue } }
    }

    /// Reserves memory for more elements, growing exponentially.
    mutating func reserveCapacity(adding addedCount: Int) {
        let needed = count + addedCount - 1
        if needed > others.capacity { others.reserveCapacity(Swift.max(needed, 2 * others.capacity)) }
    }
}
