import Foundation
import Synchronization

/// What is remembered of one key for the accessors of one type: its decoded and validated value, or that it has none.
///
/// Readers take no lock but that of a value which does not fit into machine words. Whoever changes a cell holds the lock
/// of its `Preferences`' `state`, so there is one at a time.
///
/// `sequence` is a version and, in its lowest two bits, what the cell knows. It is changed before and after the value
/// is, and a reader that sees it change takes the slow path, where the lock is.
@usableFromInline
class Cell: @unchecked Sendable {  // What is not constant is atomic or locked.
    let sequence = Atomic<UInt>(0)

    /// The accessor.
    let key: CellKey
    /// The type of its values.
    private let type: ObjectIdentifier
    /// The key.
    let entry: PreferenceEntry
    /// Where its value may be kept, in the order in which it is looked for.
    let names: [StoredName]
    /// Tells Observation of reads, where that is on.
    private let tracker: ReadTracker?
    /// Whether a value that was set is what reading it from the store would give.
    let keepsValuesSet: Bool

    init<Value>(_ key: CellKey, _ type: Value.Type, _ entry: PreferenceEntry, _ names: [StoredName]) {
        self.key = key
        self.type = ObjectIdentifier(type)
        self.entry = entry
        self.names = names
        keepsValuesSet = Self.keepsValuesSet(type)
        tracker = names.first?.tracker
    }

    /// Tells Observation that the key was read.
    final func noteRead() {
        tracker?.noteRead()
        // A key that was renamed is looked for in more places than one.
        if names.count > 1 { for name in names.dropFirst() { name.tracker?.noteRead() } }
    }

    /// Whether this is the cell of an accessor and a type.
    final func isOf(_ key: CellKey, _ type: ObjectIdentifier) -> Bool {
        self.key == key && self.type == type
    }

    /// Whether a value that was set by another's accessor is one of this, too: the accessors differ by their defaults alone.
    final func takesValues(of other: Cell) -> Bool {
        self === other || (type == other.type && !key.hasTraits && !other.key.hasTraits)
    }

    /// Makes a cell for values of a type.
    static func make<Value: Sendable>(
        _ key: CellKey,
        _ type: Value.Type,
        _ entry: PreferenceEntry,
        _ names: [StoredName]
    ) -> Cell {
        ScalarCell.holds(type) ? ScalarCell(key, type, entry, names) : ValueCell<Value>(key, type, entry, names)
    }

    private static func keepsValuesSet(_ type: Any.Type) -> Bool {
        let basic: Any.Type = (type as? any OptionalValue.Type)?.wrappedType ?? type
        // A URL that is relative to another is stored as the one that they make, and a set's elements may be of any type.
        return basic is any StandardPreferenceType.Type && basic != URL.self && !(basic is any SetAlgebra.Type)
    }

    /// Makes reading take the slow path.
    func forget() {
        sequence.store((sequence.load(ordering: .relaxed) | Cell.Knowledge.mask) &+ 1, ordering: .releasing)
    }

    /// Tells one forgetting from the next, so that what was read before one is not remembered after it.
    var stamp: UInt { sequence.load(ordering: .relaxed) }

    /// Whether something can be remembered: what was remembered is forgotten first, as it may be what ends a value, for
    /// which there is a time.
    final var knowsNothing: Bool { Knowledge(of: stamp) == .nothing }

    /// Remembers that the key has no value, so that its default is to be used. Nothing must be remembered.
    func rememberUnset() {
        finish(.unset)
    }

    /// Remembers a value. Nothing must be remembered.
    func remember<Value>(_ value: Value) {
        fatalError("a cell is a scalar's or another value's")
    }

    /// What is remembered.
    func recall<Value>(_ type: Value.Type) -> Remembered<Value> {
        fatalError("a cell is a scalar's or another value's")
    }

    /// Says what the cell knows now, when all of it is in place.
    final func finish(_ knowledge: Knowledge) {
        let version = sequence.load(ordering: .relaxed) & ~Knowledge.mask
        sequence.store(version | UInt(knowledge.rawValue), ordering: .releasing)
    }
}

extension Cell {
    @frozen
    @usableFromInline
    enum Knowledge: UInt8 {
        case nothing = 0
        case unset = 1
        case value = 2

        static var mask: UInt { 3 }

        /// What a cell with this `sequence` knows.
        init(of sequence: UInt) {
            self =
                switch sequence & Self.mask {
                case 1: .unset
                case 2: .value
                default: .nothing
                }
        }
    }
}
