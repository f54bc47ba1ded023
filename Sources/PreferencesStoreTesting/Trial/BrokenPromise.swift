/// What a check has found, before it is known as which check's failure.
struct BrokenPromise: Error {
    let message: String

    /// - Parameter message: What was expected and what was found, in a sentence without a full stop.
    init(_ message: String) {
        self.message = message
    }
}
