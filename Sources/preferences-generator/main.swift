import PreferencesCodeGen

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

// A reader that goes away, or a limit of the file size, must not end the tool while it is writing files.
for ending in [SIGPIPE, SIGXFSZ] { signal(ending, SIG_IGN) }
exit(run().rawValue)

private func run() -> ExitStatus {
    do throws(UsageError) {
        switch try CommandLineArguments.parse(try words()) {
        case .help(let topic): return Console.answer(topic.text + "\n")
        case .version: return Console.answer("preferences-generator \(GeneratorVersion.current)\n")
        case .generate(let arguments): return GenerateCommand(arguments: arguments).run()
        case .check(let arguments): return CheckCommand(arguments: arguments).run()
        case .lint(let arguments): return LintCommand(arguments: arguments).run()
        case .import(let arguments): return ImportCommand(arguments: arguments).run()
        case .rules(let arguments): return RulesCommand(arguments: arguments).run()
        }
    } catch {
        Console.printFailure(error.message)
        let words = ["preferences-generator", error.command?.rawValue, "--help"].compactMap(\.self)
        Console.printError("Run '\(words.joined(separator: " "))' to see how it is used.")
        return .usage
    }
}

/// The words of the command line after the tool's own name.
///
/// `CommandLine.arguments` replaces bytes that are not UTF-8, so that they would name other files.
private func words() throws(UsageError) -> [String] {
    var words: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
        guard let start = CommandLine.unsafeArgv[index] else { continue }
        guard let word = String(validatingCString: start) else {
            let bytes = UnsafeRawBufferPointer(start: start, count: strlen(start))
            throw UsageError(message: "word \(index) is not UTF-8: '\(String(escaping: bytes))'; rename what it names")
        }
        words.append(word)
    }
    return words
}
