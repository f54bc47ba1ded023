import Foundation
import PreferencesCommandLine
import PreferencesRemote

/// The members of a cluster of etcd, and a prefix of its keys, as the command line gives them:
/// `http://10.0.0.1:2379,http://10.0.0.2:2379/fleet/weather`.
struct EtcdCluster {
    let endpoints: [URL]
    let prefix: String

    /// Returns nil if the text has no URL with a path, or one with a user or a query.
    init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard let last = parts.last.flatMap({ URLComponents(string: String($0)) }) else { return nil }
        // The first slash ends the host: a prefix that begins with one has another.
        prefix = String(last.path.dropFirst())
        var endpoints: [URL] = []
        for part in parts {
            guard var components = URLComponents(string: String(part)),
                ["http", "https"].contains(components.scheme?.lowercased()), components.host?.isEmpty == false,
                components.user == nil, components.query == nil, components.fragment == nil
            else { return nil }
            if endpoints.count == parts.count - 1 { components.path = "" }
            guard components.path.isEmpty, let url = components.url else { return nil }
            endpoints.append(url)
        }
        if prefix.isEmpty { return nil }
        self.endpoints = endpoints
    }

    /// Creates the store.
    ///
    /// - Parameter environment: The variables, with the names of those of `etcdctl`.
    /// - Throws: `UsageError` if some of them are missing.
    func store(_ environment: [String: String]) throws(UsageError) -> EtcdStore {
        func value(_ name: String) -> String? { environment["ETCDCTL_\(name)"].flatMap { $0.isEmpty ? nil : $0 } }
        var credentials: EtcdStore.Credentials?
        if let user = value("USER") {
            let words = user.split(separator: ":", maxSplits: 1).map(String.init)
            guard let password = words.count == 2 ? words[1] : value("PASSWORD") else {
                throw UsageError(message: "the user '\(user)' in ETCDCTL_USER has no password; set ETCDCTL_PASSWORD")
            }
            credentials = EtcdStore.Credentials(user: words[0], password: password)
        }
        #if canImport(Darwin)
            for name in ["CACERT", "CERT", "KEY"] where value(name) != nil {
                throw UsageError(message: "ETCDCTL_\(name) has no effect on macOS; add the certificate to the keychain")
            }
            return EtcdStore(endpoints: endpoints, prefix: prefix, credentials: credentials)
        #else
            let client: (certificate: URL, key: URL)?
            switch (value("CERT"), value("KEY")) {
            case (let certificate?, let key?): client = (URL(filePath: certificate), URL(filePath: key))
            case (nil, nil): client = nil
            case (_?, nil): throw UsageError(message: "ETCDCTL_CERT is set without ETCDCTL_KEY; set both, or none")
            case (nil, _?): throw UsageError(message: "ETCDCTL_KEY is set without ETCDCTL_CERT; set both, or none")
            }
            return EtcdStore(
                endpoints: endpoints,
                prefix: prefix,
                credentials: credentials,
                transport: .libcurl(authorities: value("CACERT").map { URL(filePath: $0) }, client: client)
            )
        #endif
    }
}
