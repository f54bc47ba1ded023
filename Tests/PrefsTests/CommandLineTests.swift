import TestSupport
import Testing

@Suite("The command line of prefs")
struct CommandLineTests {
    @Test(
        "An invalid command exits with status 2 and a hint",
        arguments: [
            ([], "no command given; the commands are 'schema import', 'completions' and 'manual'"),
            (["get"], "unknown command 'get'; the commands are 'schema import', 'completions' and 'manual'"),
            (
                ["schema"],
                "no command given after 'schema'; the commands are 'schema import', 'completions' and 'manual'"
            ),
            (
                ["schema", "make"],
                "unknown command 'schema make'; the commands are 'schema import', 'completions' and 'manual'"
            ),
            (["schema", "imprt"], "unknown command 'schema imprt'; did you mean 'schema import'?"),
            (["import", "A.kcfg"], "unknown command 'import'; did you mean 'schema import'?"),
            (["help", "import"], "there is no help for 'import'; did you mean 'schema import'?"),
            (
                ["help", "schema", "make"],
                "there is no help for 'schema make'; the commands are 'schema import', 'completions' and 'manual'"
            ),
            (["help", "schema", "import", "A.kcfg"], "'help' takes one command; remove 'A.kcfg'"),
            (["--version", "schema"], "'--version' takes no arguments; remove 'schema'"),
        ] as [([String], String)]
    )
    func usage(arguments: [String], message: String) async throws {
        try await withFolder { folder in
            let run = try await Prefs(arguments, in: folder.url)
            #expect(run.status == 2)
            #expect(run.output == "")
            #expect(run.errors == "prefs: error: \(message)\nRun 'prefs --help' for usage.\n")
        }
    }

    @Test(
        "'completions' and 'manual' reject other arguments",
        arguments: [
            (["completions"], "no shell given; name 'bash', 'zsh' or 'fish'"),
            (["completions", "sh"], "unknown shell 'sh'; the shells are 'bash', 'zsh' and 'fish'"),
            (["completions", "zsh", "fish"], "'completions' takes one shell; remove 'fish'"),
            (["completions", "--json"], "'completions' has no option '--json'; see 'completions --help'"),
            (["manual", "get"], "'manual' takes no arguments; remove 'get'"),
            (["manual", "--pdf"], "'manual' has no option '--pdf'; see 'manual --help'"),
        ]
    )
    func invalidReference(arguments: [String], message: String) async throws {
        try await withFolder { folder in
            let run = try await Prefs(arguments, in: folder.url)
            #expect(run.status == 2)
            #expect(run.output == "")
            #expect(run.errors == "prefs: error: \(message)\nRun 'prefs \(arguments[0]) --help' for usage.\n")
        }
    }

    @Test("The help states the exit statuses")
    func exitStatuses() async throws {
        try await withFolder { folder in
            let run = try await folder.run("--help")
            #expect(
                run.output.hasSuffix(
                    """

                    EXIT STATUS:
                      0  Success.
                      1  A file has errors.
                      2  The command line is invalid.
                      3  A file cannot be read or written.

                    """
                )
            )
        }
    }

    @Test("'--version' prints the version")
    func version() async throws {
        try await withFolder { folder in
            let run = try await folder.run("--version")
            #expect(run.status == 0)
            #expect(run.output.wholeMatch(of: /prefs \d+\.\d+(\.\d+)?\n/) != nil)
            #expect(run.errors == "")
        }
    }

    @Test(
        "Each form of asking for help prints it, in at most 120 columns",
        arguments: [
            (["--help"], "Works with schemas"), (["help"], "Works with schemas"),
            (["schema", "--help"], "Works with schemas"), (["help", "schema"], "Works with schemas"),
            (["schema", "import", "-h"], "Converts settings"),
            (["schema", "import", "A.kcfg", "--help"], "Converts settings"),
            (["help", "schema", "import"], "Converts settings"),
        ]
    )
    func help(arguments: [String], overview: String) async throws {
        try await withFolder { folder in
            let run = try await Prefs(arguments, in: folder.url)
            #expect(run.status == 0)
            #expect(run.output.hasPrefix("OVERVIEW: \(overview)"))
            #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
            #expect(run.errors == "")
        }
    }

    @Test("The help of 'schema import' lists all of its options")
    func options() async throws {
        try await withFolder { folder in
            let run = try await folder.run("help", "schema", "import")
            let section = try #require(run.output.split(separator: "OPTIONS:").last)
            let words = section.split(whereSeparator: { " ,\n".contains($0) })
            let options = [
                "--from", "-o", "--output", "--output-directory", "--access", "--namespace", "--force", "-h", "--help",
            ]
            for option in options { #expect(words.contains { $0 == option }, "\(option)") }
        }
    }
}
