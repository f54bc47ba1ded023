import PreferencesRuntime
import PreferencesSystem

/// An adapter that records the errors that a store throws.
struct RecordingStore: PreferenceStoreAdapter {
    let base: any PreferenceStore
    private let errors: ErrorLog

    init(_ base: any PreferenceStore, _ errors: ErrorLog) {
        self.base = base
        self.errors = errors
    }

    func value(for name: String) throws -> PreferenceValue? {
        try errors.recording("value(for: \(name.quoted))") { try base.value(for: name) }
    }

    func source(of name: String) throws -> PreferenceSource? {
        try errors.recording("source(of: \(name.quoted))") { try base.origin(of: name) }
    }

    func names() throws -> Set<String> {
        try errors.recording("names()") { try base.names() }
    }

    func apply(_ batch: PreferenceBatch) throws {
        try errors.recording("apply of \(batch.edits.summary)") {
            guard let base = base as? any WritablePreferenceStore else { return try base.commit(batch) }
            try base.apply(batch)
        }
    }

    func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try errors.recording("update") {
            guard let base = base as? any WritablePreferenceStore else { return try base.commit(makeBatch) }
            try base.update(makeBatch)
        }
    }

    func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        try errors.recording("apply of \(batch.edits.summary)") { try base.commit(batch, by: writer) }
    }

    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try errors.recording("update") { try base.commit(by: writer, makeBatch) }
    }

    func flush() throws {
        try errors.recording("flush()") { try base.flush() }
    }

    func reload() throws {
        try errors.recording("reload()") { try base.reload() }
    }

    /// Returns the base's own observation, so that checks see when it ends.
    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        base.observe(observer)
    }
}

extension [String: PreferenceEdit] {
    /// The changes if there are at most three, otherwise their number.
    fileprivate var summary: String {
        guard count <= 3 else { return "\(count) changes" }
        let changes = sorted { $0.key < $1.key }.map { name, edit in
            switch edit {
            case .set(let value): "\(value.summary) for \(name.quoted)"
            case .remove: "nothing for \(name.quoted)"
            }
        }
        return changes.isEmpty ? "nothing" : changes.joined(separator: ", ")
    }
}

/// A log of the calls that threw errors, so that a failure can name the call.
final class ErrorLog: Sendable {
    /// The last call that threw each error, by the error's description.
    private let calls = Locked<[String: String]>([:])

    /// Makes a call, and records the error that it throws.
    ///
    /// - Parameter call: The call's source text: `names()`.
    func recording<Result>(_ call: @autoclosure () -> String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            let call = call()
            calls.withLock { $0["\(error)"] = call }
            throw error
        }
    }

    /// The call that threw an error; nil if no call threw it.
    func call(thatThrew error: any Error) -> String? {
        calls.withLock { $0["\(error)"] }
    }
}
