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

    /// Runs a command line of the shell in the terminal, and returns its exit status; 128 and more for a signal. The
    /// signals of the terminal end the program that runs, and not this one.
    static func run(_ line: String) -> Int32 {
        // Programs inherit that a signal is ignored. In an editor, 'yes | head' would not end.
        var actions = [SIGPIPE, SIGXFSZ].map { ($0, signal($0, SIG_DFL)) }
        // They do not inherit handlers. `system` itself ignores SIGINT and SIGQUIT.
        actions.append((SIGHUP, replaceAction(of: SIGHUP) { _ in }))
        defer { for (number, action) in actions { signal(number, action) } }
        // Foundation's processes are not in the group of the terminal's foreground, and cannot read from it.
        let status = system(line)
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    /// Returns a line of standard input without its end; nil at the end of the input. If standard input is a terminal,
    /// prompts on standard error, and does not show what is typed.
    ///
    /// - Throws: A failure if the terminal cannot be silenced, and the errors of lines.
    static func secretLine(prompt: String) throws -> String? {
        guard isInteractive else { return try StandardInput.readLine() }
        guard tcgetattr(STDIN_FILENO, &shownSettings) == 0 else { throw unsilenced }
        silentSettings = shownSettings
        silentSettings.c_lflag &= ~tcflag_t(ECHO)
        prompt.withCString { shownPrompt = strdup($0) }
        defer { free(shownPrompt) }
        var actions = endingSignals.map { ($0, replaceAction(of: $0, with: showAndEnd)) }
        actions.append((SIGTSTP, replaceAction(of: SIGTSTP, with: showAndStop)))
        actions.append((SIGCONT, replaceAction(of: SIGCONT, with: hideAgain)))
        defer { for (number, action) in actions { signal(number, action) } }
        // Before the prompt: what is typed until then is discarded.
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &silentSettings) == 0, isSilent else { throw unsilenced }
        Console.prompt(prompt)
        defer {
            showInput()
            // The end of the line was not shown either.
            Console.printError("")
        }
        return try StandardInput.readLine()
    }

    private static var unsilenced: Failure {
        Failure("the terminal would show what is typed; write '-', and give the value by a pipe or a file", .system)
    }

    /// Whether the terminal does not show what is typed. `tcsetattr` succeeds if it applies any of the settings.
    private static var isSilent: Bool {
        var settings = termios()
        return tcgetattr(STDIN_FILENO, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) == 0
    }

    /// The signals that end a program that is asking for a secret.
    private static let endingSignals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
}

// These variables are unchecked, since signal handlers cannot take a lock: the main thread alone sets them, before it
// installs the handlers that read them.

/// The settings of the terminal before it was silenced.
nonisolated(unsafe) private var shownSettings = termios()
/// The settings of the terminal while it is silent.
nonisolated(unsafe) private var silentSettings = termios()
/// The prompt, which is shown again when the program continues.
nonisolated(unsafe) private var shownPrompt: UnsafeMutablePointer<CChar>?

// The handlers of signals call only functions that are safe in them (POSIX.1-2024, §2.4.3).

/// Restores the terminal. What was typed of a secret is discarded.
private func showInput() {
    // A shell can be in the foreground again. Otherwise this would stop the program, or fail.
    let action = signal(SIGTTOU, SIG_IGN)
    tcflush(STDIN_FILENO, TCIFLUSH)
    // Without waiting for output, which a signal would interrupt.
    while tcsetattr(STDIN_FILENO, TCSANOW, &shownSettings) != 0, errno == EINTR {}
    signal(SIGTTOU, action)
}

/// Installs a handler of a signal, unless the signal is ignored, and returns the previous action.
private func replaceAction(
    of number: Int32,
    with handler: @escaping @convention(c) (Int32) -> Void
) -> (@convention(c) (Int32) -> Void)? {
    let previous = signal(number, SIG_IGN)
    // SIG_IGN is 1 on all platforms, and is no function that could be compared.
    if unsafeBitCast(previous, to: Int.self) != 1 { signal(number, handler) }
    return previous
}

/// Restores the terminal, and ends the program as the signal would have.
private func showAndEnd(_ number: Int32) {
    showInput()
    signal(number, SIG_DFL)
    raise(number)
}

/// Restores the terminal, and stops the program as the signal would have.
private func showAndStop(_ number: Int32) {
    showInput()
    signal(number, SIG_DFL)
    raise(number)
}

/// Silences the terminal again when the program continues, or ends it.
private func hideAgain(_ number: Int32) {
    _ = replaceAction(of: SIGTSTP, with: showAndStop)
    while tcsetattr(STDIN_FILENO, TCSAFLUSH, &silentSettings) != 0 {
        if errno != EINTR { _exit(ExitStatus.system.rawValue) }
    }
    if let shownPrompt { _ = write(STDERR_FILENO, shownPrompt, strlen(shownPrompt)) }
}
