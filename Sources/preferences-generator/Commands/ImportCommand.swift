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
        let options = Importer.Options(access: arguments.access, namespace: arguments.namespace)
        let schemas = zip(arguments.files, arguments.outputs).map { file, output in
            (format: file.format, name: output == "-" ? file.schemaName : Self.schemaName(path: output))
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
        return write(results)
    }

    private func write(_ results: [Importer.Result]) -> ExitStatus {
        var summary = self.summary(results)
        do throws(FileFailure) {
            let files = zip(arguments.outputs, results).map { OutputFile(path: $0, bytes: Array($1.text.utf8)) }
            if !arguments.replaces {
                for file in files { try Self.checkUnchanged(file) }
            }
            let written = try OutputFile.write(files)
            // The summary must not end up in the schema that is printed.
            guard arguments.outputs != ["-"] else {
                Console.printError(summary)
                return .success
            }
            if written > 0 { summary += "; wrote \(SchemaFiles.count(written, "file"))" }
            let unchanged = files.count - written
            if unchanged > 0 { summary += "; left \(SchemaFiles.count(unchanged, "unchanged file")) alone" }
            Console.print(summary)
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

    private static func schemaName(path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.hasSuffix(ImportArguments.ending) ? String(name.dropLast(ImportArguments.ending.count)) : name
    }

    /// A schema that someone has worked on is not replaced unasked.
    private static func checkUnchanged(_ file: OutputFile) throws(FileFailure) {
        // A pipe or a device has nothing to lose, and reading it would come to no end.
        guard FilePath.isFile(file.path), let present = try? FileContents.read(file.path), present != file.bytes else {
            return
        }
        let reason = "it is there and differs; '--force' replaces it"
        throw FileFailure(operation: .write, path: file.path, reason: reason)
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
