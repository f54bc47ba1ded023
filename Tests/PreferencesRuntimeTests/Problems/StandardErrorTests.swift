import Foundation
import TestSupport
import Testing

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
            // More than a pipe holds, and nobody reads it.
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
