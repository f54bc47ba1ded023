import Foundation

/// The library `FaultLayer/fault_layer.c`, which makes system calls of this process fail.
struct FaultLayer {
    /// The calls, in the order of the library's list.
    enum Call: String, CaseIterable {
        case open, create, list, stat, readlink, read, write, sync, rename, link, unlink, lock, truncate, chmod, chown
        case mkdir, watch
        /// Locking a region of a file, which SQLite does. It never fails here, because SQLite would treat the error as
        /// another process's lock, and retry for ten seconds.
        case region
        /// Exchanging two files.
        case exchange
        /// Testing whether another process has opened a file.
        case lease
        /// Listing, reading or writing an extended attribute.
        case attribute
        /// Setting a file's times.
        case times
        /// Mapping a file into memory.
        case map
    }

    private let watchFunction: @convention(c) (UnsafePointer<CChar>) -> Void
    private let armFunction: @convention(c) (UInt32, Int32, Int32, UInt64) -> Void
    private let liftFunction: @convention(c) () -> Void
    private let exemptFunction: @convention(c) (Int32) -> Void
    private let noteFunction: @convention(c) (UnsafePointer<CChar>) -> Void
    private let homeFunction: @convention(c) (UnsafePointer<CChar>) -> Void
    private let journalFunction: @convention(c) () -> UnsafeMutablePointer<CChar>?

    struct NotLoaded: Error, CustomStringConvertible {
        var description: String { "the library that makes system calls fail is not loaded" }
    }

    init() throws {
        func find<Function>(_ name: String) throws -> Function {
            guard let symbol = dlsym(nil, "fault_layer_\(name)") else { throw NotLoaded() }
            return unsafeBitCast(symbol, to: Function.self)
        }
        watchFunction = try find("watch")
        armFunction = try find("arm")
        liftFunction = try find("lift")
        exemptFunction = try find("exempt")
        noteFunction = try find("note")
        homeFunction = try find("home")
        journalFunction = try find("journal")
    }

    /// Starts to count and record calls that concern a folder and its contents.
    func watch(_ folder: URL) { watchFunction(folder.path) }

    /// Starts a fault.
    func arm(_ fault: CallFault) {
        let kinds = Call.allCases.enumerated().reduce(UInt64(0)) { kinds, call in
            fault.error.strikes(call.element) ? kinds | 1 << UInt64(call.offset) : kinds
        }
        armFunction(UInt32(fault.index), fault.error.code, fault.isLasting ? 1 : 0, kinds)
    }

    /// Ends the fault.
    func lift() { liftFunction() }

    /// Calls a closure whose system calls on this thread neither count nor fail.
    func unhindered<Result>(_ body: () throws -> Result) rethrows -> Result {
        exemptFunction(1)
        defer { exemptFunction(0) }
        return try body()
    }

    /// Sets the home folder of all users in the system's user database.
    func setHome(_ folder: URL) { homeFunction(folder.path) }

    /// Adds a note to the journal.
    func note(_ words: String) { noteFunction(words) }

    /// - Throws: ``JournalFull``.
    func journal() throws -> CallJournal {
        guard let text = journalFunction() else { throw JournalFull() }
        defer { free(text) }
        return CallJournal(String(cString: text))
    }

    struct JournalFull: Error, CustomStringConvertible {
        var description: String { "the journal is full; enlarge it in fault_layer.c" }
    }
}

/// A fault: which call fails, and how.
struct CallFault {
    /// The number of the call that fails. The first is 1.
    let index: Int
    let error: CallError
    /// Whether all later calls that can fail like this fail too, until the fault is lifted.
    let isLasting: Bool

    /// Whether a call reported that extended attributes or owners are unsupported or denied. With several threads, the
    /// call at the index varies.
    func hasDeniedAttributes(in journal: CallJournal) -> Bool {
        [EOPNOTSUPP, EPERM].contains(error.code) && (journal.hasFailed(.attribute) || journal.hasFailed(.chown))
    }

    var name: String { "\(error.name) \(isLasting ? "from call \(index) on" : "at call \(index)")" }
}

/// An error, and the calls that it affects.
struct CallError {
    let name: String
    /// The value of `errno`; -1 for a call that does only half of its work.
    let code: CInt
    private let calls: [FaultLayer.Call]
    /// Whether the error is always temporary.
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
