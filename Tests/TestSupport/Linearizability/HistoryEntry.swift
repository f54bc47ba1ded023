package import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A call of a client to a store for one key, and its answer.
///
/// A client that can be killed logs each call twice, as unknown before it begins and with its answer after it has
/// ended, so that a call during which it was killed is known. ``History/init(lines:)`` combines the two.
package struct HistoryEntry: Codable, Hashable, Sendable {
    package enum Operation: Codable, Hashable, Sendable {
        /// A read of the current value; nil if there is none.
        case read(String?)
        /// A read of the client's own copy, which may be stale, but never goes back.
        case sessionRead(String?)
        /// A write of a value; nil to remove it.
        case write(String?)
        /// An atomic increment of a whole number, which has read a value; nil if it is not known. A missing value is
        /// read as 0.
        case increment(from: Int?)
    }

    package enum Outcome: String, Codable, Hashable, Sendable {
        case ok
        /// The call has certainly changed nothing.
        case failed
        /// The call takes effect at any time after its start, or never.
        case unknown
    }

    package var client: Int
    /// The number of the call among those of the client. A call for several keys has an entry for each.
    package var call: Int
    package var key: String
    package var operation: Operation
    /// The times in nanoseconds of the clock of ``now()``. The end of an unknown call has no meaning.
    package var start: Int64
    package var end: Int64?
    package var outcome: Outcome
    /// The store's revision that an acknowledged call has made or read, which is that of all keys, not of one key; nil
    /// if it is not known, or if the call changed nothing.
    package var revision: Int64?

    /// Creates an entry of a call that begins now.
    package init(client: Int, call: Int, key: String, _ operation: Operation) {
        (self.client, self.call, self.key, self.operation) = (client, call, key, operation)
        (start, outcome) = (Self.now(), .unknown)
    }

    /// Creates an entry with given times.
    package init(
        client: Int,
        call: Int,
        key: String,
        _ operation: Operation,
        times: ClosedRange<Int64>,
        _ outcome: Outcome = .ok,
        revision: Int64? = nil
    ) {
        (self.client, self.call, self.key, self.operation) = (client, call, key, operation)
        (start, end, self.outcome, self.revision) = (times.lowerBound, times.upperBound, outcome, revision)
    }

    /// Returns the entry of the same call, which ends now.
    ///
    /// - Parameters:
    ///   - operation: The operation with what it has read. Default: unchanged.
    ///   - outcome: The outcome. Default: ok.
    ///   - revision: The revision. Default: not known.
    package func ended(
        _ operation: Operation? = nil,
        _ outcome: Outcome = .ok,
        revision: Int64? = nil
    ) -> HistoryEntry {
        var entry = self
        entry.operation = operation ?? self.operation
        (entry.end, entry.outcome, entry.revision) = (Self.now(), outcome, revision)
        return entry
    }

    /// Returns the time of a clock that all processes of a machine share, and that never goes back.
    package static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The entry as JSON, with a line break.
    package var line: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return try encoder.encode(self) + Data("\n".utf8)
        }
    }
}

extension HistoryEntry {
    /// Whether the call has changed the value at its revision.
    var isAcknowledgedChange: Bool {
        guard outcome == .ok else { return false }
        return switch operation {
        case .read, .sessionRead: false
        case .write, .increment: true
        }
    }

    /// The value that the call has read; nil if it has read none.
    var observation: Observation? {
        guard outcome == .ok else { return nil }
        return switch operation {
        case .read(let value), .sessionRead(let value): .value(value)
        case .increment(let number): number.map { .number($0) }
        case .write: nil
        }
    }

    /// The change that the call makes; nil if it only reads.
    var change: Change? {
        switch operation {
        case .read, .sessionRead: nil
        case .write(let value): .value(value)
        case .increment(let number?) where outcome != .unknown: .value(String(number + 1))
        case .increment: .increment
        }
    }

    /// A requirement on the value before a call.
    enum Observation: Hashable {
        case value(String?)
        /// A whole number, which may be a missing value if it is 0.
        case number(Int)

        var text: String {
            switch self {
            case .value(let value): value.quoted
            case .number(let number): number.description.debugDescription
            }
        }

        /// Returns the number of increments after which a value meets the requirement; nil if none does.
        func increments(after value: String?) -> Int? {
            switch self {
            case .value(let wanted):
                if wanted == value { return 0 }
                // The text that an increment writes has no leading zeros.
                guard let wanted, let last = Int(wanted), String(last) == wanted, let first = value.number, first < last
                else { return nil }
                return last - first
            case .number(let wanted):
                guard let first = value.number, first <= wanted else { return nil }
                return wanted - first
            }
        }
    }

    enum Change: Hashable {
        case value(String?)
        case increment
    }

    /// Returns a description with times relative to another one.
    func description(since origin: Int64) -> String {
        func milliseconds(_ time: Int64) -> String {
            let microseconds = (time - origin) / 1_000
            let fraction = String(microseconds % 1_000 + 1_000).dropFirst()
            return "\(microseconds / 1_000).\(fraction)"
        }
        let times =
            if outcome != .unknown, let end {
                "\(milliseconds(start))–\(milliseconds(end)) ms"
            } else {
                "from \(milliseconds(start)) ms on"
            }
        return "client \(client) \(verbs), \(times)" + (revision.map { ", revision \($0)" } ?? "")
    }

    private var verbs: String {
        func phrase(_ words: (ok: String, failed: String, unknown: String), _ rest: String) -> String {
            switch outcome {
            case .ok: "\(words.ok) \(rest)"
            case .failed: "failed to \(words.failed) \(rest)"
            case .unknown: "may have \(words.unknown) \(rest)"
            }
        }
        return switch operation {
        case .read(let value): phrase(("read", "read", "read"), "\(value.quoted) from '\(key)'")
        case .sessionRead(let value): phrase(("read", "read", "read"), "\(value.quoted) from its copy of '\(key)'")
        case .write(let value?): phrase(("wrote", "write", "written"), "\(value.debugDescription) to '\(key)'")
        case .write(nil): phrase(("removed", "remove", "removed"), "'\(key)'")
        case .increment(let number):
            phrase(
                ("incremented", "increment", "incremented"),
                "'\(key)'" + (number.map { " from \($0)" } ?? "")
            )
        }
    }
}

extension String? {
    /// The number as which an increment reads the value; nil if it is no whole number.
    var number: Int? {
        guard let self else { return 0 }
        return Int(self)
    }

    var quoted: String { map(\.debugDescription) ?? "nothing" }
}
