import Foundation

/// A cluster of three members of etcd on this machine, with files of its own.
final class EtcdMembers {
    private(set) var processes: [Process] = []
    let endpoints: [URL]

    /// Starts the members, and waits until they answer.
    ///
    /// - Parameter folder: A folder for their files.
    init(in folder: URL) throws {
        // Ports below those that the system gives to clients.
        let base = Int.random(in: 10_000..<30_000)
        let clients = (0..<3).map { "http://127.0.0.1:\(base + 2 * $0)" }
        let peers = (0..<3).map { "http://127.0.0.1:\(base + 2 * $0 + 1)" }
        endpoints = clients.compactMap { URL(string: $0) }
        for index in 0..<3 {
            let arguments = [
                "--name", "m\(index)", "--data-dir", folder.appending(path: "etcd-\(index)").path,
                "--listen-client-urls", clients[index], "--advertise-client-urls", clients[index],
                "--listen-peer-urls", peers[index], "--initial-advertise-peer-urls", peers[index],
                "--initial-cluster", (0..<3).map { "m\($0)=\(peers[$0])" }.joined(separator: ","),
                "--initial-cluster-token", folder.lastPathComponent, "--log-level", "fatal",
            ]
            processes.append(try Self.start("etcd", arguments))
        }
        for _ in 0..<1_000 {
            let health = try Self.start(
                "etcdctl",
                ["--endpoints", clients.joined(separator: ","), "endpoint", "health"]
            )
            health.waitUntilExit()
            if health.terminationStatus == 0 { return }
            guard processes.allSatisfy(\.isRunning) else { break }
        }
        end()
        throw MissingDependency(remedy: "run it again: etcd could not start on the ports from \(base)")
    }

    /// Kills the members.
    func end() {
        for process in processes {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        processes = []
    }

    /// The arguments of `etcdctl` for this cluster.
    var options: [String] { ["--endpoints", endpoints.map(\.absoluteString).joined(separator: ",")] }

    /// The resident memory of all members, in bytes.
    var residentBytes: Double { processes.reduce(0) { $0 + Self.residentBytes(of: $1.processIdentifier) } }

    /// Starts a program in the `PATH`, whose standard error is discarded.
    ///
    /// - Parameter output: Receives the standard output; nil, the default, to discard it.
    static func start(_ program: String, _ arguments: [String], output: Pipe? = nil) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["ETCDCTL_API": "3"]) { $1 }
        process.standardOutput = output ?? FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Returns whether etcd and its client are installed.
    static func areInstalled() throws -> Bool {
        for program in ["etcd", "etcdctl"] {
            let process = try start(program, ["--help"])
            process.waitUntilExit()
            if process.terminationStatus != 0 { return false }
        }
        return true
    }

    /// Returns the resident memory of a process, in bytes. Linux only.
    static func residentBytes(of process: Int32) -> Double {
        let data = try? Data(contentsOf: URL(filePath: "/proc/\(process)/status"))
        let lines = String(decoding: data ?? Data(), as: UTF8.self).split(separator: "\n")
        // VmRSS:     1234 kB
        let words = lines.first { $0.hasPrefix("VmRSS:") }?.split(whereSeparator: \.isWhitespace) ?? []
        return (words.count > 1 ? Double(words[1]) : nil).map { $0 * 1_024 } ?? .nan
    }
}
