import Foundation
import TestSupport
import Testing

@Suite("Histories of calls")
struct HistoryTests {
    /// A history, and its problems: that of the check of revisions before that of the search.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let history: History
        let problems: String

        init(_ description: String, _ entries: [HistoryEntry], _ problems: String = "") {
            (testDescription, history, self.problems) = (description, History(entries), problems)
        }
    }

    @Test("A log has the last line of each call, and no incomplete one")
    func logs() throws {
        let begun = [
            HistoryEntry(client: 1, call: 1, key: "a", .write("x")),
            HistoryEntry(client: 1, call: 2, key: "a", .read(nil)),
            HistoryEntry(client: 2, call: 1, key: "a", .increment(from: nil)),
        ]
        let ended = [begun[0].ended(revision: 2), begun[1].ended(.read("x"), revision: 2)]
        let last = try begun[2].ended(.increment(from: 1), revision: 3).line
        let first = try begun[0].line + ended[0].line + begun[1].line + ended[1].line
        let history = try History(lines: [first, begun[2].line + last.dropLast(), Data()])
        #expect(history.entries == ended + [begun[2]])
        #expect(history.entries.allSatisfy { $0.start <= $0.end ?? $0.start })
        #expect(throws: DecodingError.self) { try History(lines: [first, Data("incomplete\n".utf8) + last]) }
    }

    @Test("A line is an object of JSON")
    func line() throws {
        let entry = HistoryEntry(client: 1, call: 2, key: "a", .write("x"), times: 3...4, revision: 5)
        #expect(
            try String(decoding: entry.line, as: UTF8.self) == #"{"call":2,"client":1,"end":4,"key":"a","operation":"#
                + #"{"write":{"_0":"x"}},"outcome":"ok","revision":5,"start":3}"# + "\n"
        )
    }

    @Test("A correct history has no problems", arguments: Self.correct)
    func correctHistory(_ history: Case) {
        #expect(history.history.problems == [])
    }

    static let correct = [
        Case("no calls", []),
        Case(
            "values of one client",
            [.write("x", 0...1, at: 2), .read("x", 2...3, at: 2), .write(nil, 4...5, at: 3), .read(nil, 6...7, at: 3)]
        ),
        Case(
            "a read that overlaps a write, before it and after it",
            [
                .write("x", 0...10, at: 2), .read(nil, 1...2, by: 2, at: 1), .read("x", 3...4, by: 3, at: 2),
            ]
        ),
        Case(
            "overlapping writes in the order of their ends, and against it",
            [
                .write("x", 0...10, at: 3), .write("y", 1...5, by: 2, at: 2), .read("x", 11...12, at: 3),
                .write("z", 20...30, at: 4), .write("w", 21...25, by: 2, at: 5), .read("w", 31...32, at: 5),
            ]
        ),
        Case(
            "a write that is hidden by an overlapping one",
            [
                .write("x", 0...10, at: 2), .write("y", 1...3, by: 2, at: 3), .read("y", 4...5, by: 2, at: 3),
                .read("y", 11...12, at: 3),
            ]
        ),
        Case(
            "increments, of which the first has no value to read",
            [
                .increment(0, 0...9, at: 2), .increment(2, 1...8, by: 2, at: 4), .increment(1, 2...7, by: 3, at: 3),
                .read("3", 10...11, at: 4),
            ]
        ),
        Case(
            "an increment of an overlapping write, and a write after it",
            [
                .write("5", 0...10, at: 2), .increment(5, 1...9, by: 2, at: 3), .write("1", 2...8, by: 3, at: 4),
                .read("1", 11...12, at: 4),
            ]
        ),
        Case(
            "an unknown write that never takes effect",
            [
                .write("x", 0...1, at: 2), .write("y", 2...3, by: 2, .unknown), .read("x", 4...5, at: 2),
                .write("z", 6...7, at: 3), .read("z", 8...9, at: 3),
            ]
        ),
        Case(
            "an unknown write that takes effect late",
            [
                .write("y", 0...1, by: 2, .unknown), .write("x", 2...3, at: 2), .read("x", 4...5, at: 2),
                .read("y", 6...7, at: 3), .write("z", 8...9, at: 4), .read("z", 10...11, at: 4),
            ]
        ),
        Case(
            "two unknown writes of one value that take effect at different times",
            [
                .write("y", 0...1, by: 2, .unknown), .write("y", 0...1, by: 3, .unknown), .write("x", 2...3, at: 2),
                .read("y", 4...5, at: 3), .write("x", 6...7, at: 4), .read("y", 8...9, at: 5),
            ]
        ),
        Case(
            "unknown increments, of which one takes effect",
            [
                .increment(nil, 0...1, by: 2, .unknown), .increment(nil, 0...1, by: 3, .unknown),
                .increment(0, 2...3, at: 2),
                .increment(2, 4...5, at: 4), .read("3", 6...7, at: 4),
            ]
        ),
        Case(
            "an unknown increment after an unknown write",
            [
                .write("7", 0...1, by: 2, .unknown), .increment(nil, 0...1, by: 3, .unknown), .write("x", 2...3, at: 2),
                .increment(8, 4...5, at: 5),
            ]
        ),
        Case(
            "a failed write",
            [
                .write("x", 0...1, at: 2), .write("y", 2...3, .failed), .read("x", 4...5, at: 2),
            ]
        ),
        Case(
            "stale reads of copies",
            [
                .write("x", 0...1, at: 2), .write("y", 2...3, at: 3), .sessionRead(nil, 4...5, by: 2, at: 1),
                .sessionRead("x", 6...7, by: 2, at: 2), .sessionRead("y", 6...7, by: 3, at: 3),
                .sessionRead("x", 8...9, by: 2, at: 2), .sessionRead("y", 10...11, by: 2, at: 4),
            ]
        ),
        Case(
            "one call for two keys",
            [
                .write("x", 0...1, at: 2), .write("y", 0...1, key: "b", at: 2), .read("y", 2...3, key: "b", at: 2),
            ]
        ),
        Case(
            "calls that changed nothing, and have no revision",
            [
                .write("x", 0...1, at: 2), .write("x", 2...3), .read("x", 4...5, at: 2), .write(nil, 6...7, key: "b"),
            ]
        ),
    ]
}

extension HistoryEntry {
    /// Returns entries with times in milliseconds. The number of a call is its start.
    private static func entry(
        _ operation: Operation,
        _ times: ClosedRange<Int64>,
        _ client: Int,
        _ key: String,
        _ outcome: Outcome,
        _ revision: Int64?
    ) -> HistoryEntry {
        let nanoseconds = times.lowerBound * 1_000_000...times.upperBound * 1_000_000
        return HistoryEntry(
            client: client,
            call: Int(times.lowerBound),
            key: key,
            operation,
            times: nanoseconds,
            outcome,
            revision: revision
        )
    }
    static func read(
        _ value: String?,
        _ times: ClosedRange<Int64>,
        by client: Int = 1,
        key: String = "a",
        at revision: Int64? = nil
    ) -> HistoryEntry {
        entry(.read(value), times, client, key, .ok, revision)
    }
    static func sessionRead(
        _ value: String?,
        _ times: ClosedRange<Int64>,
        by client: Int = 1,
        key: String = "a",
        at revision: Int64? = nil
    ) -> HistoryEntry {
        entry(.sessionRead(value), times, client, key, .ok, revision)
    }
    static func write(
        _ value: String?,
        _ times: ClosedRange<Int64>,
        by client: Int = 1,
        key: String = "a",
        _ outcome: Outcome = .ok,
        at revision: Int64? = nil
    ) -> HistoryEntry {
        entry(.write(value), times, client, key, outcome, revision)
    }
    static func increment(
        _ number: Int?,
        _ times: ClosedRange<Int64>,
        by client: Int = 1,
        key: String = "a",
        _ outcome: Outcome = .ok,
        at revision: Int64? = nil
    ) -> HistoryEntry {
        entry(.increment(from: number), times, client, key, outcome, revision)
    }
}
