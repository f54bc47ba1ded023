import Foundation
import TestSupport
import Testing

/// Runs the example as a newcomer does.
@Suite("WeatherExample")
struct WeatherExampleTests {
    @Test("Its second run shows what the first one set")
    func secondRun() async throws {
        try await withTemporaryDirectory { folder in
            let first = try await run(["--store", "station.json"], in: folder)
            #expect(first.status == 0)
            #expect(first.output.hasPrefix("Welcome! Nothing is set yet, so every preference reads as its default:\n"))
            #expect(first.output.contains("\u{25CB} weather.temperature       21.5 °C\n"))
            #expect(first.output.contains("Who watched the temperature saw: 21.5 → 23.4\n"))

            let second = try await run(["--store", "station.json"], in: folder)
            #expect(second.status == 0)
            let kept = try #require(second.output.split(separator: "\n\n").dropFirst().first)
            #expect(second.output.hasPrefix("Welcome back! This was kept since your last run"))
            #expect(kept.contains("\u{25CF} launchCount               1 "))
            #expect(kept.contains("\u{25CF} weather.temperature       74.1 °F "))
            #expect(kept.contains("\u{25CF} weather.radar.layers      rain, wind "))
            #expect(kept.contains("\u{25CB} theme                     light\n"))
        }
    }

    @Test("--reset puts everything back")
    func reset() async throws {
        try await withTemporaryDirectory { folder in
            _ = try await run(["--store", "station.json"], in: folder)
            let reset = try await run(["--store", "station.json", "--reset"], in: folder)
            #expect(reset.status == 0)
            #expect(reset.output.hasPrefix("Every preference is back at its default:\n"))
            #expect(!reset.output.contains("\u{25CF}"))
            let again = try await run(["--store", "station.json"], in: folder)
            #expect(again.output.hasPrefix("Welcome! Nothing is set yet"))
        }
    }

    @Test("--watch shows what other runs change")
    func watch() async throws {
        try await withTemporaryDirectory { folder in
            let watching = Process()
            watching.executableURL = try BuiltWithTests.executable("WeatherExample")
            watching.arguments = ["--watch", "--store", "station.json"]
            watching.currentDirectoryURL = folder
            let output = Pipe()
            watching.standardOutput = output
            let (pieces, continuation) = AsyncStream.makeStream(of: String.self)
            output.fileHandleForReading.readabilityHandler = { handle in
                let data = handle.availableData
                guard !data.isEmpty else { return continuation.finish() }
                continuation.yield(String(decoding: data, as: UTF8.self))
            }
            try watching.run()

            var text = ""
            var hasRun = false
            for await piece in pieces {
                text += piece
                if !hasRun, text.hasSuffix("\n21.5 °C, radar 50 km\n") {
                    hasRun = true
                    let other = try await run(["--store", "station.json"], in: folder)
                    #expect(other.status == 0)
                }
                if text.hasSuffix("\n74.1 °F, radar 50 km\n") { watching.terminate() }
            }
            watching.waitUntilExit()
            #expect(text.hasPrefix("Watching \(folder.path)/station.json: "))
            #expect(text.hasSuffix("21.5 °C, radar 50 km\n74.1 °F, radar 50 km\n"))
        }
    }

    @Test("A store that cannot be read is told, and ends it", arguments: [[], ["--reset"]])
    func unreadableStore(options: [String]) async throws {
        try await withTemporaryDirectory { folder in
            let run = try await run(["--store", folder.path] + options, in: folder)
            #expect(run.status == 1)
            #expect(run.output.isEmpty)
            #expect(run.errors == "WeatherExample: \(folder.path): cannot read \(folder.path): Is a directory\n")
        }
    }

    @Test("An unknown option is refused, with the help")
    func unknownOption() async throws {
        try await withTemporaryDirectory { folder in
            let run = try await run(["--stroe"], in: folder)
            #expect(run.status == 2)
            #expect(run.errors.hasPrefix("WeatherExample: unknown option '--stroe'\n"))
            #expect(run.errors.contains("--store PATH"))
        }
    }

    private func run(_ arguments: [String], in folder: URL) async throws -> CommandLineRun {
        try await CommandLineRun(BuiltWithTests.executable("WeatherExample").path, arguments, in: folder)
    }
}
