import Foundation
import PreferencesRuntime

/// The time from a file on the disk to the first value: preferences are created and read once.
enum Opening {
    static func run(_ report: inout BenchmarkReport, in folder: URL) throws {
        for keyCount in [10, 1_000, 10_000] {
            let files = try Files(keyCount: keyCount, in: folder)
            let keys = "\(keyCount.text) keys"
            for (peer, target) in [(files.jsonSerialization, targets[keyCount]), (files.jsonDecoder, nil)] {
                try report.compare(
                    "JSON, \(keys)",
                    opening(files.json, keyCount),
                    with: peer,
                    target: target.map { .ratio($0) },
                    about:
                        "Preferences over a FileStore of JSON, until sample.count is read, on the thread that reads it"
                )
            }
            try report.compare(
                "and watched, \(keys)",
                watching(files.json),
                with: files.jsonSerialization,
                about:
                    "the same on all threads, until the file is watched and was read again, and the store is released"
            )
            for peer in [files.propertyListSerialization, files.userDefaults] {
                try report.compare(
                    "property list, \(keys)",
                    opening(files.propertyList, keyCount),
                    with: peer,
                    about: "the same of a property list in XML"
                )
            }
        }
    }

    /// The highest accepted ratios to `JSONSerialization`, by the number of keys.
    private static let targets: [Int: Double] = [10: 3, 1_000: 1]

    /// Each sample opens new copies of the file, because stores of one file share its contents. Releasing the stores is
    /// not measured.
    private static func opening(_ url: URL, _ keyCount: Int) -> Subject {
        Subject {
            let copies = (0..<max(8, 5_000 / keyCount)).map { number in
                url.deletingLastPathComponent().appending(path: "copy-\(number)-\(url.lastPathComponent)")
            }
            for copy in copies { try FileManager.default.copyItem(at: url, to: copy) }
            defer { for copy in copies { try? FileManager.default.removeItem(at: copy) } }
            var opened: [Preferences] = []
            opened.reserveCapacity(copies.count)
            var sum = 0
            let duration = BenchmarkClock.thread.nanoseconds {
                for copy in copies {
                    let preferences = Preferences(store: FileStore(url: copy))
                    sum += preferences.sample.count
                    opened.append(preferences)
                }
            }
            blackHole(sum)
            return duration / Double(copies.count)
        }
    }

    /// Reads the first value of a file of ten keys, with a store or with `JSONSerialization`.
    static func repeatFirstValue(count: Int, isPeer: Bool, in folder: URL) throws {
        let files = try Files(keyCount: 10, in: folder)
        blackHole(
            isPeer
                ? try files.readBySerialization(count)
                : sum(of: count) { Preferences(store: FileStore(url: files.json)).sample.count }
        )
    }

    private static func watching(_ url: URL) -> Subject {
        .timed(by: .process) { count in
            sum(of: count) {
                let store = FileStore(url: url)
                let preferences = Preferences(store: store)
                let count = preferences.sample.count
                withExtendedLifetime(preferences) { store.waitUntilWatched() }
                return count
            }
        }
    }
}

/// Files with the same values in two formats, and other readers of them.
private struct Files {
    let json: URL
    let propertyList: URL
    private let keyCount: Int

    /// The key to read.
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
        for url in [json, propertyList] {
            try FileStore(url: url, durability: .immediate).apply(PreferenceBatch(batch))
        }
    }

    var jsonSerialization: Subject {
        let about = "jsonObject(with:) of the same file, and a lookup"
        return .timed("JSONSerialization", about: about) { try readBySerialization($0) }
    }

    func readBySerialization(_ count: Int) throws -> Int {
        try sum(of: count) {
            let object = try JSONSerialization.jsonObject(with: Data(contentsOf: json))
            return (object as? [String: Any])?[Self.name] as? Int ?? 0
        }
    }

    var jsonDecoder: Subject {
        let about = "decode(_:from:) of the same file, to a dictionary of values, and a lookup"
        return .timed("JSONDecoder", about: about) { count in
            try sum(of: count) {
                let values = try JSONDecoder().decode([String: Value].self, from: Data(contentsOf: json))
                if case .int(let number)? = values[Self.name] { return number }
                return 0
            }
        }
    }

    /// A value of the file, as a hand-written program would declare it.
    private enum Value: Decodable {
        case bool(Bool)
        case int(Int)
        case double(Double)
        case text(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Int.self) {
                self = .int(value)
            } else if let value = try? container.decode(Double.self) {
                self = .double(value)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }

    var propertyListSerialization: Subject {
        let about = "propertyList(from:) of the same file, and a lookup"
        return .timed("PropertyListSerialization", about: about) { count in
            try sum(of: count) {
                let data = try Data(contentsOf: propertyList)
                let object = try PropertyListSerialization.propertyList(from: data, format: nil)
                return (object as? [String: Any])?[Self.name] as? Int ?? 0
            }
        }
    }

    /// Each sample uses new suites, because Foundation reads a suite only once in a process.
    var userDefaults: Subject {
        let about = "integer(forKey:) of a suite that this process has not read yet, with the same file"
        return Subject(name: "UserDefaults", about: about) {
            let suites = try (0..<max(1, 5_000 / keyCount)).map { _ in try SuiteFile(copyOf: propertyList) }
            defer { for suite in suites { suite.remove() } }
            var sum = 0
            let duration = BenchmarkClock.thread.nanoseconds {
                for suite in suites { sum += UserDefaults(suiteName: suite.name)?.integer(forKey: Self.name) ?? 0 }
            }
            guard sum == suites.count else {
                throw MissingDependency(remedy: "run it on Linux, where user defaults are files")
            }
            return duration / Double(suites.count)
        }
    }
}
