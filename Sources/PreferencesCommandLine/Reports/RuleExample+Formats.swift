package import PreferencesSchema

extension RuleExample {
    /// The files for a terminal, indented.
    package var text: String {
        files.map { file in
            let name = showsFileNames ? "  \(file.name):\n" : ""
            return name + file.displayText.split(separator: "\n").map { "    \($0)\n" }.joined()
        }
        .joined(separator: "\n")
    }

    /// The files as blocks of Markdown.
    package var markdown: String {
        files.map { file in
            let name = showsFileNames ? "`\(file.name)`:\n\n" : ""
            let language = file.name.hasSuffix(".swift") ? "swift" : "json"
            return "\(name)```\(language)\n\(file.displayText)\n```\n"
        }
        .joined(separator: "\n")
    }

    /// An array with an object for each file: its `name` and its `text`.
    package var json: String {
        let files = files.map { "{\"name\": \(JSONText.quoted($0.name)), \"text\": \(JSONText.quoted($0.text))}" }
        return "[\(files.joined(separator: ", "))]"
    }

    /// Whether the names of the files matter: there are several, or the name violates the rule.
    private var showsFileNames: Bool { files.map(\.name) != ["Weather.preferences.json"] }
}

extension RuleExample.File {
    /// The displayed text, with invisible characters spelled out.
    fileprivate var displayText: String {
        shown.unicodeScalars.map { scalar in
            let isInvisible = scalar != "\n" && [.control, .format].contains(scalar.properties.generalCategory)
            return isInvisible ? "‹U+\(String(scalar.value, radix: 16, uppercase: true))›" : String(scalar)
        }
        .joined()
    }
}

extension String {
    /// The text with spaces after it.
    package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
