import Foundation

/// Which call fails, and how.
struct CallFault {
    /// From this one on, or this one alone; the first is 1.
    let index: Int
    let error: CallError
    /// Whether all later calls fail too that can fail like this, until the fault is lifted.
    let isLasting: Bool

    /// Whether it has said, among these calls, that there are no extended attributes here, or not for this user, or the
    /// same of owners. Where threads take turns, the call at the index is another each time.
    func hasDeniedAttributes(in journal: CallJournal) -> Bool {
        [EOPNOTSUPP, EPERM].contains(error.code) && (journal.hasFailed(.attribute) || journal.hasFailed(.chown))
    }

    var name: String { "\(error.name) \(isLasting ? "from call \(index) on" : "at call \(index)")" }
}

/// How calls fail, and which do so.
struct CallError {
    let name: String
    /// The value of `errno`; -1 stands for a call that does half of what it was asked to.
    let code: CInt
    private let calls: [FaultLayer.Call]
    /// Whether a call that fails like this for good is one that no program could bear.
    let isPassing: Bool

    private init(_ name: String, _ code: CInt, _ calls: [FaultLayer.Call], isPassing: Bool = false) {
        self.name = name
        self.code = code
        self.calls = calls
        self.isPassing = isPassing
    }

    func strikes(_ call: FaultLayer.Call) -> Bool { calls.contains(call) }

    private static let growing: [FaultLayer.Call] = [
        .create, .write, .sync, .rename, .exchange, .link, .mkdir, .truncate,
    ]

    static let all = [
        CallError("EIO", EIO, FaultLayer.Call.allCases.filter { ![.lock, .region, .watch, .map].contains($0) }),
        CallError("ENOSPC", ENOSPC, growing + [.watch, .attribute]),
        CallError("EDQUOT", EDQUOT, growing + [.attribute]),
        CallError("EMFILE", EMFILE, [.open, .create, .list, .watch]),
        CallError("ENOLCK", ENOLCK, [.lock]),
        CallError("EOPNOTSUPP", EOPNOTSUPP, [.lock, .link, .lease, .attribute]),
        CallError("EINVAL", EINVAL, [.exchange, .lease]),
        CallError("EPERM", EPERM, [.rename, .exchange, .link, .unlink, .chmod, .chown, .attribute, .times]),
        CallError("EROFS", EROFS, [.create, .rename, .exchange, .link, .unlink, .mkdir, .chmod, .chown]),
        CallError("EACCES", EACCES, [.open, .create, .list, .rename, .exchange, .lease, .link, .mkdir]),
        CallError(
            "ENOMEM",
            ENOMEM,
            [.open, .create, .list, .stat, .read, .rename, .exchange, .lease, .mkdir, .attribute, .map]
        ),
        CallError("EINTR", EINTR, [.open, .create, .read, .write, .sync, .lock], isPassing: true),
        CallError("half done", -1, [.read, .write]),
    ]
}
