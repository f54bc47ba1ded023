import Foundation
import TestSupport
import Testing

@testable import PreferencesRuntime

@Suite("Problems on standard error")
struct ProblemThrottleTests {
    private let start = ContinuousClock.now

    @Test("A repeated problem is written once, and counted in the next summary")
    func aRepeatedProblemIsWrittenOnce() {
        var throttle = ProblemThrottle()
        #expect(throttle.lines(for: "preferences: a", at: start) == ["preferences: a"])
        #expect(!throttle.hasOmissions)
        for _ in 0..<1_000 { #expect(throttle.lines(for: "preferences: a", at: start + .seconds(9)) == []) }
        #expect(throttle.lines(for: "preferences: b", at: start + .seconds(9)) == ["preferences: b"])
        #expect(throttle.hasOmissions)
        #expect(
            throttle.lines(for: "preferences: a", at: start + .seconds(10)) == [
                "preferences: a (happened 1000 more times)", "preferences: a",
            ]
        )
        #expect(throttle.summary() == [])
    }

    @Test("If many different problems are reported, 100 are written and the rest are counted")
    func manyProblemsAreCounted() {
        var throttle = ProblemThrottle()
        var lines: [String] = []
        for number in 0..<10_000 { lines += throttle.lines(for: "preferences: \(number)", at: start) }
        #expect(lines.count == 100)
        #expect(
            throttle.summary() == [
                "preferences: 9900 more problems were not written here; read 'Preferences.problems' to receive them"
            ]
        )
        #expect(!throttle.hasOmissions)
    }

    @Test("A summary names the ten most frequently repeated problems")
    func aSummaryNamesTheTenMostRepeatedProblems() {
        var throttle = ProblemThrottle()
        for number in 0..<12 {
            for _ in 0...(number + 1) { _ = throttle.lines(for: "preferences: \(number)", at: start) }
        }
        let summary = throttle.summary()
        #expect(summary.first == "preferences: 11 (happened 12 more times)")
        #expect(summary[9] == "preferences: 2 (happened 3 more times)")
        #expect(
            summary.last
                == "preferences: 3 more problems were not written here; read 'Preferences.problems' to receive them"
        )
        #expect(summary.count == 11)
    }

    @Test("A line that must not be omitted is written after many others")
    func anUnlimitedLineIsWrittenAfterManyOthers() {
        var throttle = ProblemThrottle()
        let now = ContinuousClock.now
        for number in 0..<ProblemThrottle.limit { #expect(throttle.lines(for: "\(number)", at: now) == ["\(number)"]) }
        #expect(throttle.lines(for: "limited", at: now) == [])
        #expect(throttle.lines(for: "lost", at: now, isLimited: false) == ["lost"])
    }
}

struct StandardErrorTests {
    @Test("A standard error that is no longer read does not terminate the program")
    func aClosedPipeDoesNotTerminateTheProgram() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(component: "store.json").path(percentEncoded: false)
            let errors = Pipe()
            try errors.fileHandleForReading.close()
            let child = try ChildProcess(
                BuiltWithTests.executable("StoreChild").path,
                ["report", file, "count", "3"],
                output: .pipe,
                errors: .file(errors.fileHandleForWriting)
            )
            #expect(await child.ending == .status(0))
            #expect(try child.output.readLine() == "done")
        }
    }

    @Test("A full pipe as standard error does not block the program")
    func aFullPipeDoesNotBlockTheProgram() async throws {
        try await withTemporaryDirectory { folder in
            let errors = Pipe()
            // More than a pipe's capacity, which is not read.
            let writer = errors.fileHandleForWriting
            _ = fcntl(writer.fileDescriptor, F_SETFL, O_NONBLOCK)
            let piece = [UInt8](repeating: 0, count: 4_096)
            while write(writer.fileDescriptor, piece, piece.count) > 0 {}
            _ = fcntl(writer.fileDescriptor, F_SETFL, 0)
            let child = try ChildProcess(
                BuiltWithTests.executable("StoreChild").path,
                ["report", folder.appending(component: "store.json").path(percentEncoded: false), "count", "3"],
                output: .pipe,
                errors: .file(writer)
            )
            #expect(await child.ending == .status(0))
            #expect(try child.output.readLine() == "done")
        }
    }

    @Test("Output to a closed standard stream does not end up in a store's file")
    func outputToAClosedStreamDoesNotEndUpInAFile() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "store.json")
            let child = try ChildProcess(
                BuiltWithTests.executable("StoreChild").path,
                ["close", url.path(percentEncoded: false), "count", "200"]
            )
            #expect(await child.ending == .status(0))
            #expect(try Data(contentsOf: url) == Data("{\n  \"count\": 200\n}\n".utf8))
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
                    ".store.json.lock", "store.json",
                ]
            )
        }
    }
}
