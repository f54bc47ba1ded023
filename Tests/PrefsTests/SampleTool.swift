import Foundation
import PreferencesCommandLine
import PreferencesCommandReference
import TestSupport

/// A tool with every kind of completion, and with texts that shells and manuals could misread.
enum SampleTool {
    static let tool = Tool(
        "sample",
        version: "1.0",
        description: CommandDescription(
            summary: "Show 'all' of \\fBthis\\fR.",
            overview: ".SH is not a request here.\n\n'TP neither. A backslash: \\n; a caret ^ and a tilde ~.",
            usage: ["COMMAND [ARGUMENT…]"],
            discussion: "    .code begins with a period\n    'quoted' \"twice\" `thrice`",
            sections: [.init("QUOTES \"AND\" \\MORE", [.init(".term", "'Begins with a quote. .And a period.")])],
            examples: ["get 'a b'"]
        ),
        notes: "",
        exitStatuses: [.init("0", "Success.")],
        commands: [
            command(
                "get",
                usage: ["get NAME…"],
                arguments: [.init("NAME", completing: names, "A name.")],
                options: [
                    store,
                    .init("-f", "--file", value: "FILE", completing: .files, "A [file]: $HOME, 'quoted', \"too\" \\."),
                    .init("--folder", value: "DIR", completing: .directories, "A folder."),
                    .init(
                        "--format",
                        value: "A:B",
                        completing: .words(["text", "a:b", "two words", "it's", "$HOME"]),
                        "A format; one word."
                    ),
                    .init("--json", "Print JSON."),
                ]
            ),
            command(
                "set",
                usage: ["set NAME VALUE UNIT"],
                arguments: [
                    .init("NAME", completing: names, "A name."),
                    .init("VALUE", completing: .words(["on", "off"]), "A value."),
                    .init(
                        "UNIT",
                        completing: .output(of: "units", passing: ["--store"], passesArguments: true),
                        "A unit."
                    ),
                ],
                options: [store]
            ),
            command(
                "schema import",
                usage: ["schema import FILE"],
                arguments: [.init("FILE", completing: .files, "A file.")],
                options: []
            ),
            command("schema diff", usage: ["schema diff"], arguments: [], options: []),
        ]
    )

    private static let names = CommandDescription.Completion.output(of: "list --names", passing: ["--store"])
    private static let store = CommandDescription.Option("--store", value: "STORE", "A store.")

    private static func command(
        _ name: String,
        usage: [String],
        arguments: [CommandDescription.Entry],
        options: [CommandDescription.Option]
    ) -> Command {
        let description = CommandDescription(
            summary: "Run 'it': \(name) [now].",
            overview: "Runs it.",
            usage: usage,
            arguments: arguments,
            options: options
        )
        return Command(name, description: description) { _ throws(UsageError) in .success }
    }

    /// Writes an executable that prints names, and files to complete.
    static func install(in folder: Folder) async throws {
        try folder.write(
            """
            #!/bin/sh
            case "$*" in
            'list --names') printf '%s\\n' weather:temperature weather:unit general 'two words' ;;
            'list --names --store=other') printf '%s\\n' other:only ;;
            'units -- weather:unit ab' | 'units -- weather:unit a b') printf '%s\\n' kelvin "it's" ;;
            'units --store=other -- -5 on') printf '%s\\n' other ;;
            "list --names --store=$HOME/store") printf '%s\\n' home:only ;;
            esac
            """,
            to: "sample"
        )
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755],
            ofItemAtPath: folder.url.appending(path: "sample").path
        )
        try folder.write("", to: "files/one file.txt")
        try folder.write("", to: "files/inner/two.txt")
    }
}
