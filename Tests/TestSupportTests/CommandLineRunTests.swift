import Foundation
import TestSupport
import Testing

struct CommandLineRunTests {
    @Test("A program that has not ended in time is killed, and the error names it")
    func aProgramThatDoesNotEndIsKilled() async throws {
        let error = await #expect(throws: CommandLineRun.TimeLimitExceeded.self) {
            try await CommandLineRun("/bin/sleep", ["1000"], limit: .milliseconds(10))
        }
        #expect(error?.description == "'/bin/sleep 1000' has not ended within 0.01 seconds, and printed this:\n")
    }

    #if os(Linux)
        @Test("The processes that a program has started are killed with it")
        func startedProcessesAreKilled() async throws {
            try await withTemporaryDirectory { folder in
                let file = folder.appending(path: "pid")
                var limit = Duration.milliseconds(50)
                // On a busy machine, the shell may need longer to begin.
                while (try? Data(contentsOf: file))?.last != UInt8(ascii: "\n") {
                    limit *= 2
                    await #expect(throws: CommandLineRun.TimeLimitExceeded.self) {
                        try await CommandLineRun(
                            "/bin/sh",
                            ["-c", "sleep 1000 & echo $! >pid; wait"],
                            in: folder,
                            limit: limit
                        )
                    }
                }
                let identifier = try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .newlines)
                // A process that has ended remains as a zombie until its new parent removes it.
                while let status = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8),
                    !status.contains(") Z ")
                {
                    await Task.yield()
                }
            }
        }
    #endif

    @Test("A program that was killed by another process has ended")
    func aKilledProgramHasEnded() async throws {
        let run = try await CommandLineRun("/bin/sh", ["-c", "echo begun; kill -9 $$"])
        #expect(run.output == "begun\n")
        #expect(run.wasKilled && run.status == 9)
    }
}
