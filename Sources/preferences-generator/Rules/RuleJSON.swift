import PreferencesSchema

/// The catalogue of rules for editors and other tools.
enum RuleJSON {
    /// An array with an object for each rule:
    ///
    ///     {"id": …, "group": …, "severity": "error", "isIgnorable": false, "meaning": …, "badExample": […], "goodExample": […]}
    ///
    /// An example is an array of files, the schema first, each with `name` and `text`.
    static func array(_ rules: [Rule]) -> String {
        "[\n\(rules.map { "  \(object($0))" }.joined(separator: ",\n"))\n]\n"
    }

    private static func object(_ rule: Rule) -> String {
        let members = [
            member("id", rule.rawValue), member("group", rule.group.rawValue),
            member("severity", rule.severity.rawValue), "\"isIgnorable\": \(rule.isIgnorable)",
            member("meaning", rule.meaning), "\"badExample\": \(files(of: rule.badExample))",
            "\"goodExample\": \(files(of: rule.goodExample))",
        ]
        return "{\(members.joined(separator: ", "))}"
    }

    private static func files(of example: RuleExample) -> String {
        let files = example.files.map { "{\(member("name", $0.name)), \(member("text", $0.text))}" }
        return "[\(files.joined(separator: ", "))]"
    }

    private static func member(_ name: String, _ value: String) -> String {
        "\"\(name)\": \(JSONText.quoted(value))"
    }
}
