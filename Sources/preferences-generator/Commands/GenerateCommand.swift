import PreferencesCodeGen
import PreferencesSchema

/// `preferences-generator generate`.
struct GenerateCommand {
    var arguments: GenerateArguments

    func run() -> ExitStatus {
        var files = SchemaFiles(arguments.schemas, outputs: arguments.outputs)
        let hosts = files.hostChanges(in: arguments.hosts.directory, mending)
        let hostFiles = hosts?.files ?? []
        if let path = firstOutput(among: hostFiles) {
            files.report(
                FileFailure(operation: .write, path: path, reason: "it is a host file; name another output")
            )
        }
        guard files.status == .success else {
            files.printFaults()
            // Standard output is reserved for the source.
            if !printsSource { Console.print("\(files.summary). Nothing was written.") }
            return files.status
        }
        let texts = arguments.outputs.isEmpty ? [] : files.set.schemas.map(SwiftGenerator.generateUTF8)
        var outputs = zip(arguments.outputs, texts).map { OutputFile(path: $0, bytes: $1) }
        if !arguments.onlyChecksHosts { outputs += hostFiles }
        do throws(FileFailure) {
            let changed = try OutputFile.write(outputs)
            files.printFaults()
            if !printsSource { Console.print(summary(files, written: changed, of: outputs.count, hosts)) }
        } catch {
            files.report(error)
            files.printFaults()
        }
        return files.status
    }

    private var printsSource: Bool { arguments.outputs.contains("-") }

    private var mending: HostMending {
        let command = MendingCommand(
            schemas: arguments.schemas,
            outputs: arguments.outputs,
            hosts: arguments.hosts
        )
        let mode: HostMending.Mode =
            arguments.onlyChecksHosts ? .check : arguments.discardsEdits ? .force : .update
        return HostMending(mode: mode, command: command.line, knowsAllSchemas: arguments.hosts.knowsAllSchemas)
    }

    /// The first output that is one of some host files.
    private func firstOutput(among hosts: [OutputFile]) -> String? {
        if hosts.isEmpty { return nil }
        let hosts = Set(hosts.map { FileIdentity($0.path) })
        return arguments.outputs.first { hosts.contains(FileIdentity($0)) }
    }

    private func summary(_ files: SchemaFiles, written: Int, of total: Int, _ hosts: HostChanges?) -> String {
        let unchanged = total - written
        var parts: [String] = []
        if written > 0 { parts.append("wrote \(SchemaFiles.count(written, "file"))") }
        if unchanged > 0 { parts.append("left \(SchemaFiles.count(unchanged, "unchanged file")) alone") }
        if arguments.onlyChecksHosts, let count = hosts?.regionCount, count > 0 {
            parts.append("found \(SchemaFiles.count(count, "region")) current")
        }
        if parts.isEmpty { parts.append("no schema has a host file") }
        return "\(files.summary); \(parts.joined(separator: ", "))"
    }
}
