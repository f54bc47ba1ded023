import Foundation
import PreferencesRuntime

/// A document from a server.
struct HTTPDocument: Sendable {
    let body: [UInt8]
    let format: HTTPStore.Format
    var validators: CacheValidators
    /// The date of the response.
    let date: Date

    /// - Throws: ``ParsedDocument/Fault`` if the body is not in the format.
    func parsed(in layout: HTTPStore.Layout) throws(ParsedDocument.Fault) -> ParsedDocument {
        try ParsedDocument(parsing: body, as: format == .json ? .json : .xmlPropertyList, layout)
    }
}

/// The validators of a document's version for conditional requests (RFC 9110, §8.8).
struct CacheValidators: Sendable, Hashable {
    var entityTag: String?
    var lastModified: String?

    /// The headers that request another version; only the entity tag if there is one (RFC 9110, §13.1.3).
    var conditions: [String: String] {
        if let entityTag { return ["If-None-Match": entityTag] }
        return lastModified.map { ["If-Modified-Since": $0] } ?? [:]
    }
}

/// A file with a server's last document, for the next launch.
///
/// It is one entry of a `FileStore`, whose other entries are left unchanged. The document is stored as it was received.
struct ResponseCache: Sendable {
    private static let entryName = "served"

    let file: URL
    let address: HTTPAddress

    /// The store of the file. Created for each use, as it would keep a second copy of the document in memory.
    private var store: FileStore { FileStore(url: file, format: .json, durability: .immediate) }

    /// Returns the document; nil if there is none, or one of another URL.
    ///
    /// - Throws: `PreferenceProblem` if the file cannot be read.
    func read() throws -> HTTPDocument? {
        guard case .dictionary(let entries)? = try store.value(for: Self.entryName),
            entries["fingerprint"] == .string(address.fingerprint),
            case .string(let word)? = entries["format"], let format = HTTPStore.Format(rawValue: word),
            case .date(let date)? = entries["fetched"],
            let body = entries["body"]?.bytes
        else { return nil }
        let validators = CacheValidators(
            entityTag: entries["entityTag"]?.headerText,
            lastModified: entries["lastModified"]?.headerText
        )
        return HTTPDocument(body: body, format: format, validators: validators, date: date)
    }

    /// Replaces the document.
    ///
    /// - Parameter report: Receives the report of a damaged file that was set aside; nil to write it to standard error.
    /// - Throws: `PreferenceProblem` if the file cannot be written.
    func write(_ document: HTTPDocument, report: (@Sendable (PreferenceProblem) -> Void)?) throws {
        let store = store
        let observation = report.map { report in
            store.observe { change in
                if case .problem(let problem) = change, problem.code == .setAside { report(problem) }
            }
        }
        defer { observation?.cancel() }
        var entries: [String: PreferenceValue] = [
            "url": .string(address.label), "fingerprint": .string(address.fingerprint),
            "format": .string(document.format.rawValue), "fetched": .date(document.date),
            "body": String(validating: document.body, as: UTF8.self).map { .string($0) } ?? .data(Data(document.body)),
        ]
        entries["entityTag"] = document.validators.entityTag.map { .string($0) }
        entries["lastModified"] = document.validators.lastModified.map { .string($0) }
        try store.apply([Self.entryName: .set(.dictionary(entries))])
    }
}

extension PreferenceValue {
    /// The bytes of a stored document.
    fileprivate var bytes: [UInt8]? {
        switch self {
        case .string(let text): Array(text.utf8)
        case .data(let data): Array(data)
        default: nil
        }
    }

    /// Text that is safe in a header. Control characters in a manipulated file could inject other headers.
    fileprivate var headerText: String? {
        guard case .string(let text) = self, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        return text
    }
}
