import Foundation
import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesCompatibility
import PreferencesRuntime

/// `prefs set`.
struct SetCommand: ParsableCommand {
    private var live = LiveArguments(permitsGVariant: true)
    private var name = ""
    /// The value; nil if it is read from standard input or a prompt.
    private var text: String?

    static let description = CommandDescription(
        summary: "Set a key.",
        overview: "Sets a key, after checking the value against the schema.",
        usage: ["set [OPTIONS] KEY VALUE", "set [OPTIONS] KEY -"],
        discussion: """
            Values are written as people type them, or as JSON:

                21.5    yes    2026-11-28T08:00:00Z    1h30m    Oslo,Bergen    ["Oslo", "Bergen"]    null

            A string in double quotes is JSON. A secret is never taken from the command line, which other users can see:
            without a value, it is typed without being shown, and with '-', it is read from standard input. A line of standard
            input has at most 1 MiB; 'load' sets larger values.
            """,
        sections: [StoreLocation.section],
        arguments: [
            LiveArguments.key,
            .init(
                "VALUE",
                completing: .output(
                    of: "range --values",
                    passing: LiveArguments.schemaOptions,
                    passesArguments: true
                ),
                "The value; - for one line of standard input."
            ),
        ],
        options: LiveArguments.options + [
            .init("--gvariant", "Read the value in the GVariant text format, as 'gsettings set' does.")
        ],
        examples: [
            "set --app weather weather.unit fahrenheit", "set --app weather weather.stations '[\"Oslo\", \"Bergen\"]'",
            "set --app weather weather.token - < token",
        ]
    )

    init(_ parser: inout ArgumentParser) throws(UsageError) {
        var words: [String] = []
        while let argument = try live.next(&parser) { words.append(try parser.positional(argument)) }
        guard let name = words.first else { throw UsageError(message: "no key given; 'prefs list' lists the keys") }
        guard words.count <= 2 else {
            throw UsageError(
                // It may be a secret.
                message: "'set' takes one key and one value; quote a value with spaces"
            )
        }
        self.name = name
        if words.count == 2, words[1] != "-" { text = words[1] }
        if words.count == 1 { source = .prompt }
    }

    private enum Source {
        case argument
        case prompt
    }

    private var source = Source.argument

    func run() throws(UsageError) -> ExitStatus {
        try live.run { session in
            let key = try session.key(name)
            guard !(key.isSecret && text != nil) else {
                throw Failure(
                    "'\(key.keyPath)' is a secret, which other users could see on the command line; omit the value to "
                        + "type it, or write '-' to read it from standard input",
                    .usage
                )
            }
            let reference = try session.reference(key)
            let text = try self.text ?? input(for: key)
            if let message = key.deprecation {
                Console.printError("'\(key.keyPath)' is deprecated: \(message)".escapingControls)
            }
            guard session.output == .gVariant else {
                try reference.set(text: text)
                return .success
            }
            do {
                try reference.set(session.gSettings.value(of: text, key))
            } catch let error as GVariantSignature.ReadingError {
                throw Failure("'\(key.keyPath)': \(error)")
            }
            return .success
        }
    }

    /// Returns a line of standard input. A secret that is typed is not shown.
    private func input(for key: PreferenceKeyDescription) throws -> String {
        if source == .prompt, !key.isSecret {
            throw Failure("no value given for '\(key.keyPath)'; write '-' to read it from standard input", .usage)
        }
        let prompt = "\(key.label ?? key.keyPath): ".escapingControls
        guard let line = try key.isSecret ? Terminal.secretLine(prompt: prompt) : StandardInput.readLine()
        else {
            throw Failure("standard input has no value", .system)
        }
        return line
    }
}
