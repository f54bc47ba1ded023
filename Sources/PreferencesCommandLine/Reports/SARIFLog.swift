import PreferencesSchema

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A log in the Static Analysis Results Interchange Format:
/// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
package struct SARIFLog: Encodable {
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
        let name: String
        let version = ToolVersion.current
        let rules: [ReportingRule]
    }

    struct ReportingRule: Encodable {
        let id: String
        let shortDescription: Message
        let fullDescription: Message
        let help: Message
        let defaultConfiguration: Configuration
        let properties: Properties?
    }

    struct Properties: Encodable {
        let tags: [String]
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
        let suppressions: [Suppression]?
    }

    struct Suppression: Encodable {
        let kind = "inSource"
        let justification: String
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
    /// - Parameters:
    ///   - tool: The name of the tool.
    ///   - rules: The rules that the results break, in the order of the catalog. The log does not contain other rules.
    ///   - results: The results, with the ids of these rules.
    package init(tool: String, rules: [ReportedRule], results: [ReportedResult]) {
        let indices = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1.id, $0) })
        // A log has suppressions of all of its results, or of none (section 3.27.23).
        let hasSuppressions = results.contains { $0.acceptedReason != nil }
        runs = [
            Run(
                tool: Tool(driver: Driver(name: tool, rules: rules.map(ReportingRule.init))),
                results: results.map { Result($0, ruleIndex: indices[$0.rule]!, hasSuppressions: hasSuppressions) }
            )
        ]
    }

    package var json: String { reportJSON(self) }
}

/// Returns a report as indented JSON, with sorted members.
///
/// - Parameter report: A report of strings, integers and Booleans.
package func reportJSON(_ report: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Encoding fails only for numbers that are not finite, and if a type of the report throws an error.
    return String(decoding: try! encoder.encode(report), as: UTF8.self)
}

extension SARIFLog.ReportingRule {
    fileprivate init(_ rule: ReportedRule) {
        id = rule.id
        shortDescription = .init(text: rule.finding)
        fullDescription = .init(text: rule.meaning)
        help = .init(text: rule.help)
        defaultConfiguration = .init(level: rule.severity.rawValue)
        properties = rule.category.map { .init(tags: [$0]) }
    }
}

extension SARIFLog.Result {
    fileprivate init(_ result: ReportedResult, ruleIndex: Int, hasSuppressions: Bool) {
        ruleId = result.rule
        self.ruleIndex = ruleIndex
        level = result.isRemark ? "note" : result.severity.rawValue
        message = .init(of: result.message)
        locations = [.init(result.path, result.position)]
        let notes = result.notes.enumerated().map { index, note in
            SARIFLog.Location(note.path, note.position, id: index + 1, message: note.message)
        }
        relatedLocations = notes.isEmpty ? nil : notes
        suppressions = hasSuppressions ? result.acceptedReason.map { [.init(justification: $0)] } ?? [] : nil
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
