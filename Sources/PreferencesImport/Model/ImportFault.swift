import PreferencesSchema

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
        switch self {
        case .faulty(let path, let line, let message):
            "\(path.printable):\(line.map { "\($0):" } ?? "") error: \(message.printable)"
        case .empty(let path, _): "\(path.printable): error: there is nothing in it that a schema could say"
        case .unreadable(let message): message
        }
    }
}
