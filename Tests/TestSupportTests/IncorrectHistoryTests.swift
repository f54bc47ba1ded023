import TestSupport
import Testing

@Suite("Incorrect histories of calls")
struct IncorrectHistoryTests {
    @Test("An incorrect history has a problem that names the calls", arguments: Self.incorrect)
    func incorrectHistory(_ history: HistoryTests.Case) {
        #expect(history.history.problems.joined(separator: "\n") == history.problems)
        #expect(!history.problems.isEmpty)
    }

    @Test("An acknowledged call must end after its start")
    func times() {
        var entries = [
            HistoryEntry(client: 1, call: 1, key: "a", .write("x"), times: 0...2_000),
            HistoryEntry(client: 1, call: 2, key: "a", .read("x"), times: 3_000...4_000),
        ]
        #expect(History(entries).problems == [])
        entries[1].end = nil
        #expect(
            History(entries).revisionViolation?.description == """
                an acknowledged call does not end after its start
                  client 1 read "x" from 'a', from 0.003 ms on
                """
        )
        entries[1].end = 2_000
        #expect(
            History(entries).revisionViolation?.description == """
                an acknowledged call does not end after its start
                  client 1 read "x" from 'a', 0.003–0.002 ms
                """
        )
    }

    private static let incorrect: [HistoryTests.Case] = [
        HistoryTests.Case(
            "a lost write",
            [.write("x", 0...1, at: 2), .write("y", 2...3, at: 3), .read("x", 4...5, by: 2, at: 3)],
            """
            a read of 'a' at revision 3 found "x"; the value was "y"
              client 1 wrote "y" to 'a', 2.000–3.000 ms, revision 3
              client 2 read "x" from 'a', 4.000–5.000 ms, revision 3
            no order of the calls for 'a' explains that one read "x"; the value was "y"
              client 2 read "x" from 'a', 4.000–5.000 ms, revision 3
              client 1 wrote "x" to 'a', 0.000–1.000 ms, revision 2
              client 1 wrote "y" to 'a', 2.000–3.000 ms, revision 3
            """
        ),
        HistoryTests.Case(
            "a stale read",
            [.write("x", 0...1, at: 2), .write("y", 2...3, at: 3), .read("x", 4...5, by: 2, at: 2)],
            """
            a later read was at revision 2, which is below 3
              client 1 wrote "y" to 'a', 2.000–3.000 ms, revision 3
              client 2 read "x" from 'a', 4.000–5.000 ms, revision 2
            no order of the calls for 'a' explains that one read "x"; the value was "y"
              client 2 read "x" from 'a', 4.000–5.000 ms, revision 2
              client 1 wrote "x" to 'a', 0.000–1.000 ms, revision 2
              client 1 wrote "y" to 'a', 2.000–3.000 ms, revision 3
            """
        ),
        HistoryTests.Case(
            "a stale read without revisions",
            [.write("x", 0...1), .write("y", 2...3), .read("x", 4...5, by: 2)],
            """
            no order of the calls for 'a' explains that one read "x"; the value was "y"
              client 2 read "x" from 'a', 4.000–5.000 ms
              client 1 wrote "x" to 'a', 0.000–1.000 ms
              client 1 wrote "y" to 'a', 2.000–3.000 ms
            """
        ),
        HistoryTests.Case(
            "a lost write after a restart",
            [.write("x", 0...1, at: 2), .read(nil, 2...3, by: 2, at: 2)],
            """
            a read of 'a' at revision 2 found nothing; the value was "x"
              client 1 wrote "x" to 'a', 0.000–1.000 ms, revision 2
              client 2 read nothing from 'a', 2.000–3.000 ms, revision 2
            no order of the calls for 'a' explains that one read nothing; the value was "x"
              client 2 read nothing from 'a', 2.000–3.000 ms, revision 2
              client 1 wrote "x" to 'a', 0.000–1.000 ms, revision 2
            """
        ),
        HistoryTests.Case(
            "a skipped number",
            [.increment(0, 0...1, at: 2), .increment(2, 2...3, by: 2, at: 3)],
            """
            a change of 'a' at revision 3 found "2", which no call wrote; the value was "1"
              client 1 incremented 'a' from 0, 0.000–1.000 ms, revision 2
              client 2 incremented 'a' from 2, 2.000–3.000 ms, revision 3
            no order of the calls for 'a' explains that one read "2", which no call wrote; the value was "1"
              client 2 incremented 'a' from 2, 2.000–3.000 ms, revision 3
              client 1 incremented 'a' from 0, 0.000–1.000 ms, revision 2
            """
        ),
        HistoryTests.Case(
            "an increment that was made twice",
            [
                .increment(0, 0...1, at: 2), .increment(nil, 2...3, by: 2, .unknown), .increment(3, 4...5, at: 5),
            ],
            """
            a change of 'a' at revision 5 found "3"; the value was "1"
              client 1 incremented 'a' from 0, 0.000–1.000 ms, revision 2
              client 2 may have incremented 'a', from 2.000 ms on
              client 1 incremented 'a' from 3, 4.000–5.000 ms, revision 5
            no order of the calls for 'a' explains that one read "3"; the value was "1"
              client 1 incremented 'a' from 3, 4.000–5.000 ms, revision 5
              client 1 incremented 'a' from 0, 0.000–1.000 ms, revision 2
              client 2 may have incremented 'a', from 2.000 ms on
            """
        ),
        HistoryTests.Case(
            "unknown increments that were made more often than called",
            [
                .increment(nil, 0...1, by: 2, .unknown), .increment(1, 2...3, at: 3), .read("2", 4...5, at: 3),
                .increment(3, 6...7, at: 5),
            ],
            """
            a change of 'a' at revision 5 found "3"; the value was "2"
              client 2 may have incremented 'a', from 0.000 ms on
              client 1 incremented 'a' from 1, 2.000–3.000 ms, revision 3
              client 1 incremented 'a' from 3, 6.000–7.000 ms, revision 5
            no order of the calls for 'a' explains that one read "3"; the value was "2"
              client 1 incremented 'a' from 3, 6.000–7.000 ms, revision 5
              client 2 may have incremented 'a', from 0.000 ms on
              client 1 incremented 'a' from 1, 2.000–3.000 ms, revision 3
              client 1 read "2" from 'a', 4.000–5.000 ms, revision 3
            """
        ),
        HistoryTests.Case(
            "two increments of the same number",
            [.increment(0, 0...5, at: 2), .increment(0, 1...6, by: 2, at: 3)],
            """
            a change of 'a' at revision 3 found "0"; the value was "1"
              client 1 incremented 'a' from 0, 0.000–5.000 ms, revision 2
              client 2 incremented 'a' from 0, 1.000–6.000 ms, revision 3
            no order of the calls for 'a' explains that one read "0"; the value was "1"
              client 2 incremented 'a' from 0, 1.000–6.000 ms, revision 3
              client 1 incremented 'a' from 0, 0.000–5.000 ms, revision 2
            """
        ),
        HistoryTests.Case(
            "a write before an earlier one",
            [.write("x", 0...1, at: 3), .write("y", 2...3, by: 2, at: 2)],
            """
            a later change made revision 2, which is not above 3
              client 1 wrote "x" to 'a', 0.000–1.000 ms, revision 3
              client 2 wrote "y" to 'a', 2.000–3.000 ms, revision 2
            """
        ),
        HistoryTests.Case(
            "a write before an earlier one, and its read",
            [
                .write("x", 0...1), .write("y", 2...3, by: 2), .read("x", 4...5), .read("x", 4...5, by: 2),
            ],
            """
            no order of the calls for 'a' explains that one read "x"; the value was "y"
              client 1 read "x" from 'a', 4.000–5.000 ms
              client 1 wrote "x" to 'a', 0.000–1.000 ms
              client 2 wrote "y" to 'a', 2.000–3.000 ms
              client 2 read "x" from 'a', 4.000–5.000 ms
            """
        ),
        HistoryTests.Case(
            "writes of two keys in the wrong order",
            [.write("x", 0...1, at: 3), .write("y", 2...3, key: "b", at: 2)],
            """
            a later change made revision 2, which is not above 3
              client 1 wrote "x" to 'a', 0.000–1.000 ms, revision 3
              client 1 wrote "y" to 'b', 2.000–3.000 ms, revision 2
            """
        ),
        HistoryTests.Case(
            "a read of a value that was never written",
            [.write("x", 0...1, at: 2), .read("y", 2...3, at: 2)],
            """
            a read of 'a' at revision 2 found "y", which no call wrote; the value was "x"
              client 1 wrote "x" to 'a', 0.000–1.000 ms, revision 2
              client 1 read "y" from 'a', 2.000–3.000 ms, revision 2
            no order of the calls for 'a' explains that one read "y", which no call wrote; the value was "x"
              client 1 read "y" from 'a', 2.000–3.000 ms, revision 2
              client 1 wrote "x" to 'a', 0.000–1.000 ms, revision 2
            """
        ),
        HistoryTests.Case(
            "a failed write that is seen",
            [
                .write("x", 0...1, at: 2), .write("y", 2...3, by: 2, .failed), .read("y", 4...5, at: 3),
            ],
            """
            a read of 'a' at revision 3 found "y", which only a failed call wrote; the value was "x"
              client 1 wrote "x" to 'a', 0.000–1.000 ms, revision 2
              client 2 failed to write "y" to 'a', 2.000–3.000 ms
              client 1 read "y" from 'a', 4.000–5.000 ms, revision 3
            no order of the calls for 'a' explains that one read "y", which only a failed call wrote; the value was "x"
              client 1 read "y" from 'a', 4.000–5.000 ms, revision 3
              client 1 wrote "x" to 'a', 0.000–1.000 ms, revision 2
              client 2 failed to write "y" to 'a', 2.000–3.000 ms
            """
        ),
        HistoryTests.Case(
            "a failed increment that is seen",
            [
                .increment(0, 0...1, at: 2), .increment(nil, 2...3, by: 2, .failed), .read("2", 4...5, at: 3),
            ],
            """
            a read of 'a' at revision 3 found "2", which only a failed call wrote; the value was "1"
              client 1 incremented 'a' from 0, 0.000–1.000 ms, revision 2
              client 2 failed to increment 'a', 2.000–3.000 ms
              client 1 read "2" from 'a', 4.000–5.000 ms, revision 3
            no order of the calls for 'a' explains that one read "2", which only a failed call wrote; the value was "1"
              client 1 read "2" from 'a', 4.000–5.000 ms, revision 3
              client 1 incremented 'a' from 0, 0.000–1.000 ms, revision 2
              client 2 failed to increment 'a', 2.000–3.000 ms
            """
        ),
        HistoryTests.Case(
            "a read of a value before it is written",
            [.read("x", 0...1, at: 2), .write("x", 2...3, by: 2, at: 2)],
            """
            a later change made revision 2, which is not above 2
              client 1 read "x" from 'a', 0.000–1.000 ms, revision 2
              client 2 wrote "x" to 'a', 2.000–3.000 ms, revision 2
            no order of the calls for 'a' explains that one read "x"; the value was nothing
              client 1 read "x" from 'a', 0.000–1.000 ms, revision 2
            """
        ),
        HistoryTests.Case(
            "a read of an unknown value before it is written",
            [
                .read("x", 0...1, at: 2), .write("x", 2...3, by: 2, .unknown),
            ],
            """
            a read of 'a' at revision 2 found "x"; the value was nothing
              client 1 read "x" from 'a', 0.000–1.000 ms, revision 2
            no order of the calls for 'a' explains that one read "x"; the value was nothing
              client 1 read "x" from 'a', 0.000–1.000 ms, revision 2
            """
        ),
        HistoryTests.Case(
            "a copy from the future",
            [.sessionRead("x", 0...1, at: 2), .write("x", 2...3, by: 2, at: 2)],
            """
            a read at revision 2 ended before the change at revision 2 began
              client 1 read "x" from its copy of 'a', 0.000–1.000 ms, revision 2
              client 2 wrote "x" to 'a', 2.000–3.000 ms, revision 2
            """
        ),
        HistoryTests.Case(
            "a copy that goes back",
            [
                .write("x", 0...1, at: 2), .write("y", 2...3, at: 3), .sessionRead("y", 4...5, by: 2, at: 3),
                .sessionRead("x", 6...7, by: 2, at: 2),
            ],
            """
            a client's copy went back from revision 3 to 2
              client 2 read "y" from its copy of 'a', 4.000–5.000 ms, revision 3
              client 2 read "x" from its copy of 'a', 6.000–7.000 ms, revision 2
            """
        ),
        HistoryTests.Case(
            "a copy with the value of another revision",
            [
                .write("x", 0...1, at: 2), .write("y", 2...3, at: 3), .sessionRead("y", 4...5, by: 2, at: 2),
            ],
            """
            a read of 'a' at revision 2 found "y"; the value was "x"
              client 1 wrote "x" to 'a', 0.000–1.000 ms, revision 2
              client 2 read "y" from its copy of 'a', 4.000–5.000 ms, revision 2
            """
        ),
        HistoryTests.Case(
            "two copies that differ at a revision",
            [
                .write("x", 0...1, .unknown), .sessionRead("x", 2...3, by: 2, at: 2),
                .sessionRead(nil, 2...3, by: 3, at: 2),
            ],
            """
            two reads of 'a' at revision 2 found "x" and nothing
              client 2 read "x" from its copy of 'a', 2.000–3.000 ms, revision 2
              client 3 read nothing from its copy of 'a', 2.000–3.000 ms, revision 2
            """
        ),
        HistoryTests.Case(
            "a revision that two calls claim",
            [.write("x", 0...3, at: 2), .write("y", 1...4, by: 2, at: 2)],
            """
            two calls claim to have made revision 2
              client 1 wrote "x" to 'a', 0.000–3.000 ms, revision 2
              client 2 wrote "y" to 'a', 1.000–4.000 ms, revision 2
            """
        ),
        HistoryTests.Case(
            "a value that comes back",
            [
                .write("x", 0...1, at: 2), .write(nil, 2...3, at: 3), .read(nil, 4...5, at: 3),
                .read("x", 6...7, at: 4),
            ],
            """
            a read of 'a' at revision 4 found "x"; the value was nothing
              client 1 removed 'a', 2.000–3.000 ms, revision 3
              client 1 read "x" from 'a', 6.000–7.000 ms, revision 4
            no order of the calls for 'a' explains that one read "x"; the value was nothing
              client 1 read "x" from 'a', 6.000–7.000 ms, revision 4
              client 1 wrote "x" to 'a', 0.000–1.000 ms, revision 2
              client 1 removed 'a', 2.000–3.000 ms, revision 3
              client 1 read nothing from 'a', 4.000–5.000 ms, revision 3
            """
        ),
        HistoryTests.Case(
            "two values that come and go",
            [
                .write("x", 0...9, at: 2), .write("y", 0...9, by: 2, at: 3), .read("x", 1...2, by: 3, at: 2),
                .read("y", 3...4, by: 3, at: 3), .read("x", 5...6, by: 3, at: 4),
            ],
            """
            a read of 'a' at revision 4 found "x"; the value was "y"
              client 2 wrote "y" to 'a', 0.000–9.000 ms, revision 3
              client 3 read "x" from 'a', 5.000–6.000 ms, revision 4
            no order of the calls for 'a' explains that one read "x"; the value was "y"
              client 3 read "x" from 'a', 5.000–6.000 ms, revision 4
              client 1 wrote "x" to 'a', 0.000–9.000 ms, revision 2
              client 2 wrote "y" to 'a', 0.000–9.000 ms, revision 3
              client 3 read "x" from 'a', 1.000–2.000 ms, revision 2
              client 3 read "y" from 'a', 3.000–4.000 ms, revision 3
            """
        ),
        HistoryTests.Case(
            "two clients that see two writes in different orders",
            [
                .write("x", 0...1), .write("y", 0...9, by: 2), .write("z", 0...9, by: 3), .read("y", 2...3, by: 4),
                .read("z", 4...5, by: 4), .read("y", 6...7, by: 5),
            ],
            """
            no order of the calls for 'a' explains that one read "y"; the value was "z"
              client 5 read "y" from 'a', 6.000–7.000 ms
              client 1 wrote "x" to 'a', 0.000–1.000 ms
              client 2 wrote "y" to 'a', 0.000–9.000 ms
              client 3 wrote "z" to 'a', 0.000–9.000 ms
              client 4 read "y" from 'a', 2.000–3.000 ms
              client 4 read "z" from 'a', 4.000–5.000 ms
            """
        ),
    ]
}
