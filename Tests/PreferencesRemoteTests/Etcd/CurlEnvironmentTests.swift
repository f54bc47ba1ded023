#if canImport(Glibc)
    import Foundation
    import FoundationNetworking
    import Glibc
    import PreferencesRuntime
    import PreferencesSystem
    import TestSupport
    import Testing

    @testable import PreferencesRemote

    /// Each test runs in a process of its own, whose environment it changes.
    @Suite("Requests by libcurl in another environment")
    struct CurlEnvironmentTests {
        @Test("A call ends in time, and a store is released, while a DNS server does not answer")
        func silentResolver() async throws {
            try await withTemporaryDirectory { folder in
                // The C library opens this file to look up the address of a host, and waits for its content.
                let aliases = folder.appending(component: "aliases").path(percentEncoded: false)
                #expect(mkfifo(aliases, 0o600) == 0)
                let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                    [aliases = aliases as String] in
                    setenv("HOSTALIASES", aliases, 1)
                    let isEnded = DispatchSemaphore(value: 0)
                    let isLate = Locked(false)
                    Thread {
                        if isEnded.wait(timeout: .now() + .seconds(180)) == .success { return }
                        isLate.withLock { $0 = true }
                        // A lookup that goes on reads an empty file, and a later one finds none.
                        let file = Glibc.open(aliases, O_RDWR | O_NONBLOCK)
                        unlink(aliases)
                        close(file)
                    }.start()
                    try await onOwnThread {
                        // A name with a dot has no alias.
                        let url = try #require(URL(string: "http://etcd:2379/"))
                        let limit = Deadline(after: .seconds(1))
                        do throws(HTTPError) {
                            _ = try CurlStreams(.init()).response(to: .init(url: url), until: limit, maximumSize: 100)
                        } catch {
                            print("result: \(error == .timedOut(.seconds(1)) ? "no answer" : error.message)")
                        }
                        do {
                            let store = EtcdStore(endpoints: [url], prefix: "weather", timeout: .seconds(2))
                            let problem = try store.problem { try $0.apply(["unit": .set(1)]) }
                            print("result: \(problem?.message.components(separatedBy: " within ").first ?? "")")
                        }
                        isEnded.signal()
                        print("result: \(isLate.withLock { $0 } ? "late" : "in time")")
                    }
                }
                let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
                let results = output.split(separator: "\n").filter { $0.hasPrefix("result: ") }
                // Where a daemon looks up addresses, the C library does not open the file.
                let isByDaemon = results.first == "result: the host has no address"
                let failures =
                    isByDaemon
                    ? ["the host has no address", "http://etcd:2379: the host has no address; nothing was changed"]
                    : ["no answer", "http://etcd:2379: no answer"]
                #expect(results == (failures + ["in time"]).map { "result: \($0)" })
            }
        }

        @Test("Requests go by the proxy of the environment, except those to this machine")
        func proxies() async throws {
            try await PreferenceServer.run { server in
                let url = "http://etcd.invalid:2379/v3"
                try server.serve(.init("proxy"), at: url)
                try server.serve(.init("direct"), at: "/v3")
                let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                    [url = url as String, server = server.url("/v3") as URL] in
                    let proxy = "http://\(server.host() ?? ""):\(server.port ?? 0)"
                    try await onOwnThread {
                        for (variables, address) in [
                            (["http_proxy": proxy], url), (["all_proxy": proxy], url),
                            (["http_proxy": "http://127.0.0.1:1"], server.absoluteString),
                            (["http_proxy": proxy, "no_proxy": "etcd.invalid"], url),
                        ] {
                            for name in ["http_proxy", "all_proxy", "no_proxy"] { unsetenv(name) }
                            for (name, value) in variables { setenv(name, value, 1) }
                            let request = URLRequest(url: try #require(URL(string: address)))
                            let limit = Deadline(after: .seconds(600))
                            do throws(HTTPError) {
                                let (_, body) = try CurlStreams(.init())
                                    .response(to: request, until: limit, maximumSize: 100)
                                print("result: \(String(decoding: body, as: UTF8.self))")
                            } catch {
                                print("result: \(error.message)")
                            }
                        }
                    }
                }
                let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
                #expect(
                    output.split(separator: "\n").filter { $0.hasPrefix("result: ") }
                        == ["proxy", "proxy", "direct", "the host has no address"].map { "result: \($0)" }
                )
            }
        }
    }
#endif
