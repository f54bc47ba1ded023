import PreferencesSchema

/// The catalogue of rules as an article of the documentation.
enum RuleMarkdown {
    static var page: String {
        let groups = RuleGroup.allCases.map { group in
            "## \(group.rawValue)\n\n\(group.rules.map { entry($0, heading: "###") }.joined(separator: "\n"))"
        }
        return """
            # Diagnostic rules

            What can be found wrong with a schema, by the ids that diagnostics end with.

            <!-- Written by: preferences-generator rules --format markdown -->

            ## Overview

            A diagnostic of the generator names its rule in brackets:

            ```
            Weather.preferences.json:7:31: error: unknown type 'Duble' [unknown-type]
            ```

            `preferences-generator rules unknown-type` prints what is said here of one. Nothing is generated from a
            schema with errors. A warning is about what is legal, and surely unwanted; where it is wanted after all, the
            `lint` of a key, a type, a namespace or a file keeps it from being reported in there:

            ```json
            { "type": "Int?", "lint": { "ignore": ["similar-names"] } }
            ```

            Examples that do not begin with a brace are members of a schema's object, beside `"formatVersion": 1`.

            \(groups.joined(separator: "\n"))
            """
    }

    /// - Parameter heading: The signs that a heading of its level begins with.
    static func entry(_ rule: Rule, heading: String = "#") -> String {
        let severity = rule.severity == .error ? "Error" : "Warning"
        return """
            \(heading) \(rule.rawValue)

            \(severity); \(rule.isIgnorable ? "can be ignored" : "cannot be ignored"). \(rule.meaning)

            Bad\(rule.alsoFound.map { " (`\($0)` is found too)" } ?? ""):

            \(files(of: rule.badExample))
            Good:

            \(files(of: rule.goodExample))
            """
    }

    private static func files(of example: RuleExample) -> String {
        example.files.map { file in
            let name = example.hasNotableNames ? "`\(file.name)`:\n\n" : ""
            let language = file.name.hasSuffix(".swift") ? "swift" : "json"
            return "\(name)```\(language)\n\(file.visible)\n```\n"
        }
        .joined(separator: "\n")
    }
}
