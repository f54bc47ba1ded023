import Foundation
import PreferencesCommandReference
import TestSupport
import Testing

@Suite("The manual page")
struct ManualTests {
    @Test("The manual of prefs has each command, and formatters report nothing about it")
    func prefs() async throws {
        try await withFolder { folder in
            let run = try await folder.run("manual")
            #expect(run.status == 0)
            #expect(run.errors == "")
            let text = try await formatted(run.output, in: folder)
            #expect(text.contains("prefs - show and change an app's preferences\n"))
            for command in ["get", "watch", "schema import", "completions", "manual"] {
                #expect(text.contains("\n   prefs \(command)\n"), "\(command)")
            }
            #expect(text.contains("\nEXIT STATUS\n       0      Success.\n"))
            #expect(text.contains("       2      The command line is invalid.\n"))
            let titles = text.split(separator: "\n").filter { $0.first?.isUppercase == true && $0 == $0.uppercased() }
            #expect(
                titles == [
                    "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "STORES", "EXIT STATUS", "ENVIRONMENT",
                    "FILES",
                ]
            )
            #expect(text.matches(of: /A database of SQLiteStore/).count == 1)
            for variable in [
                "VISUAL", "EDITOR", "HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS",
                "TMPDIR", "NO_COLOR", "LC_ALL", "LC_MESSAGES", "LANG", "TZ", "TERM",
            ] {
                #expect(text.contains(variable), "\(variable)")
            }
            #expect(text.contains("       -o, --output FILE\n              The schema of one file;"))
        }
    }

    @Test("Texts with special characters appear unchanged")
    func specialCharacters() async throws {
        try await withFolder { folder in
            let text = try await formatted(ManualPage(of: SampleTool.tool).text, in: folder)
            for line in [
                "       sample - show 'all' of \\fBthis\\fR", "       .SH is not a request here.",
                "       'TP neither. A backslash: \\n; a caret ^ and a tilde ~.",
                "           .code begins with a period",
                "           'quoted' \"twice\" `thrice`", "QUOTES \"AND\" \\MORE",
                "       .term  'Begins with a quote. .And a period.",
                "              A [file]: $HOME, 'quoted', \"too\" \\.",
                "           sample get 'a b'", "       sample get NAME…",
            ] {
                #expect(text.split(separator: "\n").contains { $0 == line }, "\(line)")
            }
        }
    }

    /// Returns the text of a page in a terminal of 200 columns, after checks with two formatters.
    private func formatted(_ page: String, in folder: Folder) async throws -> String {
        try folder.write(page, to: "page.1")
        let lint = try await ForeignProgram(name: "mandoc").run(["-T", "lint", "page.1"], in: folder.url)
        // A date would have to change with each version.
        let warnings = lint.output + lint.errors
        #expect(
            warnings.wholeMatch(of: /mandoc: page\.1:1:\d+: WARNING: missing date, using "": TH\n/) != nil,
            "\(warnings)"
        )
        let groff = try await groff().run(
            ["-man", "-Tutf8", "-ww", "-P-cbou", "-rLL=200n", "-rHY=0", "-d", "AD=l", "page.1"],
            in: folder.url
        )
        #expect(groff.status == 0)
        #expect(groff.errors == "")
        return groff.output
    }

    private func groff() throws -> ForeignProgram {
        let groff = ForeignProgram(name: "groff")
        let located = try groff.located()
        guard let packages = located.packages else { return groff }
        // The paths of an extracted groff differ from those that are compiled in.
        let folder = "\(packages)/groff-base/usr"
        let version = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/share/groff")
            .first { $0.first?.isNumber == true }
        let data = "\(folder)/share/groff/\(try #require(version))"
        return ForeignProgram(
            name: "groff",
            environment: [
                "GROFF_BIN_PATH": "\(folder)/bin", "GROFF_FONT_PATH": "\(data)/font", "GROFF_TMAC_PATH": "\(data)/tmac",
                "PATH": "\(folder)/bin:\(located.environment["PATH"] ?? "")",
            ]
        )
    }
}
