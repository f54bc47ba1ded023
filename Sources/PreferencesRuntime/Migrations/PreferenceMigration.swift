/// What is to be done, once, to values that earlier versions of the program have stored.
///
/// ```swift
/// let preferences = Preferences(
///     store: FileStore.default,
///     migrations: [
///         PreferenceMigration(version: 1, [
///             .moveAll(from: UserDefaultsStore(suite: "old")),
///             .move("old-city-id", to: "weather:city-id"),
///         ]),
///         PreferenceMigration(version: 2, [
///             .move("theme", to: "window:theme") { (text: String) in Theme(text) }
///         ]),
///     ]
/// )
/// ```
///
/// All that the store has not been through yet is done in one atomic change, together with a note of the version, before
/// the first value is read or set. See <doc:Migrations> for what holds when that fails, or the program ends within it.
///
/// For a key that only has another name now, `renamedFrom` in the schema is enough.
public struct PreferenceMigration: Sendable {
    /// The version of the stored values after this migration; they are at 0 before the first.
    public let version: Int
    /// What is done, in this order.
    public let steps: [Step]

    /// Makes a migration.
    ///
    /// - Parameters:
    ///   - version: What the stored values are then; at least 1, and more than that of the migration before. A migration
    ///     that users have got stays as it is, with its version: what it has left undone is done by another.
    ///   - steps: What is done, in this order. Each sees what those before it have done, also those of migrations before.
    public init(version: Int, _ steps: [Step]) {
        self.version = version
        self.steps = steps
    }

    /// Ends the program where the versions do not ascend: some of it would be skipped by some users.
    static func check(_ migrations: [PreferenceMigration]) {
        let versions = migrations.map(\.version)
        guard zip([0] + versions, versions).allSatisfy({ $0 < $1 }) else {
            let list = versions.map(String.init).joined(separator: ", ")
            fatalError("Preferences needs migrations with versions that ascend from 1, not \(list)")
        }
    }
}

extension [PreferenceMigration] {
    /// Gives all steps, in their order, to a body.
    func forEachStep<Failure: Error>(
        _ body: (MigrationRecord.StepID, PreferenceMigration.Step) throws(Failure) -> Void
    ) throws(Failure) {
        for migration in self {
            for (index, step) in migration.steps.enumerated() {
                try body(MigrationRecord.StepID(version: migration.version, step: index), step)
            }
        }
    }
}
