package import Foundation

/// The errors that an independent validator finds in JSON files: PyPI's `jsonschema`, run by `validate-schemas.py`.
package struct SchemaValidation: Decodable {
    package let file: String
    package let isJSON: Bool
    package let faults: [Fault]

    package struct Fault: Decodable, CustomStringConvertible {
        /// The names and indices from the root to the value.
        package let path: [String]
        package let message: String

        package var description: String { "\(path.joined(separator: "/")): \(message)" }
    }

    /// Validates a JSON Schema, and files against it.
    ///
    /// - Returns: The results for the schema and for each file.
    package static func run(schema: URL, files: [URL] = []) async throws -> (schema: Self, files: [Self]) {
        let program = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "validate-schemas.py")
        let run = try await CommandLineRun(python, [program.path, schema.path] + files.map(\.path))
        guard run.succeeded else { throw Failure(errors: run.errors) }
        let decoder = JSONDecoder()
        let reports = try run.outputBytes.split(separator: UInt8(ascii: "\n")).map {
            try decoder.decode(Self.self, from: Data($0))
        }
        guard let first = reports.first, reports.map(\.file) == ([schema] + files).map(\.path) else {
            throw Failure(errors: run.output)
        }
        return (first, Array(reports.dropFirst()))
    }

    /// The Python interpreter that `Tests/install-jsonschema` prepares.
    private static var python: String {
        let own = Repository.folder.appending(path: ".build-python/bin/python3").path
        return FileManager.default.isExecutableFile(atPath: own) ? own : "python3"
    }

    private struct Failure: Error, CustomStringConvertible {
        var errors: String
        var description: String { "validate-schemas.py failed (has Tests/install-jsonschema been run?):\n\(errors)" }
    }
}
