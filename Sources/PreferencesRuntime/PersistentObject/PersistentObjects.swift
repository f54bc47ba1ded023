/// All objects of the program together.
public enum PersistentObjects {
    /// Saves all that have unsaved changes, and makes them durable, in at most 5 seconds.
    ///
    /// By itself that is done when the app goes to the background and when the program ends by `exit` or by returning
    /// from `main`. A program that handles signals itself calls it in what it does about them, on a thread of its own:
    /// it is not for signal handlers. What fails is told through each object's ``PersistentObject/problems``.
    public static func saveAll() {
        LiveObjects.save(isLast: false)
    }

    /// Has all objects saved when the program is told to end by the signal SIGTERM, as service managers and `kill` do;
    /// it dies of the signal then, as it would have without this.
    ///
    /// It is for programs that do not handle the signal themselves: what was to be done about it before is not done any
    /// more. A second call does nothing. Without it, SIGTERM loses unsaved changes, as SIGKILL does always.
    ///
    /// ```swift
    /// @main
    /// struct Server {
    ///     static func main() async throws {
    ///         PersistentObjects.saveOnTermination()
    ///         try await serve()
    ///     }
    /// }
    /// ```
    public static func saveOnTermination() {
        LiveObjects.saveOnTermination()
    }
}
