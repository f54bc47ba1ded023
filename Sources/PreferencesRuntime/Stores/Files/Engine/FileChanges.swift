/// The changes that reading or writing a store's file has found or made, for observers.
final class FileChanges: @unchecked Sendable {  // Handed from thread to thread, never shared.
    /// The names whose values have changed.
    var names: Set<String> = []
    /// The names whose values the writer has changed, of which it is not notified.
    var namesOfWriter: Set<String> = []
    /// The observation of the observer that makes the changes; nil for none.
    let writer: PreferenceStoreObservation?
    /// The problems to report besides.
    var problems: [PreferenceProblem] = []
    /// Whether this engine has replaced the file.
    var hasReplacedFile = false

    init(by writer: PreferenceStoreObservation? = nil) {
        self.writer = writer
    }
}
