/// The command line that brings generated code up to date, as messages name it.
struct MendingCommand {
    var schemas: SchemaArguments
    var outputs: [String]
    var hosts: HostArguments

    var line: String {
        if let command = hosts.mendingCommand { return command }
        // With more it would be no help to read, and none to copy.
        let isShort = schemas.paths.count <= 3
        var words = ["preferences-generator", "generate"] + (isShort ? schemas.paths.map(Self.path) : ["SCHEMA…"])
        if isShort {
            words += outputs.flatMap { ["--output", Self.path($0)] }
        } else if !outputs.isEmpty {
            words += ["--output-directory", "DIR"]
        }
        if let configuration = schemas.configuration { words += ["--config", Self.path(configuration)] }
        if let directory = hosts.directory { words += ["--host-directory", Self.path(directory)] }
        return words.map(Self.escaped).joined(separator: " ")
    }

    /// The path in a form that is no option.
    private static func path(_ path: String) -> String { path.hasPrefix("-") && path != "-" ? "./\(path)" : path }

    /// The word as a shell takes it.
    private static func escaped(_ word: String) -> String {
        word.reduce(into: "") { result, character in
            if " \"'\\$`!*?[](){}<>|&;#~".contains(character) { result.append("\\") }
            result.append(character)
        }
    }
}
