package import Foundation
import Synchronization

/// A cluster of etcd on this machine, with files and ports of its own.
///
/// Its members and links end with the cluster, or with the process of the tests.
package final class EtcdCluster: Sendable {
    /// The options of a cluster.
    package struct Options: Sendable {
        /// Whether a write is on the disk before it is acknowledged. Otherwise tests are faster, and kill no member.
        package var syncsWrites = true
        /// The time after which the other members elect a new leader.
        package var electionTimeout = Duration.seconds(1)
        /// The time after which an unused token of a client is invalid; nil for that of etcd, five minutes.
        ///
        /// A token is also invalid after its user's password was changed, but not after a member was restarted, which
        /// replays its log.
        package var tokenLifetime: Duration?
        /// PEM files with the certificate of the members for their clients, and with its key; nil for connections that
        /// are not encrypted. It is valid for `127.0.0.1`.
        package var certificate: (certificate: URL, key: URL)?
        /// Whether clients need a certificate, which the members' certificate has signed.
        package var requiresClientCertificates = false

        package init() {}
    }

    /// The cluster has not done what the test requires.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The arguments of a command. Those that it does not have are nil.
    private struct Arguments: Encodable {
        var certificate: String?
        var count: Int?
        var erases: Bool?
        var key: String?
        var member: Int?
        var options: [String]?
        var password: String?
        var ports: [Int]?
        var silently: Bool?
        var user: String?
    }

    private static let file = Repository.folder.appending(path: "Tests/TestSupport/etcd-cluster.py")
    /// The time to wait for a condition: the machine may be busy.
    private static let patience = Duration.seconds(1_200)

    /// The password of the user `root`, after ``enableAuthentication(user:password:prefix:)``.
    package static let rootPassword = "correct horse"

    /// The URLs of the members.
    package let endpoints: [URL]
    private let script: ScriptProcess
    private let options: Options
    private let requiresPassword = Mutex(false)

    private init(_ script: ScriptProcess, endpoints: [URL], options: Options) {
        (self.script, self.endpoints, self.options) = (script, endpoints, options)
    }

    /// Runs a closure with a new cluster that answers requests, and waits for the cluster's end.
    ///
    /// - Parameters:
    ///   - members: The number of members, of which more than half must run. Default: 1.
    ///   - configure: Changes the options. Default: no changes.
    ///   - body: The closure.
    package static func run<Result>(
        members: Int = 1,
        file: String = #fileID,
        line: Int = #line,
        configure: (inout Options) async throws -> Void = { _ in },
        _ body: (EtcdCluster) async throws -> Result
    ) async throws -> Result {
        var options = Options()
        try await configure(&options)
        return try await withTemporaryDirectory(file: file, line: line) { folder in
            let script = try ScriptProcess(Self.file, [folder.path(percentEncoded: false)])
            let result: Swift.Result<Result, any Error>
            do {
                let arguments = Arguments(
                    certificate: options.certificate?.certificate.path(percentEncoded: false),
                    count: members,
                    key: options.certificate?.key.path(percentEncoded: false),
                    options: options.words
                )
                let texts = try await script.perform("start_cluster", arguments, returning: [String].self) ?? []
                let cluster = EtcdCluster(script, endpoints: texts.compactMap { URL(string: $0) }, options: options)
                try await cluster.waitUntilReady()
                result = .success(try await body(cluster))
            } catch {
                result = .failure(error)
            }
            try await script.end()
            return try result.get()
        }
    }
}

extension EtcdCluster.Options {
    /// Makes a certificate for this machine, which signs itself, and becomes that of the members.
    package mutating func makeCertificate(in folder: URL) async throws {
        let (file, key) = (folder.appending(component: "certificate.pem"), folder.appending(component: "key.pem"))
        let run = try await CommandLineRun(
            "openssl",
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
                + ["-keyout", key.path(percentEncoded: false), "-out", file.path(percentEncoded: false)]
                + ["-subj", "/CN=etcd", "-addext", "subjectAltName=IP:127.0.0.1"]
        )
        guard run.succeeded else { throw EtcdCluster.Failure(description: "openssl: \(run.errors)") }
        certificate = (file, key)
    }

    /// The options of etcd.
    fileprivate var words: [String] {
        let timeout = Int(electionTimeout / .milliseconds(1))
        var words = ["--heartbeat-interval=\(timeout / 10)", "--election-timeout=\(timeout)"]
        if let tokenLifetime { words.append("--auth-token-ttl=\(Int(tokenLifetime / .seconds(1)))") }
        if !syncsWrites { words.append("--unsafe-no-fsync") }
        if requiresClientCertificates, let certificate {
            words += ["--client-cert-auth", "--trusted-ca-file=\(certificate.certificate.path(percentEncoded: false))"]
        }
        return words
    }
}

extension EtcdCluster {
    /// A member of a cluster.
    package struct Member: Sendable {
        package let index: Int
        fileprivate let cluster: EtcdCluster

        package var endpoint: URL { cluster.endpoints[index] }

        /// Stops the process, which keeps its connections, but answers nothing.
        package func suspend() async throws {
            try await cluster.perform("suspend_member", Arguments(member: index))
        }

        package func resume() async throws {
            try await cluster.perform("resume_member", Arguments(member: index))
        }

        /// Kills the process.
        ///
        /// - Throws: ``EtcdCluster/Failure`` if the cluster does not sync its writes, which it could then lose.
        package func kill() async throws {
            guard cluster.options.syncsWrites else {
                throw Failure(description: "a cluster with killed members must have the option 'syncsWrites'")
            }
            try await cluster.perform("kill_member", Arguments(member: index))
        }

        /// Starts the process again, with the same files and ports. Kills it before if it runs.
        ///
        /// It answers after ``EtcdCluster/waitUntilReady()``, which requires that more than half of the members run.
        ///
        /// - Parameter isErasing: Whether its files are removed before. A single member is then a new cluster, whose
        ///   identifier is the same. Default: false.
        package func restart(erasing isErasing: Bool = false) async throws {
            try await kill()
            try await cluster.perform("restart_member", Arguments(erases: isErasing, member: index))
        }
    }

    package func member(_ index: Int) -> Member {
        Member(index: index, cluster: self)
    }

    /// The index of the leader; nil if the running members do not agree on one.
    package var leader: Int? {
        get async throws { try await script.perform("leader", Arguments(), returning: Int.self) }
    }

    /// Waits until the running members agree on a running leader.
    ///
    /// - Returns: The index of the leader.
    package func waitForLeader() async throws -> Int {
        try await poll("the running members do not agree on a leader") { try await leader }
    }

    /// Waits until each running member answers a linearizable read.
    package func waitUntilReady() async throws {
        let arguments =
            if requiresPassword.withLock({ $0 }) {
                Arguments(password: Self.rootPassword, user: "root")
            } else {
                Arguments()
            }
        try await poll("the running members do not answer reads") {
            try await script.perform("answers", arguments, returning: Bool.self) == true ? () : nil
        }
    }

    /// The identifiers of the processes: of the cluster's helper, which ends the others, and of the members.
    package var processIdentifiers: [Int32] {
        get async throws {
            [script.identifier] + (try await script.perform("identifiers", Arguments(), returning: [Int32].self) ?? [])
        }
    }

    /// The errors that the members have logged since they were last started.
    package var logs: String {
        get async throws { try await script.perform("logs", Arguments(), returning: String.self) ?? "" }
    }

    private func perform(_ name: String, _ arguments: Arguments) async throws {
        _ = try await script.perform(name, arguments, returning: Bool.self)
    }

    private func poll<Result>(_ problem: String, _ condition: () async throws -> Result?) async throws -> Result {
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end {
            if let result = try await condition() { return result }
        }
        throw Failure(description: "after \(Self.patience), \(problem): \(try await logs)")
    }
}

extension EtcdCluster {
    /// Runs `etcdctl`.
    ///
    /// - Parameters:
    ///   - arguments: The arguments.
    ///   - user: The name of a user. Default: root if authentication is enabled, otherwise none.
    ///   - password: The password of the user. Default: that of root.
    ///   - endpoints: The URLs of the members, such as those of a link. Default: those of all members.
    ///   - input: The text of standard input. Default: empty.
    package func etcdctl(
        _ arguments: [String],
        user: String? = nil,
        password: String = rootPassword,
        endpoints: [URL]? = nil,
        input: String = ""
    ) async throws -> CommandLineRun {
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("ETCDCTL_") }
        environment["ETCDCTL_API"] = "3"
        let urls = endpoints ?? self.endpoints
        environment["ETCDCTL_ENDPOINTS"] = urls.map(\.absoluteString).joined(separator: ",")
        // Two and five seconds by default, which a busy machine exceeds.
        environment["ETCDCTL_DIAL_TIMEOUT"] = "600s"
        environment["ETCDCTL_COMMAND_TIMEOUT"] = "600s"
        if let certificate = options.certificate {
            environment["ETCDCTL_CACERT"] = certificate.certificate.path(percentEncoded: false)
            // It has signed itself.
            environment["ETCDCTL_CERT"] = environment["ETCDCTL_CACERT"]
            environment["ETCDCTL_KEY"] = certificate.key.path(percentEncoded: false)
        }
        if let user = user ?? (requiresPassword.withLock { $0 } ? "root" : nil) {
            environment["ETCDCTL_USER"] = "\(user):\(password)"
        }
        while true {
            let run = try await CommandLineRun("etcdctl", arguments, environment: environment, input: input)
            // Members on a busy machine give up after some seconds.
            if !run.errors.contains("etcdserver: request timed out") { return run }
        }
    }

    /// Runs `etcdctl`.
    ///
    /// - Throws: ``Failure`` with the errors that it has printed, unless it succeeds.
    private func control(_ arguments: String...) async throws -> Data {
        let run = try await etcdctl(arguments)
        // The first attempt may have succeeded after a timeout.
        guard run.succeeded || run.errors.contains("already exists") else {
            throw Failure(description: "etcdctl \(arguments): \(run.output)\(run.errors)\n\(try await logs)")
        }
        return run.outputBytes
    }

    /// The current revision.
    package var revision: Int64 {
        get async throws {
            struct Answer: Decodable {
                struct Header: Decodable {
                    let revision: Int64
                }
                let header: Header
            }
            let answer = try await control("get", "/", "--keys-only", "--write-out=json")
            return try JSONDecoder().decode(Answer.self, from: answer).header.revision
        }
    }

    /// Removes the history before a revision.
    package func compact(revision: Int64) async throws {
        _ = try await control("compaction", "--physical", "\(revision)")
    }

    /// Causes the cluster to require a password: creates the user root and another user.
    ///
    /// - Parameters:
    ///   - user: The name of the other user, and of its role.
    ///   - password: The password of the other user.
    ///   - prefix: The prefix of the keys that the other user reads and writes. Default: empty, for all keys.
    package func enableAuthentication(user: String, password: String, prefix: String = "") async throws {
        _ = try await control("user", "add", "root:\(Self.rootPassword)")
        _ = try await control("role", "add", "root")
        _ = try await control("user", "grant-role", "root", "root")
        _ = try await control("user", "add", "\(user):\(password)")
        _ = try await control("role", "add", user)
        _ = try await control("role", "grant-permission", user, "--prefix", "readwrite", prefix)
        _ = try await control("user", "grant-role", user, user)
        _ = try await control("auth", "enable")
        requiresPassword.withLock { $0 = true }
    }
}

extension EtcdCluster {
    /// The network between a client and a cluster, which can be cut.
    package struct Link: Sendable {
        /// The URLs of the members by way of the link.
        package let endpoints: [URL]
        fileprivate let ports: [Int]
        fileprivate let cluster: EtcdCluster

        /// Cuts the link.
        ///
        /// - Parameters:
        ///   - member: The index of the only member to which to cut it; nil for all members. Default: nil.
        ///   - silently: Whether connections stay open, also new ones, and nothing gets through, as in a network that
        ///     loses everything. Otherwise connections are closed, and new ones are refused.
        package func cut(member: Int? = nil, silently: Bool) async throws {
            try await cluster.perform("cut_link", Arguments(ports: ports(of: member), silently: silently))
        }

        /// Restores the link. Connections that were cut silently get the data that was sent in the meantime.
        ///
        /// - Parameter member: The index of the only member to which to restore it; nil for all members. Default: nil.
        package func heal(member: Int? = nil) async throws {
            try await cluster.perform("heal_link", Arguments(ports: ports(of: member)))
        }

        private func ports(of member: Int?) -> [Int] {
            member.map { [ports[$0]] } ?? ports
        }
    }

    /// Makes a link to all members.
    package func link() async throws -> Link {
        let ports = try await script.perform("make_link", Arguments(), returning: [Int].self) ?? []
        let scheme = options.certificate == nil ? "http" : "https"
        return Link(
            endpoints: ports.compactMap { URL(string: "\(scheme)://127.0.0.1:\($0)") },
            ports: ports,
            cluster: self
        )
    }
}
