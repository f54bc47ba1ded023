import Foundation

/// Where documents are fetched from.
struct HTTPAddress: Sendable {
    /// The URL without what may be secret: user, password and query.
    let label: String
    /// Tells URLs apart that have the same label, without having in it what may be secret.
    let fingerprint: String

    /// - Returns: Nil for a URL that is not one of HTTP with a host.
    init?(_ url: URL?) {
        guard let url = url?.absoluteURL, ["http", "https"].contains(url.scheme?.lowercased()),
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true), components.host?.isEmpty == false
        else { return nil }
        (components.user, components.password, components.query, components.fragment) = (nil, nil, nil, nil)
        guard let label = components.string else { return nil }
        self.label = label
        // FNV-1a with 64 bits (RFC 9923).
        let hash = url.absoluteString.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        fingerprint = String(hash, radix: 16)
    }
}
