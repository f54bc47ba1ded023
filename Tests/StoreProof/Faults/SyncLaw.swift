import Foundation

/// What the order of system calls must be for a file to be on the disk when that is said.
///
/// A sync that failed may have dropped what it could not write, and a second one then succeeds without having written
/// it. So nothing counts as written after that but a file that is written anew, and put in place anew. A sync that a
/// signal has interrupted has not failed: it may be called again, and counts for nothing until it has succeeded.
struct SyncLaw {
    private enum Condition {
        case dirty
        case synced
        case failed
    }

    /// What is to be on the disk: a file, or the log of a database.
    private let file: String
    /// Where files are put in place.
    private let place: String
    /// Whether it may be written again after its sync has failed, from where it was known to be on the disk.
    private let isLog: Bool
    /// Of each file that was written.
    private var files: [String: Condition] = [:]
    /// Of each folder with a rename in it that was not synced since.
    private var folders: [String: Condition] = [:]
    /// What was in place, by the folder of that place, as long as a power failure may put it there again.
    private var returning: [String: Set<String>] = [:]
    private(set) var complaints: [String] = []

    /// What a journal has against the law.
    ///
    /// - Parameter url: What is to be on the disk when the journal says that it is. Of a database that is its log.
    static func complaints(in journal: CallJournal, about url: URL, of store: ProvenStore) -> [String] {
        var law = SyncLaw(place: url.path, isLog: store.isDatabase)
        for line in journal.lines { law.follow(line) }
        return law.complaints
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
        // Its bytes are gone, and the failed sync with them.
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
            complaints.append("a file was written over that a power failure may put in place again")
        }
    }

    /// What is in a log counts until the database has it.
    private mutating func noteNewBeginning(of path: String) {
        guard isLog, path == file, let condition = files[place], condition != .synced else { return }
        complaints.append("the log was begun anew before the database that it was brought into was synced")
    }

    private mutating func noteSync(_ path: String, _ outcome: CallJournal.Outcome) {
        switch outcome {
        case .done:
            if files[path] == .dirty { files[path] = .synced }
            guard folders[path] != .failed else { break }
            folders[path] = nil
            returning[path] = nil
        case .failed:
            // What was synced before is on the disk.
            if files[path] == .dirty { files[path] = .failed }
            // SQLite counts on the file system here: one that has a journal, and cannot write a folder, writes nothing more.
            if folders[path] != nil, !isLog { folders[path] = .failed }
        case .interrupted: break
        }
    }

    private mutating func noteRename(_ path: String, _ target: String) {
        let condition = files.removeValue(forKey: path)
        folders[Self.folder(of: target)] = .dirty
        // Others are set aside, as they are.
        guard target == place else { return }
        switch condition {
        case .failed?: complaints.append("a file whose sync had failed was put in place")
        case .dirty?: complaints.append("a file that was not synced was put in place")
        case .synced?, nil: break
        }
    }

    private mutating func noteAcknowledgement() {
        if folders[Self.folder(of: file)] != nil {
            complaints.append("a file was called safe whose folder was not synced")
        }
        switch files[file] {
        case .failed?: complaints.append("a file was called safe whose sync had failed")
        case .dirty?: complaints.append("a file was called safe that was not synced")
        case .synced?, nil: break
        }
    }

    private static func folder(of path: String) -> String {
        URL(filePath: path).deletingLastPathComponent().path
    }
}
