public import Foundation

/// A promise of a store that is not kept.
public struct StoreCheckFailure: Error, Sendable, Hashable {
    /// The ``StoreCheck/name`` of the check: the promise.
    public let check: String
    /// What was expected and what was found, in a sentence without a full stop.
    public let message: String

    init(check: String, message: String) {
        self.check = check
        self.message = message
    }
}

extension StoreCheckFailure: CustomStringConvertible {
    /// Promise and message: `null is told from a name that is not set: expected null under "a", found nothing`.
    public var description: String { "\(check): \(message)" }
}

extension StoreCheckFailure: LocalizedError {
    /// The same as ``description``, as XCTest shows it.
    public var errorDescription: String? { description }
}
