import PreferencesSchema

/// The words behind a command, taken one by one: options may stand before, between and behind what else there is.
struct ArgumentWords {
    enum Word {
        /// What is no option: a path, or `-`.
        case plain(String)
        case option(Option)
    }

    struct Option {
        /// With its hyphens.
        var name: String
        /// What follows an equals sign: `--option=value` is the same as `--option value`.
        fileprivate var value: String?
    }

    private let command: Command
    private var rest: ArraySlice<String>
    private var optionsAreOver = false

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
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return .option(Option(name: String(parts[0]), value: parts.count == 2 ? String(parts[1]) : nil))
    }

    /// The value of an option that has one.
    mutating func value(of option: Option) throws(UsageError) -> String {
        // An empty one is what a shell makes of a variable that is not set.
        if let value = option.value ?? rest.popFirst(), !value.isEmpty { return value }
        throw UsageError(message: "'\(option.name)' needs a value behind it")
    }

    /// Sets what an option without a value is for.
    func set(_ flag: inout Bool, by option: Option) throws(UsageError) {
        if let value = option.value {
            throw UsageError(message: "'\(option.name)' takes no value; leave out '=\(value)'")
        }
        flag = true
    }

    /// What is to be thrown for an option that is none of the command's.
    func unknown(_ option: Option, options: [String]) -> UsageError {
        var suggestions = Suggestions()
        let nearest = suggestions.nearest(to: option.name, among: options)
        return UsageError(
            message: "'\(command.rawValue)' has no option '\(option.name)'; "
                + (nearest.map { "did you mean '\($0)'?" } ?? "see '\(command.rawValue) --help'")
        )
    }
}
