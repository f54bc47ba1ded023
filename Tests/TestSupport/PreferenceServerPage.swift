package import Foundation

extension PreferenceServer {
    /// What is served under a path.
    package struct Page: Sendable, Encodable {
        /// How it is sent.
        package enum Way: String, Sendable, Encodable {
            /// As it should be.
            case whole
            /// As it should be, but only after `release()`.
            case held
            /// Not at all.
            case never
            /// In part, and then the connection is closed.
            case cut
            /// In part, and then nothing.
            case stuck
            /// Without an end, although it has a length.
            case endless
            /// In chunks, without a length or an end.
            case chunks
        }

        package var body: Data
        package var status: Int
        package var type: String?
        package var etag: String?
        package var lastModified: String?
        /// What the header `Authorization` must have.
        package var authorization: String?
        package var headers: [String: String]
        package var way: Way

        package init(
            _ body: Data,
            status: Int = 200,
            type: String? = nil,
            etag: String? = nil,
            lastModified: String? = nil,
            authorization: String? = nil,
            headers: [String: String] = [:],
            way: Way = .whole
        ) {
            (self.body, self.status, self.type, self.etag) = (body, status, type, etag)
            (self.lastModified, self.authorization) = (lastModified, authorization)
            (self.headers, self.way) = (headers, way)
        }

        package init(
            _ body: String = "",
            status: Int = 200,
            type: String? = nil,
            etag: String? = nil,
            lastModified: String? = nil,
            authorization: String? = nil,
            headers: [String: String] = [:],
            way: Way = .whole
        ) {
            self.init(
                Data(body.utf8),
                status: status,
                type: type,
                etag: etag,
                lastModified: lastModified,
                authorization: authorization,
                headers: headers,
                way: way
            )
        }
    }
}
