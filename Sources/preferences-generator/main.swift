import PreferencesCodeGen

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)

/// Runs the tool.
///
/// - Parameter arguments: The words of the command line after the tool's own name.
private func run(_ arguments: [String]) -> ExitStatus {
    do {
        switch try CommandLineArguments.parse(arguments) {
        case .help(let topic): Console.print(topic.text)
        case .version: Console.print("preferences-generator \(GeneratorVersion.current)")
        case .generate(let arguments): return GenerateCommand(arguments: arguments).run()
        case .check(let arguments): return CheckCommand(arguments: arguments).run()
        case .lint(let arguments): return LintCommand(arguments: arguments).run()
        case .import(let arguments): return ImportCommand(arguments: arguments).run()
        case .rules(let arguments): return RulesCommand(arguments: arguments).run()
        }
        return .success
    } catch {
        Console.printError("preferences-generator: error: \(error.message)")
        let words = ["preferences-generator", error.command?.rawValue, "--help"].compactMap(\.self)
        Console.printError("Run '\(words.joined(separator: " "))' to see how it is used.")
        return .usage
    }
}
