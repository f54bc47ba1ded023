/// The commands of the tool.
enum Command: String, CaseIterable {
    case generate
    case check
    case lint
    case `import`
    case rules

    /// All options that the command has.
    var options: [String] {
        let own =
            switch self {
            case .generate:
                SchemaArguments.options + OutputArguments.options + HostArguments.options
                    + GenerateArguments.options
            case .check: SchemaArguments.options + OutputArguments.options + HostArguments.options
            case .lint: SchemaArguments.options
            case .import: OutputArguments.options + ImportArguments.options
            case .rules: RulesArguments.options
            }
        return own + Self.helpOptions
    }

    static let helpOptions = ["--help", "-h"]
}
