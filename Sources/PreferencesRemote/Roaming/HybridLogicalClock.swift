import Foundation
import PreferencesRuntime

/// A time of a hybrid logical clock: Kulkarni, Demirbas, Madappa, Avva and Leone, "Logical Physical Clocks", OPODIS
/// 2014.
///
/// A change that was made with knowledge of another one has a later stamp, whatever the clocks of their machines show.
/// Otherwise stamps are ordered by the physical time.
struct ClockStamp: Sendable, Hashable {
    /// The physical time, in milliseconds since 1970.
    var milliseconds: Int64
    /// Distinguishes the changes of one millisecond, and those since the clock was set back.
    var counter: Int64
    /// The machine that has made the change.
    var machine: String

    /// A stamp that is earlier than every change: that of values from before a key was shared.
    static let oldest = ClockStamp(milliseconds: 0, counter: 0, machine: "")

    /// The largest time and counter that are read, so that adding to them does not overflow.
    private static let limit: Int64 = 1 << 53

    /// Returns a stamp that is later than other ones, and not earlier than the physical time.
    static func next(after stamps: [ClockStamp], at now: Date, on machine: String) -> ClockStamp {
        let physical = milliseconds(of: now)
        guard let latest = stamps.max(), latest.milliseconds >= physical else {
            return ClockStamp(milliseconds: physical, counter: 0, machine: machine)
        }
        return latest.successor(on: machine)
    }

    /// Returns a later stamp, with the same physical time unless the counter has reached its limit.
    func successor(on machine: String) -> ClockStamp {
        if counter >= Self.limit { return ClockStamp(milliseconds: milliseconds + 1, counter: 0, machine: machine) }
        return ClockStamp(milliseconds: milliseconds, counter: counter + 1, machine: machine)
    }

    var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }

    private static func milliseconds(of date: Date) -> Int64 {
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        // The comparison is false for NaN.
        return milliseconds >= 0 ? Int64(Swift.min(milliseconds, Double(limit))) : 0
    }
}

extension ClockStamp: Comparable {
    static func < (first: ClockStamp, second: ClockStamp) -> Bool {
        (first.milliseconds, first.counter, first.machine) < (second.milliseconds, second.counter, second.machine)
    }
}

extension ClockStamp {
    init?(_ value: PreferenceValue?) {
        guard case .dictionary(let fields)? = value, case .date(let time)? = fields["time"],
            case .int(let counter)? = fields["counter"], (0...Self.limit).contains(counter),
            case .string(let machine)? = fields["machine"]
        else { return nil }
        self.init(milliseconds: Self.milliseconds(of: time), counter: counter, machine: machine)
    }

    var preferenceValue: PreferenceValue {
        ["time": .date(date), "counter": .int(counter), "machine": .string(machine)]
    }
}
