import PreferencesImport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `preferences-generator import`.
struct ImportCommand {
    var arguments: ImportArguments

    func run() -> ExitStatus {
        let paths = outputPaths
        if let clash = clash(paths) {
            Console.printFailure(clash)
            return .usage
        }
        let options = Importer.Options(access: arguments.access, namespace: arguments.namespace)
        let schemas = zip(arguments.files, paths).map { file, path in
            (format: file.format, name: path.map(Self.schemaName) ?? file.schemaName)
        }
        var importer = Importer(files: .onDisk, options: options, schemas: schemas)
        var results: [Importer.Result] = []
        var status = ExitStatus.success
        for (file, schema) in zip(arguments.files, schemas) {
            do throws(ImportFault) {
                let result = try importer.read(file.path, as: schema.format, schemaName: schema.name)
                for remark in result.remarks { Console.printError(remark.messageLine) }
                results.append(result)
            } catch {
                if case .empty(_, let remarks) = error {
                    for remark in remarks { Console.printError(remark.messageLine) }
                }
                Console.printError(error.messageLine)
                if case .unreadable = error { status = .system } else if status == .success { status = .schemaFault }
            }
        }
        guard status == .success else {
            Console.printError("Nothing was written.")
            return status
        }
        return write(results, to: paths)
    }

    private func write(_ results: [Importer.Result], to paths: [String?]) -> ExitStatus {
        var summary = self.summary(results)
        do throws(FileFailure) {
            let files = zip(paths, results).compactMap { path, result in
                path.map { OutputFile(path: $0, bytes: Array(result.text.utf8)) }
            }
            if !arguments.replaces {
                for file in files { try Self.checkUnchanged(file) }
            }
            let written = try OutputFile.write(files)
            guard files.isEmpty else {
                if written > 0 { summary += "; wrote \(SchemaFiles.count(written, "file"))" }
                let unchanged = files.count - written
                if unchanged > 0 { summary += "; left \(SchemaFiles.count(unchanged, "unchanged file")) alone" }
                Console.print(summary)
                return .success
            }
            for result in results { try Console.write(result.text) }
            // The summary must not end up in the schema that is printed.
            Console.printError(summary)
            return .success
        } catch {
            Console.printFailure(error.message)
            return .system
        }
    }

    private func summary(_ results: [Importer.Result]) -> String {
        let keys = SchemaFiles.count(results.map(\.keyCount).reduce(0, +), "key")
        let remarks = results.map(\.remarks.count).reduce(0, +)
        return "read \(SchemaFiles.count(results.count, "schema")) with \(keys); "
            + (remarks == 0 ? "no remarks" : SchemaFiles.count(remarks, "remark"))
    }

    /// One path for each file; nil for standard output.
    private var outputPaths: [String?] {
        arguments.files.map { file in
            switch arguments.output {
            case .standard: nil
            case .file(let path): path
            case .directory(let directory):
                (directory.hasSuffix("/") ? directory : "\(directory)/") + file.schemaName + Self.ending
            }
        }
    }

    private static let ending = ".preferences.json"

    private static func schemaName(path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.hasSuffix(ending) ? String(name.dropLast(ending.count)) : name
    }

    /// The fault of the paths, if there is one.
    private func clash(_ paths: [String?]) -> String? {
        var fileOfOutput: [String: String] = [:]
        let inputs = Set(arguments.files.map { FilePath.canonical($0.path) })
        for (path, file) in zip(paths, arguments.files) {
            guard let path else { continue }
            let canonical = FilePath.canonical(path)
            if inputs.contains(canonical) { return "the output \(path) would overwrite a file that is imported" }
            if let other = fileOfOutput[canonical] {
                return "\(other) and \(file.path) would both be written to \(path); import them one by one"
            }
            fileOfOutput[canonical] = file.path
        }
        return nil
    }

    /// A schema that someone has worked on is not replaced unasked.
    private static func checkUnchanged(_ file: OutputFile) throws(FileFailure) {
        // A pipe or a device has nothing to lose, and reading it would come to no end.
        guard FilePath.isFile(file.path), let present = try? FileContents.read(file.path), present != file.bytes else {
            return
        }
        throw FileFailure(operation: .write, path: file.path, Difference())
    }

    private struct Difference: Error, CustomStringConvertible {
        var description: String { "it is there and differs; '--force' replaces it" }
    }
}

extension SourceFiles {
    fileprivate static let onDisk = SourceFiles { path throws(ImportFault) in
        do throws(FileFailure) {
            return try FileContents.read(path)
        } catch {
            throw .unreadable(message: error.message)
        }
    } names: { folder in
        (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    }
}
