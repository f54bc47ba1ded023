import Foundation

/// The calls that concerned a folder in their order, with notes.
struct CallJournal {
    enum Outcome {
        case done
        case failed
        /// Interrupted by a signal, which does not affect the file.
        case interrupted

        /// - Parameter code: The value of `errno`; 0 for none, and -1 for a call that did only half of its work.
        init(code: CInt) {
            self = code <= 0 ? .done : code == EINTR ? .interrupted : .failed
        }
    }

    enum Line {
        case call(FaultLayer.Call, Outcome, path: String, target: String)
        case words(String)
    }

    let lines: [Line]

    /// - Parameter text: A line for each call: its name, its error and one or two paths, separated by tabs.
    init(_ text: String) {
        lines = text.split(separator: "\n").map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 4, let call = FaultLayer.Call(rawValue: fields[0]) else {
                return .words(String(line))
            }
            return .call(call, Outcome(code: CInt(fields[1]) ?? 0), path: fields[2], target: fields[3])
        }
    }

    var calls: [FaultLayer.Call] {
        lines.compactMap { if case .call(let call, _, _, _) = $0 { call } else { nil } }
    }

    /// Whether a call of a kind has failed.
    func hasFailed(_ kind: FaultLayer.Call) -> Bool {
        lines.contains { if case .call(kind, .failed, _, _) = $0 { true } else { false } }
    }

    /// The note of an acknowledgement.
    static let acknowledgement = "acknowledged"
}

extension CallJournal {
    /// The calls in human-readable form: `create .preferences.json.tmp-1, write …, sync! …`.
    var text: String {
        lines.map { line in
            switch line {
            case .words(let words): words
            case .call(let call, let outcome, let path, _):
                "\(call.rawValue)\(outcome == .done ? "" : "!") \(path.split(separator: "/").last ?? "")"
            }
        }.joined(separator: ", ")
    }
}

/// The rules for the order of system calls that makes a file durable when the store acknowledges it.
///
/// A failed sync may have discarded pages, and a second one then succeeds without writing them. After a failed sync,
/// only a new file that replaces the old one counts as written. A sync that was interrupted by a signal has not failed:
/// it may be repeated, but does not count.
struct SyncRules {
    private enum Condition {
        case dirty
        case synced
        case failed
    }

    /// The path that must be durable: the file, or the log of a database.
    private let file: String
    /// The path at which files are replaced.
    private let place: String
    /// Whether the file is a log, which may be written again after a failed sync.
    private let isLog: Bool
    /// The condition of each file that was written.
    private var files: [String: Condition] = [:]
    /// The condition of each folder with a rename that is not synced.
    private var folders: [String: Condition] = [:]
    /// Replaced files that a power failure may restore, by the folder of the path at which they were.
    private var returning: [String: Set<String>] = [:]
    private(set) var violations: [String] = []

    /// Returns the violations in a journal.
    ///
    /// - Parameter url: The file that must be durable when the journal notes an acknowledgement.
    static func violations(in journal: CallJournal, about url: URL, of store: ProvenStore) -> [String] {
        var rules = SyncRules(place: url.path, isLog: store.isDatabase)
        for line in journal.lines { rules.follow(line) }
        return rules.violations
    }

    private init(place: String, isLog: Bool) {
        self.place = place
        self.isLog = isLog
        file = isLog ? place + "-wal" : place
    }

    private mutating func follow(_ line: CallJournal.Line) {
        switch line {
        case .call(.write, _, let path, let offset):
            noteChange(of: path)
            if offset == "0" { noteNewBeginning(of: path) }
        case .call(.truncate, _, let path, _):
            noteChange(of: path)
            noteNewBeginning(of: path)
        case .call(.sync, let outcome, let path, _): noteSync(path, outcome)
        case .call(.rename, .done, let path, let target): noteRename(path, target)
        case .call(.exchange, .done, let path, let target):
            noteRename(path, target)
            returning[Self.folder(of: target), default: []].insert(path)
        // A failed sync of a removed file does not matter.
        case .call(.unlink, .done, let path, _):
            noteNewBeginning(of: path)
            files[path] = nil
            for folder in returning.keys { returning[folder]?.remove(path) }
        case .call: break
        case .words(CallJournal.acknowledgement): noteAcknowledgement()
        case .words: break
        }
    }

    private mutating func noteChange(of path: String) {
        if files[path] != .failed || isLog { files[path] = .dirty }
        if returning.values.contains(where: { $0.contains(path) }) {
            violations.append("a file was overwritten that a power failure may restore")
        }
    }

    /// Checks that a log is not overwritten before the database is synced.
    private mutating func noteNewBeginning(of path: String) {
        guard isLog, path == file, let condition = files[place], condition != .synced else { return }
        violations.append("the log was overwritten before the database was synced")
    }

    private mutating func noteSync(_ path: String, _ outcome: CallJournal.Outcome) {
        switch outcome {
        case .done:
            if files[path] == .dirty { files[path] = .synced }
            guard folders[path] != .failed else { break }
            folders[path] = nil
            returning[path] = nil
        case .failed:
            // Earlier synced writes are on the disk.
            if files[path] == .dirty { files[path] = .failed }
            // SQLite relies on journaling file systems, which write nothing more after they fail to write a folder.
            if folders[path] != nil, !isLog { folders[path] = .failed }
        case .interrupted: break
        }
    }

    private mutating func noteRename(_ path: String, _ target: String) {
        let condition = files.removeValue(forKey: path)
        folders[Self.folder(of: target)] = .dirty
        // Other renames move damaged files.
        guard target == place else { return }
        switch condition {
        case .failed?: violations.append("a file whose sync had failed was put in place")
        case .dirty?: violations.append("a file that was not synced was put in place")
        case .synced?, nil: break
        }
    }

    private mutating func noteAcknowledgement() {
        if folders[Self.folder(of: file)] != nil {
            violations.append("a file was acknowledged whose folder was not synced")
        }
        switch files[file] {
        case .failed?: violations.append("a file was acknowledged whose sync had failed")
        case .dirty?: violations.append("a file was acknowledged that was not synced")
        case .synced?, nil: break
        }
    }

    private static func folder(of path: String) -> String {
        URL(filePath: path).deletingLastPathComponent().path
    }
}
