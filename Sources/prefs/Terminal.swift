import PreferencesCommandLine

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The terminal of the user.
enum Terminal {
    /// Whether the user can type.
    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 }

    /// Runs a command line of the shell in the terminal, and returns its exit status; 128 and more for a signal.
    static func run(_ line: String) -> Int32 {
        // Programs inherit that a signal is ignored. In an editor, 'yes | head' would not end.
        let actions = [SIGPIPE, SIGXFSZ].map { ($0, signal($0, SIG_DFL)) }
        defer { for (number, action) in actions { signal(number, action) } }
        // Foundation's processes are not in the group of the terminal's foreground, and cannot read from it.
        let status = system(line)
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    /// Returns a line of standard input without its end; nil at the end of the input. If standard input is a terminal,
    /// prompts on standard error, and does not show what is typed.
    static func secretLine(prompt: String) -> String? {
        guard isInteractive, tcgetattr(STDIN_FILENO, &shownSettings) == 0 else { return readLine() }
        for number in signals { signal(number, showAndEnd) }
        var silent = shownSettings
        silent.c_lflag &= ~tcflag_t(ECHO)
        // Before the prompt: what is typed until then is discarded.
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        Console.prompt(prompt)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &shownSettings)
            for number in signals { signal(number, SIG_DFL) }
            // The end of the line was not shown either.
            Console.printError("")
        }
        return readLine()
    }

    /// The signals that end a program that is asking for a secret.
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
}

/// The settings of the terminal before it was silenced. Unchecked, because it is set before the handler that reads it is
/// installed, and by the main thread alone.
nonisolated(unsafe) private var shownSettings = termios()

/// Restores the terminal, and ends the program as the signal would have. Calls only functions that are safe in handlers
/// (POSIX.1-2024, §2.4.3).
private func showAndEnd(_ number: Int32) {
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &shownSettings)
    signal(number, SIG_DFL)
    raise(number)
}
