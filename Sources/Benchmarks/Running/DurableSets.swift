import Foundation
import PreferencesRuntime
import PreferencesSQLite

/// The time of a set that is on the disk when it returns, in a store of many keys.
enum DurableSets {
    static func run(_ report: inout BenchmarkReport, in folder: URL) throws {
        let append = try ByHand.append(to: folder.appending(path: "appended"))
        for keyCount in [10, 1_000, 10_000, 100_000] {
            let keys = "\(keyCount.text) keys"
            let sqlite = try sqliteSet(of: keyCount, in: folder)
            try report.compare("SQLiteStore, \(keys)", sqlite, with: append, target: .ratio(2), about: Self.about)
        }
        var many = try sqliteSet(of: 100_000, in: folder)
        var few = try sqliteSet(of: 10, in: folder)
        (many.name, few.name, few.about) = ("SQLiteStore", "10 keys", "the same of 10 keys")
        try report.compare(
            "SQLiteStore, flat",
            many,
            with: few,
            target: .ratio(1.5),
            about: "SQLiteStore of 100,000 keys"
        )

        for keyCount in [10, 1_000, 10_000, 100_000] {
            let keys = "\(keyCount.text) keys"
            let file = try fileSet(of: keyCount, in: folder)
            let byHand = try ByHand.replacement(of: folder.appending(path: "by-hand-\(keyCount).json"), keyCount)
            let target = keyCount == 1_000 ? BenchmarkReport.Target.ratio(2) : nil
            try report.compare("FileStore, \(keys)", file, with: byHand, target: target, about: Self.about)
            let suite = try suite(of: keyCount, in: folder)
            defer { suite.remove() }
            try report.compare(
                "FileStore, \(keys)",
                file,
                with: try userDefaultsSet(in: suite),
                target: .ratio(1),
                about: Self.about
            )
        }
    }

    private static let about = "apply(_:) of one Int to another value; FileStore is .immediate, and of JSON"

    private static func sqliteSet(of keyCount: Int, in folder: URL) throws -> Subject {
        let store = SQLiteStore(url: folder.appending(path: "\(keyCount)-\(UUID().uuidString).sqlite"))
        try store.apply(PreferenceBatch(batch(of: keyCount)))
        return .numbered(by: .wall) { try store.apply(["key-0": .set(.int(Int64($0)))]) }
    }

    private static func fileSet(of keyCount: Int, in folder: URL) throws -> Subject {
        let store = FileStore(url: folder.appending(path: "\(keyCount).json"), durability: .immediate)
        try store.apply(PreferenceBatch(batch(of: keyCount)))
        return .numbered(by: .wall) { try store.apply(["key-0": .set(.int(Int64($0)))]) }
    }

    /// Creates the suite's file, because Foundation takes minutes to set so many values one by one.
    private static func suite(of keyCount: Int, in folder: URL) throws -> SuiteFile {
        let url = folder.appending(path: "\(keyCount).plist")
        let values = ByHand.values(keyCount)
        try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0).write(to: url)
        return try SuiteFile(copyOf: url)
    }

    private static func userDefaultsSet(in suite: SuiteFile) throws -> Subject {
        guard let defaults = UserDefaults(suiteName: suite.name), defaults.integer(forKey: "key-1") == 1 else {
            throw MissingDependency(remedy: "run it on Linux, where user defaults are files")
        }
        return .numbered("UserDefaults", about: "set(_:forKey:) and synchronize() of a suite as large", by: .wall) {
            defaults.set($0, forKey: "key-0")
            _ = defaults.synchronize()
        }
    }

    private static func batch(of keyCount: Int) -> [String: PreferenceEdit] {
        ByHand.values(keyCount).mapValues { .set(.int(Int64($0))) }
    }
}

/// Hand-written durable writes.
private enum ByHand {
    static func values(_ keyCount: Int) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: (0..<keyCount).map { ("key-\($0)", $0) })
    }

    /// Appends an entry to a log.
    static func append(to url: URL) throws -> Subject {
        let descriptor = open(url.path(percentEncoded: false), O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw Failure() }
        let bytes = [UInt8](repeating: 0x61, count: 40)
        return .numbered("append", about: "write(2) of 40 bytes at the end of a file, and fdatasync(2)", by: .wall) {
            _ in
            guard write(descriptor, bytes, bytes.count) == bytes.count else { throw Failure() }
            #if canImport(Darwin)
                guard fcntl(descriptor, F_FULLFSYNC) == 0 else { throw Failure() }
            #else
                guard fdatasync(descriptor) == 0 else { throw Failure() }
            #endif
        }
    }

    /// Writes all values to a new file, which replaces the old one.
    static func replacement(of url: URL, _ keyCount: Int) throws -> Subject {
        var values = values(keyCount)
        let encoder = JSONEncoder()
        let path = url.path(percentEncoded: false)
        return .numbered(
            "by hand",
            about: "JSONEncoder, write(2) to another file, fsync(2), and rename(2) to its place",
            by: .wall
        ) { number in
            values["key-0"] = number
            let bytes = [UInt8](try encoder.encode(values))
            let descriptor = open(path + "-new", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            guard descriptor >= 0 else { throw Failure() }
            defer { close(descriptor) }
            guard write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else { throw Failure() }
            guard rename(path + "-new", path) == 0 else { throw Failure() }
        }
    }

    private struct Failure: Error {
        let code = errno
    }
}
