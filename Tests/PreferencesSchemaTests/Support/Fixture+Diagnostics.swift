import Foundation
import PreferencesSchema
import TestSupport

extension Fixture {
    /// Where the diagnostics that are expected stand, as text.
    var expected: URL { folder.appending(path: "\(name).expected") }

    func sources() throws -> [SchemaSource] {
        try paths.map { SchemaSource(path: $0, bytes: try bytes(of: $0)) }
    }

    /// Reads the schemas, and what they include from beside them.
    func read() throws -> (set: SchemaSet, diagnostics: [Diagnostic]) {
        SchemaSet.read(try sources(), including: included)
    }

    func included(_ path: String) -> IncludedText {
        (try? bytes(of: path)).map { .text($0) } ?? .missing("No such file or directory")
    }

    /// The diagnostics as they are printed but without the path of a schema that is alone, or of the folder of several files.
    func text(of diagnostics: [Diagnostic]) -> String {
        let lines = diagnostics.flatMap { $0.description.split(separator: "\n") }
        let prefix = paths == ["\(name)\(Fixtures.ending)"] ? paths[0] + ":" : "\(name)/"
        return lines.map { ($0.hasPrefix(prefix) ? $0.dropFirst(prefix.count) : $0) + "\n" }.joined()
    }
}
