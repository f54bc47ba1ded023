import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

/// Times that no clock returns, but that file systems can store.
struct FileTimeTests {
    @Test(
        "The distance of two times never overflows",
        arguments: [
            (.min, 0, .max, 0, 0x1p64), (.max, 0, .min, 0, -0x1p64), (.min, .min, .max, .max, 0x1p64 + 0x1p64 / 1e9),
            (.min, 0, .min, 0, 0), (0, 500_000_000, 1, 250_000_000, 0.75), (1, 0, 0, 0, -1),
            (1_790_000_000, 999_999_999, 1_790_000_001, 0, 1e-9),
        ] as [(Int, Int, Int, Int, Double)]
    )
    func distance(seconds: Int, nanoseconds: Int, otherSeconds: Int, otherNanoseconds: Int, expected: Double) {
        let time = FileTime(seconds: seconds, nanoseconds: nanoseconds)
        let other = FileTime(seconds: otherSeconds, nanoseconds: otherNanoseconds)
        #expect(abs(time.seconds(until: other) - expected) <= abs(expected) * 1e-6)
    }

    #if os(Linux)
        /// A folder of a tmpfs, which stores every time without rounding.
        private static let memoryFolder = "/dev/shm"

        @Test(
            "A damaged file of any age is set aside by the next write",
            .enabled("needs \(memoryFolder)") { FileManager.default.isWritableFile(atPath: memoryFolder) },
            arguments: [Int.min, Int.max, -1]
        )
        func ages(seconds: Int) throws {
            let folder = URL(filePath: Self.memoryFolder).appending(component: "preferences-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(at: folder) }
            let url = folder.appending(component: "preferences.json")
            try url.write("{")
            #expect(FileTime(seconds: seconds, nanoseconds: 0).set(of: url.filePath))
            let store = FileStore(url: url, durability: .immediate)
            try store.apply(["a": .set(1)])
            #expect(try url.text() == "{\n  \"a\": 1\n}\n")
            #expect(try folder.contentsOfFolder().contains { $0.hasPrefix("preferences.json.corrupt-") })
        }
    #endif
}
