/// A schema's text, and what to call it.
package struct SchemaSource: Sendable {
    /// As diagnostics print it.
    package var path: String
    package var bytes: [UInt8]
    /// The file's name without folder and extension, after which its own keys' protocol is named: `Weather`.
    package var fileName: String

    /// - Parameter fileName: For a text that comes from no file; nil for the name that the path has.
    package init(path: String, bytes: [UInt8], fileName: String? = nil) {
        self.path = path
        self.bytes = bytes
        self.fileName = fileName ?? Self.fileName(ofPath: path)
    }

    private static func fileName(ofPath path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        for ending in [".preferences.json", ".json"] where file.hasSuffix(ending) && file.count > ending.count {
            return String(file.dropLast(ending.count))
        }
        return file
    }

    /// The names of the folders that the file is in, outermost first.
    var folders: [String] {
        path.split(separator: "/").dropLast().filter { $0 != "." }.map(String.init)
    }
}
