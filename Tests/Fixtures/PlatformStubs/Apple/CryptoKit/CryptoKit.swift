public import Foundation

// https://developer.apple.com/documentation/cryptokit/symmetrickey
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, macCatalyst 13.0, *)
public struct SymmetricKey: ContiguousBytes {
    public init<D: ContiguousBytes>(data: D) { fatalError() }

    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
}

// https://developer.apple.com/documentation/cryptokit/cryptokiterror
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, macCatalyst 13.0, *)
public enum CryptoKitError: Error {
    case incorrectKeySize
    case incorrectParameterSize
    case authenticationFailure
    case underlyingCoreCryptoError(error: Int32)
    @available(iOS 15.0, macOS 12.0, watchOS 8.0, tvOS 15.0, macCatalyst 15.0, *)
    case wrapFailure
    @available(iOS 15.0, macOS 12.0, watchOS 8.0, tvOS 15.0, macCatalyst 15.0, *)
    case unwrapFailure
    @available(iOS 16.0, macOS 13.0, watchOS 9.0, tvOS 16.0, macCatalyst 16.0, *)
    case invalidParameter
}

// https://developer.apple.com/documentation/cryptokit/aes
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, macCatalyst 13.0, *)
public enum AES {}

// https://developer.apple.com/documentation/cryptokit/aes/gcm
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, macCatalyst 13.0, *)
extension AES {
    public enum GCM {
        public static func seal<Plaintext: DataProtocol, AuthenticatedData: DataProtocol>(
            _ message: Plaintext,
            using key: SymmetricKey,
            nonce: AES.GCM.Nonce? = nil,
            authenticating authenticatedData: AuthenticatedData
        ) throws -> AES.GCM.SealedBox { fatalError() }

        public static func open<AuthenticatedData: DataProtocol>(
            _ sealedBox: AES.GCM.SealedBox,
            using key: SymmetricKey,
            authenticating authenticatedData: AuthenticatedData
        ) throws -> Data { fatalError() }
    }
}
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, macCatalyst 13.0, *)
extension AES.GCM {
    // https://developer.apple.com/documentation/cryptokit/aes/gcm/nonce
    public struct Nonce: ContiguousBytes, Sequence {
        public init<D: DataProtocol>(data: D) throws { fatalError() }

        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
        public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
    }

    // https://developer.apple.com/documentation/cryptokit/aes/gcm/sealedbox
    public struct SealedBox {
        public var tag: Data { fatalError() }
        public var ciphertext: Data { fatalError() }

        public init<C: DataProtocol, T: DataProtocol>(nonce: AES.GCM.Nonce, ciphertext: C, tag: T) throws {
            fatalError()
        }
    }
}
