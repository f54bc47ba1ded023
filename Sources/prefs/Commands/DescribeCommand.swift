import Foundation
import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesRuntime

/// `prefs describe`.
struct DescribeCommand: ParsableCommand {
    private var live = LiveArguments(permitsGVariant: true, canShowSecrets: true)
    private var names: [String] = []

    static let description = CommandDescription(
        summary: "Describe keys.",
        overview:
            "Shows the type, default, range, label and description of keys, from the schema, and whether an administrator has "
            + "fixed them.",
        usage: ["describe [OPTIONS] [KEY…]"],
        arguments: [LiveArguments.optionalKeys],
        options: LiveArguments.options + [LiveArguments.showSecretsOption, LiveArguments.gVariantOption],
        examples: ["describe --schema Weather.preferences.json weather.unit"]
    )

    init(_ parser: inout ArgumentParser) throws(UsageError) {
        while let argument = try live.next(&parser) { names.append(try parser.positional(argument)) }
    }

    func run() throws(UsageError) -> ExitStatus {
        try live.run(.policies) { session in
            let keys = try session.keys(names)
            switch session.output {
            case .json: try session.printJSON(.array(keys.map { try $0.preferenceValue(session) }))
            case .gVariant:
                for key in keys { try session.print(session.gSettings.description(of: key)) }
            case .text:
                let texts = keys.map { $0.descriptionLines(session).joined(separator: "\n") }
                try session.print(texts.joined(separator: "\n\n"))
            }
            return .success
        }
    }
}

/// `prefs range`.
struct RangeCommand: ParsableCommand {
    private var live = LiveArguments(permitsGVariant: true)
    private let name: String
    private var showsValuesAlone = false

    static let description = CommandDescription(
        summary: "Show the permitted values of a key.",
        overview: "Shows the permitted values of a key, from the schema.",
        usage: ["range [OPTIONS] KEY"],
        discussion: """
            The first word is 'enum' before the values of an enum or the choices of a key, one on each line; 'flags' before
            those of a set; 'range' before the type and the bounds of a number; and 'type' before the type of any other key.
            """,
        arguments: [LiveArguments.key],
        options: [
            .init(
                "--values",
                "Print the values of a Boolean, an enum or choices alone, as 'set' reads them; nothing for other keys."
            )
        ] + LiveArguments.options + [LiveArguments.gVariantOption],
        examples: ["range --schema Weather.preferences.json weather.unit"]
    )

    init(_ parser: inout ArgumentParser) throws(UsageError) {
        var names: [String] = []
        while let argument = try live.next(&parser) {
            switch argument {
            case .option(let option) where option.name == "--values": try parser.setFlag(&showsValuesAlone, by: option)
            default: names.append(try parser.positional(argument))
            }
        }
        guard let name = names.first else { throw UsageError(message: "no key given; 'prefs list' lists the keys") }
        if names.count > 1 { throw UsageError(message: "'range' takes one key") }
        self.name = name
    }

    func run() throws(UsageError) -> ExitStatus {
        try live.run(.none) { session in
            let key = try session.key(name)
            switch session.output {
            case .json where showsValuesAlone: try session.printJSON(.array(key.suggestedValues.map(\.plain)))
            case _ where showsValuesAlone: for line in key.suggestedLines { try session.print(line) }
            case .json: try session.printJSON(key.rangeValue)
            case .gVariant: for line in session.gSettings.rangeLines(of: key) { try session.print(line) }
            case .text: for line in key.rangeLines { try session.print(line) }
            }
            return .success
        }
    }
}

extension PreferenceKeyDescription {
    /// Returns the description for JSON, without the tags that the library's encoding has in values.
    fileprivate func preferenceValue(_ session: Session) throws -> PreferenceValue {
        guard case .dictionary(var members) = try JSONLine.value(of: self).plain else { return .null }
        members["key"] = members.removeValue(forKey: "keyPath")
        let (name, value) = session.defaultMember(of: self)
        members[name] = value
        if let policy = session.preferences.reference(to: self).managedBy {
            members["managedBy"] = .string(policy)
            members["value"] = session.json(session.value(self), self)
        }
        return .dictionary(members)
    }

    /// The permitted values for JSON: an object with the field `enum` or `flags`, or else with the type and the bounds.
    fileprivate var rangeValue: PreferenceValue {
        if let (word, values) = choices { return .dictionary([word: .array(values.map(\.plain))]) }
        var members: [String: PreferenceValue] = ["type": .string("\(type)")]
        for case .range(let minimum, let maximum) in constraints {
            members["minimum"] = minimum?.plain
            members["maximum"] = maximum?.plain
        }
        return .dictionary(members)
    }

    /// Returns a value, or one of its elements, as `set` reads it.
    private func text(of value: PreferenceValue) -> String {
        OutputFormat.text.lineText(of: type.innermost.namedValue(value))
    }

    /// The values that shells suggest for `set`: those of Booleans and enums, and choices. Secrets are never arguments.
    fileprivate var suggestedValues: [PreferenceValue] {
        if isSecret { return [] }
        let none: [PreferenceValue] = type.isOptional ? [.null] : []
        switch type.unwrapped {
        case .bool: return [.bool(true), .bool(false)] + none
        // An entry also has a key.
        case .dictionary: return none
        case .array(.enumeration(let type)) where choices == nil: return type.cases.map(\.rawValue) + none
        default: return choices.map { $0.values + none } ?? []
        }
    }

    /// The lines of `range --values`. A string that `set` would read as nil, an option or standard input is JSON.
    fileprivate var suggestedLines: [String] {
        suggestedValues.map { value in
            let text = text(of: value)
            guard case .string = value, text == "null" || text.hasPrefix("-") else { return text }
            return value.jsonLine
        }
    }

    /// The lines of `range`, in the form of `gsettings range`.
    fileprivate var rangeLines: [String] {
        if let (word, values) = choices { return [word] + values.map(text) }
        for case .range(let minimum, let maximum) in constraints {
            let bounds = [minimum, maximum].map { $0.map { OutputFormat.text.lineText(of: $0) } ?? "-" }
            return ["range \(type) \(bounds.joined(separator: " "))"]
        }
        return ["type \(type)"]
    }

    /// The only permitted values, also those of elements, and the word of GSettings for them: `enum`, or `flags` for sets
    /// of an enum's cases; nil if there is no list of them.
    var choices: (word: String, values: [PreferenceValue])? {
        for constraint in constraints {
            if case .choices(let choices) = constraint { return ("enum", choices) }
            if case .each(let constraints) = constraint {
                for case .choices(let choices) in constraints { return ("enum", choices) }
            }
        }
        switch type.unwrapped {
        case .enumeration(let type): return ("enum", type.cases.map(\.rawValue))
        case .set(.enumeration(let type)): return ("flags", type.cases.map(\.rawValue))
        default: return nil
        }
    }

    /// Returns the lines of `describe`.
    fileprivate func descriptionLines(_ session: Session) -> [String] {
        let defaultText = session.isHidden(self) ? Session.hidden : self.defaultText
        var rows: [(String, String)] = [("type", "\(type)"), ("default", defaultText)]
        rows += permittedValues.map { ("values", $0) }
        rows += fields.map { ("field", $0) }
        if let unit { rows.append(("unit", unit)) }
        if let label { rows.append(("label", label)) }
        rows.append(("stored as", ([storageName] + formerNames.map { "formerly \($0)" }).joined(separator: ", ")))
        if isReadOnly { rows.append(("access", "read-only for the program")) }
        if isSecret { rows.append(("secret", "stored among the secrets")) }
        if let policy = session.preferences.reference(to: self).managedBy {
            let text = session.text(of: session.value(self), self, isLine: true)
            rows.append(("managed", "fixed at \(text) by \(policy)"))
        } else if isManageable {
            rows.append(("managed", "an administrator can fix it"))
        }
        if let machines = scope.machines {
            rows.append(("shared", "by \(machines), merged by '\(mergeRule.rawValue)'"))
        }
        if let deprecation { rows.append(("deprecated", deprecation)) }
        let width = rows.map(\.0.count).max() ?? 0
        let lines = rows.map { name, text in
            "  " + name.padding(toLength: width, withPad: " ", startingAt: 0) + "  " + text.escapingControls
        }
        return [keyPath] + (description?.escapedLines.map { "  \($0)" } ?? []) + lines
    }

    /// The permitted values in words: the cases of an enum, and the constraints.
    var permittedValues: [String] {
        let constraints = constraints.map { $0.text(type.innermost) }
        guard case .enumeration(let enumeration) = type.innermost else { return constraints }
        let cases = enumeration.cases.map(\.listText).joined(separator: ", ")
        let isSingle = if case .enumeration = type.unwrapped { true } else { false }
        return [isSingle ? cases : "each \(cases)"] + constraints
    }

    /// The fields of a struct, with the names that stored values have: `name: String`.
    var fields: [String] {
        guard case .structure(let structure) = type.innermost else { return [] }
        return structure.fields.map { "\($0.id): \($0.type)" }
    }

    private var defaultText: String {
        if case .value(let value) = defaultValue {
            OutputFormat.text.lineText(of: type.namedValue(value))
        } else {
            "\(defaultValue)"
        }
    }
}

extension PreferenceType.Enumeration.Case {
    /// The stored value, after the name if it is an integer, and the label: `high = 2 (High quality)`.
    fileprivate var listText: String {
        let stored = OutputFormat.text.text(of: rawValue)
        let text = if case .int = rawValue { "\(name) = \(stored)" } else { stored }
        return label.map { "\(text) (\($0))" } ?? text
    }
}

extension PreferenceConstraint {
    /// Returns the condition in words.
    ///
    /// - Parameter type: The innermost type of the values.
    fileprivate func text(_ type: PreferenceType) -> String {
        func value(_ value: PreferenceValue) -> String { OutputFormat.text.text(of: type.namedValue(value)) }
        func limits(_ minimum: String?, _ maximum: String?) -> String {
            switch (minimum, maximum) {
            case (let minimum?, let maximum?) where minimum == maximum: minimum
            case (let minimum?, let maximum?): "\(minimum) to \(maximum)"
            case (let minimum?, nil): "at least \(minimum)"
            case (nil, let maximum): "at most \(maximum ?? "any")"
            }
        }
        return switch self {
        case .range(let minimum, let maximum): limits(minimum.map(value), maximum.map(value))
        case .length(let minimum, let maximum): "length " + limits(minimum.map(String.init), maximum.map(String.init))
        case .count(let minimum, let maximum):
            limits(minimum.map(String.init), maximum.map(String.init)) + " elements"
        case .pattern(let pattern): "match \(pattern)"
        case .choices(let choices): choices.map(value).joined(separator: ", ")
        case .each(let constraints): "each " + constraints.map { $0.text(type) }.joined(separator: ", ")
        }
    }
}
