import Foundation
import TestSupport

/// A run of `prefs` as a process.
typealias Prefs = ToolRun

/// The reason why `prefs` cannot read the keyring without a session bus.
let noSessionBus =
    "the keyring cannot be read: this process has no session bus: run it in a desktop session, which sets "
    + "DBUS_SESSION_BUS_ADDRESS, or with dbus-run-session(1)"

extension Prefs {
    /// Runs the tool in a folder until it exits.
    init(_ arguments: [String], in folder: URL) async throws {
        try await self.init("prefs", arguments, in: folder)
    }
}

extension Folder {
    /// Runs the tool in the folder.
    func run(_ arguments: String...) async throws -> Prefs { try await Prefs(arguments, in: url) }

    /// Runs a shell script in the folder, with the tool in `PATH`.
    func run(shell script: String) async throws -> Prefs {
        try await Prefs(shell: script, with: "prefs", in: url)
    }
}
