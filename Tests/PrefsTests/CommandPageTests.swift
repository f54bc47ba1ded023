import Foundation
import TestSupport
import Testing

@Suite("The page on the prefs command")
struct CommandPageTests {
    private static let page = "Sources/PreferencesRuntime/PreferencesRuntime.docc/Command.md"

    /// A command of the page, and the lines that it prints.
    private struct Example {
        var line: String
        var output: [String] = []
    }

    @Test("The commands of the page print what it shows, one after another")
    func examples() async throws {
        // The keyring of the page is not that of the user.
        try await DesktopSession.run { try await examples(in: $0.environment) }
    }

    private func examples(in environment: [String: String]) async throws {
        let text = try String(contentsOf: Repository.folder.appending(path: Self.page), encoding: .utf8)
        let schema = try #require(Self.blocks("json", of: text).first)
        var examples: [Example] = []
        for line in Self.blocks("console", of: text).flatMap({ $0.split(separator: "\n") }) {
            if line.hasPrefix("$ ") {
                examples.append(Example(line: String(line.dropFirst(2))))
            } else {
                try #require(!examples.isEmpty)
                examples[examples.count - 1].output.append(String(line))
            }
        }
        #expect(examples.count >= 20)
        try await withFolder { folder in
            try folder.write(schema, to: "Weather.preferences.json")
            try folder.write(schema, to: "Sources/weather/Weather.preferences.json")
            try folder.write("", to: "Package.swift")
            try folder.write("abc\n", to: "token.txt")
            let home = folder.path("home")
            for example in examples {
                let run = try await Prefs(
                    shell: """
                        export HOME=\(home) XDG_CONFIG_HOME=\(home)/.config XDG_CONFIG_DIRS=\(home)/site
                        { \(example.line)
                        } 2>&1
                        """,
                    with: "prefs",
                    in: folder.url,
                    environment: environment
                )
                let output = run.output.replacing("\(home)/", with: "~/").replacing("\(folder.path(""))/", with: "")
                // Standard output and standard error are written in no certain order.
                let lines = output.split(separator: "\n").map(String.init)
                #expect(lines.sorted() == example.output.sorted(), "\(example.line)")
            }
        }
    }

    @Test("The table of commands on the page is complete")
    func commands() async throws {
        let text = try String(contentsOf: Repository.folder.appending(path: Self.page), encoding: .utf8)
        try await withFolder { folder in
            let help = try await folder.run("--help").output
            let section = try #require(help.firstMatch(of: /COMMANDS:\n((?:  .*\n)+)/)?.1)
            for line in section.split(separator: "\n") {
                let name = try #require(line.firstMatch(of: #/^  (\w+(?: \w+)?) {2}/#)?.1)
                if name != "help" { #expect(text.contains("`\(name)`"), "\(name)") }
            }
        }
    }

    private static func blocks(_ language: String, of text: String) -> [String] {
        text.components(separatedBy: "```\(language)\n").dropFirst().map {
            $0.components(separatedBy: "\n```")[0] + "\n"
        }
    }
}
