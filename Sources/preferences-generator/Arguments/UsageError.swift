/// A command line that makes no sense.
struct UsageError: Error {
    /// One sentence that says what to write instead.
    var message: String
    /// The command whose words they are; nil where none is known.
    var command: Command?
}
