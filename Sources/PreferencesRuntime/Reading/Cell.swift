import Foundation
public import PreferencesSystem
import Synchronization

/// The state of a cached value.
@frozen
@usableFromInline
enum CachedValue<Value> {
    /// Nothing is cached. The slow path reads the store.
    case uncached
    /// The key is not set, and reads as its default.
    case unset
    case value(Value)
}

extension CachedValue: Sendable where Value: Sendable {}

/// The cached value of one key for the accessors of one type: a decoded and validated value, or the fact that the key
/// is not set.
///
/// A trivial value of at most two machine words is cached in atomic words, which readers load without a lock: numbers,
/// Booleans, enums without payload, dates, and optionals of these. Subclasses cache other values. Cells are mutated
/// only while `state` of their `Preferences` is locked.
///
/// `sequence` is a version, with a ``CacheState`` in its lowest two bits. It changes before the value does, and a
/// reader that observes a change takes the slow path, which locks `state`.
///
/// The conformance to `Sendable` is unchecked because the compiler checks only final classes, and because `names` is
/// unmanaged. All properties are constants or atomics, and `names` refers to an object that is `Sendable` or never
/// changes.
@usableFromInline
class Cell: @unchecked Sendable {  // Has constants and atomics, but is not final.
    private let sequence: Atomic<UInt>
    private let first = Atomic<UInt64>(0)
    private let second = Atomic<UInt64>(0)

    /// The accessor.
    let key: CellKey
    /// The type of its values.
    let valueType: Any.Type
    /// The record of the key's present name, which `Preferences` keep; or for a renamed key, its retained ``Names``.
    /// One word for both, because few keys are renamed.
    private let names: Unmanaged<AnyObject>

    /// The state of a cell, and the words of its value.
    @frozen
    @usableFromInline
    struct Contents {
        @usableFromInline let state: CacheState
        @usableFromInline let words: (UInt64, UInt64)

        static var uncached: Contents { Contents(state: .uncached, words: (0, 0)) }
    }

    /// The records of a renamed key's names, in the order in which they are read. `Preferences` keep the records.
    private final class Names {
        let entry: PreferenceEntry
        let records: [Unmanaged<KeyRecord>]

        init(_ entry: PreferenceEntry, _ records: [KeyRecord]) {
            self.entry = entry
            self.records = records.map(Unmanaged.passUnretained)
        }
    }

    init<Value>(_ key: CellKey, _ type: Value.Type, _ entry: PreferenceEntry, _ records: [KeyRecord]) {
        self.key = key
        valueType = type
        let isRenamed = records.count > 1
        names = isRenamed ? .passRetained(Names(entry, records)) : .passUnretained(records[0])
        sequence = Atomic(isRenamed ? Self.renamed : 0)
    }

    deinit {
        if hasFormerNames { names.release() }
    }

    // `sequence` consists of the state, the constant bit `renamed`, and the version.
    private static var versionStep: UInt { 8 }
    private static var renamed: UInt { 4 }

    /// Whether the key was renamed.
    final var hasFormerNames: Bool { version & Self.renamed != 0 }

    /// The names of a renamed key; nil if it was not renamed.
    private var renamedNames: Names? {
        hasFormerNames ? unsafeDowncast(names.takeUnretainedValue(), to: Names.self) : nil
    }

    /// The record of the key's present name.
    final var record: KeyRecord { unmanagedRecord.takeUnretainedValue() }

    /// The record of the key's present name, without counting a reference.
    final var unmanagedRecord: Unmanaged<KeyRecord> {
        renamedNames?.records[0] ?? Unmanaged<KeyRecord>.fromOpaque(names.toOpaque())
    }

    /// The entry of the key.
    final var entry: PreferenceEntry {
        if let renamedNames { return renamedNames.entry }
        var entry = PreferenceEntry(record.name)
        entry.isSecret = record.isAmongSecrets
        return entry
    }

    /// The records of all names that the value may be stored under, in the order in which they are read.
    final var records: [KeyRecord] { renamedNames?.records.map { $0.takeUnretainedValue() } ?? [record] }

    /// Notifies Observation that the key was read.
    final func noteRead() {
        if hasFormerNames {
            for record in records { record.tracker?.noteRead() }
        } else {
            record.tracker?.noteRead()
        }
    }

    /// Returns whether this is the cell of an accessor and a type.
    final func isOf(_ key: CellKey, _ type: ObjectIdentifier) -> Bool {
        self.key == key && self.type == type
    }

    private final var type: ObjectIdentifier { ObjectIdentifier(valueType) }

    /// Returns whether every accessor of the name and the type without traits may use the cell.
    final func isPlain(_ type: ObjectIdentifier) -> Bool {
        self.type == type && key.isPlain
    }

    /// Creates a cell for values of a type.
    static func make<Value: Sendable>(
        _ key: CellKey,
        _ type: Value.Type,
        _ entry: PreferenceEntry,
        _ records: [KeyRecord]
    ) -> Cell {
        if fitsIntoWords(type) { return Cell(key, type, entry, records) }
        return TextCell.isText(type) ? TextCell(key, type, entry, records) : ValueCell<Value>(key, type, entry, records)
    }

    /// Returns whether values of a type fit into the words. The compiler evaluates this where the type is concrete.
    @inlinable
    static func fitsIntoWords<Value>(_ type: Value.Type) -> Bool {
        // There is no other way to test at run time whether a type is `BitwiseCopyable`.
        _isPOD(type) && MemoryLayout<Value>.size <= 16 && MemoryLayout<Value>.alignment <= 8
    }

    /// Invalidates the cached value, so that readers take the slow path.
    final func invalidate() {
        let old = sequence.load(ordering: .relaxed)
        sequence.store((old & ~CacheState.mask) &+ Self.versionStep, ordering: .releasing)
        if CacheState(of: old) == .reference { removeValue() }
    }

    /// Releases a cached value that is not in the words.
    func removeValue() {}

    /// A number that increases with each invalidation, so that a value which was read before one is not cached after
    /// it.
    final var version: UInt { sequence.load(ordering: .relaxed) }

    /// Whether nothing is cached. A cached value must be invalidated before another is cached, since releasing it may
    /// take long.
    final var isEmpty: Bool { CacheState(of: version) == .uncached }

    /// Caches that the key is not set. The cell must be empty.
    func cacheUnset() {
        finish(.unset)
    }

    /// Caches a value. The cell must be empty.
    func cache<Value>(_ value: Value) {
        cacheWords(of: value)
    }

    /// Caches a stored value of one of the most frequent types, which the accessor reads without conversion. The cell
    /// must be empty.
    final func cacheStored(_ stored: PreferenceValue?) {
        if hasFormerNames || key.hasTraits { return }
        switch stored {
        case nil:
            // Other accessors may have a default that is created once, and then cached.
            if key.isPlain { cacheUnset() }
        case .int(let stored):
            if let value = Int(exactly: stored) { cacheWordsIfRead(of: value) }
        case .double(let value): cacheWordsIfRead(of: value)
        case .bool(let value): cacheWordsIfRead(of: value)
        case .string(let value):
            if type == ObjectIdentifier(String.self) || type == ObjectIdentifier(String?.self) { cache(value) }
        default: break
        }
    }

    /// Caches a value if the accessor's type is the value's type or an optional of it.
    private func cacheWordsIfRead<Value: BitwiseCopyable>(of value: Value) {
        if type == ObjectIdentifier(Value.self) {
            cacheWords(of: value)
        } else if type == ObjectIdentifier(Value?.self) {
            cacheWords(of: Value?.some(value))
        }
    }

    /// The cached value.
    func cachedValue<Value>(_ type: Value.Type) -> CachedValue<Value> {
        let contents = read()
        switch contents.state {
        case .uncached: return .uncached
        case .unset: return .unset
        case .words: return .value(withUnsafeBytes(of: contents.words) { $0.load(as: Value.self) })
        case .reference: fatalError("a plain cell contains a reference")
        }
    }

    /// Reads the state and the words.
    ///
    /// The loads of the words acquire. A reader that loads a word which was stored after `sequence` had changed
    /// therefore also observes that change in its second load of `sequence`. So the words belong to one value, or are
    /// not used.
    @inline(__always)
    final func read() -> Contents {
        let sequence = sequence.load(ordering: .acquiring)
        let state = CacheState(of: sequence)
        guard state == .words else { return Contents(state: state, words: (0, 0)) }
        let words = (first.load(ordering: .acquiring), second.load(ordering: .acquiring))
        guard self.sequence.load(ordering: .relaxed) == sequence else { return .uncached }
        return Contents(state: .words, words: words)
    }

    /// Caches a trivial value.
    ///
    /// The preceding invalidation has changed `sequence`, so a reader that loads the words of two values does not use
    /// them.
    final func cacheWords<Value>(of value: Value) {
        var words = (UInt64(0), UInt64(0))
        withUnsafeMutableBytes(of: &words) { $0.storeBytes(of: value, as: Value.self) }
        cache(words)
    }

    /// Caches the words of a value.
    final func cache(_ words: (UInt64, UInt64)) {
        first.store(words.0, ordering: .releasing)
        second.store(words.1, ordering: .releasing)
        finish(.words)
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
    case uncached = 0
    case unset = 1
    /// The value is in the cell's words.
    case words = 2
    /// The value, or the fact that the key is not set, is behind the lock of the cell.
    case reference = 3

    static var mask: UInt { 3 }

    /// Creates the state of a cell with this `sequence`.
    init(of sequence: UInt) {
        self =
            switch sequence & Self.mask {
            case 1: .unset
            case 2: .words
            case 3: .reference
            default: .uncached
            }
    }
}

/// A cell of `String` or `String?`.
///
/// The standard library stores a string of up to 15 bytes of UTF-8 in the string's own two words. These are read like
/// the words of a number, without a lock and without counting a reference.
///
/// A subclass has to restate the unchecked conformance of ``Cell``. The one property that this one adds is `Sendable`.
@usableFromInline
final class TextCell: Cell, @unchecked Sendable {  // Inherited from `Cell`.
    /// A string that is too long for the words.
    private let long = Locked<CachedValue<String>>(.uncached)

    /// Returns whether cells of a type are text cells. The compiler evaluates this where the type is concrete.
    @inlinable
    static func isText<Value>(_ type: Value.Type) -> Bool {
        type == String.self || type == String?.self
    }

    /// The cached string; the inner nil is a value of `String?`.
    @inline(__always)
    func readText() -> CachedValue<String?> {
        let contents = read()
        switch contents.state {
        case .uncached: return .uncached
        case .unset: return .unset
        case .words:
            // Moved, because copying would call the runtime to count a reference. The words refer to nothing.
            var words = contents.words
            return .value(
                withUnsafeMutablePointer(to: &words) {
                    UnsafeMutableRawPointer($0).assumingMemoryBound(to: String?.self).move()
                }
            )
        case .reference:
            // The cell may have been invalidated since.
            guard case .value(let text) = long.withLock({ $0 }) else { return .uncached }
            return .value(text)
        }
    }

    override func cachedValue<Value>(_ type: Value.Type) -> CachedValue<Value> {
        precondition(Self.isText(type), "\(type) is not a string type")
        switch readText() {
        case .uncached: return .uncached
        case .unset: return .unset
        case .value(let text): return .value(unsafeBitCast(text, to: Value.self))
        }
    }

    override func cache<Value>(_ value: Value) {
        precondition(Self.isText(Value.self), "\(Value.self) is not a string type")
        // `String?` has the layout of `String`, with a bit pattern for nil that no string has.
        guard let text = withUnsafeBytes(of: value, { $0.load(as: String?.self) }) else {
            return cache(Self.rawWords(of: nil))
        }
        if let words = Self.words(of: text) { return cache(words) }
        finish(.reference)
        long.withLock { $0 = .value(text) }
    }

    override func removeValue() {
        var old = CachedValue<String>.uncached
        long.withLock { swap(&$0, &old) }
    }

    /// Returns the words of a string if they contain its text; nil if they refer to it.
    static func words(of text: String) -> (UInt64, UInt64)? {
        guard hasExpectedLayout, text.utf8.count <= 15 else { return nil }
        // A short string that was cut from a long one may still refer to memory; this copy of it does not.
        let words = rawWords(of: String(decoding: text.utf8, as: UTF8.self))
        return containsText(words) ? words : nil
    }

    private static func rawWords(of text: String?) -> (UInt64, UInt64) {
        withUnsafeBytes(of: text) { $0.loadUnaligned(as: (UInt64, UInt64).self) }
    }

    /// The bit that the standard library's ABI for 64-bit platforms sets in the second word of strings that contain
    /// their text (`StringObject.swift`).
    private static func containsText(_ words: (UInt64, UInt64)) -> Bool { words.1 & 1 << 61 != 0 }

    /// Whether strings have the expected layout on this platform. If not, all strings are behind the lock.
    private static let hasExpectedLayout: Bool = {
        guard MemoryLayout<String>.size == 16, MemoryLayout<String?>.size == 16 else { return false }
        let short = ["", "a", "fifteen letters", "é", "seven é: éé"].map { String(decoding: $0.utf8, as: UTF8.self) }
        let long = String(repeating: "x", count: 16)
        return short.allSatisfy { containsText(rawWords(of: $0)) } && !containsText(rawWords(of: long))
            && !containsText(rawWords(of: "a literal of more than fifteen letters"))
    }()
}

/// A cell of any other type, whose values are behind a lock. Nothing is faster for reference-counted values.
///
/// A subclass has to restate the unchecked conformance of ``Cell``. The one property that this one adds is `Sendable`.
@usableFromInline
final class ValueCell<Value: Sendable>: Cell, @unchecked Sendable {  // Inherited from `Cell`.
    @usableFromInline let contents = Locked<CachedValue<Value>>(.uncached)

    @inlinable
    func readValue() -> CachedValue<Value> {
        contents.withLock { $0 }
    }

    override func cachedValue<Other>(_ type: Other.Type) -> CachedValue<Other> {
        guard let contents = readValue() as? CachedValue<Other> else {
            fatalError("\(Other.self) is not this cell's type, \(Value.self)")
        }
        return contents
    }

    override func removeValue() {
        var old = CachedValue<Value>.uncached
        contents.withLock { swap(&$0, &old) }
        guard case .value = old, !Self.releasesWithoutUserCode else { return }
        // Releasing the value may run user code that reads keys, so not while `state` is locked.
        DeferredNotifications.perform { withExtendedLifetime(old) {} }
    }

    /// Whether releasing a value runs no user code, as for nearly all keys.
    private static var releasesWithoutUserCode: Bool {
        Value.self == [String].self || Value.self == [String]?.self || Value.self == [String: String].self
            || Value.self == Set<String>.self || Value.self == URL.self || Value.self == URL?.self
            || Value.self == [URL].self || Value.self == [Int].self || Value.self == [Double].self
    }

    override func cacheUnset() {
        finish(.reference)
        contents.withLock { $0 = .unset }
    }

    override func cache<Other>(_ value: Other) {
        guard Other.self == Value.self else { fatalError("\(Other.self) is not this cell's type, \(Value.self)") }
        let value = withUnsafePointer(to: value) { UnsafeRawPointer($0).load(as: Value.self) }
        finish(.reference)
        contents.withLock { $0 = .value(value) }
    }
}
