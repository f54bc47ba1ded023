import Foundation
import PreferencesRuntime

/// The time to read a cached key on one thread.
enum Reads {
    static func run(_ report: inout BenchmarkReport, in folder: URL) throws {
        let peers = try Peers(in: folder)
        defer { peers.remove() }
        let preferences = Samples.makePreferences()
        try compareScalars(&report, preferences, with: peers.readingCountProperty)
        try compareShortText(&report, preferences, peers)
        try compareOthers(&report, preferences, with: peers.readingTextProperty)
        try compareUnset(&report, preferences, peers)
        for peer in peers.readingCount {
            try report.compare("Int", count(preferences), with: peer, about: "sample.count, which is set")
        }
        for peer in peers.readingText {
            try report.compare("String", path(preferences), with: peer, about: "sample.path, of 48 bytes")
        }
        try report.compare(
            "Int, by name",
            .timed { sum(of: $0) { preferences.get(named: Peers.count, default: 0) } },
            with: peers.readingCount[0],
            target: .ratio(1),
            about: "get(named:default:), for names that are determined at run time"
        )
    }

    private static func compareScalars(
        _ report: inout BenchmarkReport,
        _ preferences: Preferences,
        with peer: Subject
    ) throws {
        func compare(_ name: String, about: String, _ batch: @escaping (Int) -> Int) throws {
            try report.compare(name, .timed { batch($0) }, with: peer, target: .ratio(0.6), about: about)
        }
        try compare("Bool", about: "sample.flag, which is set") { sum(of: $0) { preferences.sample.flag ? 1 : 0 } }
        try compare("Int", about: "sample.count, which is set") { sum(of: $0) { preferences.sample.count } }
        try compare("Double", about: "sample.level, which is set") {
            sum(of: $0) { Int(truncatingIfNeeded: preferences.sample.level.bitPattern) }
        }
        try compare("Int with a range", about: "sample.volume, which is from 0 to 100") {
            sum(of: $0) { preferences.sample.volume }
        }
        try compare("enum", about: "sample.unit, one of three") {
            sum(of: $0) { preferences.sample.unit == .kelvin ? 1 : 0 }
        }
        try compare("Int?", about: "sample.limit, which is set") { sum(of: $0) { preferences.sample.limit ?? 0 } }
    }

    private static func compareShortText(
        _ report: inout BenchmarkReport,
        _ preferences: Preferences,
        _ peers: Peers
    ) throws {
        let comparisons: [(peer: Subject, target: BenchmarkReport.Target?)] = [
            (peers.readingTextProperty, .ratio(0.4)), (peers.readingCodeProperty, nil),
        ]
        for (peer, target) in comparisons {
            try report.compare(
                "String of 4 bytes",
                .timed { sum(of: $0) { preferences.sample.code.utf8.count } },
                with: peer,
                target: target,
                about: "sample.code; strings of up to 15 bytes are stored inline"
            )
        }
    }

    private static func compareOthers(
        _ report: inout BenchmarkReport,
        _ preferences: Preferences,
        with peer: Subject
    ) throws {
        func compare(_ name: String, about: String, _ batch: @escaping (Int) -> Int) throws {
            try report.compare(name, .timed { batch($0) }, with: peer, target: .ratio(1.5), about: about)
        }
        try report.compare(
            "String",
            path(preferences),
            with: peer,
            target: .ratio(1.5),
            about: "sample.path, of 48 bytes"
        )
        try compare("String?", about: "sample.owner, which is set") {
            sum(of: $0) { preferences.sample.owner?.utf8.count ?? 0 }
        }
        try compare("[String]", about: "sample.stations, of two texts") {
            sum(of: $0) { preferences.sample.stations.count }
        }
        try compare("Date?", about: "sample.moment, which is set") {
            sum(of: $0) { preferences.sample.moment == nil ? 0 : 1 }
        }
    }

    private static func compareUnset(
        _ report: inout BenchmarkReport,
        _ preferences: Preferences,
        _ peers: Peers
    ) throws {
        try report.compare(
            "Int, not set",
            .timed { sum(of: $0) { preferences.sample.unset.count &+ 1 } },
            with: peers.readingCountProperty,
            target: .ratio(0.6),
            about: "sample.unset.count, which gives its default"
        )
        try report.compare(
            "String, not set",
            .timed { sum(of: $0) { preferences.sample.unset.path.utf8.count } },
            with: peers.readingTextProperty,
            target: .ratio(1.5),
            about: "sample.unset.path, whose default is a literal of the schema"
        )
        try report.compare(
            "[String], not set",
            .timed { sum(of: $0) { preferences.sample.unset.stations.count } },
            with: peers.readingTextProperty,
            target: .ratio(1.5),
            about: "sample.unset.stations, whose default is two texts"
        )
    }

    private static func count(_ preferences: Preferences) -> Subject {
        .timed { sum(of: $0) { preferences.sample.count } }
    }

    private static func path(_ preferences: Preferences) -> Subject {
        .timed { sum(of: $0) { preferences.sample.path.utf8.count } }
    }
}

/// The time to read a key while another thread reads the same key.
enum ParallelReads {
    static func run(_ report: inout BenchmarkReport) throws {
        let properties = MutexProperties()
        properties.count = 1
        properties.text = Samples.path
        properties.code = Samples.code
        let preferences = Samples.makePreferences()
        let count = Subject.timedOnTwoThreads(
            "Mutex<Int> property",
            about: "both threads read a computed property of the same object, which locks a Mutex<Int>"
        ) { sum(of: $0) { properties.count } }
        let text = Subject.timedOnTwoThreads("Mutex<String> property", about: "the same with a Mutex<String>") {
            sum(of: $0) { properties.text.utf8.count }
        }
        func compare(_ name: String, about: String, _ batch: @escaping @Sendable (Int) -> Int) throws {
            try report.compare(name, .timedOnTwoThreads { batch($0) }, with: count, target: .ratio(0.2), about: about)
        }
        try compare("Bool", about: "both threads read sample.flag of the same preferences") {
            sum(of: $0) { preferences.sample.flag ? 1 : 0 }
        }
        try compare("Int", about: "both threads read sample.count") { sum(of: $0) { preferences.sample.count } }
        try compare("Double", about: "both threads read sample.level") {
            sum(of: $0) { Int(truncatingIfNeeded: preferences.sample.level.bitPattern) }
        }
        try compare("enum", about: "both threads read sample.unit") {
            sum(of: $0) { preferences.sample.unit == .kelvin ? 1 : 0 }
        }
        try compare("Int?", about: "both threads read sample.limit") { sum(of: $0) { preferences.sample.limit ?? 0 } }
        try report.compare(
            "String",
            .timedOnTwoThreads { sum(of: $0) { preferences.sample.path.utf8.count } },
            with: text,
            target: .ratio(1.5),
            about: "both threads read sample.path, of 48 bytes"
        )
        try report.compare(
            "String of 4 bytes",
            .timedOnTwoThreads { sum(of: $0) { preferences.sample.code.utf8.count } },
            with: .timedOnTwoThreads("Mutex<String>, 4 bytes", about: "the same, of the same text of 4 bytes") {
                sum(of: $0) { properties.code.utf8.count }
            },
            target: .ratio(0.1),
            about: "both threads read sample.code"
        )
    }
}
