#if !canImport(CryptoKit)
    extension Libcrypto: CryptographyLibrary {
        /// `EVP_CTRL_AEAD_GET_TAG` and `EVP_CTRL_AEAD_SET_TAG` of `openssl/evp.h`. A nonce has 96 bits by default.
        private static let getTag: CInt = 0x10
        private static let setTag: CInt = 0x11

        func seal(
            _ plaintext: [UInt8],
            key: [UInt8],
            nonce: [UInt8],
            authenticating context: [UInt8]
        ) throws(CryptographyFailure) -> [UInt8] {
            let operation = "encrypt"
            let count = try length(plaintext), contextCount = try length(context)
            return try withContext(operation) { (handle) throws(CryptographyFailure) in
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
        ) throws(CryptographyFailure) -> [UInt8]? {
            let operation = "decrypt"
            let ciphertext = Array(sealed.dropLast(SealedValue.tagSize))
            var tag = Array(sealed.suffix(SealedValue.tagSize))
            let count = try length(ciphertext), contextCount = try length(context)
            return try withContext(operation) { (handle) throws(CryptographyFailure) in
                // One more than needed, so that there is an address where there is nothing to write.
                var result = [UInt8](repeating: 0, count: ciphertext.count + 1)
                var written: CInt = 0
                guard startDecrypting(handle, cipher(), nil, key, nonce) == 1,
                    control(handle, Self.setTag, CInt(tag.count), &tag) == 1,
                    decrypt(handle, nil, &written, context, contextCount) == 1,
                    decrypt(handle, &result, &written, ciphertext, count) == 1, written == count
                else { throw failure(operation) }
                var rest: [UInt8] = [0]
                guard endDecrypting(handle, &rest, &written) == 1 else {
                    // It may have left errors of this thread behind.
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
        ) throws(CryptographyFailure) -> [UInt8] {
            var key = [UInt8](repeating: 0, count: EncryptionKey.size)
            let count = try length(passphrase), saltCount = try length(salt)
            let text = passphrase.map(CChar.init(bitPattern:))
            guard derive(text, count, salt, saltCount, iterations, digest(), CInt(key.count), &key) == 1 else {
                throw failure("derive a key")
            }
            return key
        }

        private func withContext<Result>(
            _ operation: String,
            _ body: (Context) throws(CryptographyFailure) -> Result
        ) throws(CryptographyFailure) -> Result {
            guard let context = makeContext() else { throw failure(operation) }
            defer { freeContext(context) }
            return try body(context)
        }

        private func length(_ bytes: [UInt8]) throws(CryptographyFailure) -> CInt {
            guard let count = CInt(exactly: bytes.count) else {
                throw CryptographyFailure(description: "OpenSSL takes less than 2 GB at once")
            }
            return count
        }
    }
#endif
