import PreferencesSchema

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads the schemas that a command names, checks them and prints what is wrong with them.
struct SchemaFiles {
    var set: SchemaSet
    /// How the command ends if nothing else goes wrong.
    var status: ExitStatus
    private(set) var errorCount = 0
    private(set) var warningCount = 0
    private var unreadable: [FileFailure] = []

    /// - Parameter standardInputName: What a schema from standard input is called.
    init(_ options: CommandLineArguments.Options, standardInputName: String = "stdin") {
        var sources: [SchemaSource] = []
        for path in options.schemas {
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
        let (set, found) = SchemaSet.read(sources, including: Self.included)
        var diagnostics = found
        if options.warningsAreErrors {
            for index in diagnostics.indices { diagnostics[index].severity = .error }
        }
        self.set = set
        errorCount = diagnostics.count { $0.severity == .error }
        warningCount = diagnostics.count - errorCount
        status = !unreadable.isEmpty ? .system : errorCount > 0 ? .schemaFault : .success
        printFaults(diagnostics, as: options.diagnosticsFormat)
    }

    private static func read(_ path: String) throws(FileFailure) -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw FileFailure(operation: "read", path: path, error)
        }
    }

    /// The text of a file that a schema includes.
    private static func included(_ path: String) -> IncludedText {
        do throws(FileFailure) {
            return .text(try read(path))
        } catch {
            return .missing(error.reason)
        }
    }

    private func printFaults(_ diagnostics: [Diagnostic], as format: CommandLineArguments.DiagnosticsFormat) {
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
