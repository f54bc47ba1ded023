/// What the command line asks for.
enum CommandLineArguments {
    case help(HelpTopic)
    case version
    case lint(Options)
    case generate(Options, Outputs)
    case rules(RulesArguments)

    /// What `lint` and `generate` have in common.
    struct Options {
        /// Paths; `-` is standard input.
        var schemas: [String] = []
        var warningsAreErrors = false
        var diagnosticsFormat = DiagnosticsFormat.text
    }

    enum DiagnosticsFormat: String, CaseIterable {
        case text
        case json
    }

    /// Where generated files go.
    enum Outputs {
        /// One path for each schema; `-` is standard output.
        case files([String])
        case directory(String)
    }

    struct UsageError: Error {
        /// One sentence that says what to write instead.
        var message: String
    }
}

// MARK: - Parsing

extension CommandLineArguments {
    static func parse(_ arguments: [String]) throws(UsageError) -> CommandLineArguments {
        guard let command = arguments.first else {
            throw UsageError(message: "no command given; the commands are 'generate' and 'lint'")
        }
        let rest = Array(arguments.dropFirst())
        if let topic = HelpTopic(rawValue: command), rest.contains(where: isHelp) { return .help(topic) }
        switch command {
        case "generate": return try parseGenerate(rest)
        case "lint": return .lint(try Parser(rest).parse(takesOutputs: false).options)
        case "rules": return .rules(try RulesArguments.parse(rest))
        case "help": return .help(try rest.first.map(helpTopic) ?? .tool)
        case "--version": return .version
        default:
            if isHelp(command) { return .help(.tool) }
            throw UsageError(message: "unknown command '\(command)'; the commands are 'generate' and 'lint'")
        }
    }

    private static func isHelp(_ argument: String) -> Bool { argument == "--help" || argument == "-h" }

    private static func helpTopic(_ name: String) throws(UsageError) -> HelpTopic {
        if let topic = HelpTopic(rawValue: name) { return topic }
        throw UsageError(message: "there is no help on '\(name)'; the commands are 'generate' and 'lint'")
    }

    private static func parseGenerate(_ arguments: [String]) throws(UsageError) -> CommandLineArguments {
        let parser = try Parser(arguments).parse(takesOutputs: true)
        let schemas = parser.options.schemas
        switch (parser.outputs.isEmpty, parser.directory) {
        case (false, .some):
            throw UsageError(message: "'--output' and '--output-directory' exclude each other; give one of them")
        case (true, nil):
            throw UsageError(message: "'generate' needs '--output FILE' for each schema, or '--output-directory DIR'")
        case (true, let directory?):
            guard !schemas.contains("-") else {
                throw UsageError(message: "a schema from standard input has no name; say '--output FILE' where it goes")
            }
            return .generate(parser.options, .directory(directory))
        case (false, nil):
            guard parser.outputs.count == schemas.count else {
                throw UsageError(
                    message: "'--output' is given \(parser.outputs.count) times for \(schemas.count) schemas; give it "
                        + "once for each, in the same order, or '--output-directory DIR' for all"
                )
            }
            return .generate(parser.options, .files(parser.outputs))
        }
    }

    /// Takes the words one by one; options may stand before, between and behind the schemas.
    private struct Parser {
        var options = Options()
        var outputs: [String] = []
        var directory: String?
        private var rest: ArraySlice<String>

        init(_ arguments: [String]) {
            rest = arguments[...]
        }

        consuming func parse(takesOutputs: Bool) throws(UsageError) -> Parser {
            var parser = self
            var onlySchemas = false
            while let argument = parser.rest.popFirst() {
                if onlySchemas || argument == "-" || !argument.hasPrefix("-") {
                    parser.options.schemas.append(argument)
                    continue
                }
                // `--option=value` is the same as `--option value`.
                let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let name = String(parts[0])
                let value = parts.count == 2 ? String(parts[1]) : nil
                switch name {
                case "--":
                    onlySchemas = true
                case "--strict" where value == nil:
                    parser.options.warningsAreErrors = true
                case "--diagnostics-format":
                    parser.options.diagnosticsFormat = try Self.format(parser.take(value, of: name))
                case "--output" where takesOutputs, "-o" where takesOutputs:
                    parser.outputs.append(try parser.take(value, of: name))
                case "--output-directory" where takesOutputs:
                    parser.directory = try parser.take(value, of: name)
                default:
                    throw UsageError(message: "unknown option '\(argument)'")
                }
            }
            try parser.checkSchemas()
            return parser
        }

        private mutating func take(_ value: String?, of option: String) throws(UsageError) -> String {
            // An empty one is what a shell makes of a variable that is not set.
            if let value = value ?? rest.popFirst(), !value.isEmpty { return value }
            throw UsageError(message: "'\(option)' needs a value behind it")
        }

        private static func format(_ name: String) throws(UsageError) -> DiagnosticsFormat {
            if let format = DiagnosticsFormat(rawValue: name) { return format }
            throw UsageError(message: "unknown diagnostics format '\(name)'; it is 'text' or 'json'")
        }

        private func checkSchemas() throws(UsageError) {
            guard !options.schemas.isEmpty else {
                throw UsageError(message: "no schema given; name one or more 'NAME.preferences.json', or '-'")
            }
            var seen: Set<String> = []
            for schema in options.schemas where !seen.insert(FilePath.canonical(schema)).inserted {
                throw UsageError(message: "schema '\(schema)' is given twice")
            }
        }
    }
}
