/// An error in words that fit into a sentence.
///
/// Coding errors say where in the value they are: `at 'child.age': expected Int, found the string "ten"`.
struct ErrorText: CustomStringConvertible {
    let description: String

    init(_ error: any Error) {
        description =
            switch error {
            case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
                DecodingError.dataCorrupted(let context):
                Self.placed(context.debugDescription, at: context.codingPath, context.underlyingError)
            case DecodingError.keyNotFound(let key, let context):
                Self.placed("'\(key.stringValue)' is missing", at: context.codingPath, nil)
            case EncodingError.invalidValue(_, let context):
                Self.placed(context.debugDescription, at: context.codingPath, context.underlyingError)
            case let problem as PreferenceProblem: problem.message
            default: String(describing: error)
            }
    }

    private static func placed(_ message: String, at path: [any CodingKey], _ cause: (any Error)?) -> String {
        let message = cause.map { ErrorText($0).description } ?? message
        guard !path.isEmpty else { return message }
        let names = path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
        return "at '\(names.hasPrefix(".") ? String(names.dropFirst()) : names)': \(message)"
    }
}
