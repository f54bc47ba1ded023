package import PreferencesSchema

/// Why a file cannot be imported.
package enum ImportFault: Error, Hashable, Sendable {
    /// What the file says is at fault.
    ///
    /// - Parameters:
    ///   - line: From 1; nil for a file without lines.
    ///   - message: One sentence without a full stop.
    case faulty(path: String, line: Int?, message: String)

    /// There is nothing in the file that a schema could say.
    ///
    /// - Parameter remarks: Why all of it was left out.
    case empty(path: String, remarks: [Remark])

    /// The file cannot be read.
    ///
    /// - Parameter message: As `cannot read Weather.kcfg: No such file or directory`.
    case unreadable(message: String)
}

extension ImportFault: CustomStringConvertible {
    package var description: String {
        if case .unreadable(let message) = self { return message }
        return messageLine.text()
    }

    /// The fault as a line of its own.
    package var messageLine: MessageLine {
        switch self {
        case .faulty(let path, let line, let message):
            MessageLine(path + (line.map { ":\($0)" } ?? ""), .error, message)
        case .empty(let path, _): MessageLine(path, .error, "there is nothing in it that a schema could say")
        case .unreadable(let message): MessageLine("preferences-generator", .error, message)
        }
    }
}
