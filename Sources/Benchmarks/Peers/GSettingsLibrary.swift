import Foundation

/// The functions of `libgio` that are needed. They are looked up when a benchmark runs, as the package is to build
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

    init() throws(Missing) {
        // Never closed: GLib cannot be unloaded.
        guard let handle = dlopen("libgio-2.0.so.0", RTLD_NOW) else { throw Missing(remedy: "install libglib2.0-0") }

        func function<Function>(_ name: String) throws(Missing) -> Function {
            guard let symbol = dlsym(handle, name) else { throw Missing(remedy: "libgio-2.0 has no \(name)") }
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
