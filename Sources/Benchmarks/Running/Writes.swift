import Foundation
import PreferencesRuntime

/// What setting a key to another value takes, on one thread and with nobody watching.
enum Writes {
    static func run(_ report: inout BenchmarkReport, in folder: URL) throws {
        let peers = try Peers(in: folder)
        defer { peers.remove() }
        let sample = Samples.makePreferences().sample
        try compareTypes(&report, sample, peers)
        for peer in peers.writingCount {
            try report.compare(
                "Int",
                .numbered { sample.count = $0 },
                with: peer,
                about: "sample.count, in a MemoryStore; to another value each time, as everywhere here"
            )
        }
        try report.compare(
            "Int, by name",
            .numbered { sample.preferences.set(named: Peers.count, to: $0) },
            with: peers.writingCount[0],
            about: "set(named:to:), for names that are known only at run time"
        )
        try report.compare(
            "Int, update",
            .numbered { _ in try sample.update(\.count) { $0 &+= 1 } },
            with: peers.writingCountProperty,
            about: "update(_:_:) of sample.count, which no other thread or process can come between"
        )
        try report.compare(
            "Int, one of 100",
            .timed { count in
                // Each transaction sets the same hundred names.
                for round in stride(from: 0, to: count, by: 100) {
                    try sample.preferences.transaction { preferences in
                        for key in 0..<100 { preferences.set(named: names[key], to: round) }
                    }
                }
                return count
            },
            with: peers.writingCount[0],
            about: "a key of a transaction of 100 keys, by name"
        )
        try compareInFile(&report, peers, in: folder)
    }

    static let names = (0..<100).map { "key-\($0)" }

    private static func compareTypes(_ report: inout BenchmarkReport, _ sample: Sample, _ peers: Peers) throws {
        func compare(_ name: String, with peer: Subject, about: String, _ set: @escaping (Int) -> Void) throws {
            try report.compare(name, .numbered { set($0) }, with: peer, about: about)
        }
        let property = peers.writingCountProperty
        try compare("Bool", with: property, about: "sample.flag") { sample.flag = $0 & 1 == 0 }
        try compare("Int", with: property, about: "sample.count, in a MemoryStore") { sample.count = $0 }
        try compare("Double", with: property, about: "sample.level") { sample.level = Double($0) }
        try compare("Int with a range", with: property, about: "sample.volume, which is from 0 to 100") {
            sample.volume = $0 % 100
        }
        try compare("enum", with: property, about: "sample.unit, one of three") {
            sample.unit = $0 & 1 == 0 ? .celsius : .kelvin
        }
        try compare("Int?", with: property, about: "sample.limit, never to nil") { sample.limit = $0 }
        let text = peers.writingTextProperty
        try compare("String", with: text, about: "sample.path, of 48 bytes") {
            sample.path = $0 & 1 == 0 ? Samples.path : Samples.otherPath
        }
        try compare("[String]", with: text, about: "sample.stations, of two texts") {
            sample.stations = [$0 & 1 == 0 ? Samples.path : Samples.otherPath, Samples.path]
        }
        try compare("Date?", with: text, about: "sample.moment, never to nil") {
            sample.moment = Date(timeIntervalSinceReferenceDate: Double($0))
        }
    }

    /// Sets of a file of 1,000 keys, which is written while they go on.
    private static func compareInFile(_ report: inout BenchmarkReport, _ peers: Peers, in folder: URL) throws {
        let store = FileStore(url: folder.appending(path: "values.json"))
        try store.apply(Dictionary(uniqueKeysWithValues: (1..<1000).map { ("key-\($0)", .set(1)) }))
        try store.flush()
        let sample = Preferences(store: store).sample
        for peer in peers.writingCount {
            try report.compare(
                "Int, in a file",
                .numbered { sample.count = $0 },
                with: peer,
                about:
                    "sample.count, in a FileStore of JSON with 1,000 keys, which writes every 50 ms on another thread"
            )
        }
    }
}
