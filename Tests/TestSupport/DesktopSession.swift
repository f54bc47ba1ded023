import Foundation

/// A desktop session without a desktop: a bus and GNOME's keyring daemon, with files of their own. Linux only.
///
/// The keyring's default collection is named `login`, as on a desktop. Everything ends with the session, or with the
/// process of the tests.
package final class DesktopSession: Sendable {
    /// The answer of a double of the user to a prompt.
    package indirect enum Answer: Sendable {
        /// Enters a password, or confirms.
        case password(String)
        case cancel
        /// Gives another answer after ``DesktopSession/Prompts/release()``.
        case held(Answer)
    }

    /// The keyring or the bus has not done what the test requires.
    package typealias Failure = ScriptProcess.Failure

    private static let file = Repository.folder.appending(path: "Tests/TestSupport/desktop-session.py")

    /// The password of the default collection.
    package static let password = "correct horse"

    /// The address of the bus. The bus is at the same address again after ``killBus()`` and ``startBus()``.
    package let address: String
    /// The environment variables for processes in the session.
    package let environment: [String: String]
    private let script: ScriptProcess

    private init(_ folder: URL) throws {
        let path = folder.path(percentEncoded: false)
        address = "unix:path=\(path)/bus"
        var environment = ProcessInfo.processInfo.environment
        environment["DBUS_SESSION_BUS_ADDRESS"] = address
        // The daemon asks the system's bus about the login session, which is not that of the tests.
        environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=\(path)/no-bus"
        // The name of this folder is part of a socket's path, which has at most 107 bytes.
        for name in ["HOME", "XDG_RUNTIME_DIR"] { environment[name] = path }
        for name in ["cache", "config", "data", "state"] {
            environment["XDG_\(name.uppercased())_HOME"] = "\(path)/\(name)"
        }
        for name in ["DISPLAY", "GNOME_KEYRING_CONTROL", "SECRET_BACKEND", "WAYLAND_DISPLAY", "XDG_SESSION_ID"] {
            environment[name] = nil
        }
        self.environment = environment
        // Debian installs its modules for its own Python.
        script = try ScriptProcess(
            Self.file,
            [path, Self.password],
            interpreter: ["/usr/bin/python3", "-B"],
            environment: environment
        )
    }

    /// Runs a closure with a new session, and waits for the session's end.
    ///
    /// - Parameters:
    ///   - startsDaemon: Whether the keyring is there, with an unlocked default collection; otherwise there is only the
    ///     bus. Default: true.
    ///   - body: The closure.
    package static func run<Result>(
        startsDaemon: Bool = true,
        file: String = #fileID,
        line: Int = #line,
        _ body: (DesktopSession) async throws -> Result
    ) async throws -> Result {
        try await withTemporaryDirectory(file: file, line: line) { folder in
            let session = try DesktopSession(folder)
            let result: Swift.Result<Result, any Error>
            do {
                try await session.startBus()
                if startsDaemon { try await session.startDaemon() }
                result = .success(try await body(session))
            } catch {
                result = .failure(error)
            }
            try await session.script.end()
            return try result.get()
        }
    }
}

extension DesktopSession {
    /// Starts a bus without programs that start on demand.
    package func startBus() async throws {
        try await perform("start_bus")
    }

    /// Kills the bus, and with it the keyring's daemon. Clients are disconnected.
    package func killBus() async throws {
        try await perform("kill_bus")
    }

    /// Starts the keyring's daemon, and waits until it answers calls.
    ///
    /// - Parameter unlocked: Whether to unlock the default collection, and to create it if there is none. Default: true.
    package func startDaemon(unlocked: Bool = true) async throws {
        try await perform("start_daemon", Arguments(unlocked: unlocked))
    }

    /// Kills the keyring's daemon, and waits until its name is not on the bus.
    package func killDaemon() async throws {
        try await perform("kill_daemon")
    }

    /// Stops the keyring's daemon, which then has its name on the bus, but answers no calls.
    package func suspendDaemon() async throws {
        try await perform("suspend_daemon")
    }

    package func resumeDaemon() async throws {
        try await perform("resume_daemon")
    }

    /// The identifiers of the session's processes: of its helper, which ends the others, and of the bus and the daemon that
    /// were started last.
    package var processIdentifiers: [Int32] {
        get async throws { [script.identifier] + (try await perform("identifiers", returning: [Int32].self)) }
    }

    /// Locks a collection.
    ///
    /// - Parameter collection: The object path of the collection. Default: that of the default collection.
    package func lock(_ collection: String? = nil) async throws {
        try await perform("lock", Arguments(collection: collection))
    }

    /// Unlocks a collection without a prompt.
    ///
    /// - Parameters:
    ///   - collection: The object path of the collection. Default: that of the default collection.
    ///   - password: The password of the collection. Default: that of the default collection.
    package func unlock(_ collection: String? = nil, password: String = password) async throws {
        try await perform("unlock", Arguments(collection: collection, password: password))
    }

    /// Returns whether a collection is locked.
    ///
    /// - Parameter collection: The object path of the collection. Default: that of the default collection.
    package func isLocked(_ collection: String? = nil) async throws -> Bool {
        try await perform("is_locked", Arguments(collection: collection), returning: Bool.self)
    }

    /// Creates a collection, which is unlocked, without a prompt.
    ///
    /// - Returns: The object path of the collection.
    package func createCollection(label: String, password: String = password) async throws -> String {
        try await perform("create_collection", Arguments(label: label, password: password), returning: String.self)
    }

    /// Runs `secret-tool` in the session.
    ///
    /// - Parameter input: The text of standard input, at most 8,192 bytes, such as the secret to store. Default: empty.
    package func secretTool(_ arguments: [String], input: String = "") async throws -> CommandLineRun {
        try await CommandLineRun("secret-tool", arguments, environment: environment, input: input)
    }
}

extension DesktopSession {
    /// Runs a closure while a double of the user answers the keyring's prompts. Without it, prompts fail.
    ///
    /// - Parameters:
    ///   - answers: The answers in the order of the prompts. Further prompts are cancelled.
    ///   - body: The closure.
    package func withPrompter<Result>(
        answers: [Answer],
        _ body: (Prompts) async throws -> Result
    ) async throws -> Result {
        try await perform("start_prompter", Arguments(answers: answers))
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(Prompts(session: self))) } catch { result = .failure(error) }
        try await perform("stop_prompter")
        return try result.get()
    }

    /// The keyring's prompts to a double of the user.
    ///
    /// A client must not dismiss an open prompt to unlock a collection: GNOME's daemon aborts (42.1, `perform_next_unlock`).
    package struct Prompts: Sendable {
        fileprivate let session: DesktopSession

        /// Waits for a number of prompts.
        ///
        /// - Returns: The texts of all prompts so far. A prompt that follows a wrong password counts as another one.
        @discardableResult
        package func texts(atLeast count: Int = 0) async throws -> [String] {
            try await session.perform("wait_for_prompts", Arguments(count: count), returning: [String].self)
        }

        /// The number of prompts whose answers are held, and that the keyring has not closed.
        package var openCount: Int {
            get async throws { try await session.perform("open_prompts", returning: Int.self) }
        }

        /// Gives the held answers.
        package func release() async throws {
            try await session.perform("release_answers")
        }
    }
}

extension DesktopSession.Answer: Encodable {
    private enum CodingKeys: String, CodingKey {
        case password, held
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .password(let password): try container.encode(password, forKey: .password)
        case .cancel: break
        case .held(let answer): try container.encode(answer, forKey: .held)
        }
    }
}

extension DesktopSession {
    /// The arguments of a command. Those that it does not have are nil.
    private struct Arguments: Encodable {
        var answers: [Answer]?
        var collection: String?
        var count: Int?
        var label: String?
        var password: String?
        var unlocked: Bool?
    }

    /// Sends a command, and waits until it is done.
    private func perform(_ name: String, _ arguments: Arguments = Arguments()) async throws {
        _ = try await script.perform(name, arguments, returning: Bool.self)
    }

    private func perform<Result: Decodable & Sendable>(
        _ name: String,
        _ arguments: Arguments = Arguments(),
        returning type: Result.Type
    ) async throws -> Result {
        guard let result = try await script.perform(name, arguments, returning: type) else {
            throw Failure(description: "\(name): no result")
        }
        return result
    }
}
