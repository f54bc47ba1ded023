import PreferencesSchema

/// A part of a schema's text, and how it is laid out.
indirect enum SchemaNode {
    /// A number, a word or a string, as it stands in the text.
    case text(String)
    case array([SchemaNode])
    /// - Parameter isAlwaysOpen: Whether each member has a line of its own even where all would fit on one.
    case object([Member], isAlwaysOpen: Bool = false)

    struct Member {
        var name: String
        var value: SchemaNode

        init(_ name: String, _ value: SchemaNode) {
            self.name = name
            self.value = value
        }
    }

    static func string(_ string: String) -> SchemaNode { .text(JSONText.quoted(string)) }
}

extension SchemaNode {
    /// Lines no longer than this are not broken.
    private static let width = 100

    /// The text, with two spaces of indentation a level: what fits on a line stands on one.
    ///
    /// - Parameters:
    ///   - depth: The level that the text begins on.
    ///   - used: How much of the first line is taken by what stands before and behind.
    func laidOut(depth: Int = 0, used: Int = 0) -> String {
        if let line = onOneLine, used + line.count <= Self.width { return line }
        let inner = String(repeating: "  ", count: depth + 1)
        let outer = String(repeating: "  ", count: depth)
        switch self {
        case .text(let text):
            return text
        case .array(let elements):
            let lines = elements.map { inner + $0.laidOut(depth: depth + 1, used: inner.count + 1) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(outer)]"
        case .object(let members, _):
            let lines = members.map { member in
                let start = "\(inner)\(JSONText.quoted(member.name)): "
                return start + member.value.laidOut(depth: depth + 1, used: start.count + 1)
            }
            return "{\n\(lines.joined(separator: ",\n"))\n\(outer)}"
        }
    }

    /// All of it on one line; nil where that is not wanted.
    private var onOneLine: String? {
        switch self {
        case .text(let text):
            return text
        case .array(let elements):
            let texts = elements.compactMap(\.onOneLine)
            return texts.count == elements.count ? "[\(texts.joined(separator: ", "))]" : nil
        case .object(let members, let isAlwaysOpen):
            if members.isEmpty { return "{}" }
            guard !isAlwaysOpen else { return nil }
            let texts = members.compactMap { member in
                member.value.onOneLine.map { "\(JSONText.quoted(member.name)): \($0)" }
            }
            return texts.count == members.count ? "{ \(texts.joined(separator: ", ")) }" : nil
        }
    }
}
