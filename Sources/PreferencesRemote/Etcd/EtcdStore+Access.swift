public import Foundation

extension EtcdStore {
    /// A user of etcd, for clusters with authentication.
    ///
    /// Descriptions and mirrors show the user alone.
    public struct Credentials: Sendable, CustomStringConvertible, CustomReflectable {
        /// The name of the user.
        public var user: String
        /// The password. It is sent to the endpoints, to receive a token that is renewed when it has expired.
        public var password: String

        /// Creates credentials.
        public init(user: String, password: String) {
            (self.user, self.password) = (user, password)
        }

        /// Creates the credentials of the user in a URL; nil if it has none.
        init?(_ url: URL) {
            guard let user = url.user(percentEncoded: false), !user.isEmpty else { return nil }
            self.init(user: user, password: url.password(percentEncoded: false) ?? "")
        }

        /// The user.
        public var description: String { "user '\(user)'" }

        /// The user alone.
        public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
    }

    /// The way in which a store sends its requests.
    public struct Transport: Sendable {
        /// Creates the connections of a store, which end with it.
        let makeSource: @Sendable () -> any HTTPStreamSource

        #if canImport(Darwin)
            /// The shared session.
            public static var system: Transport { .session(.shared) }

            /// Sends requests as a session does.
            ///
            /// - Parameter session: The session whose configuration the requests use, and whose delegate answers
            ///   challenges, for example with a client certificate.
            public static func session(_ session: URLSession) -> Transport {
                Transport { URLSessionStreams(for: session) }
            }
        #else
            /// libcurl, which trusts the authorities of the system.
            public static var system: Transport { .libcurl() }

            /// Sends requests with libcurl, which FoundationNetworking is built on. Its file, `libcurl.so.4`, is loaded at
            /// the first use.
            ///
            /// - Parameters:
            ///   - authorities: The file of the certificates, in PEM format, of the authorities that the endpoints'
            ///     certificates must be from; nil, the default, for those that the system trusts.
            ///   - client: The files of the client's certificate and of its key, in PEM format; nil, the default, for none.
            public static func libcurl(
                authorities: URL? = nil,
                client: (certificate: URL, key: URL)? = nil
            ) -> Transport {
                let certificates = CurlCertificates(authorities: authorities, client: client)
                return Transport { CurlStreams(certificates) }
            }
        #endif
    }
}

extension URL {
    /// The URL without a user and a password, which would also be sent to servers that are not etcd.
    var withoutUser: URL {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        (components.user, components.password) = (nil, nil)
        return components.url ?? self
    }
}
