// On Apple platforms, URL loading has a code for each of these errors.
#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import PreferencesRuntime
    import TestSupport
    import Testing

    @testable import PreferencesRemote

    struct HTTPStoreCertificateTests {
        @Test("An untrusted certificate is reported as such")
        func untrustedCertificatesAreReported() async throws {
            try await withTemporaryDirectory { folder in
                let authority = try await certificate("authority", in: folder)
                let issued = try await certificate("issued", in: folder, from: authority)
                for (file, message) in [
                    (authority, "the server's certificate is self-signed and not trusted by this system; "),
                    (issued, "the issuer of the server's certificate is not trusted by this system; "),
                ] {
                    try await PreferenceServer.run(certificate: file) { server in
                        try server.serve(.init("{}"))
                        let refusal = try await HTTPStore(url: server.url()).refusal()
                        #expect(refusal?.message.hasPrefix(message) == true)
                    }
                }
            }
        }

        @Test("HTTPS to an HTTP server is reported as such")
        func plainHTTPServerIsReported() async throws {
            try await PreferenceServer.run { server in
                var components = try #require(URLComponents(url: server.url(), resolvingAgainstBaseURL: true))
                components.scheme = "https"
                let refusal = try await HTTPStore(url: try #require(components.url)).refusal()
                #expect(refusal?.message.hasPrefix("no secure connection could be made; ") == true)
            }
        }

        /// The texts are those of libcurl 7.88 and 8.5 with OpenSSL and GnuTLS. Servers with most of these faults would
        /// need a certificate from an issuer that this system trusts, so the texts are given directly.
        @Test(
            "A certificate error is recognized in libcurl's message",
            arguments: [
                ("SSL certificate problem: self-signed certificate in certificate chain", .selfSigned),
                ("SSL certificate problem: certificate has expired", .expired),
                ("SSL certificate problem: certificate is not yet valid", .notYetValid),
                ("SSL certificate problem: certificate revoked", .revoked),
                ("SSL: no alternative certificate subject name matches target host name 'a.example'", .otherHost),
                ("SSL: certificate subject name 'b.example' does not match target host name 'a.example'", .otherHost),
                ("SSL certificate problem: unable to get local issuer certificate", .unknownIssuer),
                (
                    "server certificate verification failed. CAfile: /etc/ssl/certs/ca-certificates.crt CRLfile: none",
                    .untrusted
                ),
                (
                    "OpenSSL SSL_read: OpenSSL/3.0.19: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0",
                    .clientRequired
                ),
                ("OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number", .noSecureConnection),
                (
                    "SSL: no alternative certificate subject name matches target host name 'self-signed.example'",
                    .otherHost
                ),
                ("Failed to connect to ssl.example port 443 after 3 ms: Network is unreachable", nil),
                ("Empty reply from server", nil),
            ] as [(String, HTTPError.CertificateError?)]
        )
        func messagesOfLibcurlAreRecognized(text: String, certificate: HTTPError.CertificateError?) {
            let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: text])
            #expect(HTTPError(error) == (certificate.map { .certificate($0) } ?? .unreachable(.unknown)))
        }

        /// Makes a certificate for the server's address.
        ///
        /// - Parameter issuer: A file that has the issuer's certificate and key; nil to sign it with its own.
        /// - Returns: A file that has the certificate and its key.
        private func certificate(_ name: String, in folder: URL, from issuer: URL? = nil) async throws -> URL {
            let file = folder.appending(component: "\(name).pem")
            let run = try await CommandLineRun(
                "openssl",
                ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
                    + ["-keyout", file.path, "-out", "\(file.path).certificate", "-subj", "/CN=\(name)"]
                    + ["-addext", "subjectAltName=IP:127.0.0.1"]
                    + (issuer.map { ["-CA", $0.path, "-CAkey", $0.path] } ?? [])
            )
            try #require(run.succeeded, "\(run.errors)")
            let parts = try [file.path, "\(file.path).certificate"].map { try Data(contentsOf: URL(filePath: $0)) }
            try (parts[0] + parts[1]).write(to: file)
            return file
        }
    }
#endif
