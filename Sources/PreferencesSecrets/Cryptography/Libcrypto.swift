import PreferencesSystem

#if !canImport(CryptoKit)
    import PreferencesRuntime

    /// The functions of OpenSSL's libcrypto, version 3 or later. They are looked up when the first value is read or
    /// written, so that the package builds without OpenSSL's headers.
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
            LazyLibrary { () throws(CryptographyError) in try Libcrypto(named: fileName) }
        }

        /// - Throws: ``CryptographyError`` if the library is not installed or misses a function.
        init(named fileName: String) throws(CryptographyError) {
            // Never closed: it may be used until the process ends.
            guard let handle = dlopen(fileName, RTLD_NOW) else {
                let reason = LoadingFailure.last(of: fileName)
                throw CryptographyError(
                    description: reason.map { "OpenSSL cannot be loaded: \($0)" } ?? Self.missing(fileName)
                )
            }

            func function<Function>(_ name: String) throws(CryptographyError) -> Function {
                guard let symbol = dlsym(handle, name) else {
                    throw CryptographyError(description: "the system's \(fileName) has no \(name)")
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

        /// Returns this thread's error in the library's own message.
        func failure(_ operation: String) -> CryptographyError {
            var text = [CChar](repeating: 0, count: 256)
            var last: CUnsignedLong = 0
            // The first error is the cause. The queue must be emptied, so that a later call does not report the rest.
            while case let code = nextError(), code != 0 { last = last == 0 ? code : last }
            guard last != 0 else { return CryptographyError(description: "OpenSSL could not \(operation)") }
            describeError(last, &text, text.count)
            let message = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            return CryptographyError(description: "OpenSSL could not \(operation) (\(message))")
        }
    }

    extension Libcrypto: CryptographyLibrary {
        /// `EVP_CTRL_AEAD_GET_TAG` and `EVP_CTRL_AEAD_SET_TAG` of `openssl/evp.h`. The default nonce size is 96 bits.
        private static let getTag: CInt = 0x10
        private static let setTag: CInt = 0x11

        func seal(
            _ plaintext: [UInt8],
            key: [UInt8],
            nonce: [UInt8],
            authenticating context: [UInt8]
        ) throws(CryptographyError) -> [UInt8] {
            let operation = "encrypt"
            let count = try length(plaintext)
            let contextCount = try length(context)
            return try withContext(operation) { (handle) throws(CryptographyError) in
                var result = [UInt8](repeating: 0, count: plaintext.count + SealedValue.tagSize)
                var written: CInt = 0
                guard startEncrypting(handle, cipher(), nil, key, nonce) == 1,
                    encrypt(handle, nil, &written, context, contextCount) == 1,
                    result.withUnsafeMutableBufferPointer({ result in
                        encrypt(handle, result.baseAddress, &written, plaintext, count) == 1
                            && written == count
                            && endEncrypting(handle, result.baseAddress! + plaintext.count, &written) == 1
                            && control(
                                handle,
                                Self.getTag,
                                CInt(SealedValue.tagSize),
                                result.baseAddress! + plaintext.count
                            ) == 1
                    })
                else { throw failure(operation) }
                return result
            }
        }

        func open(
            _ sealed: [UInt8],
            key: [UInt8],
            nonce: [UInt8],
            authenticating context: [UInt8]
        ) throws(CryptographyError) -> [UInt8]? {
            let operation = "decrypt"
            let ciphertext = Array(sealed.dropLast(SealedValue.tagSize))
            var tag = Array(sealed.suffix(SealedValue.tagSize))
            let count = try length(ciphertext)
            let contextCount = try length(context)
            return try withContext(operation) { (handle) throws(CryptographyError) in
                // One byte more than needed, so that an empty result has an address.
                var result = [UInt8](repeating: 0, count: ciphertext.count + 1)
                var written: CInt = 0
                guard startDecrypting(handle, cipher(), nil, key, nonce) == 1,
                    control(handle, Self.setTag, CInt(tag.count), &tag) == 1,
                    decrypt(handle, nil, &written, context, contextCount) == 1,
                    decrypt(handle, &result, &written, ciphertext, count) == 1, written == count
                else { throw failure(operation) }
                var rest: [UInt8] = [0]
                guard endDecrypting(handle, &rest, &written) == 1 else {
                    // Clears the errors that this thread may have in the library's queue.
                    _ = failure(operation)
                    return nil
                }
                return Array(result.dropLast())
            }
        }

        func deriveKey(
            from passphrase: [UInt8],
            salt: [UInt8],
            iterations: Int32
        ) throws(CryptographyError) -> [UInt8] {
            var key = [UInt8](repeating: 0, count: EncryptionKey.size)
            let count = try length(passphrase)
            let saltCount = try length(salt)
            let text = passphrase.map(CChar.init(bitPattern:))
            guard derive(text, count, salt, saltCount, iterations, digest(), CInt(key.count), &key) == 1 else {
                throw failure("derive a key")
            }
            return key
        }

        private func withContext<Result>(
            _ operation: String,
            _ body: (Context) throws(CryptographyError) -> Result
        ) throws(CryptographyError) -> Result {
            guard let context = makeContext() else { throw failure(operation) }
            defer { freeContext(context) }
            return try body(context)
        }

        private func length(_ bytes: [UInt8]) throws(CryptographyError) -> CInt {
            guard let count = CInt(exactly: bytes.count) else {
                throw CryptographyError(description: "OpenSSL processes less than 2 GB at once")
            }
            return count
        }
    }
#endif
