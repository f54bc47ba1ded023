import Foundation
import PreferencesSchema
import TestSupport

/// Reads a schema given as text.
func read(_ text: String, fileName: String = "Test") -> (schema: Schema?, diagnostics: [Diagnostic]) {
    read(Array(text.utf8), fileName: fileName)
}

func read(_ bytes: [UInt8], fileName: String = "Test") -> (schema: Schema?, diagnostics: [Diagnostic]) {
    let (set, diagnostics) = SchemaSet.read([
        SchemaSource(path: "\(fileName).preferences.json", bytes: bytes, fileName: fileName)
    ])
    return (set.schemas.first, diagnostics)
}

/// Returns the text of a schema with given keys: `"a": {"type": "Int", "default": 0}`.
func schema(keys: String, types: String = "") -> String {
    #"{"formatVersion": 1, "types": {\#(types)}, "keys": {\#(keys)}}"#
}

extension Key {
    /// The default, if it is a value that is the same on all platforms.
    var plainDefault: DefaultValue? {
        if case .value(let value, let platforms) = defaultValue, platforms.isEmpty { value } else { nil }
    }
}

extension Schema {
    var enums: [EnumType] {
        types.compactMap { type in if case .enumeration(let type) = type { type } else { nil } }
    }

    var structs: [StructType] {
        types.compactMap { type in if case .structure(let type) = type { type } else { nil } }
    }
}

/// Reads schemas and included files, given as text by their paths.
func read(
    _ schemas: KeyValuePairs<String, String>,
    including included: [String: String] = [:]
) -> (schemas: [Schema], diagnostics: [Diagnostic]) {
    let sources = schemas.map { SchemaSource(path: $0.key, bytes: Array($0.value.utf8)) }
    let (set, diagnostics) = SchemaSet.read(sources) { path in
        included[path].map { .text(Array($0.utf8)) } ?? .missing("no such file")
    }
    return (set.schemas, diagnostics)
}

extension Fixture {
    /// The file with the text of the expected diagnostics.
    var expected: URL { folder.appending(path: "\(name).expected") }

    func sources() throws -> [SchemaSource] {
        try paths.map { SchemaSource(path: $0, bytes: try bytes(of: $0)) }
    }

    /// Reads the schemas, and the files beside them that they include.
    func read() throws -> (set: SchemaSet, diagnostics: [Diagnostic]) {
        SchemaSet.read(try sources(), including: included)
    }

    func included(_ path: String) -> IncludedText {
        (try? bytes(of: path)).map { .text($0) } ?? .missing("No such file or directory")
    }

    /// Returns the printed diagnostics without the path of a single schema, or of the folder of several ones.
    func text(of diagnostics: [Diagnostic]) -> String {
        let lines = diagnostics.flatMap { $0.description.split(separator: "\n") }
        let prefix = paths == ["\(name)\(Fixtures.ending)"] ? paths[0] + ":" : "\(name)/"
        return lines.map { ($0.hasPrefix(prefix) ? $0.dropFirst(prefix.count) : $0) + "\n" }.joined()
    }
}

/// Returns the result of a function on a thread with the stack size of secondary threads on Apple platforms.
func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        let thread = Thread { continuation.resume(returning: body()) }
        thread.stackSize = 512 * 1024
        thread.start()
    }
}
