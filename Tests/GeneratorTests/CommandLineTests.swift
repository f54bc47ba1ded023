import Testing

@Suite("The command line of preferences-generator")
struct CommandLineTests {
    /// A command line that makes no sense, and what is said about it.
    static let faulty: [(arguments: [String], message: String)] = [
        ([], "no command given; the commands are 'generate', 'check', 'lint', 'import' and 'rules'"),
        (["make"], "unknown command 'make'; the commands are 'generate', 'check', 'lint', 'import' and 'rules'"),
        (
            ["tool", "--help"],
            "unknown command 'tool'; the commands are 'generate', 'check', 'lint', 'import' and 'rules'"
        ),
        (
            ["help", "make"],
            "there is no help on 'make'; the commands are 'generate', 'check', 'lint', 'import' and 'rules'"
        ),
        (["lint"], "no schema given; name one or more 'NAME.preferences.json', or '-'"),
        (["generate", "--output", "A.swift"], "no schema given; name one or more 'NAME.preferences.json', or '-'"),
        (["lint", "a.json", "--output", "A.swift"], "'lint' has no option '--output'; see 'lint --help'"),
        (["lint", "a.json", "--nope"], "'lint' has no option '--nope'; see 'lint --help'"),
        (["lint", "a.json", "--strict=yes"], "'--strict' takes no value; leave out '=yes'"),
        (["generat"], "unknown command 'generat'; did you mean 'generate'?"),
        (["help", "chekc"], "there is no help on 'chekc'; did you mean 'check'?"),
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
            "'check' needs '--output FILE' for each schema, '--output-directory DIR', or '--host-directory DIR'; "
                + "'lint' checks schemas alone"
        ),
        (["check", "a.json", "-o", "-"], "'check' compares files; '--output -' names none"),
        (
            ["generate", "a.json", "--host-directory", ".", "--check-hosts", "--force"],
            "'--check-hosts' and '--force' exclude each other; give one of them"
        ),
        (["lint", "a.json", "a.json"], "schema 'a.json' is given twice"),
        (["lint", "a.json", ""], "the path of a schema is empty; a variable of the shell may not be set"),
        (["lint", "-", "-"], "schema '-' is given twice"),
        (["lint", "a.json", "--diagnostics-format"], "'--diagnostics-format' needs a value behind it"),
        (
            ["lint", "a.json", "--diagnostics-format", "xml"],
            "unknown diagnostics format 'xml'; the formats are 'text', 'json', 'sarif' and 'github'"
        ),
        (
            ["generate", "a.json"],
            "'generate' needs '--output FILE' for each schema, '--output-directory DIR', or '--host-directory DIR'"
        ),
        (["generate", "a.json", "--output"], "'--output' needs a value behind it"),
        (["generate", "a.json", "--output="], "'--output' needs a value behind it"),
        (["generate", "a.json", "-o"], "'-o' needs a value behind it"),
        (
            ["generate", "a.json", "--output", "--strict"],
            "'--output' needs a value behind it; if that is to be '--strict', write '--output=--strict'"
        ),
        (
            ["generate", "a.json", "-o", "--chekc"],
            "'-o' needs a value behind it; if that is to be '--chekc', write '-o=--chekc'"
        ),
        (
            ["lint", "a.json", "--config", "--"],
            "'--config' needs a value behind it; if that is to be '--', write '--config=--'"
        ),
        (["generate", "a.json", "-output", "A.swift"], "'generate' has no option '-output'; did you mean '--output'?"),
        (["lint", "a.json", "-strict"], "'lint' has no option '-strict'; did you mean '--strict'?"),
        (["lint", "a.json", "--help=all"], "'--help' takes no value; leave out 'all'"),
        (["lint", "--", "--strict", "--strict"], "schema '--strict' is given twice"),
        (["--version", "lint"], "'--version' stands alone; leave out 'lint'"),
        (["help", "lint", "check"], "'help' takes one command; leave out 'check'"),
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
            "schema '/dev/stdin' has no name; say '--output FILE' where it goes"
        ),
        (["lint", "a\u{1B}[31m\nb", "a\u{1B}[31m\nb"], "schema 'a\\u{1B}[31m\\nb' is given twice"),
        (
            ["generate", "a.json", "-o", "A.swift", "--output-directory", "out"],
            "'--output' and '--output-directory' exclude each other; give one of them"
        ),
        (
            ["generate", "a.json", "b.json", "-o", "A.swift"],
            "'--output' is given once for 2 schemas; give it once for each, in the same order, or "
                + "'--output-directory DIR' for all"
        ),
        (
            ["generate", "-", "--output-directory", "out"],
            "a schema from standard input has no name; say '--output FILE' where it goes"
        ),
    ]

    @Test("What makes no sense is refused with status 2, and nothing is written", arguments: faulty)
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
                    + "Run '\(help)' to see how it is used.\n"
            )
            #expect(try folder.names() == ["a.json", "b.json"])
        }
    }

    @Test("The version is printed")
    func version() async throws {
        try await withFolder { folder in
            let run = try await folder.run("--version")
            #expect(run.status == 0)
            #expect(run.output.wholeMatch(of: /preferences-generator \d+\.\d+(\.\d+)?\n/) != nil)
            #expect(run.errors == "")
        }
    }

    @Test(
        "Help is printed wherever it is asked for",
        arguments: [
            (["--help"], "Turns schemas"), (["-h"], "Turns schemas"), (["help"], "Turns schemas"),
            (["generate", "--help"], "Writes the Swift source"), (["help", "generate"], "Writes the Swift source"),
            (["generate", "a.json", "-h"], "Writes the Swift source"), (["lint", "-h"], "Checks schemas"),
            (["help", "lint"], "Checks schemas"), (["check", "--help"], "Compares generated files"),
            (["import", "-h"], "Writes schemas"),
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
        "The help of a command names each of its options",
        arguments: [
            (
                "generate",
                [
                    "-o", "--output", "--output-directory", "--host-directory", "--check-hosts", "--force",
                    "--mend-with", "--config", "--strict", "--diagnostics-format", "-h", "--help",
                ]
            ),
            (
                "check",
                [
                    "-o", "--output", "--output-directory", "--host-directory", "--mend-with", "--config", "--strict",
                    "--diagnostics-format", "-h", "--help",
                ]
            ),
            ("lint", ["--config", "--strict", "--diagnostics-format", "-h", "--help"]),
            (
                "import",
                [
                    "--from", "-o", "--output", "--output-directory", "--access", "--namespace", "--force", "-h",
                    "--help",
                ]
            ),
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

    @Test("A word that is a file's name and no option is told how to be a file's name")
    func fileLikeOption() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "-x.preferences.json")
            let run = try await folder.run("lint", "-x.preferences.json")
            #expect(run.status == 2)
            #expect(
                run.errorLines.first == "preferences-generator: error: 'lint' has no option '-x.preferences.json'; "
                    + "the file of that name is './-x.preferences.json'"
            )
        }
    }

    @Test("Help fits a terminal of 120 columns", arguments: ["generate", "check", "lint", "import", "tool"])
    func width(topic: String) async throws {
        try await withFolder { folder in
            let run = try await Generator(topic == "tool" ? ["help"] : ["help", topic], in: folder.url)
            #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
        }
    }
}
