import PreferencesSchema

extension RuleExample {
    /// Whether it matters what the files are called: there are several, or the name is what is at fault.
    var hasNotableNames: Bool { files.map(\.name) != ["Weather.preferences.json"] }
}

extension RuleExample.File {
    /// What is shown, with the characters that nobody would see spelt out.
    var visible: String {
        shown.unicodeScalars.map { scalar in
            let isInvisible = scalar != "\n" && [.control, .format].contains(scalar.properties.generalCategory)
            return isInvisible ? "‹U+\(String(scalar.value, radix: 16, uppercase: true))›" : String(scalar)
        }
        .joined()
    }
}
