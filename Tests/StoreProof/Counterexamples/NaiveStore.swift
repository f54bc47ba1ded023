import Foundation
import PreferencesRuntime
import Synchronization

/// A small store of a JSON file with one fault, which the proofs must find.
final class NaiveStore: WritablePreferenceStore {
    /// The store's fault.
    struct Faults: OptionSet, Sendable {
        let rawValue: Int
        /// The file is truncated and then written.
        static let writesInPlace = Faults(rawValue: 1 << 0)
        /// A batch is written one name at a time.
        static let splitsBatches = Faults(rawValue: 1 << 1)
        /// Setting returns before the file is written, and flushing does not wait for it.
        static let acknowledgesEarly = Faults(rawValue: 1 << 2)
        /// Processes that write at the same time do not wait for each other.
        static let ignoresLocks = Faults(rawValue: 1 << 3)
        /// A malformed file is treated as an empty one.
        static let overwritesDamage = Faults(rawValue: 1 << 4)
        /// A failed sync is repeated.
        static let retriesSync = Faults(rawValue: 1 << 5)
        /// The file is replaced without a sync.
        static let neverSyncs = Faults(rawValue: 1 << 6)
    }

    let label: String
    private let faults: Faults
    private let writing = Mutex<Void>(())
    /// The values that were last read or written, for reads while the file cannot be read.
    private let cached = Mutex<[String: Int64]?>(nil)
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
            guard let cached = cached.withLock({ $0 }) else { throw error }
            return cached
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
                // In order, and later than the next acknowledgement.
                let new = Self.entries(old, with: batch)
                // Late enough for kills before the write.
                queue.asyncAfter(deadline: .now() + .milliseconds(20)) { [self] in try? write(new) }
            } else if faults.contains(.splitsBatches) {
                var new = old
                for (name, edit) in batch {
                    new = Self.entries(new, with: [name: edit])
                    try write(new)
                    Self.delay()
                }
            } else {
                try write(Self.entries(old, with: batch))
            }
        }
    }

    private static func delay() {
        usleep(30_000)  // Prolongs an incomplete write, so that kills hit it.
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
            cached.withLock { $0 = entries }
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
                Self.delay()
                try file.write(Array(bytes.dropFirst(bytes.count / 2)))
            } else {
                try file.write(bytes)
            }
            if !faults.contains(.neverSyncs) { try sync(file) }
            if path != label { try PlainFile.rename(path, label) }
            cached.withLock { $0 = entries }
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

/// A file that is accessed with plain system calls.
struct PlainFile {
    private let descriptor: CInt

    /// Opens a truncated file for writing.
    init(writing path: String) throws {
        descriptor = try Self.check(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600))
    }

    /// Waits for a lock, which is held until the file is closed.
    init(locking path: String) throws {
        descriptor = try Self.check(open(path, O_RDONLY | O_CREAT | O_CLOEXEC, 0o600))
        try Self.check(flock(descriptor, LOCK_EX))
    }

    func close() { _ = Foundation.close(descriptor) }

    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            rest = rest.dropFirst(try Self.check(count))
        }
    }

    func sync() throws { try Self.check(fsync(descriptor)) }

    static func rename(_ old: String, _ new: String) throws { try check(Foundation.rename(old, new)) }

    static func makeFolder(of path: String) throws {
        try FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
    }

    static func syncFolder(of path: String) throws {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let descriptor = try check(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        defer { _ = Foundation.close(descriptor) }
        try check(fsync(descriptor))
    }

    @discardableResult
    private static func check<Number: SignedInteger>(_ result: Number) throws -> Number {
        guard result < 0 else { return result }
        throw SystemFailure(code: errno)
    }
}

/// A system call that failed.
struct SystemFailure: Error, CustomStringConvertible {
    let code: CInt
    var description: String { String(cString: strerror(code)) }
}
