import PreferencesCodeGen
import PreferencesSchema

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `preferences-generator check`.
struct CheckCommand {
    var arguments: CheckArguments

    func run() -> ExitStatus {
        var files = SchemaFiles(arguments.schemas, outputs: arguments.outputs)
        let command = MendingCommand(
            schemas: arguments.schemas,
            outputs: arguments.outputs,
            hosts: arguments.hosts
        ).line
        do throws(FileFailure) {
            let knowsAll = arguments.hosts.knowsAllSchemas
            let mending = HostMending(mode: .check, command: command, knowsAllSchemas: knowsAll)
            let hosts = files.hostChanges(in: arguments.hosts.directory, mending)
            if files.errorCount == 0 { files.report(try outputFaults(files.set, command)) }
            files.printFaults(as: arguments.schemas.diagnosticsFormat)
            Console.print(files.status == .success ? summary(files, hosts) : files.summary)
            return files.status
        } catch {
            Console.printFailure(error.message)
            return .system
        }
    }

    private func outputFaults(_ set: SchemaSet, _ command: String) throws(FileFailure) -> [Diagnostic] {
        var faults: [Diagnostic] = []
        for (path, schema) in zip(arguments.outputs, set.schemas) {
            let expected = SwiftGenerator.generateUTF8(schema)
            guard FilePath.exists(path) else {
                let message = "there is no such file; run '\(command)'"
                faults.append(Diagnostic(rule: .outputMissing, path: path, position: .start, message: message))
                continue
            }
            let found = try FileContents.read(path)
            if found == expected { continue }
            faults.append(
                Diagnostic(
                    rule: .outputStale,
                    path: path,
                    position: .firstDifference(between: found, and: expected),
                    message: "this is not what \(schema.fileName).preferences.json says now; run '\(command)'"
                )
            )
        }
        return faults
    }

    private func summary(_ files: SchemaFiles, _ hosts: HostChanges?) -> String {
        let outputs = arguments.outputs.count
        let regions = hosts?.regionCount ?? 0
        var parts: [String] = []
        if outputs > 0 { parts.append(SchemaFiles.count(outputs, "file")) }
        if regions > 0 { parts.append(SchemaFiles.count(regions, "region")) }
        if parts.isEmpty { return "\(files.summary); no schema has a host file" }
        return "\(files.summary); \(parts.joined(separator: " and ")): all current"
    }
}
