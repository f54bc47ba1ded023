import Foundation
import PreferencesRuntime
import Synchronization

/// A small store of a JSON file that does everything right but one thing, to see that the proofs find it.
final class NaiveStore: WritablePreferenceStore {
    /// What it does wrong.
    struct Faults: OptionSet, Sendable {
        let rawValue: Int
        /// The file is emptied, and then written.
        static let writesInPlace = Faults(rawValue: 1 << 0)
        /// A batch is written name by name.
        static let splitsBatches = Faults(rawValue: 1 << 1)
        /// Setting returns before the file is written, and flushing does not wait for it.
        static let acknowledgesEarly = Faults(rawValue: 1 << 2)
        /// Processes that write at the same time do not wait for each other.
        static let ignoresLocks = Faults(rawValue: 1 << 3)
        /// A file that does not parse is taken for an empty one.
        static let overwritesDamage = Faults(rawValue: 1 << 4)
        /// A sync that failed is tried again.
        static let retriesSync = Faults(rawValue: 1 << 5)
        /// The file is replaced by one that was not synced.
        static let neverSyncs = Faults(rawValue: 1 << 6)
    }

    let label: String
    private let faults: Faults
    private let writing = Mutex<Void>(())
    /// What was last read or written, for readers while the file cannot be read.
    private let known = Mutex<[String: Int64]?>(nil)
    private let queue = DispatchQueue(label: "naive")

    init(url: URL, faults: Faults) {
        label = url.path
        self.faults = faults
    }

    func value(for name: String) throws -> PreferenceValue? {
        try served()[name].map { .int($0) }
    }

    func names() throws -> Set<String> { Set(try served().keys) }

    private func served() throws -> [String: Int64] {
        do {
            return try entries()
        } catch {
            guard let known = known.withLock({ $0 }) else { throw error }
            return known
        }
    }

    func apply(_ batch: PreferenceBatch) throws {
        try update { _ in batch }
    }

    func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try writing.withLock { _ in
            let lock = try describing { () -> PlainFile? in
                try PlainFile.makeFolder(of: label)
                return faults.contains(.ignoresLocks) ? nil : try PlainFile(locking: label + ".lock")
            }
            defer { lock?.close() }
            let old = try entries()
            let batch = try makeBatch { name in old[name].map { .int($0) } }
            if faults.contains(.acknowledgesEarly) {
                // All later than the next acknowledgement, and in order.
                let new = Self.entries(old, with: batch)
                // So late that kills come before it.
                queue.asyncAfter(deadline: .now() + .milliseconds(20)) { [self] in try? write(new) }
            } else if faults.contains(.splitsBatches) {
                var new = old
                for (name, edit) in batch {
                    new = Self.entries(new, with: [name: edit])
                    try write(new)
                    Self.dawdle()
                }
            } else {
                try write(Self.entries(old, with: batch))
            }
        }
    }

    private static func dawdle() {
        usleep(30_000)  // Has a half-done write last longer than the rest of it, so that kills fall into it.
    }

    private static func entries(_ old: [String: Int64], with batch: PreferenceBatch) -> [String: Int64] {
        var new = old
        for (name, edit) in batch {
            if case .set(.int(let number)) = edit { new[name] = number } else { new[name] = nil }
        }
        return new
    }

    private func entries() throws -> [String: Int64] {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: label))
        } catch CocoaError.fileReadNoSuchFile {
            return [:]
        } catch {
            throw PreferenceProblem(.storeUnreadable, store: label, message: "cannot read: \(error)")
        }
        if let root = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] {
            let entries = root.compactMapValues { ($0 as? NSNumber)?.int64Value }
            known.withLock { $0 = entries }
            return entries
        }
        if faults.contains(.overwritesDamage) { return [:] }
        throw PreferenceProblem(.storeMalformed, store: label, message: "the file does not parse")
    }

    private func write(_ entries: [String: Int64]) throws {
        try describing {
            let bytes = Array(try JSONSerialization.data(withJSONObject: entries))
            let path = faults.contains(.writesInPlace) ? label : label + ".new"
            let file = try PlainFile(writing: path)
            defer { file.close() }
            if faults.contains(.writesInPlace) {
                try file.write(Array(bytes.prefix(bytes.count / 2)))
                Self.dawdle()
                try file.write(Array(bytes.dropFirst(bytes.count / 2)))
            } else {
                try file.write(bytes)
            }
            if !faults.contains(.neverSyncs) { try sync(file) }
            if path != label { try PlainFile.rename(path, label) }
            known.withLock { $0 = entries }
            if !faults.contains(.neverSyncs) { try PlainFile.syncFolder(of: label) }
        }
    }

    private func describing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw PreferenceProblem(.storeUnwritable, store: label, message: "cannot write: \(error)")
        }
    }

    private func sync(_ file: PlainFile) throws {
        do {
            try file.sync()
        } catch {
            guard faults.contains(.retriesSync) else { throw error }
            try file.sync()
        }
    }
}
