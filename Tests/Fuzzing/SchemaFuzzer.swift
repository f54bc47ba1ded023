import Foundation

/// Reads schemas that are faulty in every way that comes to mind, and sees to it that nothing crashes, hangs or says
/// nonsense. `CONTRIBUTING.md` says how to run it.
#if !LIBFUZZER
    @main
#endif
enum SchemaFuzzer {
    static func main() async throws {
        guard let options = Options(CommandLine.arguments.dropFirst()) else {
            FileHandle.standardError.write(Data(Options.usage.utf8))
            exit(2)
        }
        let isSound: Bool
        if !options.files.isEmpty {
            isSound = try judgeFiles(options.files)
        } else if let progressFile = options.progressFile {
            isSound = try FuzzingRun(options, progressFile: progressFile).run()
        } else if options.isOneInput {
            let input = FuzzedInput(seed: options.seed, number: options.input, from: try .inRepository())
            print(String(decoding: input.bytes, as: UTF8.self))
            isSound = report(input, named: "input \(options.input)")
        } else {
            isSound = try Supervisor(options).run()
        }
        exit(isSound ? 0 : 1)
    }

    private static func judgeFiles(_ files: [String]) throws -> Bool {
        var isSound = true
        for file in files {
            isSound = report(FuzzedInput(Array(try Data(contentsOf: URL(filePath: file)))), named: file) && isSound
        }
        return isSound
    }

    /// Judges an input under the watchdog, and prints what does not hold.
    private static func report(_ input: FuzzedInput, named name: String) -> Bool {
        let watchdog = Watchdog()
        let verdict = watchdog.watch(bytes: input.bytes.count) { Oracle.judge(input) }
        for complaint in verdict.complaints { print("\(name): \(complaint)") }
        return verdict.complaints.isEmpty
    }
}
