/// An error or a warning of the compiler, with its place.
struct Diagnostic: Hashable, Comparable, Sendable {
    var path: String
    let line: Int
    let column: Int
    /// `error: …` or `warning: …`
    let message: String

    /// The errors and warnings that a compiler printed, each once, in the order of their places.
    static func diagnostics(in output: String) -> [Diagnostic] {
        let pattern = /(.+?):(\d+):(\d+): ((?:fatal error|error|warning): .+)/
        let found = output.split(separator: "\n").compactMap { line in
            line.wholeMatch(of: pattern).flatMap { match in
                Int(match.2).flatMap { line in
                    Int(match.3).map {
                        Diagnostic(path: String(match.1), line: line, column: $0, message: String(match.4))
                    }
                }
            }
        }
        return Set(found).sorted()
    }

    static func < (one: Diagnostic, other: Diagnostic) -> Bool {
        (one.path, one.line, one.column, one.message) < (other.path, other.line, other.column, other.message)
    }
}
