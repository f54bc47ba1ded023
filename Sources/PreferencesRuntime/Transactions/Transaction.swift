/// Changes that were made and not committed yet, over the values that they are to change.
///
/// Only the thread that holds `writing` touches it.
final class Transaction {
    /// Gives what is kept under a name of the main store; nil to ask the store itself.
    private let current: ((_ name: String) throws -> PreferenceValue?)?
    /// With the order in which they came.
    private var changes: [ObjectIdentifier: (edit: PlacedEdit, order: Int)] = [:]
    /// How many changes were made.
    private var changeCount = 0
    /// The first change that was refused.
    var failure: PreferenceProblem?
    /// Why a store could not be read: what is made of what was given instead is not to be written.
    var readFailure: PreferenceProblem?

    /// The probe that was active where this began. What is refused inside of this is this one's failure.
    let observer: KeyPathProbe?

    init(current: ((_ name: String) throws -> PreferenceValue?)? = nil, observer: KeyPathProbe? = nil) {
        self.current = current
        self.observer = observer
    }

    /// What it has come to. The present name of an entry comes before those that it had.
    var edits: [PlacedEdit] { changes.values.sorted { $0.order < $1.order }.map(\.edit) }

    func add(_ edits: some Sequence<PlacedEdit>) {
        for edit in edits {
            changeCount += 1
            let id = ObjectIdentifier(edit.name)
            changes[id] = (edit, changes[id]?.order ?? changes.count)
        }
    }

    /// Where this transaction puts values.
    var namesSet: [StoredName] {
        edits.filter { $0.edit != .remove }.map(\.name)
    }

    /// What this transaction has made of a name; the outer nil: nothing.
    func ownValue(of name: StoredName) -> PreferenceValue?? {
        switch changes[ObjectIdentifier(name)]?.edit.edit {
        case .set(let value): .some(value)
        case .remove: .some(nil)
        case nil: nil
        }
    }

    /// What a name had when this began.
    func formerValue(of name: StoredName, inStore: () throws -> PreferenceValue?) throws -> PreferenceValue? {
        if let current, !name.isAmongSecrets { return try current(name.name) }
        return try inStore()
    }

    /// What there was at some moment, to go back to.
    struct Savepoint {
        fileprivate var changes: [ObjectIdentifier: (edit: PlacedEdit, order: Int)] = [:]
        fileprivate var changeCount = 0
        var failure: PreferenceProblem?
        var readFailure: PreferenceProblem?
    }

    var savepoint: Savepoint {
        Savepoint(changes: changes, changeCount: changeCount, failure: failure, readFailure: readFailure)
    }

    func rollBack(to savepoint: Savepoint) {
        changes = savepoint.changes
        failure = savepoint.failure
        readFailure = savepoint.readFailure
    }

    /// Why what was changed since some moment, by default since the beginning, is not to be committed; nil if it is.
    func refusal(since savepoint: Savepoint = Savepoint()) -> PreferenceProblem? {
        failure ?? (changeCount > savepoint.changeCount ? readFailure : nil)
    }
}
