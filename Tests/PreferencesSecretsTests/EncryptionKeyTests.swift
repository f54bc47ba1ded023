import Foundation
import PreferencesRuntime
import Testing

@testable import PreferencesSecrets
@testable import PreferencesSystem

struct EncryptionKeyTests {
    private let salt = Data(repeating: 7, count: 16)

    @Test("A key of another size is rejected", arguments: [0, 16, 24, 31, 33, 64])
    func keyOfAnotherSizeIsRejected(count: Int) {
        let error = EncryptionKeyError(.wrongSize, "a key has 32 bytes, and this data has \(count)")
        #expect(throws: error) { try EncryptionKey(data: Data(count: count)) }
    }

    @Test("A key has the bits that it was created with")
    func keyKeepsItsBits() throws {
        let data = Data(0..<32)
        #expect(try EncryptionKey(data: data).data == data)
        #expect(try EncryptionKey(data: (Data([9]) + data).dropFirst()).data == data)
    }

    @Test("Random keys and salts differ")
    func randomKeysDiffer() {
        let keys = Set((0..<100).map { _ in EncryptionKey.random().data })
        #expect(keys.count == 100)
        #expect(keys.allSatisfy { $0.count == 32 })
        #expect(EncryptionKey.randomSalt() != EncryptionKey.randomSalt())
        #expect(EncryptionKey.randomSalt().count == EncryptionKey.saltSize)
    }

    @Test("Descriptions of a key contain none of its bits")
    func descriptionsOfAKeyHideItsBits() throws {
        let key = try EncryptionKey(data: Data(repeating: 0xAB, count: 32))
        var dumped = ""
        dump(key, to: &dumped)
        let shown = "EncryptionKey (256 bits, not shown)"
        #expect("\(key)" == shown)
        #expect(String(reflecting: key) == shown)
        #expect(dumped == "- \(shown)\n")
        #expect(Mirror(reflecting: key).children.isEmpty)
    }

    /// The first 32 bytes of the results in section 11 of RFC 7914, which are the whole results for that length.
    @Test(
        "Key derivation matches the known answers of RFC 7914",
        arguments: [
            ("passwd", "salt", 1, "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"),
            ("Password", "NaCl", 80_000, "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"),
        ]
    )
    func keyDerivationMatchesRFC7914(passphrase: String, salt: String, iterations: Int32, key: String) throws {
        let library = try SystemCryptography.library.get()
        let found = try library.deriveKey(from: Array(passphrase.utf8), salt: Array(salt.utf8), iterations: iterations)
        #expect(found == [UInt8](hex: key))
    }

    @Test("Canonically equivalent passphrases result in the same key")
    func passphraseFormsResultInOneKey() throws {
        let keys = try ["caf\u{E9}", "cafe\u{301}", "cafe"].map {
            try EncryptionKey(passphrase: $0, salt: salt, iterations: 10_000).data
        }
        #expect(keys[0] == keys[1])
        #expect(keys[0] != keys[2])
    }

    @Test("Passphrase, salt and iterations determine the key")
    func passphraseSaltAndIterationsDetermineTheKey() throws {
        let keys = try [
            EncryptionKey(passphrase: "hunter2", salt: salt, iterations: 10_000),
            EncryptionKey(passphrase: "hunter3", salt: salt, iterations: 10_000),
            EncryptionKey(passphrase: "hunter2", salt: salt + [0], iterations: 10_000),
            EncryptionKey(passphrase: "hunter2", salt: salt, iterations: 10_001),
        ]
        #expect(Set(keys.map(\.data)).count == 4)
    }

    @Test("The default number of iterations is that of OWASP")
    func defaultIterationsFollowOWASP() throws {
        let key = try EncryptionKey(passphrase: "hunter2", salt: salt)
        #expect(try EncryptionKey(passphrase: "hunter2", salt: salt, iterations: 600_000).data == key.data)
    }

    @Test("Weak parameters for key derivation are rejected")
    func weakParametersAreRejected() {
        let cases: [(String, Data, Int, EncryptionKeyError)] = [
            ("", salt, 10_000, EncryptionKeyError(.emptyPassphrase, "the passphrase is empty")),
            (
                "hunter2", salt.dropFirst(), 10_000,
                EncryptionKeyError(.shortSalt, "a salt must have 16 bytes or more, and this one has 15")
            ),
            (
                "hunter2", salt, 1,
                EncryptionKeyError(
                    .iterationsOutOfRange,
                    "a passphrase must be hashed from 10000 to 2147483647 times, and not 1 times: "
                        + "omit 'iterations' for the default, 600000"
                )
            ),
            (
                "hunter2", salt, 9_999,
                EncryptionKeyError(
                    .iterationsOutOfRange,
                    "a passphrase must be hashed from 10000 to 2147483647 times, and not 9999 times: "
                        + "omit 'iterations' for the default, 600000"
                )
            ),
            (
                "hunter2", salt, 1 << 31,
                EncryptionKeyError(
                    .iterationsOutOfRange,
                    "a passphrase must be hashed from 10000 to 2147483647 times, and not 2147483648 times: "
                        + "omit 'iterations' for the default, 600000"
                )
            ),
        ]
        for (passphrase, salt, iterations, error) in cases {
            #expect(throws: error) { try EncryptionKey(passphrase: passphrase, salt: salt, iterations: iterations) }
        }
    }
}
