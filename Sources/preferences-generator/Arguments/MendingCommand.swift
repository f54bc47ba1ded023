/// The command line that brings generated code up to date, as messages name it.
struct MendingCommand {
    var schemas: SchemaArguments
    var outputs: [String]
    var hosts: HostArguments

    var line: String {
        if let command = hosts.mendingCommand { return command }
        // With more it would be no help to read, and none to copy.
        let isShort = schemas.paths.count <= 3
        var words = ["preferences-generator", "generate"] + (isShort ? schemas.paths : ["SCHEMA…"])
        if isShort {
            words += outputs.flatMap { ["--output", $0] }
        } else if !outputs.isEmpty {
            words += ["--output-directory", "DIR"]
        }
        if let configuration = schemas.configuration { words += ["--config", configuration] }
        if let directory = hosts.directory { words += ["--host-directory", directory] }
        return words.map(Self.escaped).joined(separator: " ")
    }

    /// The word as a shell takes it.
    private static func escaped(_ word: String) -> String {
        word.reduce(into: "") { result, character in
            if " \"'\\$`!*?[](){}<>|&;#~".contains(character) { result.append("\\") }
            result.append(character)
        }
    }
}
