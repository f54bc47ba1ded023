/// An object that is saved when the program ends.
protocol SavedAtEnd: AnyObject, Sendable {
    /// Whether there is something to save for this process.
    var isUnsavedHere: Bool { get }
    /// Saves it, and makes that durable.
    func saveForEnd(isLast: Bool)
    /// Says that it was not waited for any longer.
    func reportWaitInVain()
}
