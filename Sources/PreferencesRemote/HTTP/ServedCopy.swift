import Foundation
import PreferencesRuntime

/// A file that has what a server has last given, for the next start.
///
/// One entry of a `FileStore`, whose other entries are left alone. It has the document as it came, so that it is read as it
/// was read then.
struct ServedCopy: Sendable {
    private static let entryName = "served"

    let file: URL
    let address: HTTPAddress

    /// What is read and written with. One for each time, as it would have the document in memory a second time.
    private var store: FileStore { FileStore(url: file, format: .json, durability: .immediate) }

    /// The document; nil where there is none, or that of another URL.
    ///
    /// - Throws: Where the file cannot be read.
    func read() throws -> Served? {
        guard case .dictionary(let entries)? = try store.value(for: Self.entryName),
            entries["fingerprint"] == .string(address.fingerprint),
            case .string(let word)? = entries["format"], let format = HTTPStore.Format(rawValue: word),
            case .date(let date)? = entries["fetched"],
            let body = entries["body"]?.bytes
        else { return nil }
        let version = ServedVersion(
            entityTag: entries["entityTag"]?.headerText,
            lastModified: entries["lastModified"]?.headerText
        )
        return Served(body: body, format: format, version: version, date: date)
    }

    /// Writes a document in place of the one before.
    ///
    /// - Parameter tell: Is told of a damaged file that was set aside; nil where standard error is to be.
    /// - Throws: Where it could not be written.
    func write(_ served: Served, tell: (@Sendable (PreferenceProblem) -> Void)?) throws {
        let store = store
        let observation = tell.map { tell in
            store.observe { change in
                if case .problem(let problem) = change, problem.code == .setAside { tell(problem) }
            }
        }
        defer { observation?.cancel() }
        var entries: [String: PreferenceValue] = [
            "url": .string(address.label), "fingerprint": .string(address.fingerprint),
            "format": .string(served.format.rawValue), "fetched": .date(served.date),
            "body": String(validating: served.body, as: UTF8.self).map { .string($0) } ?? .data(Data(served.body)),
        ]
        entries["entityTag"] = served.version.entityTag.map { .string($0) }
        entries["lastModified"] = served.version.lastModified.map { .string($0) }
        try store.apply([Self.entryName: .set(.dictionary(entries))])
    }
}

extension PreferenceValue {
    /// A document's.
    fileprivate var bytes: [UInt8]? {
        switch self {
        case .string(let text): Array(text.utf8)
        case .data(let data): Array(data)
        default: nil
        }
    }

    /// Text that can be sent in a header. In a file that was tampered with it could be more than one.
    fileprivate var headerText: String? {
        guard case .string(let text) = self, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        return text
    }
}
