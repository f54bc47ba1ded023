import Foundation

/// The library that makes system calls fail, `FaultLayer/fault_layer.c`, in the process that it is loaded into.
struct FaultLayer {
    /// Calls, in the order of the library's own list.
    enum Call: String, CaseIterable {
        case open, create, list, stat, readlink, read, write, sync, rename, link, unlink, lock, truncate, chmod, chown
        case mkdir, watch
        /// Locking a part of a file, as SQLite does. It takes any error there for a lock of somebody else's, and tries for
        /// ten seconds: none is made.
        case region
        /// Two files change places.
        case exchange
        /// Asking whether a file is open elsewhere.
        case lease
        /// An extended attribute is listed, read or written.
        case attribute
        /// A file is given its times.
        case times
        /// A file is mapped into memory.
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

    /// Counts and notes calls that concern a folder and what is in it, from now on.
    func watch(_ folder: URL) { watchFunction(folder.path) }

    /// Has calls fail from now on.
    func arm(_ fault: CallFault) {
        let kinds = Call.allCases.enumerated().reduce(UInt64(0)) { kinds, call in
            fault.error.strikes(call.element) ? kinds | 1 << UInt64(call.offset) : kinds
        }
        armFunction(UInt32(fault.index), fault.error.code, fault.isLasting ? 1 : 0, kinds)
    }

    /// Has no call fail any more.
    func lift() { liftFunction() }

    /// Runs a body whose calls, on this thread, neither count nor fail.
    func unhindered<Result>(_ body: () throws -> Result) rethrows -> Result {
        exemptFunction(1)
        defer { exemptFunction(0) }
        return try body()
    }

    /// Has the system's list of users give everybody this home.
    func giveHome(_ folder: URL) { homeFunction(folder.path) }

    /// Has a line stand among the calls.
    func note(_ words: String) { noteFunction(words) }

    /// - Throws: ``JournalFull``.
    func journal() throws -> CallJournal {
        guard let text = journalFunction() else { throw JournalFull() }
        defer { free(text) }
        return CallJournal(String(cString: text))
    }

    struct JournalFull: Error, CustomStringConvertible {
        var description: String { "there were more calls than can be noted; make the journal of the library larger" }
    }
}
