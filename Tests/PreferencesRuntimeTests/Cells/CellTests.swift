import Foundation
import Testing

@testable import PreferencesRuntime
import StoreTestSupport

struct CellTests {
    /// Retained, as a cell does not retain its record.
    private let record = KeyRecord("a", isAmongSecrets: false)

    private enum Direction: String, PreferenceConvertible { case north, south }

    private func remembered<Value: Sendable>(_ value: Value) -> CachedValue<Value> {
        let cell = Cell.make(CellKey("a"), Value.self, PreferenceEntry("a"), [record])
        cell.cache(value)
        return read(cell)
    }

    private func read<Value: Sendable>(_ cell: Cell) -> CachedValue<Value> {
        cell.cachedValue(Value.self)
    }

    private func expectRemembered<Value: Sendable & Equatable>(_ value: Value) {
        guard case .value(let found) = remembered(value) else {
            Issue.record("\(value) is not remembered")
            return
        }
        #expect(found == value)
    }

    @Test func valuesOfAllTypesAreGivenAsTheyWere() {
        expectRemembered(true)
        expectRemembered(Int8.min)
        expectRemembered(Int.max)
        expectRemembered(-0.5)
        expectRemembered(Float.pi)
        expectRemembered(Direction.south)
        expectRemembered(Int?.none)
        expectRemembered(Int?.some(.min))
        expectRemembered(Double??.some(nil))
        expectRemembered(Date(timeIntervalSinceReferenceDate: 0.1))
        expectRemembered(Date?.some(.distantPast))
        expectRemembered(Duration.seconds(-3) + .nanoseconds(1))
        expectRemembered(UUID())
        expectRemembered("some text that is longer than sixteen bytes")
        expectRemembered(String?.none)
        expectRemembered(["a", "b"])
        expectRemembered(["a": [1, 2]])
        expectRemembered(Station.oslo)
    }

    @Test func plainBitsAreInWordsAndOthersBehindALock() {
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
            expectRemembered(text)
            expectRemembered(String?.some(text))
        }
        #expect(state(String?.none) == .words)
        #expect(state(long + "12") == .reference)
        #expect(state(String?.some(long + "12")) == .reference)
        // Removing characters leaves the text in the memory of the long string.
        var cut = "some text that is longer than sixteen bytes"
        cut.removeLast(33)
        #expect(state(cut) == .words)
        expectRemembered(cut)
    }

    @Test(arguments: [true, false]) func aCellKnowsNothingAfterItHasForgotten(isScalar: Bool) {
        func check<Value: Sendable>(_ value: Value) {
            func state(_ cell: Cell) -> String {
                switch read(cell) as CachedValue<Value> {
                case .unknown: "nothing"
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

    @Test func whatIsNoLongerRememberedIsReleased() {
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
