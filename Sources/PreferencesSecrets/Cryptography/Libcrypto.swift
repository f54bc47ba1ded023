import PreferencesSystem

#if !canImport(CryptoKit)
    import PreferencesRuntime

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// The functions of OpenSSL's libcrypto that are needed, of version 3 and later. They are looked up when the first
    /// value is read or written, as the package is to build without OpenSSL's headers.
    struct Libcrypto: Sendable {
        typealias Context = OpaquePointer
        typealias Cipher = OpaquePointer
        typealias Digest = OpaquePointer
        typealias Bytes = UnsafePointer<UInt8>
        typealias Output = UnsafeMutablePointer<UInt8>
        typealias Start =
            @convention(c) (Context?, Cipher?, OpaquePointer?, Bytes?, Bytes?) -> CInt
        typealias Step =
            @convention(c) (Context?, Output?, UnsafeMutablePointer<CInt>?, Bytes?, CInt) -> CInt
        typealias End = @convention(c) (Context?, Output?, UnsafeMutablePointer<CInt>?) -> CInt

        static let fileName = "libcrypto.so.3"

        let makeContext: @convention(c) () -> Context?
        let freeContext: @convention(c) (Context?) -> Void
        let control: @convention(c) (Context?, CInt, CInt, UnsafeMutableRawPointer?) -> CInt
        let cipher: @convention(c) () -> Cipher?
        let startEncrypting: Start
        let encrypt: Step
        let endEncrypting: End
        let startDecrypting: Start
        let decrypt: Step
        let endDecrypting: End
        let digest: @convention(c) () -> Digest?
        let derive: @convention(c) (UnsafePointer<CChar>?, CInt, Bytes?, CInt, CInt, Digest?, CInt, Output?) -> CInt
        let nextError: @convention(c) () -> CUnsignedLong
        let describeError: @convention(c) (CUnsignedLong, UnsafeMutablePointer<CChar>?, Int) -> Void

        static func library(named fileName: String) -> SystemCryptography.Library {
            LazyLibrary { () throws(CryptographyFailure) in try Libcrypto(named: fileName) }
        }

        /// - Throws: Where it is not installed, or is not what it should be.
        init(named fileName: String) throws(CryptographyFailure) {
            // Never closed: it may be used for as long as the process lasts.
            guard let handle = dlopen(fileName, RTLD_NOW) else {
                let reason = LoadingFailure.last(of: fileName)
                throw CryptographyFailure(
                    description: reason.map { "OpenSSL cannot be loaded: \($0)" } ?? Self.missing(fileName)
                )
            }

            func function<Function>(_ name: String) throws(CryptographyFailure) -> Function {
                guard let symbol = dlsym(handle, name) else {
                    throw CryptographyFailure(description: "the system's \(fileName) has no \(name)")
                }
                return unsafeBitCast(symbol, to: Function.self)
            }
            makeContext = try function("EVP_CIPHER_CTX_new")
            freeContext = try function("EVP_CIPHER_CTX_free")
            control = try function("EVP_CIPHER_CTX_ctrl")
            cipher = try function("EVP_aes_256_gcm")
            startEncrypting = try function("EVP_EncryptInit_ex")
            encrypt = try function("EVP_EncryptUpdate")
            endEncrypting = try function("EVP_EncryptFinal_ex")
            startDecrypting = try function("EVP_DecryptInit_ex")
            decrypt = try function("EVP_DecryptUpdate")
            endDecrypting = try function("EVP_DecryptFinal_ex")
            digest = try function("EVP_sha256")
            derive = try function("PKCS5_PBKDF2_HMAC")
            nextError = try function("ERR_get_error")
            describeError = try function("ERR_error_string_n")
        }

        private static func missing(_ fileName: String) -> String {
            "OpenSSL 3 is not installed (\(fileName)); install the package libssl3 (Debian, Ubuntu), openssl-libs "
                + "(Fedora) or libcrypto3 (Alpine), and link the program dynamically: a static one cannot load it"
        }

        /// What has failed on this thread, as the library says it.
        func failure(_ operation: String) -> CryptographyFailure {
            var text = [CChar](repeating: 0, count: 256)
            var last: CUnsignedLong = 0
            // The first is the cause; the others must not be taken for those of a later call.
            while case let code = nextError(), code != 0 { last = last == 0 ? code : last }
            guard last != 0 else { return CryptographyFailure(description: "OpenSSL could not \(operation)") }
            describeError(last, &text, text.count)
            let words = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            return CryptographyFailure(description: "OpenSSL could not \(operation) (\(words))")
        }
    }
#endif
