#if !canImport(Security)
    import Dispatch
    import Foundation
    import PreferencesRuntime
    import StoreTestSupport
    import TestSupport

    @testable import PreferencesSecrets

    extension DesktopSession {
        /// Returns a store of the service `weather` on the session's bus, with a connection of its own, as in another
        /// process.
        func store(
            service: String = "weather",
            _ options: SecretServiceOptions = SecretServiceOptions(timeout: .seconds(120))
        ) -> SecretServiceStore {
            SecretServiceStore(service: service, options: options, connection: connection)
        }

        /// Starts `StoreChild` in the session.
        func child(
            _ arguments: String...,
            input: ChildProcess.Stream = .null,
            output: ChildProcess.Stream = .null
        ) throws -> ChildProcess {
            let program = try BuiltWithTests.executable("StoreChild").path
            return try ChildProcess(program, arguments, environment: environment, input: input, output: output)
        }

        /// Runs `StoreChild` in the session.
        ///
        /// - Throws: ``ToolFailure`` if it fails.
        func runChild(_ arguments: String...) async throws {
            let program = try BuiltWithTests.executable("StoreChild").path
            try require(await CommandLineRun(program, arguments, environment: environment))
        }

        /// A new connection to the session's bus.
        var connection: SecretServiceConnection {
            let address = address
            return SecretServiceConnection(
                address: { () throws(SecretServiceFailure) in address },
                lockFolder: "\(environment["XDG_RUNTIME_DIR", default: ""])/swift-preferences",
                promptPause: .zero,
                library: Libsecret.library
            )
        }
    }

    /// Runs a task, and blocks the thread until it has ended. The caller must not be a task.
    func waitForTask(_ body: @escaping @Sendable () async throws -> Void) throws {
        let isDone = DispatchSemaphore(value: 0)
        let results = Recorder<Result<Void, any Error>>()
        Task.detached {
            do {
                try await body()
                results.add(.success(()))
            } catch {
                results.add(.failure(error))
            }
            isDone.signal()
        }
        isDone.wait()
        try results.all.first?.get()
    }

    /// Runs a blocking closure on a thread of its own.
    ///
    /// - Returns: The problem that it throws; nil if it throws none.
    func problem(_ body: @escaping @Sendable () throws -> Void) async -> PreferenceProblem? {
        do {
            try await onOwnThread(body)
            return nil
        } catch {
            return error as? PreferenceProblem
        }
    }

    extension PreferenceAccessors {
        /// A secret key.
        var token: String {
            get { get("token", default: "none", [.secret]) }
            nonmutating set { set("token", to: newValue, [.secret]) }
        }
    }
#endif
