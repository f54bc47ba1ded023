import PreferencesSystem
import PreferencesRuntime

/// Which call threw which error last, so that a failure can name it.
final class ThrownErrors: Sendable {
    /// Calls, by the descriptions of their errors.
    private let calls = Locked<[String: String]>([:])

    /// Makes a call, and notes what it throws.
    ///
    /// - Parameter call: The call, as it is written: `names()`.
    func noting<Result>(from call: @autoclosure () -> String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            let call = call()
            calls.withLock { $0["\(error)"] = call }
            throw error
        }
    }

    /// A call that threw this error; nil where none did.
    func call(thatThrew error: any Error) -> String? {
        calls.withLock { $0["\(error)"] }
    }
}
