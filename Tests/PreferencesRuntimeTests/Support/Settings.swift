import PreferencesRuntime

/// What older versions kept as `dark|16`.
struct Settings: Codable, Hashable, PreferenceConvertible {
    var theme: String
    var fontSize: Int

    init?(_ text: String) {
        let parts = text.split(separator: "|")
        guard parts.count == 2, let size = Int(parts[1]) else { return nil }
        theme = String(parts[0])
        fontSize = size
    }
}
