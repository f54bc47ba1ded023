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
                    bar: peer == .mutexDictionary ? .ratio(3) : nil,
                    about: about
                )
            }
            try report.compare(
                "\(keys), read",
                subject(.unsetPreferences, keyCount, in: folder),
                bar: .bytes(250),
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
                throw Missing(remedy: "memory is measured on Linux")
            }
            return bytes
        }
    }
}
