import PreferencesCodeGen
import PreferencesSchema

/// `preferences-generator generate`.
struct GenerateCommand {
    var options: CommandLineArguments.Options
    var outputs: CommandLineArguments.Outputs

    func run() -> ExitStatus {
        let paths = outputPaths
        if let clash = clash(paths) {
            Console.printError("preferences-generator: error: \(clash)")
            return .usage
        }
        let files = SchemaFiles(options, standardInputName: standardInputName(paths))
        guard files.status == .success else {
            // Where source was to be printed, this would end up in its place.
            if !paths.contains("-") { Console.print("\(files.summary). Nothing was written.") }
            return files.status
        }
        let texts = files.set.schemas.map(SwiftGenerator.generate)
        do throws(FileFailure) {
            let outputs = zip(paths, texts).filter { $0.0 != "-" }.map { OutputFile(path: $0, text: $1) }
            let changed = try OutputFile.write(outputs)
            for (path, text) in zip(paths, texts) where path == "-" { try Console.write(text) }
            // The summary must not end up in the source that is printed.
            if !paths.contains("-") { Console.print(summary(files, written: changed, of: outputs.count)) }
            return .success
        } catch {
            Console.printError("preferences-generator: error: \(error.message)")
            return .system
        }
    }

    /// One path for each schema.
    private var outputPaths: [String] {
        switch outputs {
        case .files(let paths): paths
        case .directory(let directory):
            options.schemas.map { path in
                let name = SchemaSource(path: path, bytes: []).fileName + ".preferences.swift"
                return directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
            }
        }
    }

    /// What is wrong with the paths, if anything.
    private func clash(_ paths: [String]) -> String? {
        var schemaOfOutput: [String: String] = [:]
        let schemas = Set(options.schemas.filter { $0 != "-" }.map(FilePath.canonical))
        for (path, schema) in zip(paths, options.schemas) where path != "-" {
            let absolute = FilePath.canonical(path)
            if schemas.contains(absolute) { return "the output \(path) would overwrite a schema" }
            if let other = schemaOfOutput[absolute] {
                return "\(other) and \(schema) would both be written to \(path); give each its own '--output FILE'"
            }
            schemaOfOutput[absolute] = schema
        }
        return nil
    }

    /// Standard input is named after the file that is made from it.
    private func standardInputName(_ paths: [String]) -> String {
        guard let index = options.schemas.firstIndex(of: "-"), paths[index] != "-" else { return "stdin" }
        let file = paths[index].split(separator: "/").last.map(String.init) ?? "stdin"
        for ending in [".preferences.swift", ".swift"] where file.hasSuffix(ending) && file.count > ending.count {
            return String(file.dropLast(ending.count))
        }
        return file
    }

    private func summary(_ files: SchemaFiles, written: Int, of total: Int) -> String {
        let unchanged = total - written
        var parts: [String] = []
        if written > 0 { parts.append("wrote \(SchemaFiles.count(written, "file"))") }
        if unchanged > 0 { parts.append("left \(SchemaFiles.count(unchanged, "unchanged file")) alone") }
        return "\(files.summary); \(parts.joined(separator: ", "))"
    }
}
