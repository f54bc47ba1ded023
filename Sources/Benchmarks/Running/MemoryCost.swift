import Foundation
import PreferencesRuntime

/// The resident memory that each key adds to a process.
///
/// A process does not return memory that it has used. Therefore each figure is that of another process: this program,
/// started with the name of the holder that it fills.
enum MemoryCost {
    static func run(_ report: inout BenchmarkReport, in folder: URL) throws {
        for keyCount in [10_000, ManyKeys.limit] {
            let keys = "\(keyCount.text) keys"
            try saveSuite(keyCount, in: folder)
            let about = "Int keys, set in a MemoryStore and read through accessors: stored and cached values"
            for peer in [MemoryHolder.mutexDictionary, .cache, .userDefaults] {
                try report.compare(
                    "\(keys), set and read",
                    subject(.preferences, keyCount, in: folder),
                    with: subject(peer, keyCount, in: folder),
                    target: peer == .mutexDictionary ? .ratio(3) : nil,
                    about: about
                )
            }
            try report.compare(
                "\(keys), read",
                subject(.unsetPreferences, keyCount, in: folder),
                target: .bytes(250),
                about: "Int keys that are not set, read through accessors: cached values alone"
            )
        }
    }

    private static func saveSuite(_ keyCount: Int, in folder: URL) throws {
        let values = Dictionary(uniqueKeysWithValues: (0..<keyCount).map { (ManyKeys.name($0), $0) })
        let data = try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
        try data.write(to: folder.appending(path: "\(MemoryHolder.suiteName(keyCount)).plist"))
    }

    private static func subject(_ holder: MemoryHolder, _ keyCount: Int, in folder: URL) -> Subject {
        Subject(name: holder.name, about: holder.about, unit: .bytes) {
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(filePath: CommandLine.arguments[0])
            process.arguments = [Options.memoryOption, holder.rawValue, "\(keyCount)"]
            process.standardOutput = output
            // User defaults are in this folder, so that they are removed with it.
            process.environment = ProcessInfo.processInfo.environment
            process.environment?["XDG_CONFIG_HOME"] = folder.path
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            guard let bytes = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
                throw MissingDependency(remedy: "memory is measured on Linux")
            }
            return bytes
        }
    }
}

/// A collection to fill with a number of keys, in a process that does nothing else.
enum MemoryHolder: String {
    case preferences
    case unsetPreferences
    case mutexDictionary
    case cache
    case userDefaults

    var name: String {
        switch self {
        case .preferences, .unsetPreferences: "Preferences"
        case .mutexDictionary: "Mutex dictionary"
        case .cache: "NSCache"
        case .userDefaults: "UserDefaults"
        }
    }

    var about: String {
        switch self {
        case .preferences, .unsetPreferences: ""
        case .mutexDictionary: "a Mutex<[String: any Sendable]> of as many numbers, whose names existed before"
        case .cache: "NSNumbers under NSStrings"
        case .userDefaults: "a suite with as many numbers in its file, one of which is read"
        }
    }

    /// Returns the name of the suite with a number of keys. The parent process has written its file.
    static func suiteName(_ keyCount: Int) -> String { "numbers-\(keyCount)" }

    /// Fills the collection.
    ///
    /// - Returns: The growth of the process in bytes per key; nil if the system does not report it.
    func bytesPerKey(_ keyCount: Int) -> Double? {
        // Names do not count, because they are literals in a program. Neither does what is allocated only once.
        let names = ManyKeys.names.prefix(keyCount).map(\.description)
        _ = fill(names.prefix(1))
        guard let before = Self.residentBytes else { return nil }
        let holder = fill(names[...])
        guard let after = Self.residentBytes else { return nil }
        withExtendedLifetime((holder, names)) {}
        return Double(after - before) / Double(keyCount)
    }

    private func fill(_ names: ArraySlice<String>) -> AnyObject? {
        switch self {
        case .preferences, .unsetPreferences:
            let keys = ManyKeys(preferences: Preferences(store: MemoryStore()))
            for index in names.indices {
                if self == .preferences { keys[index] = index }
                blackHole(keys[index])
            }
            return keys.preferences
        case .mutexDictionary:
            let dictionary = MutexDictionary()
            for (index, name) in names.enumerated() { dictionary[name] = index }
            return dictionary
        case .cache:
            let cache = NSCache<NSString, NSNumber>()
            for (index, name) in names.enumerated() { cache.setObject(index as NSNumber, forKey: name as NSString) }
            return cache
        case .userDefaults:
            let defaults = UserDefaults(suiteName: Self.suiteName(names.count))
            blackHole(defaults?.integer(forKey: ManyKeys.name(0)) ?? 0)
            return defaults
        }
    }

    /// The resident memory of this process. The kernel's other files report it less precisely.
    private static var residentBytes: Int? {
        guard let file = FileHandle(forReadingAtPath: "/proc/self/smaps_rollup"), let data = try? file.readToEnd()
        else { return nil }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        let words = lines.first { $0.hasPrefix("Rss:") }?.split(separator: " ") ?? []
        return words.count == 3 ? Int(words[1]).map { $0 * 1024 } : nil
    }
}
