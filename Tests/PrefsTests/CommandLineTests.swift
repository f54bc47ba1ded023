import TestSupport
import Testing

@Suite("The command line of prefs")
struct CommandLineTests {
    private static let commands = """
        the commands are 'get', 'set', 'reset', 'list', 'describe', 'range', 'explain', 'watch', 'check', 'doctor', 'dump', \
        'load', 'edit', 'schema diff', 'schema rules', 'schema import', 'completions' and 'manual'
        """

    private static let schemaCommands = "the commands are 'schema diff', 'schema rules' and 'schema import'"

    @Test(
        "An invalid command exits with status 2 and a hint",
        arguments: [
            ([], "no command given; \(commands)"),
            (["frobnicate"], "unknown command 'frobnicate'; \(commands)"),
            (["gte"], "unknown command 'gte'; did you mean 'get'?"),
            (["schema"], "no command given after 'schema'; \(schemaCommands)"),
            (["schema", "make"], "unknown command 'schema make'; \(schemaCommands)"),
            (["schema", "imprt"], "unknown command 'schema imprt'; did you mean 'schema import'?"),
            (["import", "A.kcfg"], "unknown command 'import'; did you mean 'schema import'?"),
            (["help", "import"], "there is no help for 'import'; did you mean 'schema import'?"),
            (["help", "schema", "make"], "there is no help for 'schema make'; \(schemaCommands)"),
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
                      1  A value or a schema has errors, there is no such key, 'doctor' has found a problem, or 'schema diff' a change.
                      2  The command line is invalid.
                      3  A store or a file cannot be read or written.

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
            (["--help"], "Shows, checks, changes"), (["help"], "Shows, checks, changes"),
            (["schema", "--help"], "Shows, checks, changes"), (["help", "schema"], "Shows, checks, changes"),
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

    @Test(
        "The help of each command has at most 120 columns, and '--show-secrets' if the command prints values",
        arguments: [
            ("get", true), ("set", false), ("reset", false), ("list", true), ("describe", true), ("range", false),
            ("explain", true), ("watch", true), ("check", false), ("doctor", false), ("dump", true), ("load", false),
            ("edit", false),
        ]
    )
    func commandHelp(command: String, printsValues: Bool) async throws {
        try await withFolder { folder in
            let help = try await folder.run("help", command)
            #expect(help.status == 0)
            #expect(help.output.split(separator: "\n").filter { $0.count > 120 } == [])
            #expect(help.output.contains("\n  --show-secrets ") == printsValues)
            let run = try await folder.run(command, "--show-secrets", "--app", "")
            #expect(run.status == 2)
            #expect(run.errors.contains("'\(command)' has no option '--show-secrets'") != printsValues, "\(run)")
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

    @Test("Commands parse the options that their help lists")
    func listedOptions() async throws {
        try await withFolder { folder in
            let options = try await ListedOption.all(of: "prefs", in: folder)
            #expect(options.contains { $0.name == "--output" && $0.hasValue })
            #expect(options.contains { $0.name == "--force" && !$0.hasValue })
            for option in options {
                let problem = try await option.problem(of: "prefs", in: folder)
                #expect(problem == nil)
            }
        }
    }
}
