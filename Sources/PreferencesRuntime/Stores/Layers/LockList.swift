import Foundation
import PreferencesSystem

/// The names that an administrator has locked.
protocol LockSource: Sendable {
    /// Returns the label of what locks a name; nil if it is not locked.
    func lock(on name: String) -> String?
    var lists: [LockList] { get }
    var notifiesAllChanges: Bool { get }
    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation
    func reload()
}

/// A list of locked names, as dconf has them.
struct LockList: Sendable, Hashable {
    private var names: Set<String> = []
    private var prefixes: [String] = []
    /// The path of the file, or the label of the store.
    let label: String

    /// Creates a list.
    ///
    /// - Parameter locks: Names, and prefixes that end with a colon.
    init(_ locks: some Sequence<String>, label: String) {
        self.label = label
        for lock in locks {
            if lock == ":" {
                prefixes.append("")
            } else if lock.hasSuffix(":") {
                prefixes.append(lock)
            } else {
                names.insert(lock)
            }
        }
    }

    /// The names, then the prefixes.
    var locks: [String] { names.sorted() + prefixes.map { $0.isEmpty ? ":" : $0 } }

    /// Creates the list in a file.
    ///
    /// - Parameter malformed: Receives the numbers of the lines, from 1, that are not text in UTF-8. The others count.
    init(parsing bytes: [UInt8], label: String, malformed: inout [Int]) {
        var locks: [String] = []
        // Files of other systems begin with a byte order mark, or have other line ends.
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).flatMap { line in
            (line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
                .split(separator: UInt8(ascii: "\r"), omittingEmptySubsequences: false)
        }
        for (index, line) in lines.enumerated() {
            guard let line = String(validating: line, as: UTF8.self), !line.utf8.contains(0) else {
                malformed.append(index + 1)
                continue
            }
            let name = line.trimmingCharacters(in: .whitespacesAndNewlines)
            if !name.isEmpty, !name.hasPrefix("#") { locks.append(name) }
        }
        self.init(locks, label: label)
    }
}

extension LockList: LockSource {
    var lists: [LockList] { [self] }

    // By bytes: a colon that is followed by a combining mark is not a `Character` of its own.
    func lock(on name: String) -> String? {
        names.contains(name) || prefixes.contains { name.utf8.starts(with: $0.utf8) } ? label : nil
    }

    var notifiesAllChanges: Bool { true }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        PreferenceStoreObservation {}
    }

    func reload() {}
}

/// The lock lists in a folder, if only the superuser can have written them.
final class LockFolder: LockSource {
    private let files: TrustedFiles<[LockList]>

    init(_ path: String) {
        files = TrustedFiles(
            // The slash watches all names in the folder.
            paths: { ["\(path)/"] + ((try? TrustedFile.names(in: path)) ?? []).map { "\(path)/\($0)" } },
            initial: [],
            load: { last, problems in Self.load(path, last, &problems) },
            change: { $0 == $1 ? nil : .everything }
        )
    }

    /// - Parameter last: The lists that were read last, for those that cannot be read.
    private static func load(
        _ path: String,
        _ last: [LockList],
        _ problems: inout [PreferenceProblem]
    ) -> [LockList] {
        do {
            return try (TrustedFile.names(in: path) ?? []).compactMap { name in
                let file = "\(path)/\(name)"
                return load(file, last: last.first { $0.label == file }, &problems)
            }
        } catch {
            problems.append(PreferenceProblem(reading: path, failed: error))
            return error is UntrustedFileError ? [] : last
        }
    }

    private static func load(_ file: String, last: LockList?, _ problems: inout [PreferenceProblem]) -> LockList? {
        do {
            guard let bytes = try TrustedFile.read(file) else { return nil }
            var malformed: [Int] = []
            let list = LockList(parsing: bytes, label: file, malformed: &malformed)
            if let line = malformed.first {
                let message = "line \(line) is not text in UTF-8: the other lines have an effect"
                problems.append(
                    PreferenceProblem(.storeMalformed, store: file, message: message, isMessagePublic: true)
                )
            }
            return list
        } catch {
            // Not a list, but a folder.
            if (error as? SystemError)?.code == EISDIR { return nil }
            problems.append(PreferenceProblem(reading: file, failed: error))
            return error is UntrustedFileError ? nil : last
        }
    }

    func lock(on name: String) -> String? {
        for list in files.current() { if let label = list.lock(on: name) { return label } }
        return nil
    }

    var lists: [LockList] { files.current() }

    var notifiesAllChanges: Bool { files.notifiesAllChanges }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        files.observe(observer)
    }

    func reload() {
        files.reload()
    }
}
