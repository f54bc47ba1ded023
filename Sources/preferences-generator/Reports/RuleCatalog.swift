import PreferencesCommandLine
import PreferencesSchema

/// Formats the catalog of rules for a terminal.
enum RuleText {
    /// All rules by group, one per line.
    static var list: String {
        let width = Rule.allCases.map(\.rawValue.count).max() ?? 0
        let groups = RuleGroup.allCases.map { group in
            let lines = group.rules.map { rule in
                let id = rule.rawValue.padded(to: width)
                return "  \(id)  \(rule.severity.rawValue.padded(to: 7))  \(rule.entry.finding)\n"
            }
            return "\(group.rawValue.uppercased()):\n\(lines.joined())"
        }
        return groups.joined(separator: "\n") + "\n'preferences-generator rules RULE' explains a rule, with examples.\n"
    }

    static func entry(_ rule: Rule) -> String {
        """
        \(rule.rawValue): \(rule.severity.rawValue)

          \(rule.entry.finding)
          \(rule.entry.reason)
          \(ignoring(rule))

        BAD\(rule.alsoFound.map { " (\($0) is found too)" } ?? ""):

        \(rule.badExample.text)
        GOOD:

        \(rule.goodExample.text)
        """
    }

    private static func ignoring(_ rule: Rule) -> String {
        rule.isIgnorable
            ? "It can be ignored: \"lint\": { \"ignore\": [\"\(rule.rawValue)\"] }" : "It cannot be ignored."
    }
}

/// Formats the catalog of rules as an article of the documentation.
enum RuleMarkdown {
    static var page: String {
        let groups = RuleGroup.allCases.map { group in
            "## \(group.rawValue)\n\n\(group.rules.map { entry($0, heading: "###") }.joined(separator: "\n"))"
        }
        return """
            # Diagnostic rules

            The rules that schemas are checked against, by the ids at the end of diagnostics.

            <!-- Written by: preferences-generator rules --format markdown -->

            ## Overview

            A diagnostic of the generator names its rule in brackets:

            ```
            Weather.preferences.json:7:31: error: unknown type 'Duble' [unknown-type]
            ```

            `preferences-generator rules unknown-type` prints the section on one rule. A schema with errors generates
            nothing. A warning reports something that is valid, but most likely unintended. To suppress it, use the
            `lint` field of a key, type, namespace or file:

            ```json
            { "type": "Int?", "lint": { "ignore": ["similar-names"] } }
            ```

            Examples that do not begin with a brace are members of the schema object, beside `"formatVersion": 1`.

            \(groups.joined(separator: "\n"))
            """
    }

    /// Returns the section on a rule.
    ///
    /// - Parameter heading: The prefix of the heading.
    static func entry(_ rule: Rule, heading: String = "#") -> String {
        let severity = rule.severity == .error ? "Error" : "Warning"
        return """
            \(heading) \(rule.rawValue)

            \(severity); \(rule.isIgnorable ? "can be ignored" : "cannot be ignored"). \(rule.meaning)

            Bad\(rule.alsoFound.map { " (`\($0)` is found too)" } ?? ""):

            \(rule.badExample.markdown)
            Good:

            \(rule.goodExample.markdown)
            """
    }
}

/// Formats the catalog of rules as JSON, for editors and other tools.
enum RuleJSON {
    /// Returns an array with an object for each rule:
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
            member("meaning", rule.meaning), "\"badExample\": \(rule.badExample.json)",
            "\"goodExample\": \(rule.goodExample.json)",
        ]
        return "{\(members.joined(separator: ", "))}"
    }

    private static func member(_ name: String, _ value: String) -> String {
        "\"\(name)\": \(JSONText.quoted(value))"
    }
}

extension Rule {
    /// The ids of other rules that the bad example violates; `nil` if there are none.
    var alsoFound: String? {
        entry.alsoFound.isEmpty ? nil : entry.alsoFound.map(\.rawValue).joined(separator: ", ")
    }
}
