import PreferencesCodeGen
import PreferencesCommandLine
import PreferencesSchema

/// Reads and checks the schemas of a command, and prints their diagnostics.
struct LoadedSchemas {
    var set: SchemaSet
    private let arguments: SchemaArguments
    /// The files that schemas can include; `nil` for any.
    private let includes: Set<FileIdentity>?
    private var diagnostics: [Diagnostic] = []
    private var fileErrors: [FileError]

    /// Reads the schemas.
    ///
    /// - Parameters:
    ///   - outputs: The paths of the generated files, one for each schema, or none.
    ///   - fileErrors: The errors in searching for schemas.
    init(_ arguments: SchemaArguments, outputs: [String] = [], fileErrors: [FileError] = []) {
        self.arguments = arguments
        includes = arguments.onlyListedIncludes ? Set(arguments.includes.map { FileIdentity($0) }) : nil
        self.fileErrors = fileErrors
        set = SchemaSet.read([]).set
        var sources: [SchemaSource] = []
        let configuration = configuration(arguments.configuration)
        for (index, path) in arguments.paths.enumerated() {
            let output = outputs.indices.contains(index) && outputs[index] != "-" ? outputs[index] : nil
            do throws(FileError) {
                sources.append(try Self.schema(path, output: output))
            } catch {
                self.fileErrors.append(error)
            }
        }
        let (set, found) = SchemaSet.read(sources, configuration: configuration, including: included)
        self.set = set
        report(found)
        for dependency in arguments.dependencies {
            if let schemas = schemas(of: dependency) { report(set.clashes(with: schemas)) }
        }
    }

    private mutating func configuration(_ path: String?) -> GeneratorConfiguration.Source {
        guard let path else { return .none }
        do throws(FileError) {
            return .file(SchemaSource(path: path, bytes: try FileContents.read(path)))
        } catch {
            fileErrors.append(error)
            return .unreadable
        }
    }

    /// Returns the schemas of a module that the schemas' module depends on, whose faults are reported where it is
    /// built; `nil` if a file cannot be read, or the configuration has faults.
    private mutating func schemas(of dependency: SchemaArguments.Dependency) -> DependencySchemas? {
        let configuration = configuration(dependency.configuration)
        do throws(FileError) {
            var sources: [SchemaSource] = []
            for path in dependency.paths { sources.append(try Self.schema(path, output: nil)) }
            let set = SchemaSet.read(sources, configuration: configuration, including: IncludedText.read).set
            // With a faulty configuration, the access levels are unknown.
            guard set.configuration.isComplete else { return nil }
            return DependencySchemas(
                module: dependency.module,
                set: set,
                isInSamePackage: dependency.isInSamePackage
            )
        } catch {
            fileErrors.append(error)
            return nil
        }
    }

    /// Returns the text of an included file.
    private func included(_ path: String) -> IncludedText {
        let text = IncludedText.read(path)
        guard case .text = text, let includes, !includes.contains(FileIdentity(path)) else { return text }
        return .outOfPlace("move it to the target's folder, or to 'Schemas/Shared' of the package")
    }

    /// Reads a schema.
    ///
    /// - Parameter output: The path of the output, which names a schema without a file name.
    private static func schema(_ path: String, output: String?) throws(FileError) -> SchemaSource {
        let name = FilePath.isUnnamed(path) ? output.map(Self.name(ofOutput:)) ?? "stdin" : nil
        if path != "-" { return SchemaSource(path: path, bytes: try FileContents.read(path), fileName: name) }
        return SchemaSource(path: "<stdin>", bytes: try FileContents.readStandardInput(), fileName: name)
    }

    private static func name(ofOutput path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        for suffix in [".preferences.swift", ".swift"] where file.hasSuffix(suffix) && file.count > suffix.count {
            return String(file.dropLast(suffix.count))
        }
        return file
    }
}

// MARK: - Host files

extension LoadedSchemas {
    /// Returns the changes to host files, and reports errors in them; `nil` if the schemas have errors.
    ///
    /// - Parameter directory: The host directory; `nil` for that of the configuration.
    mutating func hostChanges(in directory: String?, _ options: HostUpdateOptions) -> HostChanges? {
        guard status == .success else { return nil }
        let configured = arguments.configuration.map { path in
            FilePath.join(FilePath.folder(of: path), set.configuration.hostDirectory ?? ".")
        }
        if directory == nil, let configured, let place = set.configuration.hostDirectoryPlace,
            !HostDirectory(path: configured).exists
        {
            let rule = Rule.invalidHostDirectory
            let message = "there is no folder \(configured)"
            let notes = ["create it, or correct 'hostDirectory'"]
            report([Diagnostic(rule: rule, at: place, in: set.sources, message: message, notes: notes)])
            return nil
        }
        let changes = HostChanges(of: set, in: directory ?? configured, options)
        report(changes.diagnostics)
        fileErrors += changes.fileErrors
        return changes
    }
}

// MARK: - Diagnostics

extension LoadedSchemas {
    /// The exit status of the command, if no further error occurs.
    var status: ExitStatus { !fileErrors.isEmpty ? .system : errorCount > 0 ? .schemaFault : .success }

    var errorCount: Int { diagnostics.count { $0.severity == .error } }

    mutating func report(_ found: [Diagnostic]) {
        diagnostics += found
        guard arguments.warningsAreErrors else { return }
        for index in diagnostics.indices { diagnostics[index].severity = .error }
    }

    /// Adds an error in reading or writing a file.
    mutating func report(_ error: FileError) { fileErrors.append(error) }

    /// Prints all diagnostics. Call it once, because some formats print one value.
    mutating func printDiagnostics() {
        let report = DiagnosticReport(fileErrors: fileErrors, diagnostics: diagnostics.inOrder)
        do throws(FileError) {
            try report.print(as: arguments.diagnosticsFormat)
        } catch {
            fileErrors.append(error)
        }
    }

    /// The numbers of schemas, keys and faults, for example, `2 schemas, 14 keys: no faults`.
    var summary: String {
        let warningCount = diagnostics.count - errorCount
        var faults: [String] = []
        for (operation, kind) in [(FileError.Operation.read, "unreadable file"), (.write, "unwritable file")] {
            let count = fileErrors.count { $0.operation == operation }
            if count > 0 { faults.append(counted(count, kind)) }
        }
        if errorCount > 0 { faults.append(counted(errorCount, "error")) }
        if warningCount > 0 { faults.append(counted(warningCount, "warning")) }
        let schemas = counted(set.schemas.count, "schema")
        // The model does not contain invalid keys, so the number is meaningful only without errors.
        guard status == .success else { return "\(schemas): \(faults.joined(separator: ", "))" }
        let keys = set.schemas.flatMap(\.allNamespaces).map(\.keys.count).reduce(0, +)
        return "\(schemas), \(counted(keys, "key")): "
            + (faults.isEmpty ? "no faults" : faults.joined(separator: ", "))
    }
}
