import Foundation
import PreferencesRuntime
import Testing

@testable import PreferencesSecrets
@testable import PreferencesSystem

/// The cryptography library, and stores without one.
struct CryptographyTests {
    /// A known answer: test cases 13 to 16, those of 256 bits and nonces of 96, of "The Galois/Counter Mode of
    /// Operation (GCM)" by McGrew and Viega, which they submitted to NIST, and which SP 800-38D is made from.
    struct KnownAnswer: Sendable, CustomTestStringConvertible {
        let number: Int
        let key: String
        let nonce: String
        let plaintext: String
        let context: String
        let ciphertext: String
        let tag: String

        var testDescription: String { "test case \(number)" }

        private static let zeros = String(repeating: "0", count: 64)
        private static let longKey = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
        private static let plain =
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
            + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
        private static let cipher =
            "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
            + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"

        static let all = [
            KnownAnswer(
                number: 13,
                key: zeros,
                nonce: String(zeros.prefix(24)),
                plaintext: "",
                context: "",
                ciphertext: "",
                tag: "530f8afbc74536b9a963b4f1c4cb738b"
            ),
            KnownAnswer(
                number: 14,
                key: zeros,
                nonce: String(zeros.prefix(24)),
                plaintext: String(zeros.prefix(32)),
                context: "",
                ciphertext: "cea7403d4d606b6e074ec5d3baf39d18",
                tag: "d0d1c8a799996bf0265b98b5d48ab919"
            ),
            KnownAnswer(
                number: 15,
                key: longKey,
                nonce: "cafebabefacedbaddecaf888",
                plaintext: plain + "1aafd255",
                context: "",
                ciphertext: cipher + "898015ad",
                tag: "b094dac5d93471bdec1a502270e3cc6c"
            ),
            KnownAnswer(
                number: 16,
                key: longKey,
                nonce: "cafebabefacedbaddecaf888",
                plaintext: plain,
                context: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
                ciphertext: cipher,
                tag: "76fc6ece0f4e1768cddf8853bb2d551b"
            ),
        ]
    }

    @Test("Encryption matches the known answers of NIST", arguments: KnownAnswer.all)
    func encryptionMatchesKnownAnswers(answer: KnownAnswer) throws {
        let library = try SystemCryptography.library.get()
        let (key, nonce) = ([UInt8](hex: answer.key), [UInt8](hex: answer.nonce))
        let (plaintext, context) = ([UInt8](hex: answer.plaintext), [UInt8](hex: answer.context))
        let sealed = try library.seal(plaintext, key: key, nonce: nonce, authenticating: context)
        #expect(sealed == [UInt8](hex: answer.ciphertext + answer.tag))
        #expect(try library.open(sealed, key: key, nonce: nonce, authenticating: context) == plaintext)
        #expect(try library.open(sealed, key: key, nonce: nonce, authenticating: context + [0]) == nil)
        for index in sealed.indices {
            var damaged = sealed
            damaged[index] ^= 0x80
            #expect(try library.open(damaged, key: key, nonce: nonce, authenticating: context) == nil)
        }
    }

    #if !canImport(CryptoKit)
        private static let missing =
            "OpenSSL 3 is not installed (libcrypto-missing.so.3); install the package libssl3 (Debian, "
            + "Ubuntu), openssl-libs "
            + "(Fedora) or libcrypto3 (Alpine), and link the program dynamically: a static one cannot load it"

        @Test("Without OpenSSL nothing is read or written, and the error says what to install")
        func missingOpenSSLIsReported() throws {
            let base = MemoryStore()
            let key = EncryptionKey.random()
            let library = Libcrypto.library(named: "libcrypto-missing.so.3")
            let store = EncryptedStore(base, key: key, library: library)
            func problem(_ code: PreferenceProblem.Code) -> PreferenceProblem {
                PreferenceProblem(code, store: "memory", message: Self.missing)
            }
            #expect(throws: problem(.storeUnwritable)) { try store.apply(["token": .set("hunter2")]) }
            #expect(base.names() == [])

            try EncryptedStore(base, key: key).apply(["token": .set("hunter2")])
            #expect(throws: problem(.storeUnreadable)) { try store.value(for: "token") }
            #expect(throws: problem(.storeUnreadable)) { try store.names() }
            #expect(throws: problem(.storeUnreadable)) { try store.apply(["token": .remove]) }
            #expect(base.names() == ["token", "::encryption"])
            #expect(try EncryptedStore(base, key: key).value(for: "token") == "hunter2")
        }

        @Test("Without OpenSSL no key is derived from a passphrase")
        func missingOpenSSLFailsKeyDerivation() {
            let error = EncryptionKeyError(.noLibrary, Self.missing)
            #expect(throws: error) {
                try EncryptionKey(
                    passphrase: "hunter2",
                    salt: Data(count: 16),
                    iterations: 10_000,
                    by: Libcrypto.library(named: "libcrypto-missing.so.3")
                )
            }
        }

        @Test("A library that could not be loaded is loaded at its next use")
        func failedLoadIsRetried() throws {
            let failure = CryptographyError(description: "no descriptor is free")
            let attempts = Locked(0)
            let library = SystemCryptography.Library { () throws(CryptographyError) in
                if attempts.withLock({
                    $0 += 1
                    return $0
                }) == 1 {
                    throw failure
                }
                return try SystemCryptography.library.get()
            }
            let store = EncryptedStore(MemoryStore(), key: .random(), library: library)
            let problem = PreferenceProblem(.storeUnwritable, store: "memory", message: "no descriptor is free")
            #expect(throws: problem) { try store.apply(["token": .set("hunter2")]) }
            try store.apply(["token": .set("hunter2")])
            #expect(try store.value(for: "token") == "hunter2")
            #expect(attempts.withLock { $0 } == 2)
        }

        @Test("A library other than OpenSSL is rejected")
        func otherLibraryIsRejected() throws {
            let failure = #expect(throws: CryptographyError.self) { try Libcrypto(named: "libc.so.6") }
            #expect(failure?.description == "the system's libc.so.6 has no EVP_CIPHER_CTX_new")
        }

        @Test("An error of OpenSSL is reported in its own words")
        func errorsOfOpenSSLAreReported() throws {
            let library = try Libcrypto(named: Libcrypto.fileName)
            // Without a pointer for the number of bytes.
            #expect(library.encrypt(nil, nil, nil, nil, 0) == 0)
            let failure = library.failure("encrypt")
            #expect(failure.description.hasPrefix("OpenSSL could not encrypt (error:"))
            #expect(library.failure("encrypt").description == "OpenSSL could not encrypt")
        }
    #endif
}
