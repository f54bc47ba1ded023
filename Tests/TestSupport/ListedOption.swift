import Foundation

/// An option that the help of a command lists.
package struct ListedOption {
    /// The words of the command's name.
    package let command: [String]
    package let name: String
    package let hasValue: Bool

    /// Returns the options, except for `--help`, of all commands in the help of a tool.
    package static func all(of tool: String, in folder: Folder) async throws -> [ListedOption] {
        var options: [ListedOption] = []
        let help = try await ToolRun(tool, ["--help"], in: folder.url).output
        for term in terms("COMMANDS", of: help) where term != "help" {
            let command = term.split(separator: " ").map(String.init)
            let help = try await ToolRun(tool, command + ["--help"], in: folder.url).output
            for term in terms("OPTIONS", of: help) where term != "-h, --help" {
                let words = term.split { " ,".contains($0) }.map(String.init)
                let hasValue = words.last?.hasPrefix("-") == false
                for name in hasValue ? words.dropLast() : words[...] {
                    options.append(ListedOption(command: command, name: name, hasValue: hasValue))
                }
            }
        }
        return options
    }

    /// Returns the terms of a list in a text of help.
    private static func terms(_ title: String, of help: String) -> [String] {
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.drop { $0 != "\(title):" }.dropFirst().prefix { !$0.isEmpty }
            .filter { $0.hasPrefix("  ") && $0.dropFirst(2).first != " " }
            .map { line in
                let line = line.dropFirst(2)
                return String(line[..<(line.firstRange(of: "  ")?.lowerBound ?? line.endIndex)])
            }
    }

    /// Returns the problem of a command that does not parse the option as its help states; `nil` if there is none.
    ///
    /// The command does nothing, because an unknown option follows.
    package func problem(of tool: String, in folder: Folder) async throws -> String? {
        let arguments = command + [name] + (hasValue ? ["value"] : []) + ["--no-such-option"]
        let errors = try await ToolRun(tool, arguments, in: folder.url).errors
        // The value may be invalid.
        let isExpected =
            hasValue
            ? !errors.contains("has no option '\(name)'") && !errors.contains("'\(name)' takes no value")
            : errors.contains("has no option '--no-such-option'")
        return isExpected ? nil : "\(arguments.joined(separator: " ")): \(errors)"
    }
}
