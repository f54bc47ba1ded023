import PreferencesCodeGen
import PreferencesSchema

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
        let knowsAll = arguments.hosts.knowsAllSchemas
        let mending = HostMending(mode: .check, command: command, knowsAllSchemas: knowsAll)
        let hosts = files.hostChanges(in: arguments.hosts.directory, mending)
        if files.status == .success { checkOutputs(of: &files, command) }
        files.printFaults()
        Console.print(files.status == .success ? summary(files, hosts) : files.summary)
        return files.status
    }

    private func checkOutputs(of files: inout SchemaFiles, _ command: String) {
        for (path, schema) in zip(arguments.outputs, files.set.schemas) {
            let expected = SwiftGenerator.generateUTF8(schema)
            guard FilePath.exists(path) else {
                let message = "there is no such file; run '\(command)'"
                files.report([Diagnostic(rule: .outputMissing, path: path, position: .start, message: message)])
                continue
            }
            do throws(FileFailure) {
                let found = try FileContents.read(path)
                if found == expected { continue }
                let position = TextPosition.firstDifference(between: found, and: expected)
                let message = "this is not what \(schema.fileName).preferences.json says now; run '\(command)'"
                files.report([Diagnostic(rule: .outputStale, path: path, position: position, message: message)])
            } catch {
                files.report(error)
            }
        }
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
