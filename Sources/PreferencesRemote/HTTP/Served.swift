import Foundation
import PreferencesRuntime

/// A document that a server has given.
struct Served: Sendable {
    let body: [UInt8]
    let format: HTTPStore.Format
    var version: ServedVersion
    /// When it was fetched.
    let date: Date

    /// - Throws: Where it is not in its format.
    func values(in layout: HTTPStore.Layout) throws(StoreDocument.Fault) -> ServedValues {
        let document = try StoreDocument(parsing: body, as: format == .json ? .json : .xmlPropertyList)
        return ServedValues(of: document, layout: layout)
    }
}

/// What a server calls a version of a document, so as to be asked for another (RFC 9110, §8.8).
struct ServedVersion: Sendable, Hashable {
    var entityTag: String?
    var lastModified: String?

    /// The headers of a request for what is not this version; the entity tag alone where there is one (RFC 9110,
    /// §13.1.3).
    var conditions: [String: String] {
        if let entityTag { return ["If-None-Match": entityTag] }
        return lastModified.map { ["If-Modified-Since": $0] } ?? [:]
    }
}
