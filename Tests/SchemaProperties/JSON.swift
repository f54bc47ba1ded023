import PreferencesSchema

/// JSON as a schema writes it: numbers keep their digits, and objects their order.
// `Sendable` is declared because the compiler cannot infer it from tuples of the type itself.
indirect enum JSON: Sendable {
    case null
    /// A number or a Boolean value, by its text.
    case raw(String)
    case string(String)
    case array([JSON])
    case object([(String, JSON)])

    /// The text on one line.
    var text: String {
        switch self {
        case .null: "null"
        case .raw(let text): text
        case .string(let string): JSONText.quoted(string)
        case .array(let elements): "[\(elements.map(\.text).joined(separator: ", "))]"
        case .object(let members):
            "{\(members.map { "\(JSONText.quoted($0.0)): \($0.1.text)" }.joined(separator: ", "))}"
        }
    }
}
