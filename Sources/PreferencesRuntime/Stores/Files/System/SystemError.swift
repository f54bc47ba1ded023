#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A system call that failed: what for, on which file, and why.
package struct SystemError: Error, CustomStringConvertible {
    /// In words that fit after "cannot": `open`, `rename`.
    package let operation: String
    package let path: String
    /// The value of `errno`.
    package let code: CInt

    /// `cannot open /etc/preferences.json: Permission denied`.
    package var description: String {
        "cannot \(operation) \(path): \(String(cString: strerror(code)))"
    }

    /// Makes an error.
    package init(operation: String, path: String, code: CInt) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// Makes a system call, again where a signal interrupted it.
    ///
    /// - Parameter call: Gives a negative number where it failed, and has set `errno` then.
    @discardableResult
    package static func check<Result: SignedInteger>(
        _ operation: String,
        _ path: String,
        _ call: () -> Result
    ) throws(SystemError) -> Result {
        while true {
            let result = call()
            if result >= 0 { return result }
            let code = errno
            if code != EINTR { throw SystemError(operation: operation, path: path, code: code) }
        }
    }
}
