package import PreferencesCommandLine

/// The manual page of a tool, in the language of the `man` macros.
package struct ManualPage {
    private var lines: [String] = []

    /// - Parameter sections: The lists at the end, such as that of the files.
    package init(of tool: Tool, _ sections: [CommandDescription.Section] = []) {
        let description = tool.description
        let name = Self.escaped(tool.name)
        // Without a date: the page of a version is always the same.
        let version = Self.escaped("\(tool.name) \(tool.version)")
        lines.append(".TH \"\(Self.escaped(tool.name.uppercased()))\" 1 \"\" \"\(version)\"")
        add(title: "NAME")
        lines.append("\(name) \\- \(Self.escaped(Self.phrase(description.summary)))")
        add(title: "SYNOPSIS")
        addUsage(description, tool.name)
        add(title: "DESCRIPTION")
        addText(description.overview)
        addText(description.discussion)
        addText(tool.notes)
        add(title: "COMMANDS")
        let shared = Self.sharedSections(of: tool.commands)
        for command in tool.commands { add(command, tool.name, without: shared.map(\.title)) }
        add(title: "OPTIONS")
        add([
            .init("--version", "Show the version."),
            .init("-h, --help", "Show the list of commands, or the help of the preceding command."),
        ])
        for section in shared + description.sections { add(section) }
        add(title: "EXIT STATUS")
        add(tool.exitStatuses)
        for section in sections { add(section) }
        if !description.examples.isEmpty {
            add(title: "EXAMPLES")
            addCode(description.examples.map { "\(tool.name) \($0)" })
        }
    }

    /// The page, with a line break at the end.
    package var text: String { lines.joined(separator: "\n") + "\n" }

    /// Returns the sections that several commands have, in their order. No two of them have the same title.
    private static func sharedSections(of commands: [Command]) -> [CommandDescription.Section] {
        let sections = commands.flatMap(\.description.sections)
        var titles: Set<String> = []
        return sections.filter { section in
            sections.count { $0.title == section.title } > 1 && titles.insert(section.title).inserted
        }
    }

    private mutating func add(_ section: CommandDescription.Section) {
        add(title: section.title)
        add(section.entries)
    }

    /// - Parameter titles: The titles of sections that are left out.
    private mutating func add(_ command: Command, _ tool: String, without titles: [String]) {
        let description = command.description
        lines.append(".SS \"\(Self.escaped("\(tool) \(command.name)"))\"")
        addUsage(description, tool)
        addText(description.overview)
        addText(description.discussion)
        for section in description.sections where !titles.contains(section.title) {
            add(heading: section.title)
            add(section.entries)
        }
        if !description.arguments.isEmpty {
            add(heading: "Arguments")
            add(description.arguments)
        }
        add(heading: "Options")
        add(description.options.map { .init($0.term, $0.text) })
        if !description.examples.isEmpty {
            add(heading: "Examples")
            addCode(description.examples.map { "\(tool) \($0)" })
        }
    }

    private mutating func add(title: String) { lines.append(".SH \"\(Self.escaped(title))\"") }

    private mutating func add(heading: String) {
        beginParagraph()
        lines.append("\\fB\(Self.escaped(heading))\\fR")
    }

    private mutating func beginParagraph() {
        // A title begins one itself.
        if let last = lines.last, !last.hasPrefix(".SH "), !last.hasPrefix(".SS ") { lines.append(".PP") }
    }

    private mutating func addUsage(_ description: CommandDescription, _ tool: String) {
        for (index, usage) in description.usage.enumerated() {
            if index > 0 { lines.append(".br") }
            lines.append("\\fB\(Self.escaped(tool))\\fR \(Self.escaped(usage))")
        }
    }

    /// Adds paragraphs with blank lines between them. Paragraphs that four spaces begin are code.
    private mutating func addText(_ text: String) {
        for paragraph in text.split(separator: "\n\n") {
            let paragraph = paragraph.split(separator: "\n")
            if paragraph.allSatisfy({ $0.hasPrefix("    ") }) {
                addCode(paragraph.map { String($0.dropFirst(4)) })
            } else {
                beginParagraph()
                addWords(paragraph.joined(separator: " "))
            }
        }
    }

    private mutating func addCode(_ code: [String]) {
        beginParagraph()
        lines += [".RS 4", ".nf"] + code.map(Self.escaped) + [".fi", ".RE"]
    }

    private mutating func add(_ entries: [CommandDescription.Entry]) {
        for entry in entries {
            lines += [".TP", "\\fB\(Self.escaped(entry.term))\\fR"]
            addWords(entry.text)
        }
    }

    /// Adds a text in lines of at most 80 bytes, if its words permit.
    private mutating func addWords(_ text: String) {
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace).map({ Self.escaped(String($0)) }) {
            if line.isEmpty {
                line = word
            } else if line.utf8.count + 1 + word.utf8.count <= 80 {
                line += " " + word
            } else {
                lines.append(line)
                line = word
            }
        }
        lines.append(line)
    }

    /// Returns a summary in the form of the section on the name: without capital and full stop.
    private static func phrase(_ summary: String) -> String {
        let text = summary.hasSuffix(".") ? summary.dropLast() : summary[...]
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// Returns a text in which nothing is a request or an escape, in ASCII.
    private static func escaped(_ text: String) -> String {
        let escapes: [Unicode.Scalar: String] = [
            "\\": "\\(rs", "-": "\\-", "'": "\\(aq", "\"": "\\(dq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti",
        ]
        let body = text.unicodeScalars.map { scalar -> String in
            if let escape = escapes[scalar] { return escape }
            if scalar.isASCII { return String(scalar) }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
        }.joined()
        return body.hasPrefix(".") ? "\\&" + body : body
    }
}
