public import Foundation
import PreferencesRuntime

/// A check of one promise of `PreferenceStore`.
///
/// Checks need no test framework. With Swift Testing, each is a test case:
///
/// ```swift
/// @Test(arguments: StoreCheck.all)
/// func promises(check: StoreCheck) throws {
///     try check.run(on: StoreSubject { NoteStore() })
/// }
/// ```
public struct StoreCheck: Sendable {
    /// The promise, as a clause: `names with dots, colons and spaces are distinguished`.
    public let name: String
    private let needs: PreferenceStoreCapabilities
    private let body: @Sendable (StoreTrial) throws -> Void

    /// - Parameters:
    ///   - name: The promise.
    ///   - needs: The capabilities that the check needs. If the store declares one of them unsupported, the check
    ///     verifies that declaration instead.
    ///   - body: The check. It throws ``ExpectationFailure`` if the store breaks the promise.
    init(
        _ name: String,
        needs: PreferenceStoreCapabilities = [],
        _ body: @escaping @Sendable (StoreTrial) throws -> Void
    ) {
        self.name = name
        self.needs = needs
        self.body = body
    }

    /// Creates a store and checks the promise.
    ///
    /// For capabilities that the store declares in
    /// ``/PreferencesRuntime/CapabilityDeclaringStore/unsupportedCapabilities``, the opposite is checked: a store that
    /// declares `.null` unsupported must refuse null.
    ///
    /// - Parameter subject: How to create a store over an empty backend. The store is flushed at the end. The backend
    ///   cannot be used for another check.
    /// - Throws: ``StoreCheckFailure`` if the store breaks the promise.
    public func run(on subject: StoreSubject) throws {
        let limit = subject.timeout * 10
        let outcome = BackgroundThread.run(timeout: limit) {
            Result { () throws(ExpectationFailure) in try attempt(on: subject) }
        }
        switch outcome {
        case .success: return
        case .failure(let broken): throw StoreCheckFailure(check: name, message: broken.message)
        case nil:
            let message = "the check has not ended after \(limit); a call of the store seems to hang"
            throw StoreCheckFailure(check: name, message: message)
        }
    }

    private func attempt(on subject: StoreSubject) throws(ExpectationFailure) {
        let errors = ErrorLog()
        do {
            let trial = try StoreTrial(subject, errors: errors)
            // A notifying thread of the store may release it after this function has returned and the backend is gone.
            // Nothing must be left to write then.
            defer { try? trial.store.base.flush() }
            try attempt(trial)
        } catch let broken as ExpectationFailure {
            throw broken
        } catch {
            let call = errors.call(thatThrew: error).map { "\($0) threw" } ?? "this was thrown"
            throw ExpectationFailure("expected no error, but \(call): \(error)")
        }
    }

    private func attempt(_ trial: StoreTrial) throws {
        if needs.contains(.writing), trial.isUnsupported(.writing) {
            return try trial.expectUnwritable(["a": .set("a")])
        }
        if needs.contains(.persistence), trial.isUnsupported(.persistence) {
            return try trial.expectNoPersistence()
        }
        try body(trial)
    }
}

extension StoreCheck {
    /// All checks. A store that passes them keeps every promise that can be checked within one process.
    public static let all: [StoreCheck] = [
        reading, values, names, batches, updates, persistence, observing, writers, externalChanges, concurrency,
        backendFailures,
    ].flatMap { $0 }
}

extension StoreCheck: Identifiable {
    /// The ``name``, which is unique.
    public var id: String { name }
}

extension StoreCheck: CustomStringConvertible {
    /// The ``name``.
    public var description: String { name }
}

/// A promise that a store breaks.
public struct StoreCheckFailure: Error, Sendable, Hashable {
    /// The ``StoreCheck/name`` of the check.
    public let check: String
    /// What was expected and what was found, as a clause.
    public let message: String
}

extension StoreCheckFailure: CustomStringConvertible {
    /// The promise and the message, such as
    /// `null is distinguished from a name that is not set: expected null under "a", found nothing`.
    public var description: String { "\(check): \(message)" }
}

extension StoreCheckFailure: LocalizedError {
    /// The ``description``, which XCTest shows.
    public var errorDescription: String? { description }
}

/// A failed expectation, which ``StoreCheck/run(on:)`` reports as the failure of its check.
struct ExpectationFailure: Error {
    let message: String

    /// - Parameter message: What was expected and what was found, as a clause.
    init(_ message: String) {
        self.message = message
    }
}
