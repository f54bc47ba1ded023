#if !canImport(Darwin)
    import Foundation
    import FoundationNetworking
    import PreferencesSystem

    /// The functions of libcurl, which FoundationNetworking is built on. They are looked up at the first use, so that the
    /// package builds without its headers.
    struct Libcurl: Sendable {
        typealias Handle = OpaquePointer
        typealias WriteFunction =
            @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int

        /// An option, with the value of `curl.h`. The type of its argument follows from the value: `long` below 10,000,
        /// a pointer below 20,000, and a function below 30,000.
        enum Option: CInt {
            case noSignal = 99
            case protocols = 181
            case tcpKeepAlive = 213
            case postFieldSize = 60
            case writeData = 10_001
            case url = 10_002
            case proxy = 10_004
            case errorBuffer = 10_010
            case httpHeader = 10_023
            case sslCertificate = 10_025
            case authorityFile = 10_065
            case sslKey = 10_087
            case copyPostFields = 10_165
            case writeFunction = 20_011
        }

        static let fileName = "libcurl.so.4"
        /// `CURL_GLOBAL_ALL`
        private static let globalAll = 3
        /// `OPENSSL_INIT_NO_ATEXIT`
        private static let noReleaseAtExit: UInt64 = 0x8_0000
        /// `CURLINFO_RESPONSE_CODE`
        static let responseCode: CInt = 0x20_0002
        /// `CURLINFO_REQUEST_SIZE`
        static let requestSize: CInt = 0x20_000C
        /// `CURL_ERROR_SIZE`
        static let errorSize = 256
        /// `CURLPROTO_HTTP | CURLPROTO_HTTPS`
        static let httpProtocols = 3

        // `curl_easy_setopt` and `curl_easy_getinfo` are variadic in C. On Linux, the calling conventions of all platforms
        // that Swift supports pass one such argument as a declared one (System V AMD64, AAPCS64).
        let setLong: @convention(c) (Handle?, CInt, Int) -> CInt
        let setPointer: @convention(c) (Handle?, CInt, UnsafeRawPointer?) -> CInt
        let setWriteFunction: @convention(c) (Handle?, CInt, WriteFunction?) -> CInt
        let getLong: @convention(c) (Handle?, CInt, UnsafeMutablePointer<Int>) -> CInt

        let makeEasy: @convention(c) () -> Handle?
        let resetEasy: @convention(c) (Handle?) -> Void
        let releaseEasy: @convention(c) (Handle?) -> Void
        let appendHeader: @convention(c) (OpaquePointer?, UnsafePointer<CChar>) -> OpaquePointer?
        let releaseHeaders: @convention(c) (OpaquePointer?) -> Void
        let text: @convention(c) (CInt) -> UnsafePointer<CChar>?
        let makeMulti: @convention(c) () -> Handle?
        let releaseMulti: @convention(c) (Handle?) -> CInt
        let add: @convention(c) (Handle?, Handle?) -> CInt
        let remove: @convention(c) (Handle?, Handle?) -> CInt
        let perform: @convention(c) (Handle?, UnsafeMutablePointer<CInt>) -> CInt
        let poll: @convention(c) (Handle?, OpaquePointer?, CUnsignedInt, CInt, UnsafeMutablePointer<CInt>?) -> CInt
        let wake: @convention(c) (Handle?) -> CInt
        let nextMessage: @convention(c) (Handle?, UnsafeMutablePointer<CInt>) -> UnsafeRawPointer?

        private static let initialization = Locked(())

        static let library = LazyLibrary { () throws(LibcurlError) in try Libcurl() }

        /// The library is not installed, or too old.
        struct LibcurlError: Error {
            let message: String
        }

        private init() throws(LibcurlError) {
            // Never closed: connections may outlive any store.
            guard let handle = dlopen(Self.fileName, RTLD_NOW) else {
                let reason = LoadingFailure.last(of: Self.fileName)
                throw LibcurlError(
                    message: reason.map { "libcurl cannot be loaded: \($0); install it again" }
                        ?? "libcurl is not installed (\(Self.fileName)); install the package libcurl4 (Debian, Ubuntu) or "
                        + "libcurl (Fedora, Arch, Alpine), and link the program dynamically: a static one cannot load it"
                )
            }
            func function<Function>(_ name: String) throws(LibcurlError) -> Function {
                guard let symbol = dlsym(handle, name) else {
                    throw LibcurlError(
                        message: "the system's \(Self.fileName) has no \(name); install libcurl 7.68 or later"
                    )
                }
                return unsafeBitCast(symbol, to: Function.self)
            }
            setLong = try function("curl_easy_setopt")
            setPointer = try function("curl_easy_setopt")
            setWriteFunction = try function("curl_easy_setopt")
            getLong = try function("curl_easy_getinfo")
            makeEasy = try function("curl_easy_init")
            resetEasy = try function("curl_easy_reset")
            releaseEasy = try function("curl_easy_cleanup")
            appendHeader = try function("curl_slist_append")
            releaseHeaders = try function("curl_slist_free_all")
            text = try function("curl_easy_strerror")
            makeMulti = try function("curl_multi_init")
            releaseMulti = try function("curl_multi_cleanup")
            add = try function("curl_multi_add_handle")
            remove = try function("curl_multi_remove_handle")
            perform = try function("curl_multi_perform")
            poll = try function("curl_multi_poll")
            wake = try function("curl_multi_wakeup")
            nextMessage = try function("curl_multi_info_read")
            if let symbol = dlsym(handle, "OPENSSL_init_crypto") {
                // Otherwise OpenSSL releases its memory when the process exits, and crashes threads that still use it.
                typealias Initialize = @convention(c) (UInt64, OpaquePointer?) -> CInt
                _ = unsafeBitCast(symbol, to: Initialize.self)(Self.noReleaseAtExit, nil)
            }
            let initialize: @convention(c) (Int) -> CInt = try function("curl_global_init")
            // Before libcurl 7.84, only one thread at a time may do so.
            guard Self.initialization.withLock({ _ in initialize(Self.globalAll) }) == 0 else {
                throw LibcurlError(message: "libcurl cannot be initialized")
            }
        }
    }

    extension HTTPError {
        /// Creates the error of a `CURLcode`.
        ///
        /// - Parameter text: libcurl's description.
        init(curlCode code: CInt, _ text: String) {
            let certificateError = CertificateError(description: text)
            switch code {
            case 1, 8: self = .unreachable(.badServerResponse)
            case 3: self = .unreachable(.badURL)
            case 5, 6: self = .unreachable(.cannotFindHost)
            case 7: self = .unreachable(.cannotConnectToHost)
            case 28: self = .unreachable(.timedOut)
            case 58: self = .certificate(.clientUnusable)
            case 77: self = .certificate(.authoritiesUnusable)
            case 35, 53, 54, 59, 60, 66, 80, 83, 90, 91:
                self = .certificate(certificateError ?? .noSecureConnection)
            case 56 where certificateError == .clientRequired || certificateError == .clientRejected:
                // With TLS 1.3, a server refuses the client's certificate only after the connection has been made.
                self = .certificate(certificateError == .clientRejected ? .clientRejected : .clientRequired)
            case 16, 18, 52, 55, 56, 92: self = .unreachable(.networkConnectionLost)
            default: self = .unreachable(.unknown)
            }
        }
    }
#endif
