import Foundation
import PreferencesCodeGen
import PreferencesSchema
import TestSupport
import Testing

extension Fixture {
    /// The URL of the expected generated source of a schema.
    func expected(_ path: String) -> URL {
        folder.appending(path: path.dropLast(Fixtures.ending.count) + ".preferences.swift")
    }

    func sources() throws -> [SchemaSource] {
        try paths.map { SchemaSource(path: $0, bytes: try bytes(of: $0)) }
    }

    func included(_ path: String) -> IncludedText {
        (try? bytes(of: path)).map { .text($0) } ?? .missing("No such file or directory")
    }

    /// The source that is generated from each schema.
    func generated() throws -> [String] {
        let (set, diagnostics) = SchemaSet.read(try sources(), including: included)
        #expect(!diagnostics.contains { $0.severity == .error })
        return set.schemas.map(SwiftGenerator.generate)
    }
}
