import PreferencesSchema

/// Turns the names of other formats into such as Swift has.
enum NameSpelling {
    /// The words of a text in the manner of Swift's members: `color-scheme`, `ColorScheme` → `colorScheme`.
    static func member(_ text: String) -> String {
        let words = words(of: text)
        guard let first = words.first else { return "unnamed" }
        return identifier(loweredFirst(first) + words.dropFirst().map(\.withCapital).joined())
    }

    /// The words of a text in the manner of Swift's types: `color-scheme` → `ColorScheme`.
    static func type(_ text: String) -> String {
        let words = words(of: text)
        return words.isEmpty ? "Unnamed" : identifier(words.map(\.withCapital).joined())
    }

    private static func words(of text: String) -> [String] {
        text.split { !($0.isLetter || $0.isNumber) || !Identifier.isValid("a\($0)") }.map(String.init)
    }

    /// A name must not begin with a digit.
    private static func identifier(_ name: String) -> String { Identifier.isValid(name) ? name : "_\(name)" }

    /// A word without its capitals at the beginning, other than that of the next word: `URLList` → `urlList`.
    private static func loweredFirst(_ word: String) -> String {
        let capitals = word.prefix { $0.isUppercase }
        let rest = word.dropFirst(capitals.count)
        guard capitals.count > 1, rest.first?.isLowercase == true else { return capitals.lowercased() + rest }
        return capitals.dropLast().lowercased() + capitals.suffix(1) + rest
    }
}

extension String {
    /// The text with a capital at its beginning.
    var withCapital: String { prefix(1).uppercased() + dropFirst() }
}
