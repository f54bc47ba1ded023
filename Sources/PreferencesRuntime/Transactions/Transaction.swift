/// Edits that were made and not committed yet, over the values that they are to change.
///
/// Only the thread that holds `writing` accesses it. Accesses are not checked for exclusivity at run time, as of
/// ``WritingSession``.
final class Transaction {
    /// Returns the value stored under a name of the main store; nil to ask the store itself.
    private let current: Commit.CurrentValue?
    /// At most one for each name, in the order in which the names were changed first: the present name of an entry comes before
    /// its former ones.
    @exclusivity(unchecked) private(set) var edits = [TargetedEdit]()
    /// The indices in `edits`; nil if they are noted in the records, as by one transaction at a time.
    @exclusivity(unchecked) private var indices: [ObjectIdentifier: Int]?
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

    /// Creates a transaction that is to be committed.
    ///
    /// - Parameter notesIndices: Whether it may note its indices in the records.
    init(current: @escaping Commit.CurrentValue, observer: KeyPathProbe?, notesIndices: Bool) {
        self.current = current
        self.observer = observer
        if !notesIndices { indices = [:] }
    }

    /// Creates a view of the values before or after edits, for hooks and watchers.
    init(viewOver current: Commit.CurrentValue?) {
        self.current = current
        observer = nil
        indices = [:]
    }

    deinit {
        _ = takeEdits()
    }

    /// Removes and returns the edits.
    func takeEdits() -> [TargetedEdit] {
        let edits = edits
        self.edits = []
        if indices == nil { for index in edits.indices { edits[index].record.editIndex = nil } }
        return edits
    }

    /// The edit of a name, if there is one.
    func edit(of record: KeyRecord) -> TargetedEdit? { index(of: record).map { edits[$0] } }

    private func index(of record: KeyRecord) -> Int? {
        if let indices { return indices[ObjectIdentifier(record)] }
        return record.editIndex
    }

    private func setIndex(of record: KeyRecord, to index: Int?) {
        if indices == nil { record.editIndex = index } else { indices?[ObjectIdentifier(record)] = index }
    }

    func add(_ edits: some Sequence<TargetedEdit>) {
        for edit in edits { add(edit.record, edit) }
    }

    /// Adds the edit of a record.
    ///
    /// - Parameter edit: Evaluated where it is stored: copying it counts references.
    @inline(__always)
    func add(_ record: KeyRecord, _ edit: @autoclosure () -> TargetedEdit) {
        if savepointCount > 0 { log.append((record, self.edit(of: record))) }
        put(record, edit())
        changeCount += 1
    }

    @inline(__always)
    private func put(_ record: KeyRecord, _ edit: @autoclosure () -> TargetedEdit) {
        if tracksTouchedRecords { touchedRecords.append(record) }
        if let index = index(of: record) {
            edits[index] = edit()
        } else {
            setIndex(of: record, to: edits.count)
            edits.append(edit())
        }
    }

    private func undo(_ replaced: TargetedEdit?, of record: KeyRecord) {
        if let replaced { return put(record, replaced) }
        if tracksTouchedRecords { touchedRecords.append(record) }
        // Edits are undone in the reverse of their order.
        precondition(edits.last?.record === record, "an edit is undone before a later one")
        setIndex(of: record, to: nil)
        edits.removeLast()
    }

    /// The records that were changed, by a change or by undoing one, since the last call.
    func takeTouchedRecords() -> [KeyRecord] {
        defer { touchedRecords = [] }
        return touchedRecords
    }

    /// The records of the names that this transaction sets.
    var recordsSet: [KeyRecord] { edits.filter { $0.new != nil }.map(\.record) }

    /// The value that this transaction gives to a name; the outer nil if it does not change it.
    func ownValue(of record: KeyRecord) -> PreferenceValue?? {
        index(of: record).map { edits[$0].new }
    }

    /// The value that a name had when this began.
    func formerValue(of record: KeyRecord, inStore: () throws -> PreferenceValue?) throws -> PreferenceValue? {
        if let current, !record.isAmongSecrets { return try current(record.name) }
        return try inStore()
    }

    /// The value that a name of the main store has, if this transaction does not change it; the outer nil if it does, or if
    /// the store itself has to be asked.
    func currentValue(of record: KeyRecord) throws -> PreferenceValue?? {
        guard let current, !record.isAmongSecrets, index(of: record) == nil else { return nil }
        return .some(try current(record.name))
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
        while log.count > savepoint.logCount, let (record, replaced) = log.popLast() { undo(replaced, of: record) }
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
