import Foundation

/// GNOME's settings, with its backend that keeps them in memory.
final class GSettings {
    private let library: GSettingsLibrary
    private let settings: OpaquePointer

    /// - Parameters:
    ///   - names: Of the keys beside `count` and `text`, which are whole numbers.
    ///   - folder: Where the compiled schema goes.
    init(names: [String], in folder: URL) throws {
        library = try GSettingsLibrary()
        guard let compiler = ScaleTool.glibCompileSchemas.path else {
            throw Missing(remedy: ScaleTool.glibCompileSchemas.remedy)
        }
        let id = "org.example.benchmarks"
        let keys = (["count"] + names).map { #"<key name="\#($0)" type="i"><default>0</default></key>"# }
        let schema = """
            <schemalist><schema id="\(id)" path="/org/example/benchmarks/">
            \(keys.joined(separator: "\n"))
            <key name="text" type="s"><default>''</default></key>
            </schema></schemalist>
            """
        try Data(schema.utf8).write(to: folder.appending(path: "benchmarks.gschema.xml"))
        _ = try ProcessCost(of: compiler, ["--strict", folder.path])
        guard let source = library.makeSource(folder.path, nil, 1, nil), let schema = library.lookUp(source, id, 0)
        else { throw Missing(remedy: "its schema cannot be read") }
        settings = library.makeSettings(schema, library.makeMemoryBackend(), nil)
    }

    deinit {
        library.release(UnsafeMutableRawPointer(settings))
    }

    var count: Int {
        get { Int(library.getInt(settings, "count")) }
        set { _ = library.setInt(settings, "count", Int32(truncatingIfNeeded: newValue)) }
    }

    var text: String {
        get {
            guard let bytes = library.getString(settings, "text") else { return "" }
            defer { library.free(bytes) }
            return String(cString: bytes)
        }
        set { _ = library.setString(settings, "text", newValue) }
    }

    func setCount(_ name: String, to value: Int32) {
        _ = library.setInt(settings, name, value)
    }

    /// Has a function called after each change of `count`.
    ///
    /// - Parameter context: What the function is given. It must live as long as this.
    func watchCount(_ context: UnsafeMutableRawPointer, _ body: @escaping GSettingsLibrary.Handler) {
        _ = library.connect(UnsafeMutableRawPointer(settings), "changed::count", body, context, nil, 0)
    }
}
