import Foundation
import PreferencesRuntime

/// What it takes from a file on the disk to the first value of it: preferences are made and read once.
enum Opening {
    static func run(_ report: inout BenchmarkReport, in folder: URL) throws {
        for keyCount in [10, 1_000, 10_000] {
            let files = try Files(keyCount: keyCount, in: folder)
            let keys = "\(keyCount.text) keys"
            try report.compare(
                "JSON, \(keys)",
                opening(files.json),
                with: files.jsonSerialization,
                about: "Preferences over a FileStore of JSON, until sample.count is read"
            )
            for peer in [files.propertyListSerialization, files.userDefaults] {
                try report.compare(
                    "property list, \(keys)",
                    opening(files.propertyList),
                    with: peer,
                    about: "the same of a property list in XML"
                )
            }
        }
    }

    private static func opening(_ url: URL) -> Subject {
        .timed { sum(of: $0) { Preferences(store: FileStore(url: url)).sample.count } }
    }
}

/// One set of values in two formats, and what others take to read them.
private struct Files {
    let json: URL
    let propertyList: URL
    private let keyCount: Int

    /// The key that is read.
    private static let name = "sample:count"

    init(keyCount: Int, in folder: URL) throws {
        self.keyCount = keyCount
        json = folder.appending(path: "\(keyCount).json")
        propertyList = folder.appending(path: "\(keyCount).plist")
        let values = (1..<keyCount).map { key -> (String, PreferenceEdit) in
            let value: PreferenceValue =
                switch key % 4 {
                case 0: .bool(true)
                case 1: .int(Int64(key))
                case 2: .double(Double(key) + 0.5)
                default: .string("the text of number \(key)")
                }
            return ("space\(key / 20):setting\(key)", .set(value))
        }
        let batch = Dictionary(uniqueKeysWithValues: values + [(Self.name, .set(1))])
        for url in [json, propertyList] { try FileStore(url: url, durability: .immediate).apply(batch) }
    }

    var jsonSerialization: Subject {
        .timed("JSONSerialization", about: "jsonObject(with:) of the same file, and a look into it") { count in
            try sum(of: count) {
                let object = try JSONSerialization.jsonObject(with: Data(contentsOf: json))
                return (object as? [String: Any])?[Self.name] as? Int ?? 0
            }
        }
    }

    var propertyListSerialization: Subject {
        let about = "propertyList(from:) of the same file, and a look into it"
        return .timed("PropertyListSerialization", about: about) { count in
            try sum(of: count) {
                let data = try Data(contentsOf: propertyList)
                let object = try PropertyListSerialization.propertyList(from: data, format: nil)
                return (object as? [String: Any])?[Self.name] as? Int ?? 0
            }
        }
    }

    /// Foundation reads a suite once in a process, so that each time takes a suite of another name.
    var userDefaults: Subject {
        let about = "integer(forKey:) of a suite that this process has not read yet, with the same file"
        return Subject(name: "UserDefaults", about: about) {
            let suites = try (0..<max(1, 5_000 / keyCount)).map { _ in try SuiteFile(copyOf: propertyList) }
            defer { for suite in suites { suite.remove() } }
            var sum = 0
            let duration = Timepiece.thread.nanoseconds {
                for suite in suites { sum += UserDefaults(suiteName: suite.name)?.integer(forKey: Self.name) ?? 0 }
            }
            guard sum == suites.count else { throw Missing(remedy: "user defaults are not in files here") }
            return duration / Double(suites.count)
        }
    }
}
