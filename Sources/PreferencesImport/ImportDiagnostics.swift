package import PreferencesSchema

/// An error that prevents the import of a file.
package enum ImportError: Error, Hashable, Sendable {
    /// The contents of the file are invalid.
    ///
    /// - Parameters:
    ///   - line: The line, from 1; `nil` for a file without lines.
    ///   - message: One sentence without a full stop.
    case invalid(path: String, line: Int?, message: String)

    /// The file contains nothing that a schema can represent.
    ///
    /// - Parameter remarks: The reasons why its contents were left out.
    case empty(path: String, remarks: [Remark])

    /// The file cannot be read.
    ///
    /// - Parameter message: For example, `cannot read Weather.kcfg: No such file or directory`.
    case unreadable(message: String)
}

extension ImportError: CustomStringConvertible {
    package var description: String {
        if case .unreadable(let message) = self { return message }
        return messageLine.text()
    }

    /// The error as a line of output.
    package var messageLine: MessageLine {
        switch self {
        case .invalid(let path, let line, let message):
            MessageLine(path + (line.map { ":\($0)" } ?? ""), .error, message)
        case .empty(let path, _): MessageLine(path, .error, "the file contains nothing that a schema can represent")
        case .unreadable(let message): MessageLine("prefs", .error, message)
        }
    }
}

/// A note on something that a schema cannot represent, or represents differently.
package struct Remark: Hashable, Sendable {
    /// The path of the file, as it was given.
    package var path: String
    /// The line, from 1; `nil` for a file without lines, such as a binary property list.
    package var line: Int?
    /// One sentence without a full stop.
    package var message: String

    package init(path: String, line: Int?, message: String) {
        self.path = path
        self.line = line
        self.message = message
    }
}

extension Remark: CustomStringConvertible {
    /// The remark in the format of compilers: `FILE:LINE: remark: …`.
    package var description: String { messageLine.text() }

    /// The remark as a line of output.
    package var messageLine: MessageLine {
        MessageLine(path + (line.map { ":\($0)" } ?? ""), .remark, message.singleLine)
    }
}

extension String {
    /// The text with each run of white space replaced by one space.
    package var singleLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    /// The text with each paragraph on one line, and blank lines between paragraphs.
    var asParagraphs: String {
        var paragraphs: [[Substring]] = [[]]
        for line in split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.isEmpty { paragraphs.append([]) } else { paragraphs[paragraphs.count - 1] += words }
        }
        return paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }.joined(separator: "\n\n")
    }

    /// The text without leading and trailing white space.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}

/// Collects the remarks of one import.
struct RemarkList {
    private(set) var entries: [Remark] = []
    /// The path of the imported file.
    let path: String

    init(path: String) {
        self.path = path
    }

    /// Adds a remark.
    ///
    /// - Parameter path: The file that the remark is about; `nil` for the imported file.
    mutating func add(_ line: Int?, _ message: String, path: String? = nil) {
        entries.append(Remark(path: path ?? self.path, line: line, message: message))
    }

    /// Adds a remark for each attribute and child element that is not expected.
    mutating func remarkOnUnknownContents(
        of element: MarkupElement,
        attributes: Set<String> = [],
        children: Set<String> = [],
        path: String? = nil
    ) {
        // Declarations of XML namespaces and of their schemas do not affect settings.
        let unknown = element.attributes.keys.filter { !attributes.contains($0) && !$0.hasPrefix("xml") }
        for name in unknown.sorted() where !name.hasPrefix("xsi:") {
            add(
                element.line,
                "attribute \(name)='\(element.attributes[name] ?? "")' of <\(element.name)> is left out",
                path: path
            )
        }
        for child in element.children where !children.contains(child.name) {
            add(child.line, "element <\(child.name)> is left out", path: path)
        }
    }
}
