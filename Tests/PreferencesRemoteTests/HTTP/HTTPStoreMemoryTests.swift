#if os(Linux)
    import Foundation
    import PreferencesRemote
    import PreferencesRuntime
    import TestSupport
    import Testing

    /// Each case runs in another process, whose peak memory the system reports.
    struct HTTPStoreMemoryTests {
        struct Case: Sendable, CustomTestStringConvertible {
            let testDescription: String
            var message = "the response has more than 10000000 bytes"
            let page: @Sendable () throws -> PreferenceServer.Page
        }

        private static let cases: [Case] = [
            Case(testDescription: "a length of 1 TB") { .init(way: .endless) },
            Case(testDescription: "chunks without an end") { .init(way: .chunks) },
            Case(testDescription: "400 MB of zeros in 400 KB of gzip") {
                .init(try gzippedZeros(megabytes: 400), headers: ["Content-Encoding": "gzip"])
            },
            Case(
                testDescription: "chunks without an end, after an error",
                message: "the server answered with status 500"
            ) { .init(status: 500, way: .chunks) },
            Case(
                testDescription: "chunks without an end, in a redirect",
                message: "the server redirects with content that is too large, or does not end"
            ) { .init(status: 302, headers: ["Location": "/small"], way: .chunks) },
            Case(
                testDescription: "4 GB of zeros in 4 MB of gzip, in a redirect",
                message: "the server redirects with content that is too large, or does not end"
            ) {
                let headers = ["Content-Encoding": "gzip", "Location": "/small"]
                return .init(try gzippedZeros(megabytes: 4_000), status: 302, headers: headers)
            },
        ]

        @Test("A response above the limit takes at most a few times the limit in memory", arguments: cases)
        func memoryIsLimited(failure: Case) async throws {
            try await PreferenceServer.run { server in
                try server.serve(.init(#"{"a": 1}"#), at: "/small")
                try server.serve(try failure.page(), at: "/large")
                let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                    [small = server.url("/small") as URL, large = server.url("/large") as URL] in
                    try await HTTPStore(url: small).refresh()
                    let before = try peakOfMemory()
                    let refusal = try await HTTPStore(url: large).refusal()
                    let growth = try peakOfMemory() - before
                    print("result: \(growth) \(refusal?.message ?? "")")
                }
                let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
                let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("result: ") })
                let words = line.split(separator: " ", maxSplits: 2)
                #expect(words.last?.hasPrefix("\(failure.message); ") == true)
                let growth = try #require(Int(words[1]))
                #expect(growth < 3 * HTTPStore.defaultMaximumSize)
            }
        }

        private static func gzippedZeros(megabytes: Int) throws -> Data {
            let child = try ChildProcess(
                "/bin/sh",
                ["-c", "head -c \(megabytes)000000 /dev/zero | gzip -9"],
                output: .pipe
            )
            defer { _ = child.waitForEnd() }
            return try child.output.readToEnd() ?? Data()
        }
    }

    /// The peak memory of this process in bytes.
    private func peakOfMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return 1_024 * (try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) }))
    }
#endif
