extension PreferenceValue {
    /// Whether another value is the same to the byte. Equal texts may differ there, as Swift takes those for equal that
    /// Unicode does: to a path or a password it matters how an accent is spelled.
    package func isIdentical(to other: PreferenceValue) -> Bool {
        switch (self, other) {
        case (.string(let text), .string(let otherText)): return text.utf8.elementsEqual(otherText.utf8)
        case (.array(let values), .array(let others)):
            return values.count == others.count && zip(values, others).allSatisfy { $0.isIdentical(to: $1) }
        case (.dictionary(let entries), .dictionary(let others)):
            guard entries.count == others.count else { return false }
            return entries.allSatisfy { name, value in
                guard let index = others.index(forKey: name) else { return false }
                return name.utf8.elementsEqual(others[index].key.utf8) && value.isIdentical(to: others[index].value)
            }
        default: return self == other
        }
    }
}

extension Optional where Wrapped == PreferenceValue {
    /// Whether both are nil, or the same to the byte.
    package func isIdentical(to other: PreferenceValue?) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let value?, let other?): value.isIdentical(to: other)
        default: false
        }
    }
}
