import PreferencesSchema

/// Parses the arguments after a command. Options can be placed before, between and after positional arguments.
package struct ArgumentParser {
    package enum Argument {
        /// An argument that is not an option, such as a path, `-` or a negative number.
        case positional(String)
        case option(Option)
    }

    package struct Option {
        /// The name, including hyphens.
        package let name: String
        /// The complete argument.
        fileprivate var text: String
        /// The value in the same argument: `--option=value` and `-ovalue` are equivalent to `--option value`.
        fileprivate var value: String?

        fileprivate init(_ text: String) {
            self.text = text
            if text.hasPrefix("--") {
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                name = String(parts[0])
                value = parts.count == 2 ? String(parts[1]) : nil
            } else {
                name = String(text.prefix(2))
                let rest = text.dropFirst(2)
                value = rest.isEmpty ? nil : String(rest.first == "=" ? rest.dropFirst() : rest)
            }
        }
    }

    private let command: Command
    private let optionNames: [String]
    private var rest: ArraySlice<String>
    private var isPastTerminator = false
    /// The values of options that can be given once, by the last of the option's names.
    private var values: [String: String] = [:]

    init(_ arguments: [String], of command: Command) {
        rest = arguments[...]
        self.command = command
        optionNames = command.description.options.flatMap(\.names)
    }

    /// Returns the next argument; `nil` at the end.
    package mutating func next() -> Argument? {
        guard let argument = rest.popFirst() else { return nil }
        if isPastTerminator || !isOption(argument) { return .positional(argument) }
        if argument == "--" {
            isPastTerminator = true
            return next()
        }
        return .option(Option(argument))
    }

    /// Whether an argument is an option or the terminator. A negative number, such as `-5` or `-inf`, is one only if the
    /// command has an option with its first character as its name.
    private func isOption(_ argument: String) -> Bool {
        guard argument.hasPrefix("-"), argument != "-" else { return false }
        guard let first = argument.dropFirst().first, Double(argument) != nil else { return true }
        return optionNames.contains("-\(first)")
    }

    /// Returns the text of a positional argument.
    ///
    /// - Throws: The error for an option that the command does not have, if the argument is one.
    package func positional(_ argument: Argument) throws(UsageError) -> String {
        switch argument {
        case .positional(let text): return text
        case .option(let option): throw unknownOption(option)
        }
    }

    /// Returns the value of an option that can be given once.
    package mutating func value(of option: Option) throws(UsageError) -> String {
        let value = try nextValue(of: option)
        let key = command.description.options.first { $0.names.contains(option.name) }?.names.last ?? option.name
        if let other = values.updateValue(value, forKey: key) {
            throw UsageError(message: "'\(option.name)' is given twice, with '\(other)' and '\(value)'; give it once")
        }
        return value
    }

    /// Returns the value of an option that can be given several times.
    package mutating func nextValue(of option: Option) throws(UsageError) -> String {
        let long = "-\(option.text.prefix { $0 != "=" })"
        if !option.text.hasPrefix("--"), optionNames.contains(long) {
            throw UsageError(
                message: "'\(command.name)' has no option '\(long.dropFirst())'; did you mean '\(long)'?"
            )
        }
        // An unset shell variable results in an empty value.
        if let value = option.value ?? rest.first, !value.isEmpty {
            guard option.value == nil else { return value }
            if isOption(value) {
                let hint = "to use '\(value)' as the value, write '\(option.name)=\(value)'"
                throw UsageError(message: "'\(option.name)' requires a value; \(hint)")
            }
            rest.removeFirst()
            return value
        }
        throw UsageError(message: "'\(option.name)' requires a value")
    }

    /// Sets the flag of an option without a value.
    package func setFlag(_ flag: inout Bool, by option: Option) throws(UsageError) {
        if let value = option.value {
            throw UsageError(message: "'\(option.name)' takes no value; remove '=\(value)'")
        }
        flag = true
    }

    /// Returns the error for an option that the command does not have.
    package func unknownOption(_ option: Option) -> UsageError {
        if let value = option.value, Command.helpOptions.contains(option.name) {
            return UsageError(message: "'\(option.name)' takes no value; remove '\(value)'")
        }
        let name = option.text.hasPrefix("--") ? option.name : option.text
        var suggestions = Suggestions()
        let nearest = suggestions.nearest(to: name, among: optionNames)
        let hint =
            FilePath.exists(option.text)
            ? "to name the file, write './\(option.text)'" : "see '\(command.name) --help'"
        return UsageError(
            message: "'\(command.name)' has no option '\(name)'; "
                + (nearest.map { "did you mean '\($0)'?" } ?? hint)
        )
    }
}
