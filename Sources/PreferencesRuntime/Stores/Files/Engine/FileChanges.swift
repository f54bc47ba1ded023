/// What a look at the file of a store has found, or writing it has done.
final class FileChanges: @unchecked Sendable {  // Handed from thread to thread, never shared.
    /// The names whose values are others than they were.
    var names: Set<String> = []
    /// What is to be told besides.
    var problems: [PreferenceProblem] = []
    /// Whether the file was replaced by this store.
    var hasReplacedFile = false
}
