/// The options of a command line.
struct CommandLineOptions: Sendable {
    /// One mention of an option.
    struct Mention: Sendable {
        /// Without the prefix.
        var option: String
        /// The option as it was written: `no-color` for `color`, which is false.
        var written: String
        var text: String
        var kind: Kind
    }

    /// Where the text of a mention comes from.
    enum Kind: Sendable {
        case value
        /// It was an argument of its own, which need not belong to the option.
        case nextArgument
        /// There was none.
        case nothing
    }

    /// By option, in the order of the command line.
    let mentions: [String: [Mention]]
    /// The options as they were written, in the order of the command line.
    let written: [String]

    /// - Parameters:
    ///   - arguments: Those of the command line, without the program's name. What follows after `--` are no options.
    ///   - prefix: What options begin with.
    init(_ arguments: [String], prefix: String) {
        let mentions = Self.mentions(in: Array(arguments.prefix { $0 != "--" }), prefix: prefix)
        self.mentions = Dictionary(grouping: mentions, by: \.option)
        written = mentions.map(\.written)
    }

    private static func mentions(in arguments: [String], prefix: String) -> [Mention] {
        var mentions: [Mention] = []
        for (index, argument) in arguments.enumerated() where argument.hasPrefix(prefix) {
            let parts = argument.dropFirst(prefix.count)
                .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let option = parts[0]
            func mention(_ name: String, _ text: String, _ kind: Kind) {
                mentions.append(Mention(option: name, written: option, text: text, kind: kind))
            }
            if parts.count > 1 {
                mention(option, parts[1], .value)
                continue
            }
            if option.hasPrefix("no-") { mention(String(option.dropFirst(3)), "false", .nothing) }
            if let next = arguments.dropFirst(index + 1).first, !next.hasPrefix(prefix), !next.hasPrefix("--") {
                mention(option, next, .nextArgument)
            } else {
                mention(option, "true", .nothing)
            }
        }
        return mentions
    }
}
