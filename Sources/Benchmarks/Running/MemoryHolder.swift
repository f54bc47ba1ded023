import Foundation
import PreferencesRuntime

/// What can be filled with a number of keys, in a process that does nothing else.
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
        case .mutexDictionary: "a Mutex<[String: any Sendable]> of as many numbers, whose names were there before"
        case .cache: "NSNumbers under NSStrings"
        case .userDefaults: "a suite with as many numbers in its file, one of which is read"
        }
    }

    /// The suite with so many numbers, whose file the one who starts this process has written.
    static func suiteName(_ keyCount: Int) -> String { "numbers-\(keyCount)" }

    /// Fills it.
    ///
    /// - Returns: By how many bytes per key the process has grown; nil where it cannot be told.
    func bytesPerKey(_ keyCount: Int) -> Double? {
        // What is there without any key does not count: the names, which a program has as literals, and all that is done
        // once only.
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
                keep(keys[index])
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
            keep(defaults?.integer(forKey: ManyKeys.name(0)) ?? 0)
            return defaults
        }
    }

    /// What this process has in memory. The kernel's shorter files say it only roughly.
    private static var residentBytes: Int? {
        guard let file = FileHandle(forReadingAtPath: "/proc/self/smaps_rollup"), let data = try? file.readToEnd()
        else { return nil }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        let words = lines.first { $0.hasPrefix("Rss:") }?.split(separator: " ") ?? []
        return words.count == 3 ? Int(words[1]).map { $0 * 1024 } : nil
    }
}
