import PreferencesSchema

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A log in the Static Analysis Results Interchange Format:
/// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
struct SARIFLog: Encodable {
    let version = "2.1.0"
    let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
    let runs: [Run]

    enum CodingKeys: String, CodingKey {
        case version
        case schema = "$schema"
        case runs
    }

    struct Run: Encodable {
        let tool: Tool
        /// The unit of columns. The only alternative is UTF-16.
        let columnKind = "unicodeCodePoints"
        /// The line endings, as in the other formats.
        let newlineSequences = ["\r\n", "\n", "\r"]
        let results: [Result]
    }

    struct Tool: Encodable {
        let driver: Driver
    }

    struct Driver: Encodable {
        let name = "preferences-generator"
        let version = ToolVersion.current
        let rules: [ReportingRule]
    }

    struct ReportingRule: Encodable {
        let id: String
        let shortDescription: Message
        let fullDescription: Message
        let help: Message
        let defaultConfiguration: Configuration
    }

    struct Configuration: Encodable {
        let level: String
    }

    struct Result: Encodable {
        let ruleId: String
        let ruleIndex: Int
        let level: String
        let message: Message
        let locations: [Location]
        let relatedLocations: [Location]?
    }

    struct Message: Encodable {
        let text: String
    }

    struct Location: Encodable {
        let id: Int?
        let physicalLocation: PhysicalLocation
        let message: Message?
    }

    struct PhysicalLocation: Encodable {
        let artifactLocation: ArtifactLocation
        let region: Region
    }

    struct ArtifactLocation: Encodable {
        let uri: String
    }

    struct Region: Encodable {
        let startLine: Int
        let startColumn: Int
    }
}

extension SARIFLog {
    init(_ diagnostics: [Diagnostic]) {
        // The log contains only the rules of its results, not the complete catalog.
        let found = Set(diagnostics.map(\.rule))
        let rules = Rule.allCases.filter(found.contains)
        let indices = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1, $0) })
        runs = [
            Run(
                tool: Tool(driver: Driver(rules: rules.map(ReportingRule.init))),
                results: diagnostics.map { Result($0, ruleIndex: indices[$0.rule]!) }
            )
        ]
    }

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoding strings and integers does not fail.
        return String(decoding: try! encoder.encode(self), as: UTF8.self)
    }
}

extension SARIFLog.ReportingRule {
    fileprivate init(_ rule: Rule) {
        id = rule.rawValue
        shortDescription = .init(text: rule.entry.finding)
        fullDescription = .init(text: rule.meaning)
        help = .init(text: RuleText.entry(rule))
        defaultConfiguration = .init(level: rule.severity.rawValue)
    }
}

extension SARIFLog.Result {
    fileprivate init(_ diagnostic: Diagnostic, ruleIndex: Int) {
        ruleId = diagnostic.rule.rawValue
        self.ruleIndex = ruleIndex
        level = diagnostic.severity.rawValue
        message = .init(of: diagnostic.message)
        locations = [.init(diagnostic.path, diagnostic.position)]
        let notes = diagnostic.notes.enumerated().map { index, note in
            SARIFLog.Location(note.path, note.position, id: index + 1, message: note.message)
        }
        relatedLocations = notes.isEmpty ? nil : notes
    }
}

extension SARIFLog.Message {
    /// Escapes braces by doubling them, because they enclose placeholders in result messages (section 3.11.5).
    fileprivate init(of text: String) {
        self.init(text: text.replacing("{", with: "{{").replacing("}", with: "}}"))
    }
}

extension SARIFLog.Location {
    fileprivate init(_ path: String, _ position: TextPosition, id: Int? = nil, message: String? = nil) {
        self.id = id
        physicalLocation = .init(
            artifactLocation: .init(uri: path.asURI),
            region: .init(startLine: position.line, startColumn: position.scalarColumn)
        )
        self.message = message.map { .init(of: $0) }
    }
}

extension String {
    /// The path as a URI reference (RFC 3986). Absolute paths have the scheme `file`.
    fileprivate var asURI: String {
        let allowed = Set("!$&'()*+,-./0123456789;=@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~".utf8)
        let encoded = utf8.map { byte in
            if allowed.contains(byte) { return String(Unicode.Scalar(byte)) }
            return (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }
        return (hasPrefix("/") ? "file://" : "") + encoded.joined()
    }
}
