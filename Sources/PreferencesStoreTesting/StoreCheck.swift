import PreferencesRuntime

/// A promise that a `PreferenceStore` makes, and how to find out whether it is kept.
///
/// It is a plain value, for any test runner. With Swift Testing each is a case of its own:
///
/// ```swift
/// @Test(arguments: StoreCheck.all) func aNoteStoreKeepsItsPromises(check: StoreCheck) throws {
///     try withTemporaryDirectory { folder in
///         try check.run(on: StoreSubject { NoteStore(folder: folder) })
///     }
/// }
/// ```
public struct StoreCheck: Sendable {
    /// The promise, in a sentence without a full stop: `names with dots, colons and spaces are kept apart`.
    public let name: String
    private let needs: PreferenceStoreCapabilities
    private let body: @Sendable (StoreTrial) throws -> Void

    /// - Parameters:
    ///   - name: The promise.
    ///   - needs: What a store must be able to do for it. Of one that lacks this, it is checked that it does.
    ///   - body: Throws ``BrokenPromise`` where the promise is not kept.
    init(
        _ name: String,
        needs: PreferenceStoreCapabilities = [],
        _ body: @escaping @Sendable (StoreTrial) throws -> Void
    ) {
        self.name = name
        self.needs = needs
        self.body = body
    }

    /// Makes a store, and finds out whether it keeps the promise.
    ///
    /// A promise that the store's ``PreferencesRuntime/PreferenceStore/unsupportedCapabilities`` takes back becomes its opposite: a store
    /// that lacks `.null` must refuse it.
    ///
    /// - Parameter subject: How to make a store over a medium that nothing is kept in. The medium is used up afterwards;
    ///   the store is flushed at last, so that it can be removed.
    /// - Throws: ``StoreCheckFailure`` where the promise is not kept.
    public func run(on subject: StoreSubject) throws {
        let limit = subject.patience * 10
        let outcome = OtherThread.run(atMost: limit) {
            Result { () throws(BrokenPromise) in try attempt(on: subject) }
        }
        switch outcome {
        case .success: return
        case .failure(let broken): throw StoreCheckFailure(check: name, message: broken.message)
        case nil:
            let message = "the check has not ended after \(limit); a call of the store seems to wait for ever"
            throw StoreCheckFailure(check: name, message: message)
        }
    }

    private func attempt(on subject: StoreSubject) throws(BrokenPromise) {
        let errors = ThrownErrors()
        do {
            let trial = try StoreTrial(subject, noting: errors)
            // A thread of the store's that is telling an observer may be the last to let go of the store, after this has
            // returned and the medium is gone. Nothing is to be left for that to write.
            defer { try? trial.store.base.flush() }
            try attempt(trial)
        } catch let broken as BrokenPromise {
            throw broken
        } catch {
            let call = errors.call(thatThrew: error).map { "\($0) threw" } ?? "this was thrown"
            throw BrokenPromise("expected no error, but \(call): \(error)")
        }
    }

    private func attempt(_ trial: StoreTrial) throws {
        if needs.contains(.writing), trial.isUnsupported(.writing) {
            return try trial.expectUnwritable(["a": .set("a")])
        }
        if needs.contains(.persistence), trial.isUnsupported(.persistence) {
            return try trial.expectForgetful()
        }
        try body(trial)
    }
}

extension StoreCheck {
    /// All checks: a store that passes them keeps every promise that can be checked within one process.
    public static let all: [StoreCheck] = [
        reading, values, names, batches, updates, persistence, observing, writers, outsideChanges, concurrency,
        media,
    ].flatMap { $0 }
}

extension StoreCheck: Identifiable {
    /// The ``name``: no two checks have the same.
    public var id: String { name }
}

extension StoreCheck: CustomStringConvertible {
    /// The ``name``.
    public var description: String { name }
}
