import Foundation
import TestSupport
import Testing

struct StandardErrorTests {
    @Test("A standard error that nobody reads any more does not end the program")
    func closedPipe() async throws {
        try withTemporaryDirectory { folder in
            let process = Process()
            process.executableURL = try BuiltWithTests.executable("StoreChild")
            let file = folder.appending(component: "store.json").path(percentEncoded: false)
            process.arguments = ["report", file, "count", "3"]
            let (output, errors) = (Pipe(), Pipe())
            process.standardOutput = output
            process.standardError = errors
            try errors.fileHandleForReading.close()
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationReason == .exit)
            #expect(process.terminationStatus == 0)
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            #expect(text == "done\n")
        }
    }
}
