/// A change of one name: a new value, or its removal.
public enum PreferenceEdit: Sendable, Hashable {
    /// The name is set to a value, which can be ``PreferenceValue/null``.
    case set(PreferenceValue)
    /// The name is no longer set.
    case remove

    /// Creates the edit that sets a value, or removes the name if it is nil.
    init(_ value: PreferenceValue?) {
        self = value.map { .set($0) } ?? .remove
    }

    /// The value that the name has after the edit; nil if it is removed.
    public var value: PreferenceValue? {
        switch self {
        case .set(let value): value
        case .remove: nil
        }
    }
}

/// Edits that a store applies together: all or none, at most one for each name.
///
/// ```swift
/// var batch: PreferenceBatch = ["weather:unit": .set("kelvin")]
/// batch["weather:temperature"] = .remove
/// for (name, edit) in batch { … }
/// ```
///
/// The edits have no order. A batch of one edit, which is what a setter applies, allocates no memory.
public struct PreferenceBatch: Sendable {
    private var elements: SmallArray<Element>

    /// A name and its edit.
    public typealias Element = (name: String, edit: PreferenceEdit)

    /// Creates an empty batch.
    public init() {
        elements = SmallArray()
    }

    /// Creates a batch of one edit.
    public init(_ name: String, _ edit: PreferenceEdit) {
        elements = SmallArray((name, edit))
    }

    /// Creates a batch from edits by name.
    public init(_ edits: [String: PreferenceEdit]) {
        elements = SmallArray(edits.lazy.map { ($0.key, $0.value) })
    }

    mutating func reserveCapacity(_ count: Int) {
        elements.reserveCapacity(adding: count)
    }

    /// Adds an edit of a name that the batch does not contain.
    mutating func appendUnique(_ name: String, _ edit: PreferenceEdit) {
        elements.append((name, edit))
    }

    /// The edit of a name; nil if the batch has none. Setting nil has no effect.
    ///
    /// - Complexity: O(*n*), where *n* is the number of edits.
    public subscript(name: String) -> PreferenceEdit? {
        get { first { $0.name == name }?.edit }
        set {
            guard let newValue else { return }
            if let index = firstIndex(where: { $0.name == name }) {
                elements[index].edit = newValue
            } else {
                elements.append((name, newValue))
            }
        }
    }

    /// The edits by name.
    public var edits: [String: PreferenceEdit] {
        Dictionary(map { ($0.name, $0.edit) }) { _, last in last }
    }

    /// Calls a body with each edit.
    public func forEach(_ body: (Element) throws -> Void) rethrows {
        try elements.forEach(body)
    }

    /// Whether the batch sets no value.
    package var onlyRemoves: Bool { allSatisfy { $0.edit == .remove } }

    /// Returns a batch with other names or edits; at most one edit remains for each name.
    ///
    /// - Parameter transform: Receives each edit.
    public func mapEdits<Failure: Error>(
        _ transform: (Element) throws(Failure) -> Element
    ) throws(Failure) -> PreferenceBatch {
        if count == 1 {
            let (name, edit) = try transform(self[0])
            return PreferenceBatch(name, edit)
        }
        var edits = [String: PreferenceEdit](minimumCapacity: count)
        for element in self {
            let (name, edit) = try transform(element)
            edits[name] = edit
        }
        return PreferenceBatch(edits)
    }
}

extension PreferenceBatch: RandomAccessCollection {
    /// Always 0.
    public var startIndex: Int { 0 }

    /// The number of edits.
    public var endIndex: Int { elements.endIndex }

    /// The edit at an index, in no particular order.
    public subscript(index: Int) -> Element { elements[index] }
}

extension PreferenceBatch: ExpressibleByDictionaryLiteral {
    /// Creates a batch. The last edit of a repeated name is used.
    public init(dictionaryLiteral elements: (String, PreferenceEdit)...) {
        self.init(Dictionary(elements) { _, last in last })
    }
}

/// An array that stores its first element in place, so that one element, the usual count, takes no allocation.
struct SmallArray<Element> {
    private var firstElement: Element?
    private var rest: [Element] = []

    init() {}

    init(_ element: Element) {
        firstElement = element
    }

    init(_ elements: some Sequence<Element>) {
        for element in elements { append(element) }
    }

    mutating func append(_ element: Element) {
        if firstElement == nil { firstElement = element } else { rest.append(element) }
    }

    func forEach(_ body: (Element) throws -> Void) rethrows {
        guard let firstElement else { return }
        try body(firstElement)
        if !rest.isEmpty { for element in rest { try body(element) } }
    }
}

extension SmallArray: Sendable where Element: Sendable {}

extension SmallArray: RandomAccessCollection, MutableCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { firstElement == nil ? 0 : 1 + rest.count }
    var isEmpty: Bool { firstElement == nil }

    subscript(index: Int) -> Element {
        get { index == 0 ? firstElement! : rest[index - 1] }
        set { if index == 0 { firstElement = newValue } else { rest[index - 1] = newValue } }
    }

    /// Reserves memory for more elements, growing exponentially.
    mutating func reserveCapacity(adding addedCount: Int) {
        let needed = count + addedCount - 1
        if needed > rest.capacity { rest.reserveCapacity(Swift.max(needed, 2 * rest.capacity)) }
    }
}
