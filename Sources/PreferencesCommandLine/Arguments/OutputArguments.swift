/// The paths of the files that a command writes.
package enum OutputArguments {
    /// No option is given.
    case none
    /// One path for each input, in the same order; `-` is standard output.
    case files([String])
    case directory(String)

    /// Returns the descriptions of the options that ``parse(_:_:)`` parses.
    ///
    /// - Parameters:
    ///   - file: The explanation of `--output`.
    ///   - directory: The explanation of `--output-directory`.
    package static func options(file: String, directory: String) -> [CommandDescription.Option] {
        [
            .init("-o", "--output", value: "FILE", completing: .files, file),
            .init("--output-directory", value: "DIR", completing: .directories, directory),
        ]
    }

    /// Parses an option. Returns `false` if it is not `--output` or `--output-directory`.
    package mutating func parse(_ option: ArgumentParser.Option, _ parser: inout ArgumentParser) throws(UsageError)
        -> Bool
    {
        switch option.name {
        case "--output", "-o":
            let path = try parser.nextValue(of: option)
            switch self {
            case .none: self = .files([path])
            case .files(let others): self = .files(others + [path])
            case .directory: throw Self.exclusion
            }
        case "--output-directory":
            let path = try parser.value(of: option)
            if case .files = self { throw Self.exclusion }
            self = .directory(path)
        default: return false
        }
        return true
    }

    private static let exclusion = UsageError(
        message: "'--output' and '--output-directory' are mutually exclusive; give one of them"
    )

    /// Throws an error if an output would overwrite an input or another output.
    ///
    /// - Parameters:
    ///   - inputs: The paths of the inputs, one for each output.
    ///   - kind: The description of an input.
    ///   - advice: The instruction for two inputs with one output.
    package static func checkClashes(
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
