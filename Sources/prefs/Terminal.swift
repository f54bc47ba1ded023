import PreferencesCommandLine

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Input from the terminal of the user.
enum Terminal {
    /// Whether the user can type.
    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 }

    /// Runs a command line of the shell in the terminal, and returns its exit status; 128 and more for a signal.
    static func run(_ line: String) -> Int32 {
        // Foundation's processes are not in the group of the terminal's foreground, and cannot read from it.
        let status = system(line)
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    /// Returns a line of standard input without its end; nil at the end of the input. If standard input is a terminal,
    /// prompts on standard error, and does not show what is typed.
    static func secretLine(prompt: String) -> String? {
        guard isInteractive else { return readLine() }
        Console.prompt(prompt)
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return readLine() }
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
            // The end of the line was not shown either.
            Console.printError("")
        }
        return readLine()
    }
}
