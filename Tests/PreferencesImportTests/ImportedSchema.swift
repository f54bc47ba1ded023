import PreferencesImport
import PreferencesSchema
import Testing

/// The result of an import. Expects that the schema lints clean.
struct Imported {
    let text: String
    /// The remarks, as printed.
    let remarks: [String]
    let keyCount: Int
    let gSettings: [GSettingsSchema]

    /// Imports a text as if it were a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - others: The texts of other files, by path.
    init(
        _ text: String,
        as format: ImportFormat,
        path: String = "in/Test",
        others: [String: String] = [:],
        options: Importer.Options = Importer.Options()
    ) throws(ImportError) {
        var importer = Importer(files: .texts(others.merging([path: text]) { $1 }), options: options)
        let result = try importer.read(path, as: format, schemaName: "Test")
        self.text = result.text
        remarks = result.remarks.map(\.description)
        keyCount = result.keyCount
        gSettings = result.gSettings
        let source = SchemaSource(path: "Test.preferences.json", bytes: Array(self.text.utf8))
        #expect(SchemaSet.read([source]).diagnostics.map(\.description) == [])
    }
}

extension FileReader {
    /// Returns a reader of in-memory files.
    ///
    /// - Parameter texts: The texts of the files, by path.
    static func texts(_ texts: [String: String]) -> FileReader {
        FileReader { path throws(ImportError) in
            if let text = texts[path] { return Array(text.utf8) }
            throw .unreadable(message: "cannot read \(path): No such file or directory")
        } fileNames: { folder in
            texts.keys.filter { $0.hasPrefix(folder) }.map { String($0.dropFirst(folder.count)) }
        }
    }
}
