import PreferencesCodeGen

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

// A closed pipe, or the limit of the file size, must not terminate the tool while it writes files.
for signalNumber in [SIGPIPE, SIGXFSZ] { signal(signalNumber, SIG_IGN) }
exit(run().rawValue)

private func run() -> ExitStatus {
    do throws(UsageError) {
        switch try CommandLineArguments.parse(try arguments()) {
        case .help(let topic): return Console.printResult(topic.text + "\n")
        case .version: return Console.printResult("preferences-generator \(GeneratorVersion.current)\n")
        case .generate(let arguments): return GenerateCommand(arguments: arguments).run()
        case .check(let arguments): return CheckCommand(arguments: arguments).run()
        case .lint(let arguments): return LintCommand(arguments: arguments).run()
        case .import(let arguments): return ImportCommand(arguments: arguments).run()
        case .rules(let arguments): return RulesCommand(arguments: arguments).run()
        }
    } catch {
        Console.printFailure(error.message)
        let command = ["preferences-generator", error.command?.rawValue, "--help"].compactMap(\.self)
        Console.printError("Run '\(command.joined(separator: " "))' for usage.")
        return .usage
    }
}

/// Returns the arguments after the name of the tool.
///
/// `CommandLine.arguments` replaces bytes that are not UTF-8, so its paths could name other files.
private func arguments() throws(UsageError) -> [String] {
    var arguments: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
        guard let start = CommandLine.unsafeArgv[index] else { continue }
        guard let argument = String(validatingCString: start) else {
            let bytes = UnsafeRawBufferPointer(start: start, count: strlen(start))
            throw UsageError(message: "argument \(index) is not UTF-8: '\(String(escaping: bytes))'; rename the file")
        }
        arguments.append(argument)
    }
    return arguments
}
