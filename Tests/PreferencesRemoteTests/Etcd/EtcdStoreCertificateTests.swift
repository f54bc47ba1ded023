// On Apple platforms, the delegate of the session provides and checks certificates.
#if !canImport(Darwin)
    import Foundation
    import PreferencesRuntime
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import PreferencesRemote

    @Suite("A store in etcd over TLS")
    struct EtcdStoreCertificateTests {
        @Test("The members' certificates must be from the trusted authorities")
        func authorities() async throws {
            try await withTemporaryDirectory { folder in
                let other = try await certificate("other", in: folder)
                var authority: URL?
                try await EtcdCluster.run { options in
                    options.syncsWrites = false
                    try await options.makeCertificate(in: folder)
                    authority = options.certificate?.certificate
                } _: { cluster in
                    let link = try await cluster.link()
                    let store = EtcdStore(link.endpoints, .libcurl(authorities: authority))
                    try store.apply(["unit": .set("kelvin")])
                    // Connections that are closed are made again.
                    try await link.cut(silently: false)
                    try await link.heal()
                    for _ in 0..<50 { try store.increment("count") }
                    try await cluster.put("weather/unit", #""celsius""#)
                    try await store.wait(for: "celsius", of: "unit")
                    #expect(try await cluster.entries("weather/count").values.map(\.version) == [50])

                    let missing = folder.appending(component: "missing.pem")
                    let garbage = folder.appending(component: "garbage.pem")
                    try garbage.write("garbage")
                    let untrusted =
                        "the server's certificate is self-signed and not trusted by this system; use a certificate of a "
                        + "trusted issuer, or add this one to the trusted certificates"
                    for (authorities, message) in [
                        (nil, untrusted), (other.certificate, untrusted),
                        (missing, "the file of trusted certificates cannot be read"),
                        (garbage, "the file of trusted certificates cannot be read"),
                    ] as [(URL?, String)] {
                        let store = EtcdStore(cluster.endpoints, .libcurl(authorities: authorities))
                        expect(store, toFailWith: message)
                    }
                }
            }
        }

        @Test("A member can require a certificate of the client")
        func clientCertificates() async throws {
            try await withTemporaryDirectory { folder in
                let stranger = try await certificate("stranger", in: folder)
                var authority: ClientFiles?
                try await EtcdCluster.run { options in
                    options.syncsWrites = false
                    try await options.makeCertificate(in: folder)
                    options.requiresClientCertificates = true
                    authority = options.certificate
                } _: { cluster in
                    let authority = try #require(authority)
                    let client = try await certificate("client", in: folder, from: authority)
                    func makeStore(_ client: ClientFiles?) -> EtcdStore {
                        EtcdStore(cluster.endpoints, .libcurl(authorities: authority.certificate, client: client))
                    }
                    let store = makeStore(client)
                    try store.apply(["unit": .set("kelvin")])
                    try await cluster.put("weather/unit", #""celsius""#)
                    try await store.wait(for: "celsius", of: "unit")

                    for (client, message) in [
                        (nil, "the server requires a certificate of the client"),
                        (stranger, "the server rejects the certificate of the client"),
                    ] as [(ClientFiles?, String)] {
                        let store = makeStore(client)
                        // The connection may be closed before the reason is received.
                        let expected = "\(cluster.endpoints[0].absoluteString): \(message)"
                        try await store.wait { $0.failure?.message == expected }
                        #expect(throws: PreferenceProblem.self) { try store.names() }
                        #expect(throws: PreferenceProblem.self) { try store.apply(["unit": .set(1)]) }
                    }
                    let missing = folder.appending(component: "missing.pem")
                    let unusable = "the certificate of the client, or its key, cannot be read"
                    for client in [
                        (missing, client.key), (client.certificate, missing), (client.key, client.certificate),
                        (client.certificate, stranger.key),
                    ] as [ClientFiles] {
                        expect(makeStore(client), toFailWith: unusable)
                    }
                }
            }
        }

        @Test("A process exits while stores make secure connections")
        func exiting() async throws {
            try await withTemporaryDirectory { folder in
                let client = try await certificate("server", in: folder)
                let file = folder.appending(component: "both.pem")
                try (Data(contentsOf: client.certificate) + Data(contentsOf: client.key)).write(to: file)
                try await PreferenceServer.run(certificate: file) { server in
                    for _ in 0..<20 {
                        let run = try await CommandLineRun(
                            BuiltWithTests.executable("StoreChild").path,
                            ["connect", server.url("/").absoluteString, "etcd", "5"]
                        )
                        #expect(run.succeeded)
                    }
                }
            }
        }

        @Test("HTTP and HTTPS that are mixed up are reported as such")
        func otherScheme() async throws {
            try await withTemporaryDirectory { folder in
                try await EtcdCluster.run { options in
                    options.syncsWrites = false
                    try await options.makeCertificate(in: folder)
                } _: { cluster in
                    let store = EtcdStore(testing: try cluster.endpoints.map { try $0.withScheme("http") })
                    let read = #expect(throws: PreferenceProblem.self) { try store.names() }
                    #expect(read?.message.hasSuffix(": the connection failed") == true)
                }
            }
            try await withCluster { cluster, _ in
                let store = EtcdStore(testing: try cluster.endpoints.map { try $0.withScheme("https") })
                expect(
                    store,
                    toFailWith: "no secure connection could be made; if the member has no certificate, use 'http'"
                )
            }
        }

        /// Expects that reading and writing fail at once, and that nothing is changed.
        private func expect(
            _ store: EtcdStore,
            toFailWith message: String,
            at location: SourceLocation = #_sourceLocation
        ) {
            let endpoint = store.endpoints[0].absoluteString
            let read = #expect(throws: PreferenceProblem.self, sourceLocation: location) { try store.names() }
            #expect(read?.message == "\(endpoint): \(message)", sourceLocation: location)
            let write = #expect(throws: PreferenceProblem.self, sourceLocation: location) {
                try store.apply(["unit": .set(1)])
            }
            #expect(write?.message == "\(endpoint): \(message); nothing was changed", sourceLocation: location)
        }

        /// Makes a certificate of a client.
        ///
        /// - Parameter issuer: The certificate that signs it, and its key; nil for itself.
        private func certificate(
            _ name: String,
            in folder: URL,
            from issuer: ClientFiles? = nil
        ) async throws -> ClientFiles {
            let file = folder.appending(component: "\(name).pem")
            let key = folder.appending(component: "\(name)-key.pem")
            let run = try await CommandLineRun(
                "openssl",
                ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
                    + ["-keyout", key.filePath, "-out", file.filePath, "-subj", "/CN=\(name)"]
                    + (issuer.map { ["-CA", $0.certificate.filePath, "-CAkey", $0.key.filePath] } ?? [])
            )
            try #require(run.succeeded, "\(run.errors)")
            return (file, key)
        }
    }

    /// The files of a certificate and of its key.
    private typealias ClientFiles = (certificate: URL, key: URL)

    extension EtcdStore {
        fileprivate convenience init(_ endpoints: [URL], _ transport: Transport) {
            self.init(testing: endpoints, over: transport.makeSource())
        }
    }

    extension URL {
        fileprivate func withScheme(_ scheme: String) throws -> URL {
            var components = try #require(URLComponents(url: self, resolvingAgainstBaseURL: true))
            components.scheme = scheme
            return try #require(components.url)
        }
    }
#endif
