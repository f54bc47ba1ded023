import Testing

@testable import PreferencesCommandLine

@Suite("Help")
struct HelpTests {
    @Test("Texts are wrapped at 120 columns beside the terms, and a long term has its own line")
    func layout() {
        let text = Array(repeating: "words", count: 30).joined(separator: " ")
        let description = CommandDescription(
            summary: "Do it.",
            overview: "Does it: \(text).\n\nA second paragraph.",
            usage: ["do NAME…", "do --all"],
            discussion: "As\n    written.",
            sections: [.init("KINDS", [.init("a", "The first."), .init("other", "The other.")])],
            arguments: [.init("NAME", text)],
            options: [
                .init("-s", "--store", value: "STORE", "A store."),
                .init("--an-option-with-a-long-name", value: "VALUE", text), .init("--all", "All."),
            ],
            examples: ["do a", "do b | cat"]
        )
        let words = { Array(repeating: "words", count: $0).joined(separator: " ") }
        let margin = String(repeating: " ", count: 29)
        #expect(
            HelpText(of: description, tool: "tool").text == """
                OVERVIEW: Does it: \(words(17))
                \(words(13)).

                A second paragraph.

                USAGE: tool do NAME…
                       tool do --all

                As
                    written.

                KINDS:
                  a      The first.
                  other  The other.

                ARGUMENTS:
                  NAME                       \(words(15))
                \(margin)\(words(15))

                OPTIONS:
                  -s, --store STORE          A store.
                  --an-option-with-a-long-name VALUE
                \(margin)\(words(15))
                \(margin)\(words(15))
                  --all                      All.
                  -h, --help                 Show this help.

                EXAMPLES:
                  tool do a
                  tool do b | cat
                """
        )
    }

    @Test("The help of a tool lists its commands and exit statuses")
    func tool() {
        #expect(
            HelpText(of: SampleTool.tool).text == """
                OVERVIEW: .SH is not a request here.

                'TP neither. A backslash: \\n; a caret ^ and a tilde ~.

                USAGE: sample COMMAND [ARGUMENT…]

                    .code begins with a period
                    'quoted' "twice" `thrice`

                COMMANDS:
                  get            Run 'it': get [now].
                  set            Run 'it': set [now].
                  schema import  Run 'it': schema import [now].
                  schema diff    Run 'it': schema diff [now].
                  help           Show this help, or that of a command: 'help get'.

                OPTIONS:
                  --version      Show the version.
                  -h, --help     Show this help, or that of the preceding command.

                QUOTES "AND" \\MORE:
                  .term  'Begins with a quote. .And a period.

                EXIT STATUS:
                  0  Success.

                EXAMPLES:
                  sample get 'a b'
                """
        )
    }
}
