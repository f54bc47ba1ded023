extension PreferenceProblem {
    /// Creates a problem that an error caused, for stores that add a code and a key to it.
    ///
    /// - Parameters:
    ///   - code: The kind of problem.
    ///   - key: The storage name of the key concerned; nil, the default, if the whole store is.
    ///   - store: The label of the store.
    ///   - error: The cause. Its description becomes the message; of a decoding error, with the path to the value.
    public init(_ code: Code, key: String? = nil, store: String, error: any Error) {
        self.init(code, key: key, store: store, message: ErrorText(error).description)
    }
}
