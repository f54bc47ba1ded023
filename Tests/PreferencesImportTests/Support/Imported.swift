import PreferencesImport
import PreferencesSchema
import Testing

/// What becomes of a file that is imported: a schema that lints clean, whatever else is expected of it.
struct Imported {
    let text: String
    /// As they are printed.
    let remarks: [String]
    let keyCount: Int

    /// Imports a text, as from a file.
    ///
    /// - Parameters:
    ///   - path: What the file is called.
    ///   - others: The texts of the files beside it, by their paths.
    init(
        _ text: String,
        as format: ImportFormat,
        path: String = "in/Test",
        others: [String: String] = [:],
        options: Importer.Options = Importer.Options()
    ) throws(ImportFault) {
        var importer = Importer(files: .texts(others.merging([path: text]) { $1 }), options: options)
        let result = try importer.read(path, as: format, schemaName: "Test")
        self.text = result.text
        remarks = result.remarks.map(\.description)
        keyCount = result.keyCount
        let source = SchemaSource(path: "Test.preferences.json", bytes: Array(self.text.utf8))
        #expect(SchemaSet.read([source]).diagnostics.map(\.description) == [])
    }
}

extension SourceFiles {
    /// Files that are nowhere but in a test.
    static func texts(_ texts: [String: String]) -> SourceFiles {
        SourceFiles { path throws(ImportFault) in
            if let text = texts[path] { return Array(text.utf8) }
            throw .unreadable(message: "cannot read \(path): No such file or directory")
        } names: { folder in
            texts.keys.filter { $0.hasPrefix(folder) }.map { String($0.dropFirst(folder.count)) }
        }
    }
}
