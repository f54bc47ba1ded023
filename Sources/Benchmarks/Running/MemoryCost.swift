import Foundation
import PreferencesRuntime

/// How much more memory is resident with keys than without, for each of them.
///
/// A process does not give back what it has used once. So each figure is of a process of its own: this program, started
/// with the name of what is to be filled.
enum MemoryCost {
    static func run(_ report: inout BenchmarkReport, in folder: URL) throws {
        for keyCount in [10_000, ManyKeys.limit] {
            let keys = "\(keyCount.text) keys"
            try saveSuite(keyCount, in: folder)
            let about = "Int keys, set in a MemoryStore and read through accessors: values, and what is remembered"
            for peer in [MemoryHolder.mutexDictionary, .cache, .userDefaults] {
                try report.compare(
                    "\(keys), set and read",
                    subject(.preferences, keyCount, in: folder),
                    with: subject(peer, keyCount, in: folder),
                    about: about
                )
            }
            try report.compare(
                "\(keys), read",
                subject(.unsetPreferences, keyCount, in: folder),
                about: "Int keys that are not set, read through accessors: what is remembered of them"
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
            // Where user defaults are: nothing of them is left with the folder gone.
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
