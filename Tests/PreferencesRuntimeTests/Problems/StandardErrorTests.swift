import Foundation
import TestSupport
import Testing

struct StandardErrorTests {
    @Test("A standard error that nobody reads any more does not end the program")
    func closedPipe() async throws {
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
}
