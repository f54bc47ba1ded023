import PreferencesCommandLine
import PreferencesCommandReference

/// `prefs completions`.
struct CompletionsCommand: ParsableCommand {
    private let shell: Shell

    static let description = CommandDescription(
        summary: "Print a completion script for a shell.",
        overview: "Prints the script with which a shell completes the command line of prefs.",
        usage: ["completions SHELL"],
        discussion: """
            The script completes commands, options and their values. Write it to the file that the shell looks for:

                prefs completions bash >~/.local/share/bash-completion/completions/prefs
                prefs completions zsh >"${fpath[1]}/_prefs"
                prefs completions fish >~/.config/fish/completions/prefs.fish

            Without the package bash-completion, source the script in ~/.bashrc. zsh also needs 'autoload -U compinit' and
            'compinit' in ~/.zshrc.
            """,
        arguments: [
            .init(
                "SHELL",
                completing: .words(Shell.allCases.map(\.rawValue)),
                "The shell: bash, zsh or fish."
            )
        ],
        examples: ["completions bash >~/.local/share/bash-completion/completions/prefs"]
    )

    init(_ parser: inout ArgumentParser) throws(UsageError) {
        var shell: Shell?
        while let argument = parser.next() {
            switch argument {
            case .positional(let name):
                guard shell == nil else { throw UsageError(message: "'completions' takes one shell; remove '\(name)'") }
                guard let named = Shell(rawValue: name) else {
                    throw UsageError(message: "unknown shell '\(name)'; the shells are 'bash', 'zsh' and 'fish'")
                }
                shell = named
            case .option(let option): throw parser.unknownOption(option)
            }
        }
        guard let shell else { throw UsageError(message: "no shell given; name 'bash', 'zsh' or 'fish'") }
        self.shell = shell
    }

    func run() -> ExitStatus {
        Console.printResult(shell.completionScript(for: Tool.prefs), of: Tool.prefs.name)
    }
}

/// `prefs manual`.
struct ManualCommand: ParsableCommand {
    static let description = CommandDescription(
        summary: "Print the manual page.",
        overview: "Prints the manual page of prefs, in the language of the man macros.",
        usage: ["manual"],
        examples: ["manual | man -l -", "manual >~/.local/share/man/man1/prefs.1"]
    )

    init(_ parser: inout ArgumentParser) throws(UsageError) {
        while let argument = parser.next() {
            switch argument {
            case .positional(let name): throw UsageError(message: "'manual' takes no arguments; remove '\(name)'")
            case .option(let option): throw parser.unknownOption(option)
            }
        }
    }

    func run() -> ExitStatus {
        Console.printResult(ManualPage(of: Tool.prefs, Self.sections).text, of: Tool.prefs.name)
    }
}
