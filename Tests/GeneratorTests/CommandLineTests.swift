import TestSupport
import Testing

@Suite("The command line of preferences-generator")
struct CommandLineTests {
    /// Invalid command lines, with their error messages.
    static let invalid: [(arguments: [String], message: String)] = [
        ([], "no command given; the commands are 'generate', 'check', 'lint' and 'rules'"),
        (["make"], "unknown command 'make'; the commands are 'generate', 'check', 'lint' and 'rules'"),
        (
            ["tool", "--help"],
            "unknown command 'tool'; the commands are 'generate', 'check', 'lint' and 'rules'"
        ),
        (
            ["help", "make"],
            "there is no help for 'make'; the commands are 'generate', 'check', 'lint' and 'rules'"
        ),
        (["lint"], "no schema given; name one or more 'NAME.preferences.json', or '-'"),
        (["generate", "--output", "A.swift"], "no schema given; name one or more 'NAME.preferences.json', or '-'"),
        (["lint", "a.json", "--output", "A.swift"], "'lint' has no option '--output'; see 'lint --help'"),
        (["lint", "a.json", "--nope"], "'lint' has no option '--nope'; see 'lint --help'"),
        (["lint", "a.json", "--strict=yes"], "'--strict' takes no value; remove '=yes'"),
        (["generat"], "unknown command 'generat'; did you mean 'generate'?"),
        (["import"], "unknown command 'import'; run 'prefs schema import'"),
        (
            ["import", "my app.kcfg", "--output", "App.preferences.json"],
            "unknown command 'import'; run 'prefs schema import 'my app.kcfg' --output App.preferences.json'"
        ),
        (["help", "import"], "there is no help for 'import'; run 'prefs schema import --help'"),
        (["help", "chekc"], "there is no help for 'chekc'; did you mean 'check'?"),
        (
            ["lint", "--diagnostic-format", "a.json"],
            "'lint' has no option '--diagnostic-format'; did you mean '--diagnostics-format'?"
        ),
        (
            ["generate", "a.json", "--host-dir", "."],
            "'generate' has no option '--host-dir'; did you mean '--host-directory'?"
        ),
        (
            ["check", "a.json", "--force", "--host-directory", "."],
            "'check' has no option '--force'; see 'check --help'"
        ),
        (
            ["check", "a.json"],
            "'check' requires '--output FILE' for each schema, '--output-directory DIR', or '--host-directory DIR'; "
                + "'lint' checks only schemas"
        ),
        (["check", "a.json", "-o", "-"], "'check' compares files; '--output -' is not a file"),
        (
            ["generate", "a.json", "--host-directory", ".", "--check-hosts", "--force"],
            "'--check-hosts' and '--force' are mutually exclusive; give one of them"
        ),
        (["lint", "a.json", "a.json"], "schema 'a.json' is given twice"),
        (["lint", "a.json", ""], "the path of a schema is empty; a shell variable may be unset"),
        (["lint", "-", "-"], "schema '-' is given twice"),
        (["lint", "a.json", "--diagnostics-format"], "'--diagnostics-format' requires a value"),
        (
            ["lint", "a.json", "--diagnostics-format", "xml"],
            "unknown diagnostics format 'xml'; the formats are 'text', 'json', 'sarif' and 'github'"
        ),
        (
            ["generate", "a.json"],
            "'generate' requires '--output FILE' for each schema, '--output-directory DIR', or '--host-directory DIR'"
        ),
        (["generate", "a.json", "--output"], "'--output' requires a value"),
        (["generate", "a.json", "--output="], "'--output' requires a value"),
        (["generate", "a.json", "-o"], "'-o' requires a value"),
        (
            ["generate", "a.json", "--output", "--strict"],
            "'--output' requires a value; to use '--strict' as the value, write '--output=--strict'"
        ),
        (
            ["generate", "a.json", "-o", "--chekc"],
            "'-o' requires a value; to use '--chekc' as the value, write '-o=--chekc'"
        ),
        (
            ["lint", "a.json", "--config", "--"],
            "'--config' requires a value; to use '--' as the value, write '--config=--'"
        ),
        (["generate", "a.json", "-output", "A.swift"], "'generate' has no option '-output'; did you mean '--output'?"),
        (["lint", "a.json", "-strict"], "'lint' has no option '-strict'; did you mean '--strict'?"),
        (["lint", "a.json", "--help=all"], "'--help' takes no value; remove 'all'"),
        (["lint", "--", "--strict", "--strict"], "schema '--strict' is given twice"),
        (["--version", "lint"], "'--version' takes no arguments; remove 'lint'"),
        (["help", "lint", "check"], "'help' takes one command; remove 'check'"),
        (
            ["lint", "a.json", "--config", "1.json", "--config=2.json"],
            "'--config' is given twice, with '1.json' and '2.json'; give it once"
        ),
        (
            ["lint", "a.json", "--diagnostics-format", "json", "--diagnostics-format", "json"],
            "'--diagnostics-format' is given twice, with 'json' and 'json'; give it once"
        ),
        (
            ["generate", "a.json", "--output-directory", "x", "--output-directory", "y"],
            "'--output-directory' is given twice, with 'x' and 'y'; give it once"
        ),
        (
            ["check", "a.json", "--host-directory", "x", "--host-directory", "y"],
            "'--host-directory' is given twice, with 'x' and 'y'; give it once"
        ),
        (
            ["generate", "a.json", "-oA.swift", "-o", "B.swift"],
            "'--output' is given 2 times for 1 schema; give it once for each, in the same order, or "
                + "'--output-directory DIR' for all"
        ),
        (
            ["generate", "/dev/stdin", "--output-directory", "out"],
            "schema '/dev/stdin' has no file name; specify '--output FILE'"
        ),
        (["lint", "a\u{1B}[31m\nb", "a\u{1B}[31m\nb"], "schema 'a\\u{1B}[31m\\nb' is given twice"),
        (
            ["generate", "a.json", "-o", "A.swift", "--output-directory", "out"],
            "'--output' and '--output-directory' are mutually exclusive; give one of them"
        ),
        (
            ["generate", "a.json", "b.json", "-o", "A.swift"],
            "'--output' is given once for 2 schemas; give it once for each, in the same order, or "
                + "'--output-directory DIR' for all"
        ),
        (
            ["generate", "-", "--output-directory", "out"],
            "a schema from standard input has no file name; specify '--output FILE'"
        ),
    ]

    @Test("An invalid command line exits with status 2 and writes nothing", arguments: invalid)
    func usage(arguments: [String], message: String) async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "a.json")
            try folder.write(Sample.animals, to: "b.json")
            let run = try await Generator(arguments, in: folder.url)
            let command = arguments.first.flatMap { ["generate", "check", "lint"].contains($0) ? $0 : nil }
            let help = ["preferences-generator", command, "--help"].compactMap(\.self).joined(separator: " ")
            #expect(run.status == 2)
            #expect(run.output == "")
            #expect(
                run.errors
                    == "preferences-generator: error: \(message)\n"
                    + "Run '\(help)' for usage.\n"
            )
            #expect(try folder.names() == ["a.json", "b.json"])
        }
    }

    @Test("'--version' prints the version")
    func version() async throws {
        try await withFolder { folder in
            let run = try await folder.run("--version")
            #expect(run.status == 0)
            #expect(run.output.wholeMatch(of: /preferences-generator \d+\.\d+(\.\d+)?\n/) != nil)
            #expect(run.errors == "")
        }
    }

    @Test(
        "Each form of asking for help prints it",
        arguments: [
            (["--help"], "Generates typed Swift accessors"), (["-h"], "Generates typed Swift accessors"),
            (["help"], "Generates typed Swift accessors"),
            (["generate", "--help"], "Generates Swift source"), (["help", "generate"], "Generates Swift source"),
            (["generate", "a.json", "-h"], "Generates Swift source"), (["lint", "-h"], "Checks schemas"),
            (["help", "lint"], "Checks schemas"), (["check", "--help"], "Verifies that generated files"),
            (["rules", "-h"], "Explains the rules"),
        ]
    )
    func help(arguments: [String], overview: String) async throws {
        try await withFolder { folder in
            let run = try await Generator(arguments, in: folder.url)
            #expect(run.status == 0)
            #expect(run.output.hasPrefix("OVERVIEW: \(overview)"))
            #expect(run.errors == "")
        }
    }

    @Test(
        "The help of a command lists all of its options",
        arguments: [
            (
                "generate",
                [
                    "-o", "--output", "--output-directory", "--host-directory", "--check-hosts", "--force",
                    "--fix-command", "--config", "--strict", "--diagnostics-format", "-h", "--help",
                ]
            ),
            (
                "check",
                [
                    "-o", "--output", "--output-directory", "--host-directory", "--fix-command", "--config", "--strict",
                    "--diagnostics-format", "-h", "--help",
                ]
            ),
            ("lint", ["--config", "--strict", "--diagnostics-format", "-h", "--help"]),
        ]
    )
    func options(command: String, options: [String]) async throws {
        try await withFolder { folder in
            let run = try await folder.run("help", command)
            let section = try #require(run.output.split(separator: "OPTIONS:").last)
            for option in options {
                #expect(section.split(whereSeparator: { " ,\n".contains($0) }).contains { $0 == option }, "\(option)")
            }
        }
    }

    @Test("An unknown option that is the name of a file gets a hint to write it as a path")
    func fileLikeOption() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "-x.preferences.json")
            let run = try await folder.run("lint", "-x.preferences.json")
            #expect(run.status == 2)
            #expect(
                run.errorLines.first == "preferences-generator: error: 'lint' has no option '-x.preferences.json'; "
                    + "to name the file, write './-x.preferences.json'"
            )
        }
    }

    @Test("Help fits a terminal of 120 columns", arguments: ["generate", "check", "lint", "rules", "tool"])
    func width(topic: String) async throws {
        try await withFolder { folder in
            let run = try await Generator(topic == "tool" ? ["help"] : ["help", topic], in: folder.url)
            #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
        }
    }

    @Test("Commands parse the options that their help lists")
    func listedOptions() async throws {
        try await withFolder { folder in
            let options = try await ListedOption.all(of: "preferences-generator", in: folder)
            #expect(options.contains { $0.name == "--output" && $0.hasValue })
            #expect(options.contains { $0.name == "--force" && !$0.hasValue })
            for option in options {
                let problem = try await option.problem(of: "preferences-generator", in: folder)
                #expect(problem == nil)
            }
        }
    }
}
