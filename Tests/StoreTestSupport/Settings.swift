import PreferencesRuntime

/// A value that older versions of a program stored as the text `dark|16`.
package struct Settings: Codable, Hashable, PreferenceConvertible {
    package var theme: String
    package var fontSize: Int

    package init?(_ text: String) {
        let parts = text.split(separator: "|")
        guard parts.count == 2, let size = Int(parts[1]) else { return nil }
        theme = String(parts[0])
        fontSize = size
    }
}
