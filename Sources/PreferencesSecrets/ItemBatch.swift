import PreferencesRuntime

/// The error of a failed batch that could not be rolled back completely.
struct PartialBatchError: Error {
    /// The problem, with the names in its message.
    let problem: PreferenceProblem
    /// The names whose values have changed.
    let names: Set<String>
}

/// A step of a batch: the change of one item.
protocol ItemStep {
    /// The storage name of the item.
    var name: String { get }
}

/// Performs the steps of a batch in order. If one fails, those before it are undone.
///
/// - Parameters:
///   - steps: The steps.
///   - inverse: Returns the step that undoes another one, before that is performed. Not called for the last step, which
///     is never undone: reading the item could require authentication.
///   - undo: Performs an inverse step.
///   - perform: Performs a step.
/// - Throws: The problem of a step if nothing was changed; otherwise ``PartialBatchError``.
func performAll<Step: ItemStep>(
    _ steps: [Step],
    inverse: (Step) throws(PreferenceProblem) -> Step,
    undo: (Step) throws(PreferenceProblem) -> Void,
    _ perform: (Step) throws(PreferenceProblem) -> Void
) throws {
    var inverses: [Step] = []
    for (index, step) in steps.enumerated() {
        do throws(PreferenceProblem) {
            let inverse = index + 1 < steps.count ? try inverse(step) : nil
            try perform(step)
            if let inverse { inverses.append(inverse) }
        } catch {
            throw restored(inverses, after: error, by: undo)
        }
    }
}

/// Performs the inverse steps of those that were performed, last first, and returns the error to throw.
private func restored<Step: ItemStep>(
    _ inverses: [Step],
    after problem: PreferenceProblem,
    by undo: (Step) throws(PreferenceProblem) -> Void
) -> any Error {
    let lost = inverses.reversed().filter { (try? undo($0)) == nil }
    guard !lost.isEmpty else { return problem }
    let names = Set(lost.map(\.name))
    let list = names.sorted().map { "'\($0)'" }.joined(separator: ", ")
    let consequence = "but \(list), changed before that, could not be restored"
    return PartialBatchError(
        problem: PreferenceProblem(
            problem.code,
            key: problem.key,
            store: problem.store,
            message: "\(problem.message); \(consequence)",
            isMessagePublic: problem.isMessagePublic,
            status: problem.status
        ),
        names: names
    )
}
