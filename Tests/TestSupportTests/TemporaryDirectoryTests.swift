import Foundation
import TestSupport
import Testing

@Suite("Temporary folders")
struct TemporaryDirectoryTests {
    @Test("The folder is removed while another thread removes its files")
    func concurrentRemoval() async throws {
        for _ in 0..<20 {
            let (threads, continuation) = AsyncStream.makeStream(of: Void.self)
            let folder = try await withTemporaryDirectory { folder async throws in
                let files = (0..<200).map { folder.appending(component: "\($0)") }
                for file in files { try Data().write(to: file) }
                Thread {
                    for file in files { try? FileManager.default.removeItem(at: file) }
                    continuation.finish()
                }.start()
                return folder
            }
            for await _ in threads {}
            #expect(!FileManager.default.fileExists(atPath: folder.path))
        }
    }

    @Test("The folder is removed after a closure that throws or removes it")
    func throwingBody() async throws {
        struct Unwanted: Error {}
        var folders: [URL] = []
        #expect(throws: Unwanted.self) {
            try withTemporaryDirectory { folder in
                folders.append(folder)
                throw Unwanted()
            }
        }
        await #expect(throws: Unwanted.self) {
            try await withTemporaryDirectory { folder async throws in
                folders.append(folder)
                throw Unwanted()
            }
        }
        try withTemporaryDirectory { folder in
            folders.append(folder)
            try FileManager.default.removeItem(at: folder)
        }
        for folder in folders { #expect(!FileManager.default.fileExists(atPath: folder.path)) }
        #expect(folders.count == 3)
    }
}
