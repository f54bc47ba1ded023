import PreferencesSystem

#if !canImport(Security)
    /// The functions of libsecret, and of GLib, on which it is built. They are looked up at the first use of a keyring, so
    /// that the package builds without their headers.
    ///
    /// libsecret opens the encrypted session with the Secret Service, and shows its prompts. GLib makes the calls of the
    /// bus, including those that libsecret has no function for.
    struct Libsecret: Sendable {
        /// A `GObject`, `GVariant`, `GHashTable`, `GMainContext` or another structure of GLib.
        typealias Pointer = OpaquePointer
        typealias Text = UnsafePointer<CChar>
        typealias OwnedText = UnsafeMutablePointer<CChar>
        typealias Texts = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
        /// The place for the error of a function: a pointer to a ``GLibError``, or null without an error.
        typealias ErrorOutput = UnsafeMutablePointer<UnsafeMutableRawPointer?>
        typealias SignalHandler =
            @convention(c) (Pointer?, Text?, Text?, Text?, Text?, Pointer?, UnsafeMutableRawPointer?) -> Void
        typealias Callback = @convention(c) (UnsafeMutableRawPointer?) -> Void
        typealias ClassInitializer = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void
        typealias Constructor = @convention(c) (UInt, CUnsignedInt, UnsafeMutableRawPointer?) -> Pointer?

        /// `GError` of `glib/gerror.h`.
        struct GLibError {
            let domain: UInt32
            let code: CInt
            let message: OwnedText?
        }

        /// `GTypeQuery` of `gobject/gtype.h`.
        struct TypeQuery {
            var type: UInt = 0
            var name: Text?
            var classSize: CUnsignedInt = 0
            var instanceSize: CUnsignedInt = 0
        }

        /// `GValue` of `gobject/gvalue.h`.
        struct Value {
            var type: UInt = 0
            var data: (UInt64, UInt64) = (0, 0)
        }

        static let fileName = "libsecret-1.so.0"
        /// `G_TYPE_OBJECT`
        static let objectType: UInt = 20 << 2

        // Memory and errors
        let free: @convention(c) (UnsafeMutableRawPointer?) -> Void
        let freeTexts: @convention(c) (Texts?) -> Void
        let freeError: @convention(c) (UnsafeMutableRawPointer?) -> Void
        let nameOfError: @convention(c) (UnsafeMutableRawPointer?) -> OwnedText?
        let stripError: @convention(c) (UnsafeMutableRawPointer?) -> CInt
        let ioErrorDomain: @convention(c) () -> UInt32

        // Objects
        let release: @convention(c) (Pointer?) -> Void
        let queryType: @convention(c) (UInt, UnsafeMutableRawPointer) -> Void
        let registerType:
            @convention(c) (UInt, Text, CUnsignedInt, ClassInitializer, CUnsignedInt, Pointer?, CUnsignedInt) -> UInt
        let typeNamed: @convention(c) (Text) -> UInt
        let classOfType: @convention(c) (UInt) -> UnsafeMutableRawPointer?
        let makeObject: @convention(c) (UInt, CUnsignedInt, UnsafeMutablePointer<Text?>?, UnsafeRawPointer?) -> Pointer?
        let setProperty: @convention(c) (Pointer?, Text, UnsafeRawPointer) -> Void
        let startValue: @convention(c) (UnsafeMutableRawPointer, UInt) -> UnsafeMutableRawPointer?
        let endValue: @convention(c) (UnsafeMutableRawPointer) -> Void
        let setObject: @convention(c) (UnsafeMutableRawPointer, Pointer?) -> Void
        let setEnum: @convention(c) (UnsafeMutableRawPointer, CInt) -> Void
        let setFlags: @convention(c) (UnsafeMutableRawPointer, CUnsignedInt) -> Void
        let busTypeType: @convention(c) () -> UInt
        let proxyFlagsType: @convention(c) () -> UInt
        let initialize: @convention(c) (Pointer?, Pointer?, ErrorOutput?) -> CInt

        // Variants and tables
        let makeString: @convention(c) (Text) -> Pointer?
        let makeObjectPath: @convention(c) (Text) -> Pointer?
        let makeBoolean: @convention(c) (CInt) -> Pointer?
        let makeVariant: @convention(c) (Pointer?) -> Pointer?
        let makeEntry: @convention(c) (Pointer?, Pointer?) -> Pointer?
        let makeArray: @convention(c) (Text?, UnsafePointer<Pointer?>?, UInt) -> Pointer?
        let makeTuple: @convention(c) (UnsafePointer<Pointer?>?, UInt) -> Pointer?
        let releaseVariant: @convention(c) (Pointer?) -> Void
        let childCount: @convention(c) (Pointer?) -> UInt
        let child: @convention(c) (Pointer?, UInt) -> Pointer?
        let variantContents: @convention(c) (Pointer?) -> Pointer?
        let variantType: @convention(c) (Pointer?) -> Text?
        let string: @convention(c) (Pointer?, UnsafeMutablePointer<UInt>?) -> Text?
        let boolean: @convention(c) (Pointer?) -> CInt
        let unsignedInt: @convention(c) (Pointer?) -> UInt64

        // Loops
        let makeContext: @convention(c) () -> Pointer?
        let releaseContext: @convention(c) (Pointer?) -> Void
        let pushContext: @convention(c) (Pointer?) -> Void
        let popContext: @convention(c) (Pointer?) -> Void
        let iterate: @convention(c) (Pointer?, CInt) -> CInt
        let wakeContext: @convention(c) (Pointer?) -> Void

        // The bus
        let makeCancellable: @convention(c) () -> Pointer?
        let cancel: @convention(c) (Pointer?) -> Void
        let isCancelled: @convention(c) (Pointer?) -> CInt
        let escapeAddress: @convention(c) (Text) -> OwnedText?
        let connect: @convention(c) (Text, CUnsignedInt, Pointer?, Pointer?, ErrorOutput?) -> Pointer?
        let closeConnection: @convention(c) (Pointer?, Pointer?, ErrorOutput?) -> CInt
        let isClosed: @convention(c) (Pointer?) -> CInt
        let call:
            @convention(c) (
                Pointer?, Text?, Text, Text, Text, Pointer?, Text?, CUnsignedInt, CInt, Pointer?, ErrorOutput?
            ) -> Pointer?
        let subscribe:
            @convention(c) (
                Pointer?, Text?, Text?, Text?, Text?, Text?, CUnsignedInt, SignalHandler, UnsafeMutableRawPointer?,
                Callback?
            ) -> CUnsignedInt
        let unsubscribe: @convention(c) (Pointer?, CUnsignedInt) -> Void

        // The Secret Service
        let serviceType: @convention(c) () -> UInt
        let openSession: @convention(c) (Pointer?, Pointer?, ErrorOutput?) -> CInt
        let encodeSecret: @convention(c) (Pointer?, Pointer?) -> Pointer?
        let decodeSecret: @convention(c) (Pointer?, Pointer?) -> Pointer?
        let pathOfSession: @convention(c) (Pointer?) -> Text?
        let unlock:
            @convention(c) (
                Pointer?, UnsafeMutablePointer<Text?>?, Pointer?, UnsafeMutablePointer<Texts?>?, ErrorOutput?
            ) -> CInt
        let prompt: @convention(c) (Pointer?, Text, Pointer?, Text?, ErrorOutput?) -> Pointer?
        let makeSecret: @convention(c) (UnsafeRawPointer?, Int, Text) -> Pointer?
        let secretBytes: @convention(c) (Pointer?, UnsafeMutablePointer<UInt>?) -> UnsafeRawPointer?
        let releaseSecret: @convention(c) (Pointer?) -> Void

        static let library = library(named: fileName)

        static func library(named fileName: String) -> LazyLibrary<Libsecret, SecretServiceFailure> {
            LazyLibrary { () throws(SecretServiceFailure) in try Libsecret(named: fileName) }
        }

        /// - Throws: ``SecretServiceFailure`` if the library is not installed or misses a function.
        init(named fileName: String) throws(SecretServiceFailure) {
            // Never closed: GLib does not support that.
            guard let handle = dlopen(fileName, RTLD_NOW) else {
                let reason = LoadingFailure.last(of: fileName)
                throw SecretServiceFailure(
                    .unavailable,
                    reason.map { "libsecret cannot be loaded: \($0); install it again" } ?? Self.missing(fileName)
                )
            }

            // The libraries that libsecret depends on are searched as well.
            func function<Function>(_ name: String) throws(SecretServiceFailure) -> Function {
                guard let symbol = dlsym(handle, name) else {
                    throw SecretServiceFailure(.unavailable, "the system's \(fileName) has no \(name)")
                }
                return unsafeBitCast(symbol, to: Function.self)
            }
            free = try function("g_free")
            freeTexts = try function("g_strfreev")
            freeError = try function("g_error_free")
            nameOfError = try function("g_dbus_error_encode_gerror")
            stripError = try function("g_dbus_error_strip_remote_error")
            ioErrorDomain = try function("g_io_error_quark")
            release = try function("g_object_unref")
            queryType = try function("g_type_query")
            registerType = try function("g_type_register_static_simple")
            typeNamed = try function("g_type_from_name")
            classOfType = try function("g_type_class_peek")
            makeObject = try function("g_object_new_with_properties")
            setProperty = try function("g_object_set_property")
            startValue = try function("g_value_init")
            endValue = try function("g_value_unset")
            setObject = try function("g_value_set_object")
            setEnum = try function("g_value_set_enum")
            setFlags = try function("g_value_set_flags")
            busTypeType = try function("g_bus_type_get_type")
            proxyFlagsType = try function("g_dbus_proxy_flags_get_type")
            initialize = try function("g_initable_init")
            makeString = try function("g_variant_new_string")
            makeObjectPath = try function("g_variant_new_object_path")
            makeBoolean = try function("g_variant_new_boolean")
            makeVariant = try function("g_variant_new_variant")
            makeEntry = try function("g_variant_new_dict_entry")
            makeArray = try function("g_variant_new_array")
            makeTuple = try function("g_variant_new_tuple")
            releaseVariant = try function("g_variant_unref")
            childCount = try function("g_variant_n_children")
            child = try function("g_variant_get_child_value")
            variantContents = try function("g_variant_get_variant")
            variantType = try function("g_variant_get_type_string")
            string = try function("g_variant_get_string")
            boolean = try function("g_variant_get_boolean")
            unsignedInt = try function("g_variant_get_uint64")
            makeContext = try function("g_main_context_new")
            releaseContext = try function("g_main_context_unref")
            pushContext = try function("g_main_context_push_thread_default")
            popContext = try function("g_main_context_pop_thread_default")
            iterate = try function("g_main_context_iteration")
            wakeContext = try function("g_main_context_wakeup")
            makeCancellable = try function("g_cancellable_new")
            cancel = try function("g_cancellable_cancel")
            isCancelled = try function("g_cancellable_is_cancelled")
            escapeAddress = try function("g_dbus_address_escape_value")
            connect = try function("g_dbus_connection_new_for_address_sync")
            closeConnection = try function("g_dbus_connection_close_sync")
            isClosed = try function("g_dbus_connection_is_closed")
            call = try function("g_dbus_connection_call_sync")
            subscribe = try function("g_dbus_connection_signal_subscribe")
            unsubscribe = try function("g_dbus_connection_signal_unsubscribe")
            serviceType = try function("secret_service_get_type")
            openSession = try function("secret_service_ensure_session_sync")
            encodeSecret = try function("secret_service_encode_dbus_secret")
            decodeSecret = try function("secret_service_decode_dbus_secret")
            pathOfSession = try function("secret_service_get_session_dbus_path")
            unlock = try function("secret_service_unlock_dbus_paths_sync")
            prompt = try function("secret_service_prompt_at_dbus_path_sync")
            makeSecret = try function("secret_value_new")
            secretBytes = try function("secret_value_get")
            releaseSecret = try function("secret_value_unref")
        }

        private static func missing(_ fileName: String) -> String {
            "libsecret is not installed (\(fileName)); install the package libsecret-1-0 (Debian, Ubuntu) or libsecret "
                + "(Fedora, Arch, Alpine), and link the program dynamically: a static one cannot load it"
        }
    }
#endif
