/// Changes that were made and not committed yet, over the values that they are to change.
///
/// Only the thread that holds `writing` touches it.
final class Transaction {
    private typealias Entry = (edit: PlacedEdit, order: Int)

    /// Gives the value kept under a name of the main store; nil to ask the store itself.
    private let current: ((_ name: String) throws -> PreferenceValue?)?
    /// With the order in which the names were changed first.
    private var changes: [ObjectIdentifier: Entry] = [:]
    /// Every change, with what it replaced, so that inner transactions can be undone.
    private var log: [(name: StoredName, replaced: Entry?)] = []
    /// The names that were changed, by a change or by undoing one, as often as that was.
    private(set) var touchedNames: [StoredName] = []
    /// The first change that was refused.
    var failure: PreferenceProblem?
    /// Why a store could not be read: nothing is written that was made of the values given instead.
    var readFailure: PreferenceProblem?

    /// The probe that was active where the transaction began. What is refused inside the transaction is not its failure.
    let observer: KeyPathProbe?

    init(current: ((_ name: String) throws -> PreferenceValue?)? = nil, observer: KeyPathProbe? = nil) {
        self.current = current
        self.observer = observer
    }

    /// The changes, at most one for each name. The present name of an entry comes before its former ones.
    var edits: [PlacedEdit] { changes.values.sorted { $0.order < $1.order }.map(\.edit) }

    /// The change of a name, if there is one.
    func edit(of name: StoredName) -> PlacedEdit? { changes[ObjectIdentifier(name)]?.edit }

    func add(_ edits: some Sequence<PlacedEdit>) {
        for edit in edits {
            let id = ObjectIdentifier(edit.name)
            let replaced = changes[id]
            log.append((edit.name, replaced))
            touchedNames.append(edit.name)
            changes[id] = (edit, replaced?.order ?? log.count)
        }
    }

    /// The names that this transaction sets.
    var namesSet: [StoredName] {
        edits.filter { $0.edit != .remove }.map(\.name)
    }

    /// The value that this transaction gives to a name; the outer nil if it does not change it.
    func ownValue(of name: StoredName) -> PreferenceValue?? {
        switch changes[ObjectIdentifier(name)]?.edit.edit {
        case .set(let value): .some(value)
        case .remove: .some(nil)
        case nil: nil
        }
    }

    /// The value that a name had when this began.
    func formerValue(of name: StoredName, inStore: () throws -> PreferenceValue?) throws -> PreferenceValue? {
        if let current, !name.isAmongSecrets { return try current(name.name) }
        return try inStore()
    }

    /// A state to go back to.
    struct Savepoint {
        fileprivate var changeCount = 0
        var failure: PreferenceProblem?
        var readFailure: PreferenceProblem?
    }

    var savepoint: Savepoint {
        Savepoint(changeCount: log.count, failure: failure, readFailure: readFailure)
    }

    func rollBack(to savepoint: Savepoint) {
        while log.count > savepoint.changeCount, let (name, replaced) = log.popLast() {
            changes[ObjectIdentifier(name)] = replaced
            touchedNames.append(name)
        }
        failure = savepoint.failure
        readFailure = savepoint.readFailure
    }

    /// Why the changes since a savepoint, by default all, are not to be committed; nil if they are.
    func refusal(since savepoint: Savepoint = Savepoint()) -> PreferenceProblem? {
        failure ?? (log.count > savepoint.changeCount ? readFailure : nil)
    }
}
