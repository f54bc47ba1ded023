import PreferencesSchema

/// The words after a command, read one by one. Options can stand before, between and after the other words.
struct ArgumentWords {
    enum Word {
        /// A word that is not an option: a path, or `-`.
        case plain(String)
        case option(Option)
    }

    struct Option {
        /// With its hyphens.
        var name: String
        /// The whole word.
        fileprivate var word: String
        /// The value in the same word: `--option=value` and `-ovalue` are the same as `--option value`.
        fileprivate var value: String?

        fileprivate init(_ word: String) {
            self.word = word
            if word.hasPrefix("--") {
                let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                name = String(parts[0])
                value = parts.count == 2 ? String(parts[1]) : nil
            } else {
                name = String(word.prefix(2))
                let rest = word.dropFirst(2)
                value = rest.isEmpty ? nil : String(rest.first == "=" ? rest.dropFirst() : rest)
            }
        }
    }

    private let command: Command
    private var rest: ArraySlice<String>
    private var optionsAreOver = false
    /// The values of options that have one alone.
    private var values: [String: String] = [:]

    init(_ arguments: [String], of command: Command) {
        rest = arguments[...]
        self.command = command
    }

    mutating func next() -> Word? {
        guard let word = rest.popFirst() else { return nil }
        if optionsAreOver || word == "-" || !word.hasPrefix("-") { return .plain(word) }
        if word == "--" {
            optionsAreOver = true
            return next()
        }
        return .option(Option(word))
    }

    /// The value of an option that is given once.
    mutating func value(of option: Option) throws(UsageError) -> String {
        let value = try nextValue(of: option)
        if let other = values.updateValue(value, forKey: option.name) {
            throw UsageError(message: "'\(option.name)' is given twice, with '\(other)' and '\(value)'; give it once")
        }
        return value
    }

    /// The value of an option that may be given several times.
    mutating func nextValue(of option: Option) throws(UsageError) -> String {
        let long = "-\(option.word.prefix { $0 != "=" })"
        if !option.word.hasPrefix("--"), command.options.contains(long) {
            throw UsageError(
                message: "'\(command.rawValue)' has no option '\(long.dropFirst())'; did you mean '\(long)'?"
            )
        }
        // An unset variable of the shell gives an empty value.
        if let value = option.value ?? rest.first, !value.isEmpty {
            guard option.value == nil else { return value }
            if value.hasPrefix("-"), value != "-" {
                let hint = "if that is to be '\(value)', write '\(option.name)=\(value)'"
                throw UsageError(message: "'\(option.name)' needs a value behind it; \(hint)")
            }
            rest.removeFirst()
            return value
        }
        throw UsageError(message: "'\(option.name)' needs a value behind it")
    }

    /// Sets a flag, for an option without a value.
    func set(_ flag: inout Bool, by option: Option) throws(UsageError) {
        if let value = option.value {
            throw UsageError(message: "'\(option.name)' takes no value; leave out '=\(value)'")
        }
        flag = true
    }

    /// The error for an option that the command does not have.
    func unknown(_ option: Option) -> UsageError {
        if let value = option.value, Command.helpOptions.contains(option.name) {
            return UsageError(message: "'\(option.name)' takes no value; leave out '\(value)'")
        }
        let name = option.word.hasPrefix("--") ? option.name : option.word
        var suggestions = Suggestions()
        let nearest = suggestions.nearest(to: name, among: command.options)
        let hint =
            FilePath.exists(option.word)
            ? "the file of that name is './\(option.word)'" : "see '\(command.rawValue) --help'"
        return UsageError(
            message: "'\(command.rawValue)' has no option '\(name)'; "
                + (nearest.map { "did you mean '\($0)'?" } ?? hint)
        )
    }
}
