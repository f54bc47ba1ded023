import PreferencesCodeGen
import PreferencesSchema

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads the schemas that a command names, checks them and prints what is wrong with them.
struct SchemaFiles {
    var set: SchemaSet
    private let arguments: SchemaArguments
    private var diagnostics: [Diagnostic] = []
    private var unreadable: [FileFailure] = []

    /// - Parameter standardInputName: What a schema from standard input is called.
    init(_ arguments: SchemaArguments, standardInputName: String = "stdin") {
        self.arguments = arguments
        set = SchemaSet.read([]).set
        var sources: [SchemaSource] = []
        var configuration: SchemaSource?
        do throws(FileFailure) {
            if let path = arguments.configuration {
                configuration = SchemaSource(path: path, bytes: try Self.read(path))
            }
        } catch {
            unreadable.append(error)
        }
        for path in arguments.paths {
            do throws(FileFailure) {
                sources.append(
                    path == "-"
                        ? SchemaSource(
                            path: "<stdin>",
                            bytes: try Console.readStandardInput(),
                            fileName: standardInputName
                        )
                        : SchemaSource(path: path, bytes: try Self.read(path))
                )
            } catch {
                unreadable.append(error)
            }
        }
        let (set, found) = SchemaSet.read(sources, configuration: configuration, including: included)
        self.set = set
        report(found)
    }

    /// The text of a file that a schema includes.
    private func included(_ path: String) -> IncludedText {
        do throws(FileFailure) {
            let bytes = try Self.read(path)
            let listed = arguments.includes.map(FilePath.canonical)
            guard arguments.onlyListedIncludes, !listed.contains(FilePath.canonical(path)) else { return .text(bytes) }
            return .outOfPlace("put it into the target's folder, or into 'Schemas/Shared' of the package")
        } catch {
            return .missing(error.reason)
        }
    }

    private static func read(_ path: String) throws(FileFailure) -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw FileFailure(operation: "read", path: path, error)
        }
    }
}

// MARK: - Host files

extension SchemaFiles {
    /// What becomes of the host files, after what is wrong with them is reported; nil where a schema is at fault.
    ///
    /// - Parameter directory: Where host files are; nil for where the configuration says.
    mutating func hostChanges(in directory: String?, _ mending: HostMending) throws(FileFailure) -> HostChanges? {
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
        let changes = try HostChanges(of: set, in: directory ?? configured, mending)
        report(changes.diagnostics)
        return changes
    }
}

// MARK: - Faults

extension SchemaFiles {
    /// How the command ends if nothing else goes wrong.
    var status: ExitStatus { !unreadable.isEmpty ? .system : errorCount > 0 ? .schemaFault : .success }

    var errorCount: Int { diagnostics.count { $0.severity == .error } }

    mutating func report(_ found: [Diagnostic]) {
        diagnostics += found
        guard arguments.warningsAreErrors else { return }
        for index in diagnostics.indices { diagnostics[index].severity = .error }
    }

    /// Prints what was found; once, because as JSON it is one array.
    func printFaults(as format: SchemaArguments.DiagnosticsFormat) {
        switch format {
        case .text:
            for failure in unreadable { Console.printError("preferences-generator: error: \(failure.message)") }
            guard !diagnostics.isEmpty else { return }
            Console.printError(diagnostics.map(\.description).joined(separator: "\n"))
        case .json:
            let objects = (unreadable.map(\.json) + diagnostics.map(\.json)).map { "\n  \($0)" }.joined(separator: ",")
            Console.printError("[\(objects)\(objects.isEmpty ? "" : "\n")]")
        }
    }

    /// `2 schemas, 14 keys: no faults`, or what faults there are.
    var summary: String {
        let warningCount = diagnostics.count - errorCount
        var faults: [String] = []
        if !unreadable.isEmpty { faults.append(Self.count(unreadable.count, "unreadable file")) }
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
