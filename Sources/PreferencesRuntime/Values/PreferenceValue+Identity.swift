extension PreferenceValue {
    /// Whether two values are equal, and spelled alike: Swift takes `é` for one character however it is spelled, but in a
    /// path or a password it matters.
    package func isIdentical(to other: PreferenceValue) -> Bool {
        switch (self, other) {
        case (.string(let first), .string(let second)): first.utf8.elementsEqual(second.utf8)
        case (.array(let first), .array(let second)):
            first.elementsEqual(second) { $0.isIdentical(to: $1) }
        case (.dictionary(let first), .dictionary(let second)):
            first.count == second.count
                && first.allSatisfy { name, value in
                    guard let index = second.index(forKey: name) else { return false }
                    let (otherName, otherValue) = second[index]
                    return name.utf8.elementsEqual(otherName.utf8) && value.isIdentical(to: otherValue)
                }
        default: self == other
        }
    }
}
