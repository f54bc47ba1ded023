/// Changes that were made and not committed yet, over the values that they are to change.
///
/// Only the thread that holds `writing` touches it.
final class Transaction {
    /// Gives what is kept under a name of the main store; nil to ask the store itself.
    private let current: ((_ name: String) throws -> PreferenceValue?)?
    private var changes: [ObjectIdentifier: PlacedEdit] = [:]
    /// The first change that was refused.
    var failure: PreferenceProblem?

    /// The probe that was active where this began. What is refused inside of this is this one's failure.
    let observer: KeyPathProbe?

    init(current: ((_ name: String) throws -> PreferenceValue?)? = nil, observer: KeyPathProbe? = nil) {
        self.current = current
        self.observer = observer
    }

    /// What it has come to.
    var edits: [PlacedEdit] { Array(changes.values) }

    func add(_ edits: some Sequence<PlacedEdit>) {
        for edit in edits { changes[ObjectIdentifier(edit.name)] = edit }
    }

    /// Where this transaction puts values.
    var namesSet: [StoredName] {
        changes.values.filter { $0.edit != .remove }.map(\.name)
    }

    /// What this transaction has made of a name; the outer nil: nothing.
    func ownValue(of name: StoredName) -> PreferenceValue?? {
        switch changes[ObjectIdentifier(name)]?.edit {
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
        fileprivate var changes: [ObjectIdentifier: PlacedEdit]
        var failure: PreferenceProblem?
    }

    var savepoint: Savepoint { Savepoint(changes: changes, failure: failure) }

    func rollBack(to savepoint: Savepoint) {
        changes = savepoint.changes
        failure = savepoint.failure
    }
}
