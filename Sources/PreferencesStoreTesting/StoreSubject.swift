public import PreferencesRuntime

/// The store that a ``StoreCheck`` is run on: how to make it, and what others can do to its medium.
///
/// Each run takes a subject with a medium of its own: a new folder, a new suite, a new table.
///
/// ```swift
/// let subject = StoreSubject(
///     open: { NoteStore(file) },
///     changeFromOutside: { batch in try NoteFile(file).edit(batch) },
///     breakMedium: { try FileManager.default.moveItem(at: file, to: aside) },
///     mendMedium: { try FileManager.default.moveItem(at: aside, to: file) }
/// )
/// ```
///
/// A closure that is missing, though the store declares what it is needed for, is a failure that says so.
public struct StoreSubject: Sendable {
    /// Edits the medium as somebody else does.
    public typealias OutsideChange = @Sendable (_ batch: [String: PreferenceEdit]) throws -> Void

    let open: @Sendable () throws -> any PreferenceStore
    let changeFromOutside: OutsideChange?
    let breakMedium: (@Sendable () throws -> Void)?
    let mendMedium: (@Sendable () throws -> Void)?
    let patience: Duration

    /// Makes a subject.
    ///
    /// - Parameters:
    ///   - open: Makes a store over the medium. It is called more than once, for stores that share the medium, and must
    ///     give another each time. A store that lacks `.persistence` has no medium: each is on its own.
    ///   - changeFromOutside: Makes a batch of changes in the medium as another program would, without the store that
    ///     is checked or one that this tells. Needed for a store with a medium that `notifiesAllChanges`, and for one that
    ///     lacks `.writing`, which has its values from there. None by default.
    ///   - breakMedium: Has the medium fail: neither reading nor writing it succeeds until `mendMedium`. Needed for a
    ///     store that does not lack `.persistence`. None by default.
    ///   - mendMedium: Ends what `breakMedium` did, with what the medium held before.
    ///   - patience: How long a check waits for other threads, such as for the notification of an external change; two
    ///     minutes by default, for busy machines. A store that keeps its promises does not make a check wait for so long. A
    ///     whole check that has not ended after ten times that has failed, and the thread that it waits for is left behind.
    public init(
        open: @escaping @Sendable () throws -> any PreferenceStore,
        changeFromOutside: OutsideChange? = nil,
        breakMedium: (@Sendable () throws -> Void)? = nil,
        mendMedium: (@Sendable () throws -> Void)? = nil,
        patience: Duration = .seconds(120)
    ) {
        self.open = open
        self.changeFromOutside = changeFromOutside
        self.breakMedium = breakMedium
        self.mendMedium = mendMedium
        self.patience = patience
    }
}
