/// Elements in the order of their registration, each with an id that is greater than those before it.
///
/// Adding takes amortized constant time, and removing logarithmic time: a removed element leaves a gap, and the gaps go when
/// they are more than half of the list.
struct RegistrationList<Element> {
    private var entries: [(id: UInt64, element: Element?)] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The greatest id; 0 if the list is empty.
    var lastID: UInt64 { entries.last?.id ?? 0 }

    /// Adds an element.
    ///
    /// - Parameter id: Its id. One that is smaller than the last, as threads may register out of turn, takes linear time.
    mutating func append(_ element: Element, id: UInt64) {
        let index = id > lastID ? entries.count : index(of: id)
        if index < entries.count, entries[index].id == id {
            // A gap.
            entries[index].element = element
        } else {
            entries.insert((id, element), at: index)
        }
        count += 1
    }

    /// Removes an element.
    ///
    /// - Returns: The element; nil if there is none with this id.
    @discardableResult
    mutating func remove(_ id: UInt64) -> Element? {
        let index = index(of: id)
        guard index < entries.count, entries[index].id == id, let element = entries[index].element else { return nil }
        entries[index].element = nil
        count -= 1
        if entries.count > 2 * count { entries.removeAll { $0.element == nil } }
        return element
    }

    /// The index of the first entry whose id is not smaller.
    private func index(of id: UInt64) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension RegistrationList: Sequence {
    struct Iterator: IteratorProtocol {
        fileprivate var entries: IndexingIterator<[(id: UInt64, element: Element?)]>

        mutating func next() -> Element? {
            while let entry = entries.next() {
                if let element = entry.element { return element }
            }
            return nil
        }
    }

    func makeIterator() -> Iterator { Iterator(entries: entries.makeIterator()) }

    /// Calls a body with the elements up to an id.
    func forEach(upTo id: UInt64, _ body: (Element) -> Void) {
        // In place: copying an entry counts a reference.
        for index in entries.indices {
            if entries[index].id > id { return }
            if let element = entries[index].element { body(element) }
        }
    }
}
