import PreferencesCodeGen
import PreferencesSchema

/// Reads the schemas that a command names, checks them and prints what is wrong with them.
struct SchemaFiles {
    var set: SchemaSet
    private let arguments: SchemaArguments
    /// The files that schemas can include; nil for any.
    private let includes: Set<FileIdentity>?
    private var diagnostics: [Diagnostic] = []
    private var failures: [FileFailure]

    /// - Parameters:
    ///   - outputs: Where what is generated from the schemas goes, if anything is: one path for each.
    ///   - failures: Those of looking for the schemas.
    init(_ arguments: SchemaArguments, outputs: [String] = [], failures: [FileFailure] = []) {
        self.arguments = arguments
        includes = arguments.onlyListedIncludes ? Set(arguments.includes.map { FileIdentity($0) }) : nil
        self.failures = failures
        set = SchemaSet.read([]).set
        var sources: [SchemaSource] = []
        var configuration = GeneratorConfiguration.Source.none
        do throws(FileFailure) {
            if let path = arguments.configuration {
                configuration = .file(SchemaSource(path: path, bytes: try FileContents.read(path)))
            }
        } catch {
            configuration = .unreadable
            self.failures.append(error)
        }
        for (index, path) in arguments.paths.enumerated() {
            let output = outputs.indices.contains(index) && outputs[index] != "-" ? outputs[index] : nil
            do throws(FileFailure) {
                sources.append(try Self.schema(path, output: output))
            } catch {
                self.failures.append(error)
            }
        }
        let (set, found) = SchemaSet.read(sources, configuration: configuration, including: included)
        self.set = set
        report(found)
    }

    /// The text of a file that a schema includes.
    private func included(_ path: String) -> IncludedText {
        do throws(FileFailure) {
            let bytes = try FileContents.read(path)
            guard let includes, !includes.contains(FileIdentity(path)) else { return .text(bytes) }
            return .outOfPlace("put it into the target's folder, or into 'Schemas/Shared' of the package")
        } catch {
            return .missing(error.reason)
        }
    }

    /// The schema at a path.
    ///
    /// - Parameter output: The output's path, which names a schema that has no name.
    private static func schema(_ path: String, output: String?) throws(FileFailure) -> SchemaSource {
        let name = FilePath.isNameless(path) ? output.map(Self.name(ofOutput:)) ?? "stdin" : nil
        if path != "-" { return SchemaSource(path: path, bytes: try FileContents.read(path), fileName: name) }
        return SchemaSource(path: "<stdin>", bytes: try FileContents.readStandardInput(), fileName: name)
    }

    private static func name(ofOutput path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        for ending in [".preferences.swift", ".swift"] where file.hasSuffix(ending) && file.count > ending.count {
            return String(file.dropLast(ending.count))
        }
        return file
    }
}

// MARK: - Host files

extension SchemaFiles {
    /// Reports the faults of the host files, and returns the changes to them; nil if a schema is at fault.
    ///
    /// - Parameter directory: Where host files are; nil for where the configuration says.
    mutating func hostChanges(in directory: String?, _ mending: HostMending) -> HostChanges? {
        guard status == .success else { return nil }
        let configured = arguments.configuration.map { path in
            FilePath.join(FilePath.folder(of: path), set.configuration.hostDirectory ?? ".")
        }
        if directory == nil, let configured, let place = set.configuration.hostDirectoryPlace,
            !HostDirectory(path: configured).isThere
        {
            let rule = Rule.invalidHostDirectory
            let message = "there is no folder \(configured)"
            let notes = ["make it, or correct 'hostDirectory'"]
            report([Diagnostic(rule: rule, at: place, in: set.sources, message: message, notes: notes)])
            return nil
        }
        let changes = HostChanges(of: set, in: directory ?? configured, mending)
        report(changes.diagnostics)
        failures += changes.failures
        return changes
    }
}

// MARK: - Faults

extension SchemaFiles {
    /// How the command ends if nothing else goes wrong.
    var status: ExitStatus { !failures.isEmpty ? .system : errorCount > 0 ? .schemaFault : .success }

    var errorCount: Int { diagnostics.count { $0.severity == .error } }

    mutating func report(_ found: [Diagnostic]) {
        diagnostics += found
        guard arguments.warningsAreErrors else { return }
        for index in diagnostics.indices { diagnostics[index].severity = .error }
    }

    /// Adds what cannot be read or written.
    mutating func report(_ failure: FileFailure) { failures.append(failure) }

    /// Prints what was found; once, because in some formats it is one value.
    mutating func printFaults() {
        let report = DiagnosticReport(failures: failures, diagnostics: diagnostics.inOrder)
        do throws(FileFailure) {
            try report.print(as: arguments.diagnosticsFormat)
        } catch {
            failures.append(error)
        }
    }

    /// `2 schemas, 14 keys: no faults`, or what faults there are.
    var summary: String {
        let warningCount = diagnostics.count - errorCount
        var faults: [String] = []
        for (operation, kind) in [(FileFailure.Operation.read, "unreadable file"), (.write, "unwritable file")] {
            let count = failures.count { $0.operation == operation }
            if count > 0 { faults.append(Self.count(count, kind)) }
        }
        if errorCount > 0 { faults.append(Self.count(errorCount, "error")) }
        if warningCount > 0 { faults.append(Self.count(warningCount, "warning")) }
        let schemas = Self.count(set.schemas.count, "schema")
        // Faulty keys are not in the model, so that their number is only known where there is none.
        guard status == .success else { return "\(schemas): \(faults.joined(separator: ", "))" }
        let keys = set.schemas.flatMap(\.allNamespaces).map(\.keys.count).reduce(0, +)
        return "\(schemas), \(Self.count(keys, "key")): "
            + (faults.isEmpty ? "no faults" : faults.joined(separator: ", "))
    }

    static func count(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
