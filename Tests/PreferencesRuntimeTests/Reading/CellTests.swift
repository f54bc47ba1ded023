import Foundation
import StoreTestSupport
import Testing

@testable import PreferencesRuntime

@Suite("Cells")
struct CellTests {
    /// The record is retained here, because a cell does not retain it.
    private let record = KeyRecord("a", isAmongSecrets: false)

    private enum Direction: String, PreferenceConvertible { case north, south }

    private func cached<Value: Sendable>(_ value: Value) -> CachedValue<Value> {
        let cell = Cell.make(CellKey("a"), Value.self, PreferenceEntry("a"), [record])
        cell.cache(value)
        return read(cell)
    }

    private func read<Value: Sendable>(_ cell: Cell) -> CachedValue<Value> {
        cell.cachedValue(Value.self)
    }

    private func expectCached<Value: Sendable & Equatable>(_ value: Value) {
        guard case .value(let found) = cached(value) else {
            Issue.record("\(value) is not cached")
            return
        }
        #expect(found == value)
    }

    @Test("Cached values of all types are read as they were")
    func valuesOfAllTypesAreCached() {
        expectCached(true)
        expectCached(Int8.min)
        expectCached(Int.max)
        expectCached(-0.5)
        expectCached(Float.pi)
        expectCached(Direction.south)
        expectCached(Int?.none)
        expectCached(Int?.some(.min))
        expectCached(Double??.some(nil))
        expectCached(Date(timeIntervalSinceReferenceDate: 0.1))
        expectCached(Date?.some(.distantPast))
        expectCached(Duration.seconds(-3) + .nanoseconds(1))
        expectCached(UUID())
        expectCached("some text that is longer than sixteen bytes")
        expectCached(String?.none)
        expectCached(["a", "b"])
        expectCached(["a": [1, 2]])
        expectCached(Station.oslo)
    }

    @Test("Trivial values are cached in words, and others behind a lock")
    func trivialValuesAreInWords() {
        #expect(Cell.fitsIntoWords(Int.self))
        #expect(Cell.fitsIntoWords(Int?.self))
        #expect(Cell.fitsIntoWords(Direction?.self))
        #expect(Cell.fitsIntoWords(Duration.self))
        #expect(!Cell.fitsIntoWords(Duration?.self))
        #expect(!Cell.fitsIntoWords(String.self))
        #expect(!Cell.fitsIntoWords([Int].self))
    }

    @Test("A string of up to 15 bytes is cached in words, and a longer one behind a lock")
    func strings() {
        func state<Value: Sendable>(_ value: Value) -> CacheState {
            let cell = Cell.make(CellKey("a"), Value.self, PreferenceEntry("a"), [record])
            cell.cache(value)
            return CacheState(of: cell.version)
        }
        let long = String(repeating: "é", count: 7)
        for text in ["", "a", "fifteen letters", long] {
            #expect(state(text) == .words)
            #expect(state(String?.some(text)) == .words)
            expectCached(text)
            expectCached(String?.some(text))
        }
        #expect(state(String?.none) == .words)
        #expect(state(long + "12") == .reference)
        #expect(state(String?.some(long + "12")) == .reference)
        // Removing characters leaves the text in the storage of the long string.
        var cut = "some text that is longer than sixteen bytes"
        cut.removeLast(33)
        #expect(state(cut) == .words)
        expectCached(cut)
    }

    @Test("A cell is empty after it has been invalidated", arguments: [true, false]) func anInvalidatedCellIsEmpty(
        isScalar: Bool
    ) {
        func check<Value: Sendable>(_ value: Value) {
            func state(_ cell: Cell) -> String {
                switch read(cell) as CachedValue<Value> {
                case .uncached: "nothing"
                case .unset: "unset"
                case .value: "value"
                }
            }
            let cell = Cell.make(CellKey("a"), Value.self, PreferenceEntry("a"), [record])
            #expect(state(cell) == "nothing")
            let version = cell.version
            cell.cache(value)
            #expect(state(cell) == "value")
            cell.invalidate()
            #expect(state(cell) == "nothing")
            #expect(cell.version != version)
            cell.cacheUnset()
            #expect(state(cell) == "unset")
            cell.invalidate()
            #expect(state(cell) == "nothing")
        }
        if isScalar { check(5) } else { check("five") }
    }

    @Test("A value is released when its cell is invalidated")
    func invalidatedValuesAreReleased() {
        final class Witness: Sendable {}
        weak var witness: Witness?
        let cell = Cell.make(CellKey("a"), Witness.self, PreferenceEntry("a"), [record])
        do {
            let new = Witness()
            witness = new
            cell.cache(new)
        }
        #expect(witness != nil)
        cell.invalidate()
        #expect(witness == nil)
    }
}
