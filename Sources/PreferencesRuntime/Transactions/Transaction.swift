/// Edits that were made and not committed yet, over the values that they are to change.
///
/// Only the thread that holds `writing` accesses it. Accesses are not checked for exclusivity at run time, as of
/// ``WritingSession``.
final class Transaction {
    /// Returns the value stored under a name of the main store; nil to ask the store itself.
    private let current: Commit.CurrentValue?
    /// In the order in which the names were changed first; nil where that was undone.
    @exclusivity(unchecked) private var entries: [TargetedEdit?] = []
    /// The indices in `entries`, once there are more than a search should take.
    @exclusivity(unchecked) private var indices: [ObjectIdentifier: Int] = [:]
    /// The number of changes, without those that were undone.
    @exclusivity(unchecked) private var changeCount = 0
    /// The changes since the outermost savepoint, with what they replaced, so that inner transactions can be undone.
    @exclusivity(unchecked) private var log: [(record: KeyRecord, replaced: TargetedEdit?)] = []
    @exclusivity(unchecked) private var savepointCount = 0
    /// Whether to collect the records that are changed.
    @exclusivity(unchecked) var tracksTouchedRecords = false
    @exclusivity(unchecked) private var touchedRecords: [KeyRecord] = []
    /// The first change that was refused.
    @exclusivity(unchecked) var failure: PreferenceProblem?
    /// Why a store could not be read: nothing is written that was made of the values given instead.
    @exclusivity(unchecked) var readFailure: PreferenceProblem?

    /// The probe that was active where the transaction began. What is refused inside the transaction is not its failure.
    let observer: KeyPathProbe?

    init(current: Commit.CurrentValue? = nil, observer: KeyPathProbe? = nil) {
        self.current = current
        self.observer = observer
    }

    /// The edits, at most one for each name. The present name of an entry comes before its former ones.
    var edits: [TargetedEdit] { entries.compactMap { $0 } }

    /// The edit of a name, if there is one.
    func edit(of record: KeyRecord) -> TargetedEdit? { index(of: record).flatMap { entries[$0] } }

    private func index(of record: KeyRecord) -> Int? {
        if indices.isEmpty { return entries.firstIndex { $0?.record === record } }
        return indices[ObjectIdentifier(record)]
    }

    func add(_ edits: some Sequence<TargetedEdit>) {
        for edit in edits { add(edit) }
    }

    func add(_ edit: TargetedEdit) {
        if savepointCount > 0 { log.append((edit.record, self.edit(of: edit.record))) }
        put(edit, for: edit.record)
        changeCount += 1
    }

    private func put(_ edit: TargetedEdit?, for record: KeyRecord) {
        if tracksTouchedRecords { touchedRecords.append(record) }
        if let index = index(of: record) {
            entries[index] = edit
            if edit == nil { indices[ObjectIdentifier(record)] = nil }
        } else if edit != nil {
            entries.append(edit)
            if !indices.isEmpty {
                indices[ObjectIdentifier(record)] = entries.count - 1
            } else if entries.count > Self.searchLimit {
                for case (let index, let edit?) in zip(entries.indices, entries) {
                    indices[ObjectIdentifier(edit.record)] = index
                }
            }
        }
    }

    private static let searchLimit = 8

    /// The records that were changed, by a change or by undoing one, since the last call.
    func takeTouchedRecords() -> [KeyRecord] {
        defer { touchedRecords = [] }
        return touchedRecords
    }

    /// The records of the names that this transaction sets.
    var recordsSet: [KeyRecord] { edits.filter { $0.edit != .remove }.map(\.record) }

    /// The value that this transaction gives to a name; the outer nil if it does not change it.
    func ownValue(of record: KeyRecord) -> PreferenceValue?? {
        edit(of: record).map(\.edit.value)
    }

    /// The value that a name had when this began.
    func formerValue(of record: KeyRecord, inStore: () throws -> PreferenceValue?) throws -> PreferenceValue? {
        if let current, !record.isAmongSecrets { return try current(record.name) }
        return try inStore()
    }

    // MARK: - Savepoints

    /// A state to go back to.
    struct Savepoint {
        fileprivate var logCount = 0
        fileprivate var changeCount = 0
        fileprivate(set) var failure: PreferenceProblem?
        fileprivate(set) var readFailure: PreferenceProblem?
    }

    /// Begins to log changes, until ``release(_:)`` or ``rollBack(to:)``.
    func makeSavepoint() -> Savepoint {
        savepointCount += 1
        return Savepoint(
            logCount: log.count,
            changeCount: changeCount,
            failure: failure,
            readFailure: readFailure
        )
    }

    /// Keeps the changes since a savepoint.
    func release(_ savepoint: Savepoint) {
        savepointCount -= 1
        if savepointCount == 0 { log = [] }
    }

    /// Undoes the changes since a savepoint.
    func rollBack(to savepoint: Savepoint) {
        while log.count > savepoint.logCount, let (record, replaced) = log.popLast() { put(replaced, for: record) }
        changeCount = savepoint.changeCount
        failure = savepoint.failure
        readFailure = savepoint.readFailure
        release(savepoint)
    }

    /// Why the changes since a savepoint, by default all, are not to be committed; nil if they are.
    func refusal(since savepoint: Savepoint = Savepoint()) -> PreferenceProblem? {
        failure ?? (changeCount > savepoint.changeCount ? readFailure : nil)
    }
}
