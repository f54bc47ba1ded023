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
    /// Returns a line of standard input without its end; nil at the end of the input. If standard input is a terminal,
    /// prompts on standard error, and does not show what is typed.
    static func secretLine(prompt: String) -> String? {
        guard isatty(STDIN_FILENO) == 1 else { return readLine() }
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
