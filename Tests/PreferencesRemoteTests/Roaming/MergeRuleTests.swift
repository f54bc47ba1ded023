import Foundation
import PreferencesRuntime
import Testing

@testable import PreferencesRemote

struct MergeRuleTests {
    /// A row of a table: what three values become.
    struct Row: Sendable, CustomTestStringConvertible {
        let rule: PreferenceMergeRule
        let (base, wanted, current): (PreferenceValue?, PreferenceValue?, PreferenceValue?)
        let result: MergeResult
        var isLater = true

        init(
            _ rule: PreferenceMergeRule,
            base: PreferenceValue?,
            wanted: PreferenceValue?,
            current: PreferenceValue?,
            isLater: Bool = true,
            _ result: MergeResult
        ) {
            (self.rule, self.base, self.wanted, self.current) = (rule, base, wanted, current)
            (self.isLater, self.result) = (isLater, result)
        }

        var testDescription: String { "\(rule): \(wanted as Any) and \(current as Any) after \(base as Any)" }
    }

    private static let date = Date(timeIntervalSinceReferenceDate: 0)

    @Test(
        "Two concurrent changes become one value",
        arguments: [
            Row(.last, base: 1, wanted: 2, current: 3, .value(2)),
            Row(.last, base: 1, wanted: 2, current: 3, isLater: false, .value(3)),
            Row(.last, base: 1, wanted: nil, current: 3, .value(nil)),

            Row(.union, base: ["a", "b"], wanted: ["a", "b", "c"], current: ["b", "d"], .value(["b", "d", "c"])),
            Row(.union, base: ["a", "b"], wanted: ["b"], current: ["c", "a", "b"], .value(["c", "b"])),
            Row(.union, base: nil, wanted: ["a", "a"], current: ["b"], .value(["b", "a"])),
            Row(.union, base: ["a"], wanted: nil, current: ["a", "b"], .value(["b"])),
            Row(.union, base: ["a"], wanted: nil, current: ["a"], .value(nil)),
            Row(.union, base: ["a"], wanted: ["a", "b"], current: nil, .value(["b"])),
            Row(.union, base: ["a"], wanted: [], current: ["a"], .value([])),
            // An element that a machine has removed and added again was never away.
            Row(.union, base: ["a"], wanted: ["a"], current: [], .value([])),
            Row(.union, base: [], wanted: ["a"], current: "b", .conflict),

            Row(.max, base: 1, wanted: 5, current: 3, .value(5)),
            Row(.max, base: 9, wanted: 2, current: 3, .value(3)),
            Row(.min, base: 1, wanted: 5, current: 3, .value(3)),
            Row(.max, base: 1, wanted: 2.5, current: 2, .value(2.5)),
            Row(.max, base: 1, wanted: 2.0, current: 2, .value(2)),
            Row(.max, base: 1, wanted: .int(.max), current: .double(0x1p63), .value(.double(0x1p63))),
            Row(.min, base: 1, wanted: .unsignedInt(.max), current: .int(-1), .value(-1)),
            Row(.max, base: 1, wanted: .double(.infinity), current: .int(.max), .value(.double(.infinity))),
            Row(.max, base: nil, wanted: .date(date), current: .date(date + 1), .value(.date(date + 1))),
            Row(.max, base: 5, wanted: nil, current: 3, .value(3)),
            Row(.min, base: 5, wanted: 6, current: nil, .value(6)),
            Row(.max, base: 5, wanted: .null, current: 3, .value(3)),
            Row(.min, base: 5, wanted: 6, current: .null, .value(6)),
            Row(.min, base: 5, wanted: .null, current: nil, .value(.null)),
            Row(.max, base: 1, wanted: .date(date), current: 3, .conflict),
            Row(.max, base: 1, wanted: .double(.nan), current: 3, .conflict),
            Row(.max, base: 1, wanted: "5", current: 3, .conflict),

            Row(.sum, base: 5, wanted: 7, current: 15, .value(17)),
            Row(.sum, base: nil, wanted: 2, current: 3, .value(5)),
            Row(.sum, base: 5, wanted: 6, current: 6, .value(7)),
            Row(.sum, base: 5, wanted: nil, current: 8, .value(3)),
            Row(.sum, base: 5, wanted: 6, current: nil, .value(1)),
            Row(.sum, base: 5, wanted: nil, current: nil, .value(nil)),
            Row(.sum, base: 1.5, wanted: 2, current: 3, .value(3.5)),
            Row(.sum, base: 0, wanted: .int(.max), current: 1, .value(.int(.max))),
            Row(.sum, base: 0, wanted: -2, current: .int(.min), .value(.int(.min))),
            Row(.sum, base: 0, wanted: .unsignedInt(.max), current: 1, .value(.unsignedInt(.max))),
            Row(.sum, base: .int(.max), wanted: .unsignedInt(1 << 63), current: 4, .value(5)),
            Row(
                .sum,
                base: 0.0,
                wanted: .double(.greatestFiniteMagnitude),
                current: .double(.greatestFiniteMagnitude),
                .value(.double(.greatestFiniteMagnitude))
            ),
            Row(.sum, base: 0, wanted: .double(.infinity), current: 3, .conflict),
            Row(.sum, base: 0, wanted: "1", current: 3, .conflict),
            Row(.sum, base: 0, wanted: "1", current: "1", .value("1")),

            Row(.ask, base: 1, wanted: 2, current: 3, .conflict),
            Row(.ask, base: 1, wanted: nil, current: 3, .conflict),
            Row(.ask, base: 1, wanted: 3, current: 3, .value(3)),
        ]
    )
    func changesAreMerged(row: Row) {
        let changes = ConcurrentChanges(
            base: row.base,
            wanted: row.wanted,
            current: row.current,
            isLater: row.isLater
        )
        #expect(PreferenceMergeRule.merge(row.rule, changes) == row.result)
    }

    @Test("The order of two machines does not matter", arguments: [PreferenceMergeRule.union, .max, .min, .sum])
    func mergingIsCommutative(rule: PreferenceMergeRule) {
        let values: [PreferenceValue?] =
            rule == .union ? [nil, [], ["a"], ["a", "b"], ["c"]] : [nil, 1, 2, 2.5, -3, .int(1 << 40)]
        func merged(_ base: PreferenceValue?, _ wanted: PreferenceValue?, _ current: PreferenceValue?) -> MergeResult {
            let changes = ConcurrentChanges(base: base, wanted: wanted, current: current, isLater: true)
            guard case .value(.array(let elements)?) = PreferenceMergeRule.merge(rule, changes) else {
                return PreferenceMergeRule.merge(rule, changes)
            }
            return .value(.array(elements.sorted { $0.description < $1.description }))
        }
        for base in values {
            for (first, second) in values.flatMap({ first in values.map { (first, $0) } }) {
                #expect(merged(base, first, second) == merged(base, second, first), "\(base as Any)")
            }
        }
    }
}

struct ClockStampTests {
    private static func stamp(_ milliseconds: Int64, _ counter: Int64, _ machine: String = "m") -> ClockStamp {
        ClockStamp(milliseconds: milliseconds, counter: counter, machine: machine)
    }

    @Test("A stamp is later than those before it, and not earlier than the clock")
    func stampIsLater() {
        let now = Date(timeIntervalSince1970: 2)
        #expect(ClockStamp.next(after: [], at: now, on: "m") == Self.stamp(2_000, 0))
        #expect(ClockStamp.next(after: [Self.stamp(1_999, 7)], at: now, on: "m") == Self.stamp(2_000, 0))
        #expect(ClockStamp.next(after: [Self.stamp(2_000, 7)], at: now, on: "m") == Self.stamp(2_000, 8))
        let other = Self.stamp(9_000, 0, "other")
        #expect(ClockStamp.next(after: [Self.stamp(5_000, 7), other], at: now, on: "m") == Self.stamp(9_000, 1))
        #expect(Self.stamp(1, 0, "a") < Self.stamp(1, 0, "b"))
        #expect(ClockStamp.oldest < Self.stamp(0, 0, "a"))
    }

    @Test("A clock without a sensible time has the oldest one", arguments: [-1.0, -.infinity, .nan])
    func senselessTimeIsOldest(seconds: Double) {
        #expect(ClockStamp.next(after: [], at: Date(timeIntervalSince1970: seconds), on: "m") == Self.stamp(0, 0))
        let distant = ClockStamp.next(after: [], at: Date(timeIntervalSince1970: .infinity), on: "m")
        #expect(distant.successor(on: "m") > distant)
    }

    @Test("A stamp is later than one whose counter has reached the limit, and can be stored")
    func counterIsLimited() {
        let last = Self.stamp(5_000, 1 << 53)
        let next = ClockStamp.next(after: [last], at: Date(timeIntervalSince1970: 2), on: "m")
        #expect(next == Self.stamp(5_001, 0))
        #expect(last < next)
        for stamp in [last, next] { #expect(ClockStamp(stamp.preferenceValue) == stamp) }
        // A stamp that is no longer read would make the next change the oldest one.
        #expect(ClockStamp(Self.stamp(5_000, (1 << 53) + 1).preferenceValue) == nil)
    }

    @Test("A stamp is read as it was stored")
    func stampIsStored() throws {
        for milliseconds in [0, 1, 1_800_000_000_123, 1_800_000_000_999, 253_402_300_799_999] as [Int64] {
            let stamp = Self.stamp(milliseconds, 3)
            let text = try stamp.preferenceValue.jsonText()
            #expect(ClockStamp(PreferenceValue(jsonText: text)) == stamp)
        }
        #expect(ClockStamp(["time": .date(.now), "counter": .int(.max), "machine": "m"]) == nil)
        #expect(ClockStamp("2027") == nil)
    }
}
