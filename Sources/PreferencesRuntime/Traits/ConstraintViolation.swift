/// A value that is not what it must be.
struct ConstraintViolation: Sendable {
    /// The value, as a message shows it: `the integer 4`.
    var value: String
    /// Which part of the key's whole value that is, the outermost first: `["[2]"]`, and empty for the whole. An element
    /// of a set is at an empty text.
    var path: [String] = []
    /// What it must do: `be between -90 and 60`.
    var requirement: String

    init<Value>(_ value: Value, requirement: String) {
        self.value = ValueText.withKind(value)
        self.requirement = requirement
    }

    /// - Parameter isSecret: Whether the value is to be left out, and where in it the fault is, which may name a key of
    ///   a secret dictionary.
    func message(isSecret: Bool) -> String {
        if isSecret {
            return "\(path.isEmpty ? "the value" : "a part of the value") is refused: it must \(requirement)"
        }
        let place = path.joined()
        let prefix = path.isEmpty ? "" : place.isEmpty ? "an element: " : "at '\(place)': "
        return "\(prefix)\(value) is refused: it must \(requirement)"
    }
}
