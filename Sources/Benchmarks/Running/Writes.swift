import Foundation
import PreferencesRuntime

/// The time to set a key to another value, on one thread and without watchers.
enum Writes {
    static func run(_ report: inout BenchmarkReport, in folder: URL) throws {
        let peers = try Peers(in: folder)
        defer { peers.remove() }
        let store = MemoryStore()
        store.apply(PreferenceBatch(Samples.otherKeys))
        let sample = Samples.makePreferences(over: store).sample
        for (index, peer) in peers.writingCount.enumerated() {
            try report.compare(
                "Int",
                count(sample),
                with: peer,
                target: index == 0 ? .ratio(4) : nil,
                about: "sample.count, in a MemoryStore of 1,000 keys; to another value each time, as in all rows"
            )
        }
        try report.compare(
            "String",
            .numbered { sample.path = Samples.alternatingPath($0) },
            with: peers.writingText,
            target: .ratio(4),
            about: "sample.path, of 48 bytes"
        )
        try compareManyKeys(&report)
        try compareCalls(&report, sample, with: peers.writingCount[0])
        try compareInFile(&report, sample, peers, in: folder)
        try compareTypes(&report, sample, peers)
    }

    private static func count(_ sample: Preferences.Sample, name: String = "", about: String = "") -> Subject {
        .numbered(name, about: about) { sample.count = $0 }
    }

    /// Compares sets of 100,000 keys through accessors, first sets and later ones.
    private static func compareManyKeys(_ report: inout BenchmarkReport) throws {
        let keyCount = ManyKeys.limit
        let names = ManyKeys.names.map(\.description)
        let peer = "dictionary of 100,000"
        let keys = ManyKeys(preferences: Preferences(store: MemoryStore()))
        let dictionary = MutexDictionary()
        for key in 0..<keyCount {
            keys[key] = 0
            dictionary[names[key]] = 0
        }
        try report.compare(
            "Int, 100,000 keys",
            .numbered { keys[$0 % keyCount] = $0 },
            with: .numbered(peer, about: "the Mutex dictionary, of as many values under the same names") {
                dictionary[names[$0 % keyCount]] = $0
            },
            target: .ratio(4),
            about: "100,000 keys in turn, through accessors; all had been set before"
        )
        try report.compare(
            "Int, first of 100,000",
            firstSets {
                let keys = ManyKeys(preferences: Preferences(store: MemoryStore()))
                return { keys[$0] = $0 }
            },
            with: firstSets(peer) {
                let dictionary = MutexDictionary()
                return { dictionary[names[$0]] = $0 }
            },
            target: .ratio(4),
            about: "the first set of each of 100,000 keys, while the store and the dictionary grow"
        )
    }

    /// The mean time of the first sets of 100,000 keys in a collection that is created for each sample.
    private static func firstSets(
        _ name: String = "",
        about: String = "",
        makeSet: @escaping () -> (_ key: Int) -> Void
    ) -> Subject {
        Subject(name: name, about: about) {
            let set = makeSet()
            return BenchmarkClock.thread.nanoseconds { for key in 0..<ManyKeys.limit { set(key) } }
                / Double(ManyKeys.limit)
        }
    }

    /// Compares other calls that set `sample.count`, or keys that are named at run time.
    private static func compareCalls(
        _ report: inout BenchmarkReport,
        _ sample: Preferences.Sample,
        with dictionary: Subject
    ) throws {
        try report.compare(
            "Int, update",
            .numbered { _ in try sample.update(\.count) { $0 &+= 1 } },
            with: count(sample, name: "set", about: "sets sample.count in the same MemoryStore"),
            target: .ratio(1.5),
            about: "update(_:_:) of sample.count, which no other thread or process can interrupt"
        )
        try report.compare(
            "Int, one of 100",
            .timed { count in
                for round in stride(from: 0, to: count, by: 100) {
                    try sample.preferences.transaction { preferences in
                        for name in namesOfTransaction { preferences.set(named: name, to: round) }
                    }
                }
                return count
            },
            with: dictionary,
            target: .ratio(4),
            about: "one key of a transaction that sets the same 100 keys each time, by name"
        )
        try report.compare(
            "Int, by name",
            .numbered { sample.preferences.set(named: Peers.count, to: $0) },
            with: dictionary,
            about: "set(named:to:), for names that are determined at run time"
        )
    }

    static let namesOfTransaction = (0..<100).map { "key-\($0)" }

    /// Compares sets in a file of 1,000 keys, which is written meanwhile.
    private static func compareInFile(
        _ report: inout BenchmarkReport,
        _ sample: Preferences.Sample,
        _ peers: Peers,
        in folder: URL
    ) throws {
        let store = FileStore(url: folder.appending(path: "values.json"))
        try store.apply(PreferenceBatch(Samples.otherKeys))
        try store.flush()
        let sampleOfFile = Preferences(store: store).sample
        let about = "sample.count, in a FileStore of JSON with 1,000 keys, which another thread writes every 50 ms"
        // A sample takes 20 ms or more, and the other thread writes every 50 ms.
        let setInFile = count(sampleOfFile).mean(of: 10)
        try report.compare(
            "Int, in a file",
            setInFile,
            with: count(sample, name: "set"),
            target: .ratio(1.5),
            about: about
        )
        try report.compare("Int, in a file", setInFile, with: peers.writingCountOfDefaults, about: about)
    }

    private static func compareTypes(_ report: inout BenchmarkReport, _ sample: Preferences.Sample, _ peers: Peers)
        throws
    {
        func compare(_ name: String, with peer: Subject, about: String, _ set: @escaping (Int) -> Void) throws {
            try report.compare(name, .numbered { set($0) }, with: peer, about: about)
        }
        let property = peers.writingCountProperty
        try report.compare("Int", count(sample), with: property, about: "")
        try compare("Bool", with: property, about: "sample.flag") { sample.flag = $0 & 1 == 0 }
        try compare("Double", with: property, about: "sample.level") { sample.level = Double($0) }
        try compare("Int with a range", with: property, about: "sample.volume, which is from 0 to 100") {
            sample.volume = $0 % 100
        }
        try compare("enum", with: property, about: "sample.unit, one of three") {
            sample.unit = $0 & 1 == 0 ? .celsius : .kelvin
        }
        try compare("Int?", with: property, about: "sample.limit, never to nil") { sample.limit = $0 }
        let text = peers.writingTextProperty
        try compare("String", with: text, about: "") { sample.path = Samples.alternatingPath($0) }
        try compare("[String]", with: text, about: "sample.stations, of two texts") {
            sample.stations = [Samples.alternatingPath($0), Samples.path]
        }
        try compare("Date?", with: text, about: "sample.moment, never to nil") {
            sample.moment = Date(timeIntervalSinceReferenceDate: Double($0))
        }
    }
}
