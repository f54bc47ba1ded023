import Foundation
import PreferencesRemote
import PreferencesRuntime

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Writes to etcd, their notification in another process, and the memory of watching clients, against etcd's own client.
enum Fleet {
    private static let prefix = "fleet/"
    private static let key = prefix + "sample:count"

    static func run(_ report: inout BenchmarkReport, in folder: URL) throws {
        guard try EtcdMembers.areInstalled() else {
            throw MissingDependency(remedy: "install etcd-server and etcd-client")
        }
        let members = try EtcdMembers(in: folder)
        defer { members.end() }
        try writes(&report, members)
        try latency(&report, members)
        try memory(&report, members, in: folder)
    }

    private static func writes(_ report: inout BenchmarkReport, _ members: EtcdMembers) throws {
        let store = EtcdStore(endpoints: members.endpoints, prefix: prefix)
        let write = Subject.numbered(by: .wall) { try store.apply(["sample:count": .set(.int(Int64($0)))]) }
        let about = "apply(_:) of one Int to a cluster of three members on this machine, one after the other"
        try report.compare("write", write, with: rawPut(members), about: about)
        let process = Subject.numbered("etcdctl put", about: "a process for each write", by: .wall) { number in
            let process = try EtcdMembers.start("etcdctl", members.options + ["put", key, "\(number)"])
            process.waitUntilExit()
        }
        try report.compare("write", write, with: process, about: about)
        let update = Subject.numbered(by: .wall) { _ in
            try store.update { current in
                guard case .int(let count)? = try current("sample:count") else { return ["sample:count": .set(0)] }
                return ["sample:count": .set(.int(count + 1))]
            }
        }
        try report.compare("update", update, with: rawPut(members), about: "update(_:) that increments the Int")
    }

    /// Calls the gateway without a transaction, and without the wait for the watch.
    private static func rawPut(_ members: EtcdMembers) -> Subject {
        let key = Data(key.utf8).base64EncodedString()
        return .numbered("URLSession", about: "POST /v3/kv/put over one connection", by: .wall) { number in
            var request = URLRequest(url: members.endpoints[0].appending(path: "v3/kv/put"))
            request.httpMethod = "POST"
            request.httpBody = Data(
                #"{"key":"\#(key)","value":"\#(Data("\(number)".utf8).base64EncodedString())"}"#.utf8
            )
            let done = DispatchSemaphore(value: 0)
            URLSession.shared.dataTask(with: request) { _, _, _ in done.signal() }.resume()
            done.wait()
        }
    }

    private static func latency(_ report: inout BenchmarkReport, _ members: EtcdMembers) throws {
        let own = try WatcherProcess(
            CommandLine.arguments[0],
            [Options.watcherOption, members.endpoints[0].absoluteString, prefix]
        )
        let other = try WatcherProcess("etcdctl", members.options + ["watch", key, "--write-out", "simple"])
        defer {
            own.end()
            other.end()
        }
        let store = EtcdStore(endpoints: members.endpoints, prefix: prefix)
        func subject(_ watcher: WatcherProcess, _ name: String = "", _ about: String = "") -> Subject {
            .numbered(name, about: about, by: .wall) { number in
                // Other values than those of the other watcher's subject.
                let value = name.isEmpty ? 2 * number : 2 * number + 1
                try store.apply(["sample:count": .set(.int(Int64(value)))])
                try watcher.wait(for: "\(value)")
            }
        }
        try report.compare(
            "write to watcher",
            subject(own),
            with: subject(other, "etcdctl watch", "the same write, until etcdctl prints the value"),
            about: "apply(_:), until another process prints the value in the closure of watch(_:)"
        )
    }

    private static func memory(
        _ report: inout BenchmarkReport,
        _ members: EtcdMembers,
        in folder: URL
    ) throws {
        let count = 1_000
        let client = Subject(unit: .bytes) {
            let process = try WatcherProcess(
                CommandLine.arguments[0],
                [Options.watcherOption, members.endpoints[0].absoluteString, prefix, "\(count)"]
            )
            defer { process.end() }
            // It prints its memory with one store, and with all.
            return (try process.nextNumber() - process.nextNumber()).magnitude / Double(count - 1)
        }
        let other = Subject(name: "etcdctl watch", about: "the resident memory of a process", unit: .bytes) {
            let process = try WatcherProcess("etcdctl", members.options + ["watch", key, "--write-out", "simple"])
            defer { process.end() }
            let store = EtcdStore(endpoints: members.endpoints, prefix: prefix)
            // It watches when it prints a value.
            let value = Int64.random(in: 1_000_000...9_000_000)
            try store.apply(["sample:count": .set(.int(value))])
            return EtcdMembers.residentBytes(of: process.identifier)
        }
        try report.compare(
            "watching client",
            client,
            with: other,
            about: "resident memory that each of 1,000 stores with a watch adds to a process"
        )
        let member = Subject(unit: .bytes) {
            // Members keep the memory that they have used.
            let members = try EtcdMembers(in: folder.appending(path: UUID().uuidString))
            defer { members.end() }
            let before = members.residentBytes
            let process = try WatcherProcess(
                CommandLine.arguments[0],
                [Options.watcherOption, members.endpoints[0].absoluteString, prefix, "\(count)"]
            )
            defer { process.end() }
            for _ in 0..<2 { _ = try process.nextNumber() }
            return (members.residentBytes - before) / Double(count)
        }
        try report.compare(
            "watch in etcd",
            member,
            about: "resident memory that each of their watches adds to the members"
        )
    }

    // MARK: - In another process

    /// Prints the values of the key as they change, until the process is killed. With several stores, prints the process's
    /// memory with the first one, and with all.
    static func watch(endpoint: URL, prefix: String, storeCount: Int) throws {
        // Not `print`, which collects output for a pipe.
        @Sendable func write(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
        let preferences = Preferences(store: EtcdStore(endpoints: [endpoint], prefix: prefix))
        let watcher = preferences.sample.watch(\.count, options: [.initial, .new]) { write("\($0.new)") }
        var stores: [EtcdStore] = []
        if storeCount > 1 {
            write("memory \(EtcdMembers.residentBytes(of: getpid()))")
            stores = (1..<storeCount).map { _ in EtcdStore(endpoints: [endpoint], prefix: prefix) }
            // The figure is that of connected stores, which have no notification of that. It is no time.
            while !stores.allSatisfy(\.isConnected) { usleep(10_000) }
            write("memory \(EtcdMembers.residentBytes(of: getpid()))")
        }
        // The watcher prints on another thread until the process is killed.
        withExtendedLifetime((watcher, stores)) { while true { usleep(1_000_000) } }
    }
}

/// A process that prints the values of a key.
private final class WatcherProcess {
    private let process: Process
    private let output = Pipe()
    private var rest = ""

    init(_ program: String, _ arguments: [String]) throws {
        process = try EtcdMembers.start(program, arguments, output: output)
    }

    var identifier: Int32 { process.processIdentifier }

    func end() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits until the process has printed a line.
    func wait(for line: String) throws {
        while try nextLine() != line {}
    }

    /// Waits for the next figure of the process's memory.
    func nextNumber() throws -> Double {
        while true {
            let words = try nextLine().split(separator: " ")
            if words.count == 2, words[0] == "memory", let number = Double(words[1]) { return number }
        }
    }

    private func nextLine() throws -> String {
        while true {
            if let end = rest.firstIndex(of: "\n") {
                defer { rest.removeSubrange(...end) }
                return String(rest[..<end])
            }
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { throw Ended() }
            rest += String(decoding: data, as: UTF8.self)
        }
    }

    private struct Ended: Error, CustomStringConvertible {
        let description = "a process that watches etcd has ended"
    }
}
