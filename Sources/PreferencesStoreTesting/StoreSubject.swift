public import PreferencesRuntime

/// A store to check: how to create it, and how to change and break its backend.
///
/// The backend is what holds the store's values: a file, a suite, a table. Each run needs a new, empty one.
///
/// ```swift
/// let subject = StoreSubject(
///     open: { NoteStore(file) },
///     changeExternally: { batch in try NoteFile(file).edit(batch) },
///     breakBackend: { try FileManager.default.moveItem(at: file, to: aside) },
///     repairBackend: { try FileManager.default.moveItem(at: aside, to: file) }
/// )
/// ```
///
/// A check that needs a missing closure fails, and reports which one.
public struct StoreSubject: Sendable {
    /// Edits the backend as another process does.
    public typealias ExternalChange = @Sendable (_ batch: [String: PreferenceEdit]) throws -> Void

    let open: @Sendable () throws -> any PreferenceStore
    let changeExternally: ExternalChange?
    let breakBackend: (@Sendable () throws -> Void)?
    let repairBackend: (@Sendable () throws -> Void)?
    let timeout: Duration

    /// Makes a subject.
    ///
    /// - Parameters:
    ///   - open: Creates a store over the backend. It is called several times, for stores that share the backend, and
    ///     must return a new store each time. Stores that declare `.persistence` unsupported share nothing.
    ///   - changeExternally: Applies a batch to the backend as another process would, without a store of this process.
    ///     Required for persistent stores that notify of all changes, and for stores that declare `.writing`
    ///     unsupported. Default: nil.
    ///   - breakBackend: Causes reads and writes of the backend to fail until `repairBackend` is called. Required for
    ///     persistent stores. Default: nil.
    ///   - repairBackend: Reverts `breakBackend`, with the values intact. Default: nil.
    ///   - timeout: How long a check waits for another thread, for example for the notification of an external change.
    ///     Default: 120 seconds, for busy machines; correct stores never take as long. A check that runs for ten times
    ///     the timeout fails, and its thread is abandoned.
    public init(
        open: @escaping @Sendable () throws -> any PreferenceStore,
        changeExternally: ExternalChange? = nil,
        breakBackend: (@Sendable () throws -> Void)? = nil,
        repairBackend: (@Sendable () throws -> Void)? = nil,
        timeout: Duration = .seconds(120)
    ) {
        self.open = open
        self.changeExternally = changeExternally
        self.breakBackend = breakBackend
        self.repairBackend = repairBackend
        self.timeout = timeout
    }
}

extension StoreSubject {
    /// Returns a copy whose closures record the errors that they throw.
    func recordingErrors(in errors: ErrorLog) -> StoreSubject {
        typealias Change = @Sendable () throws -> Void
        func noted(_ name: String, _ body: Change?) -> Change? {
            guard let body else { return nil }
            return { try errors.recording("the StoreSubject's '\(name)'", body) }
        }
        var edit: ExternalChange?
        if let changeExternally {
            edit = { batch in
                try errors.recording("the StoreSubject's 'changeExternally'") { try changeExternally(batch) }
            }
        }
        return StoreSubject(
            open: { [open] in try errors.recording("the StoreSubject's 'open'", open) },
            changeExternally: edit,
            breakBackend: noted("breakBackend", breakBackend),
            repairBackend: noted("repairBackend", repairBackend),
            timeout: timeout
        )
    }
}
