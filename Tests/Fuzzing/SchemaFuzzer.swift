import Foundation

/// Checks that no schema crashes or hangs the reader and the generator, or causes invalid diagnostics.
/// `CONTRIBUTING.md` explains how to run it.
#if !LIBFUZZER
    @main
#endif
enum SchemaFuzzer {
    static func main() async throws {
        guard let options = Options(CommandLine.arguments.dropFirst()) else {
            FileHandle.standardError.write(Data(Options.usage.utf8))
            exit(2)
        }
        let isValid: Bool
        if !options.files.isEmpty {
            isValid = try checkFiles(options.files)
        } else if let progressFile = options.progressFile {
            isValid = try FuzzingRun(options, progressFile: progressFile).run()
        } else if options.isSingleInput {
            let input = FuzzedInput(seed: options.seed, number: options.input, from: try .inRepository())
            print(String(decoding: input.bytes, as: UTF8.self))
            isValid = report(input, named: "input \(options.input)")
        } else {
            isValid = try Supervisor(options).run()
        }
        exit(isValid ? 0 : 1)
    }

    private static func checkFiles(_ files: [String]) throws -> Bool {
        var isValid = true
        for file in files {
            isValid = report(FuzzedInput(Array(try Data(contentsOf: URL(filePath: file)))), named: file) && isValid
        }
        return isValid
    }

    /// Checks an input with a time limit, and prints the violations.
    private static func report(_ input: FuzzedInput, named name: String) -> Bool {
        let watchdog = Watchdog()
        let verdict = watchdog.watch(bytes: input.bytes.count) { Oracle.check(input) }
        for violation in verdict.violations { print("\(name): \(violation)") }
        return verdict.violations.isEmpty
    }
}

/// The options of the command line.
struct Options {
    var seed: UInt64 = 1
    var seconds = 60
    /// The number of the first input, or of the only one.
    var input: UInt64 = 0
    var isSingleInput = false
    /// Files to check instead of random inputs.
    var files: [String] = []
    /// The file to which a child process writes the number of its input; nil in the parent process.
    var progressFile: String?

    static let usage = """
        usage: SchemaFuzzer [--seed N] [--seconds N]    checks random inputs for a time
               SchemaFuzzer --seed N --input N          prints one of them and checks it
               SchemaFuzzer FILE …                      checks the schemas of each file

        """

    /// Returns nil for invalid arguments.
    init?(_ arguments: some Sequence<String>) {
        var arguments = arguments.makeIterator()
        while let argument = arguments.next() {
            switch argument {
            case "--seed":
                guard let value = arguments.next().flatMap(UInt64.init) else { return nil }
                seed = value
            case "--seconds":
                guard let value = arguments.next().flatMap(Int.init), value > 0 else { return nil }
                seconds = value
            case "--input":
                guard let value = arguments.next().flatMap(UInt64.init) else { return nil }
                input = value
                isSingleInput = true
            case "--progress":
                guard let value = arguments.next() else { return nil }
                progressFile = value
            default:
                guard !argument.hasPrefix("-") else { return nil }
                files.append(argument)
            }
        }
    }
}
