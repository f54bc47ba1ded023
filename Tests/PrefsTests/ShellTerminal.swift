import Foundation
import PreferencesCommandReference
import TestSupport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A shell in a terminal of its own, with a completion script.
struct ShellTerminal {
    private let shell: Shell
    private let folder: Folder
    private let tmux: ForeignProgram

    /// Runs a body with a shell that has started.
    ///
    /// - Parameters:
    ///   - script: The completion script.
    ///   - folder: The working directory, which is also in `PATH`. Names that begin with a period are for the terminal.
    static func run<Result>(
        _ shell: Shell,
        script: String,
        in folder: Folder,
        _ body: (ShellTerminal) async throws -> Result
    ) async throws -> Result {
        let program = try ForeignProgram(name: shell.rawValue).located()
        try folder.write(script, to: ".completions")
        try folder.write(startup(shell, packages: program.packages), to: ".\(shell.rawValue)rc")
        guard mkfifo(folder.url.appending(path: ".reply").path, 0o600) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        var environment = program.environment
        environment["PATH"] = "\(folder.url.path):\(environment["PATH"] ?? "")"
        for variable in ["HOME", "ZDOTDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"] {
            environment[variable] = folder.url.path
        }
        environment["INPUTRC"] = "/dev/null"
        environment["LC_ALL"] = "C.UTF-8"
        environment["TMUX"] = nil
        let terminal = ShellTerminal(
            shell: shell,
            folder: folder,
            tmux: ForeignProgram(name: "tmux", environment: environment)
        )
        let options = [
            Shell.bash: ["--noprofile", "--rcfile", ".bashrc", "-i"], .zsh: ["-i"],
            .fish: ["--no-config", "--private", "-i", "-C", "source .fishrc"],
        ]
        try await terminal.control(
            ["-f", "/dev/null", "new-session", "-d", "-x", "200", "-y", "50", program.path] + options[shell]!
        )
        do {
            // The shell prints to the pipe before its first prompt.
            guard try await terminal.reply() == ["started"] else { throw Failure(description: "no prompt") }
            let result = try await body(terminal)
            try await terminal.control(["kill-server"])
            return result
        } catch {
            try? await terminal.control(["kill-server"])
            throw error
        }
    }

    /// Types a line and the Tab key, and returns the words of the completed line after the first one.
    func completed(_ line: String) async throws -> [String] {
        try await words(of: line, key: ["Tab"])
    }

    /// Types a line, and returns all suggestions for its last word, in the shell's order.
    func suggestions(for line: String) async throws -> [String] {
        switch shell {
        case .bash:
            // Inserts all.
            let count = line.split(separator: " ").count - (line.hasSuffix(" ") ? 1 : 2)
            return Array(try await words(of: line, key: ["M-*"]).dropFirst(count))
        case .zsh:
            let count = line.split(separator: " ").count - (line.hasSuffix(" ") ? 1 : 2)
            return Array(try await words(of: line, key: ["C-x", "a"]).dropFirst(count))
        case .fish:
            try await type("record (complete -C \"\(line)\" | string replace -r '\\t.*' '')")
            try await control(["send-keys", "Enter"])
            return try await reply()
        }
    }

    /// Types a command line, and the Enter key.
    func enter(_ line: String) async throws {
        try await type(line)
        try await control(["send-keys", "Enter"])
    }

    /// Presses a key, such as `C-c`.
    func press(_ key: String) async throws { try await control(["send-keys", key]) }

    /// Waits until the screen contains a text, and returns the whole screen.
    @discardableResult
    func waitForScreen(containing text: String) async throws -> String {
        let start = ContinuousClock.now
        var screen = ""
        while ContinuousClock.now - start < .seconds(60) {
            screen = try await self.screen()
            if screen.contains(text) { return screen }
        }
        throw Failure(description: "The terminal shows:\n\(screen)")
    }

    private func words(of line: String, key: [String]) async throws -> [String] {
        try await type(line)
        // The terminal does not show trailing spaces.
        let shown = String(line.reversed().drop { $0 == " " }.reversed())
        try await waitForLine { $0 == shown }
        try await control(["send-keys"] + key)
        // Keys that are typed during the completion could be lost: the tool that it runs may own the terminal.
        try await waitForLine { $0 != shown }
        // The name of the tool becomes the first argument of a function that prints its arguments to the pipe.
        try await control(["send-keys", "C-a"])
        try await type("record ")
        try await control(["send-keys", "Enter"])
        return Array(try await reply().dropFirst())
    }

    private func type(_ text: String) async throws { try await control(["send-keys", "-l", "--", text]) }

    /// Waits until the line that is being edited, without trailing spaces, fulfills a condition.
    private func waitForLine(_ condition: (String) -> Bool) async throws {
        let start = ContinuousClock.now
        var screen = ""
        while ContinuousClock.now - start < .seconds(60) {
            screen = try await self.screen()
            let last = screen.split(separator: "\n").last { !$0.allSatisfy(\.isWhitespace) } ?? ""
            if let prompt = last.firstRange(of: Self.prompt), condition(String(last[prompt.upperBound...])) {
                return
            }
        }
        throw Failure(description: "The terminal shows:\n\(screen)")
    }

    private func screen() async throws -> String {
        try await tmux.run(["-S", ".tmux", "capture-pane", "-p"], in: folder.url).output
    }

    private static let prompt = "> "

    /// Waits for the words that the shell's function `record` is called with.
    func reply() async throws -> [String] {
        do {
            let run = try await CommandLineRun("cat", [".reply"], in: folder.url, limit: .seconds(60))
            return run.output.split(separator: "\n").map(String.init)
        } catch let error as CommandLineRun.TimeLimitExceeded {
            throw Failure(description: "\(error.description)The terminal shows:\n\(try await screen())")
        }
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs a command of tmux.
    private func control(_ arguments: [String]) async throws {
        let run = try await tmux.run(["-S", ".tmux"] + arguments, in: folder.url)
        guard run.succeeded else { throw Failure(description: "tmux \(arguments): \(run.output)\(run.errors)") }
    }

    /// Returns the commands that a shell runs when it starts.
    private static func startup(_ shell: Shell, packages: String?) -> String {
        switch shell {
        case .bash:
            return """
                record() { printf '%s\\n' "$@" >.reply; }
                . ./.completions
                PS1='\(prompt)'
                PROMPT_COMMAND='record started; PROMPT_COMMAND='

                """
        case .zsh:
            // The paths of an extracted zsh differ from those that are compiled in.
            let paths = packages.map {
                """
                setopt extended_glob
                module_path=(\($0)/zsh/usr/lib/*/zsh/*(/))
                fpath=(\($0)/zsh-common/usr/share/zsh/functions/**/*(/))
                """
            }
            return """
                record() { printf '%s\\n' "$@" >.reply; }
                \(paths ?? "")
                autoload -U compinit
                compinit -u -D
                . ./.completions
                zle -C all-matches complete-word _generic
                zstyle ':completion:all-matches:*' insert yes
                zstyle ':completion:all-matches::::' completer _all_matches _complete
                setopt no_auto_remove_slash
                bindkey '^Xa' all-matches
                PS1='\(prompt)'
                precmd() { record started; unfunction precmd; }

                """
        case .fish:
            let path = packages.map { "set fish_function_path \($0)/fish-common/usr/share/fish/functions" }
            return """
                \(path ?? "")
                function record; printf '%s\\n' $argv >.reply; end
                source .completions
                fish_default_key_bindings
                function fish_prompt; printf '\(prompt)'; end
                set -g fish_autosuggestion_enabled 0
                function started --on-event fish_prompt; functions -e started; record started; end

                """
        }
    }
}
