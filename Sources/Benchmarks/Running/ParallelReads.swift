import PreferencesRuntime

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
            try report.compare(name, .timedOnTwoThreads { batch($0) }, with: count, bar: .ratio(0.2), about: about)
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
            bar: .ratio(1.5),
            about: "both threads read sample.path, of 48 bytes"
        )
        try report.compare(
            "String of 4 bytes",
            .timedOnTwoThreads { sum(of: $0) { preferences.sample.code.utf8.count } },
            with: .timedOnTwoThreads("Mutex<String>, 4 bytes", about: "the same, of the same text of 4 bytes") {
                sum(of: $0) { properties.code.utf8.count }
            },
            bar: .ratio(0.1),
            about: "both threads read sample.code"
        )
    }
}
