#if canImport(CryptoKit)
    import CommonCrypto
    import CryptoKit
    import Foundation

    /// The cryptography of Apple platforms.
    struct CryptoKitLibrary: CryptographyLibrary {
        func seal(
            _ plaintext: [UInt8],
            key: [UInt8],
            nonce: [UInt8],
            authenticating context: [UInt8]
        ) throws(CryptographyError) -> [UInt8] {
            do {
                let box = try AES.GCM.seal(
                    plaintext,
                    using: SymmetricKey(data: key),
                    nonce: AES.GCM.Nonce(data: nonce),
                    authenticating: context
                )
                return Array(box.ciphertext) + Array(box.tag)
            } catch {
                throw CryptographyError(description: "CryptoKit could not encrypt: \(error)")
            }
        }

        func open(
            _ sealed: [UInt8],
            key: [UInt8],
            nonce: [UInt8],
            authenticating context: [UInt8]
        ) throws(CryptographyError) -> [UInt8]? {
            do {
                let box = try AES.GCM.SealedBox(
                    nonce: AES.GCM.Nonce(data: nonce),
                    ciphertext: sealed.dropLast(SealedValue.tagSize),
                    tag: sealed.suffix(SealedValue.tagSize)
                )
                return Array(try AES.GCM.open(box, using: SymmetricKey(data: key), authenticating: context))
            } catch CryptoKitError.authenticationFailure {
                return nil
            } catch {
                throw CryptographyError(description: "CryptoKit could not decrypt: \(error)")
            }
        }

        func deriveKey(
            from passphrase: [UInt8],
            salt: [UInt8],
            iterations: Int32
        ) throws(CryptographyError) -> [UInt8] {
            var key = [UInt8](repeating: 0, count: EncryptionKey.size)
            let status = passphrase.withUnsafeBytes { passphrase in
                CCKeyDerivationPBKDF(
                    CCPBKDFAlgorithm(kCCPBKDF2),
                    passphrase.baseAddress?.assumingMemoryBound(to: CChar.self),
                    passphrase.count,
                    salt,
                    salt.count,
                    CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA256),
                    UInt32(iterations),
                    &key,
                    key.count
                )
            }
            guard status == kCCSuccess else {
                throw CryptographyError(description: "CommonCrypto could not derive a key (error \(status))")
            }
            return key
        }
    }
#endif
