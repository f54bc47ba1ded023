import Foundation
import Synchronization

/// The state of a cached value.
@frozen
@usableFromInline
enum CachedValue<Value> {
    /// Nothing is cached: the slow path reads the store.
    case unknown
    /// The key is known not to be set, and its default is to be used.
    case unset
    case value(Value)
}

extension CachedValue: Sendable where Value: Sendable {}

/// The cached value of one key for the accessors of one type: decoded and validated, or known to be missing.
///
/// Readers take no lock but that of a value which does not fit into machine words. Cells are mutated only while `state` of
/// their `Preferences` is locked.
///
/// `sequence` is a version, with a ``CacheState`` in its lowest two bits. It changes before the value does, and a reader that
/// sees it change takes the slow path, which locks `state`.
@usableFromInline
class Cell: @unchecked Sendable {  // Constants, and an atomic `sequence`.
    let sequence = Atomic<UInt>(0)

    /// The accessor.
    let key: CellKey
    /// The type of its values.
    private let type: ObjectIdentifier
    /// The record of the key's present name, which keeps its cells, and which `Preferences` keep.
    unowned(unsafe) let record: KeyRecord
    /// The records of the names that the key had before; nil if it had none.
    private let former: FormerRecords?
    /// Whether reading a value from the store gives the value that was set.
    let cachesValuesSet: Bool

    /// The records of a renamed key's former names, in the order in which they are read. `Preferences` keep them.
    private final class FormerRecords {
        let names: [String]
        let records: [Unmanaged<KeyRecord>]

        init(_ names: [String], _ records: some Sequence<KeyRecord>) {
            self.names = names
            self.records = records.map(Unmanaged.passUnretained)
        }
    }

    init<Value>(_ key: CellKey, _ type: Value.Type, _ entry: PreferenceEntry, _ records: [KeyRecord]) {
        self.key = key
        self.type = ObjectIdentifier(type)
        record = records[0]
        former = records.count == 1 ? nil : FormerRecords(entry.formerNames, records.dropFirst())
        cachesValuesSet = Self.cachesValuesSet(type)
    }

    /// The key.
    final var entry: PreferenceEntry {
        var entry = PreferenceEntry(record.name)
        entry.isSecret = record.isAmongSecrets
        if let former { entry.formerNames = former.names }
        return entry
    }

    /// The records of all names that the value may be stored under, in the order in which they are read.
    final var records: [KeyRecord] { [record] + (former?.records.map { $0.takeUnretainedValue() } ?? []) }

    /// Whether the key was renamed.
    final var hasFormerNames: Bool { former != nil }

    /// Notifies Observation that the key was read.
    final func noteRead() {
        record.tracker?.noteRead()
        if hasFormerNames { for record in records.dropFirst() { record.tracker?.noteRead() } }
    }

    /// Whether this is the cell of an accessor and a type.
    final func isOf(_ key: CellKey, _ type: ObjectIdentifier) -> Bool {
        self.key == key && self.type == type
    }

    /// Whether a value that was set by another cell's accessor is also this one's: the accessors differ by their defaults alone.
    final func acceptsValues(of other: Cell) -> Bool {
        self === other || (type == other.type && !key.hasTraits && !other.key.hasTraits)
    }

    /// Creates a cell for values of a type.
    static func make<Value: Sendable>(
        _ key: CellKey,
        _ type: Value.Type,
        _ entry: PreferenceEntry,
        _ records: [KeyRecord]
    ) -> Cell {
        ScalarCell.holds(type) ? ScalarCell(key, type, entry, records) : ValueCell<Value>(key, type, entry, records)
    }

    private static func cachesValuesSet(_ type: Any.Type) -> Bool {
        let basic: Any.Type = (type as? any OptionalValue.Type)?.wrappedType ?? type
        // A URL that is relative to another is stored as the one that they make, and a set's elements may be of any type.
        return basic is any StandardPreferenceType.Type && basic != URL.self && !(basic is any SetAlgebra.Type)
    }

    /// Makes readers take the slow path.
    final func invalidate() {
        let old = sequence.load(ordering: .relaxed)
        sequence.store((old | CacheState.mask) &+ 1, ordering: .releasing)
        if CacheState(of: old) != .unknown { removeValue() }
    }

    /// Releases a cached value that is not in words.
    func removeValue() {}

    /// Differs after each invalidation, so that a value that was read before one is not cached after it.
    final var version: UInt { sequence.load(ordering: .relaxed) }

    /// Whether a value can be cached. A cached value must be invalidated first, since releasing it may take a while.
    final var isEmpty: Bool { CacheState(of: version) == .unknown }

    /// Caches that the key is not set. The cell must be empty.
    func cacheUnset() {
        finish(.unset)
    }

    /// Caches a value. The cell must be empty.
    func cache<Value>(_ value: Value) {
        fatalError("Cell is abstract")
    }

    /// The cached value.
    func cachedValue<Value>(_ type: Value.Type) -> CachedValue<Value> {
        fatalError("Cell is abstract")
    }

    /// Publishes the cell's state after its value has been written.
    final func finish(_ state: CacheState) {
        let version = sequence.load(ordering: .relaxed) & ~CacheState.mask
        sequence.store(version | UInt(state.rawValue), ordering: .releasing)
    }
}

/// The state of a cell.
@frozen
@usableFromInline
enum CacheState: UInt8 {
    case unknown = 0
    case unset = 1
    case value = 2

    static var mask: UInt { 3 }

    /// The state of a cell with this `sequence`.
    init(of sequence: UInt) {
        self =
            switch sequence & Self.mask {
            case 1: .unset
            case 2: .value
            default: .unknown
            }
    }
}

/// A cell of a type whose values are at most two machine words of plain bits: numbers, booleans, enums without payload,
/// dates, and optionals of such.
@usableFromInline
final class ScalarCell: Cell, @unchecked Sendable {  // Adds atomic words.
    /// The state of the cell, and the bits of its value.
    @frozen
    @usableFromInline
    struct Contents {
        @usableFromInline let state: CacheState
        @usableFromInline let words: (UInt64, UInt64)

        static var unknown: Contents { Contents(state: .unknown, words: (0, 0)) }
    }

    private let first = Atomic<UInt64>(0)
    private let second = Atomic<UInt64>(0)

    /// Whether values of a type fit. Known to the compiler where the type is.
    @inlinable
    static func holds<Value>(_ type: Value.Type) -> Bool {
        // The language has no way to ask whether a type is `BitwiseCopyable` other than this.
        _isPOD(type) && MemoryLayout<Value>.size <= 16 && MemoryLayout<Value>.alignment <= 8
    }

    /// Reads the cell.
    ///
    /// The loads of the words acquire: a reader that sees a word which was written after `sequence` had changed sees that
    /// change in its second look at `sequence`, too. So the words are those of one value, or are not used.
    @inline(__always)
    func read() -> Contents {
        let sequence = sequence.load(ordering: .acquiring)
        let state = CacheState(of: sequence)
        guard state == .value else { return Contents(state: state, words: (0, 0)) }
        let words = (first.load(ordering: .acquiring), second.load(ordering: .acquiring))
        guard self.sequence.load(ordering: .relaxed) == sequence else { return .unknown }
        return Contents(state: .value, words: words)
    }

    override func cachedValue<Value>(_ type: Value.Type) -> CachedValue<Value> {
        let contents = read()
        switch contents.state {
        case .unknown: return .unknown
        case .unset: return .unset
        case .value: return .value(withUnsafeBytes(of: contents.words) { $0.load(as: Value.self) })
        }
    }

    /// The invalidation before this has changed `sequence`: a reader that mixes the words of two values does not use them.
    override func cache<Value>(_ value: Value) {
        var words = (UInt64(0), UInt64(0))
        withUnsafeMutableBytes(of: &words) { $0.storeBytes(of: value, as: Value.self) }
        first.store(words.0, ordering: .releasing)
        second.store(words.1, ordering: .releasing)
        finish(.value)
    }
}

/// A cell of any type, whose values are behind a lock: nothing is faster for what is reference-counted.
@usableFromInline
final class ValueCell<Value: Sendable>: Cell, @unchecked Sendable {  // Adds a value behind a lock.
    @usableFromInline let contents = Locked<CachedValue<Value>>(.unknown)

    @inlinable
    func read() -> CachedValue<Value> {
        contents.withLock { $0 }
    }

    override func cachedValue<Other>(_ type: Other.Type) -> CachedValue<Other> {
        guard let contents = read() as? CachedValue<Other> else {
            fatalError("\(Other.self) is not this cell's type, \(Value.self)")
        }
        return contents
    }

    override func removeValue() {
        var old = CachedValue<Value>.unknown
        contents.withLock { swap(&$0, &old) }
        guard case .value = old, !Self.releasesQuietly else { return }
        // Releasing it may run code of the user's, which may read keys: not here, where `state` is locked.
        DeferredNotifications.perform { withExtendedLifetime(old) {} }
    }

    /// Whether releasing a value is known to run no code of the user's, as for nearly all keys.
    private static var releasesQuietly: Bool {
        Value.self == String.self || Value.self == String?.self || Value.self == [String].self
            || Value.self == [String]?.self || Value.self == [String: String].self || Value.self == Set<String>.self
            || Value.self == URL.self || Value.self == URL?.self || Value.self == [URL].self || Value.self == [Int].self
            || Value.self == [Double].self
    }

    override func cacheUnset() {
        super.cacheUnset()
        contents.withLock { $0 = .unset }
    }

    override func cache<Other>(_ value: Other) {
        guard Other.self == Value.self else { fatalError("\(Other.self) is not this cell's type, \(Value.self)") }
        let value = withUnsafePointer(to: value) { UnsafeRawPointer($0).load(as: Value.self) }
        finish(.value)
        contents.withLock { $0 = .value(value) }
    }
}
