import Foundation

/// GNOME's settings with the memory backend.
final class GSettings {
    private let library: GSettingsLibrary
    private let settings: OpaquePointer

    /// - Parameters:
    ///   - names: The names of integer keys besides `count` and `text`.
    ///   - folder: The folder for the compiled schema.
    init(names: [String], in folder: URL) throws {
        library = try GSettingsLibrary()
        guard let compiler = ScaleTool.glibCompileSchemas.path else {
            throw MissingDependency(remedy: ScaleTool.glibCompileSchemas.remedy)
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
        else { throw MissingDependency(remedy: "its schema cannot be read") }
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

    /// Calls a function after each change of `count`.
    ///
    /// - Parameter context: The argument of the function. It must live as long as this object.
    func watchCount(_ context: UnsafeMutableRawPointer, _ body: @escaping GSettingsLibrary.Handler) {
        _ = library.connect(UnsafeMutableRawPointer(settings), "changed::count", body, context, nil, 0)
    }
}

/// The functions of `libgio` that the benchmarks call. They are looked up at run time, because the package must build
/// without GLib.
struct GSettingsLibrary {
    typealias Object = OpaquePointer
    typealias Text = UnsafePointer<CChar>
    typealias Handler = @convention(c) (Object?, Text?, UnsafeMutableRawPointer?) -> Void

    let makeSource: @convention(c) (Text, Object?, CInt, UnsafeMutableRawPointer?) -> Object?
    let lookUp: @convention(c) (Object, Text, CInt) -> Object?
    let makeMemoryBackend: @convention(c) () -> Object
    let makeSettings: @convention(c) (Object, Object?, Text?) -> Object
    let getInt: @convention(c) (Object, Text) -> CInt
    let setInt: @convention(c) (Object, Text, CInt) -> CInt
    let getString: @convention(c) (Object, Text) -> UnsafeMutablePointer<CChar>?
    let setString: @convention(c) (Object, Text, Text) -> CInt
    let connect:
        @convention(c) (
            UnsafeMutableRawPointer, Text, Handler, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, CInt
        ) -> CUnsignedLong
    let release: @convention(c) (UnsafeMutableRawPointer) -> Void
    let free: @convention(c) (UnsafeMutableRawPointer) -> Void

    init() throws(MissingDependency) {
        // Never closed: GLib cannot be unloaded.
        guard let handle = dlopen("libgio-2.0.so.0", RTLD_NOW) else {
            throw MissingDependency(remedy: "install libglib2.0-0")
        }

        func function<Function>(_ name: String) throws(MissingDependency) -> Function {
            guard let symbol = dlsym(handle, name) else { throw MissingDependency(remedy: "libgio-2.0 has no \(name)") }
            return unsafeBitCast(symbol, to: Function.self)
        }
        makeSource = try function("g_settings_schema_source_new_from_directory")
        lookUp = try function("g_settings_schema_source_lookup")
        makeMemoryBackend = try function("g_memory_settings_backend_new")
        makeSettings = try function("g_settings_new_full")
        getInt = try function("g_settings_get_int")
        setInt = try function("g_settings_set_int")
        getString = try function("g_settings_get_string")
        setString = try function("g_settings_set_string")
        connect = try function("g_signal_connect_data")
        release = try function("g_object_unref")
        free = try function("g_free")
    }
}
