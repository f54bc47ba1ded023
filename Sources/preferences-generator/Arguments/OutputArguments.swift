import PreferencesSchema

/// The paths of generated files.
enum OutputArguments {
    /// No files are generated.
    case none
    /// One path for each schema; `-` is standard output.
    case files([String])
    case directory(String)

    static let options = ["--output", "-o", "--output-directory"]

    /// Takes an option; false where it is none of these.
    mutating func take(_ option: ArgumentWords.Option, _ words: inout ArgumentWords) throws(UsageError) -> Bool {
        switch option.name {
        case "--output", "-o":
            let path = try words.nextValue(of: option)
            switch self {
            case .none: self = .files([path])
            case .files(let others): self = .files(others + [path])
            case .directory: throw Self.exclusion
            }
        case "--output-directory":
            let path = try words.value(of: option)
            if case .files = self { throw Self.exclusion }
            self = .directory(path)
        default: return false
        }
        return true
    }

    private static let exclusion = UsageError(
        message: "'--output' and '--output-directory' exclude each other; give one of them"
    )

    /// One path for each schema, or none at all.
    ///
    /// - Parameter schemas: Paths.
    func paths(of schemas: [String]) throws(UsageError) -> [String] {
        let outputs: [String]
        switch self {
        case .none: return []
        case .files(let paths):
            guard paths.count == schemas.count else {
                let times = paths.count == 1 ? "once" : "\(paths.count) times"
                throw UsageError(
                    message: "'--output' is given \(times) for \(SchemaFiles.count(schemas.count, "schema")); give it "
                        + "once for each, in the same order, or '--output-directory DIR' for all"
                )
            }
            outputs = paths
        case .directory(let directory):
            if let schema = schemas.first(where: FilePath.isNameless) {
                let name = schema == "-" ? "a schema from standard input" : "schema '\(schema)'"
                throw UsageError(message: "\(name) has no name; say '--output FILE' where it goes")
            }
            outputs = schemas.map { path in
                FilePath.join(directory, SchemaSource(path: path, bytes: []).fileName + ".preferences.swift")
            }
        }
        try Self.checkClashes(of: outputs, with: schemas, each: "a schema", "give each its own '--output FILE'")
        return outputs
    }

    /// Refuses outputs that would overwrite an input or each other.
    ///
    /// - Parameters:
    ///   - inputs: Their paths, one for each output.
    ///   - kind: What an input is.
    ///   - advice: What to do where two have one output.
    static func checkClashes(
        of outputs: [String],
        with inputs: [String],
        each kind: String,
        _ advice: String
    ) throws(UsageError) {
        let inputFiles = Set(inputs.map { FileIdentity($0) })
        var inputOfOutput: [FileIdentity: String] = [:]
        for (path, input) in zip(outputs, inputs) where !FilePath.isStream(path) {
            let file = FileIdentity(path)
            if inputFiles.contains(file) { throw UsageError(message: "the output \(path) would overwrite \(kind)") }
            if let other = inputOfOutput.updateValue(input, forKey: file) {
                throw UsageError(message: "\(other) and \(input) would both be written to \(path); \(advice)")
            }
        }
    }
}
