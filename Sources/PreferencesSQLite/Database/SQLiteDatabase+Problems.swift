import PreferencesSystem
import PreferencesRuntime

extension SQLiteDatabase {
    /// What an error is to users.
    ///
    /// - Parameter code: What it is a problem of, where the error does not say.
    func problem(_ code: PreferenceProblem.Code, _ error: any Error) -> PreferenceProblem {
        switch error {
        case let problem as PreferenceProblem: problem
        case let error as SQLiteError where error.isDamage:
            problem(
                .storeMalformed,
                "the database is damaged\(showsReason(of: error) ? ": \(error.reason)" : ""); it is left as it is until the next write, which sets it aside",
                showsReason(of: error) ? error.isReasonPublic : true
            )
        case let error as SQLiteError where error.isBusy:
            problem(
                code,
                "\(error); another program has kept it locked for too long, end that program's transaction",
                error.isReasonPublic
            )
        case let error as SQLiteError: problem(code, error.description, error.isReasonPublic)
        case let error as SystemError: problem(code, error.description, true)
        case let error as SQLiteSchema.Foreign: problem(.storeMalformed, error.description, true)
        case let error as SQLiteSchema.Unloggable: problem(.storeUnwritable, error.description, true)
        default: problem(code, String(describing: error))
        }
    }

    /// Whether the reason for damage can be shown. SQLite's own words may contain parts of the database.
    func showsReason(of damage: SQLiteError) -> Bool {
        damage.isReasonPublic || !areSecrets
    }

    /// What the place of the database has to do with what it keeps.
    static func problem(ofDatabaseAt path: String, on fileSystem: RemoteFileSystem) -> PreferenceProblem {
        let message =
            "the database is on a network file system (\(fileSystem.name)), where the log that SQLite keeps is not safe: "
            + "programs on two machines can damage it, and hear nothing of each other; keep it on a local disk"
        return PreferenceProblem(.remoteFileSystem, store: path, message: message, isMessagePublic: true)
    }

    /// A value that cannot be read or kept.
    func problem(_ error: RowError, of name: String) -> PreferenceProblem {
        PreferenceProblem(.unsupportedValue, key: name, store: path, message: error.description, isMessagePublic: true)
    }

    private func problem(
        _ code: PreferenceProblem.Code,
        _ message: String,
        _ isMessagePublic: Bool = false
    ) -> PreferenceProblem {
        PreferenceProblem(code, store: path, message: message, isMessagePublic: isMessagePublic)
    }
}
