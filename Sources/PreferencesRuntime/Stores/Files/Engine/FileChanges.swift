/// The changes that reading or writing a store's file has found or made, for observers.
final class FileChanges: @unchecked Sendable {  // Handed from thread to thread, never shared.
    /// The names whose values have changed.
    var names: Set<String> = []
    /// The problems to report besides.
    var problems: [PreferenceProblem] = []
    /// Whether this engine has replaced the file.
    var hasReplacedFile = false
}
