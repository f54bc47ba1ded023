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
///   - undoesFailedSteps: Whether a step that fails is undone as well if there are several, as it may yet take effect.
///     False by default: the last step is then never undone, and its item is not read, which could require
///     authentication.
///   - inverse: Returns the step that undoes another one, before that is performed.
///   - undo: Performs an inverse step.
///   - perform: Performs a step.
/// - Throws: The problem of a step if nothing was changed; otherwise ``PartialBatchError``.
func performAll<Step: ItemStep>(
    _ steps: [Step],
    undoesFailedSteps: Bool = false,
    inverse: (Step) throws(PreferenceProblem) -> Step,
    undo: (Step) throws(PreferenceProblem) -> Void,
    _ perform: (Step) throws(PreferenceProblem) -> Void
) throws {
    var inverses: [Step] = []
    for (index, step) in steps.enumerated() {
        do throws(PreferenceProblem) {
            let isLast = index + 1 == steps.count
            let inverse = isLast && (!undoesFailedSteps || index == 0) ? nil : try inverse(step)
            if undoesFailedSteps, let inverse { inverses.append(inverse) }
            try perform(step)
            if !undoesFailedSteps, let inverse { inverses.append(inverse) }
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
