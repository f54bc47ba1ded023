import Observation
import PreferencesRuntime

/// The cost of Observation: reads and sets of preferences that are created with `isObserved`.
enum ObservationCost {
    static func run(_ report: inout BenchmarkReport) throws {
        let observed = Samples.makePreferences(isObserved: true)
        let others = Samples.makePreferences()
        let model = Model()
        let registrar = "access(_:keyPath:) of an ObservationRegistrar, with a stored key path, and a property"
        try report.compare(
            "read",
            .timed { sum(of: $0) { observed.sample.count } },
            with: .timed("not observed", about: "the same of preferences without isObserved") {
                sum(of: $0) { others.sample.count }
            },
            target: .nanoseconds(30),
            about: "sample.count, with isObserved, while nothing is being tracked"
        )
        try report.compare(
            "read",
            .timed { sum(of: $0) { observed.sample.count } },
            with: .timed("registrar", about: registrar) { sum(of: $0) { model.count } },
            target: .nanoseconds(30),
            about: "sample.count, with isObserved, while nothing is being tracked"
        )
        try report.compare(
            "read, tracked",
            .timed { count in tracked { sum(of: count) { observed.sample.count } } },
            with: .timed("registrar", about: registrar) { count in tracked { sum(of: count) { model.count } } },
            about: "the same inside withObservationTracking"
        )
        try report.compare(
            "set",
            .numbered { observed.sample.count = $0 },
            with: .numbered("not observed") { others.sample.count = $0 },
            about: "sample.count, while nothing tracks it"
        )
    }

    private static func tracked(_ body: () -> Int) -> Int {
        withObservationTracking(body, onChange: {})
    }

    /// The minimal observable class.
    private final class Model: Observable {
        private let registrar = ObservationRegistrar()
        private let key = \Model.storedCount
        private let storedCount = 1

        var count: Int {
            registrar.access(self, keyPath: key)
            return storedCount
        }
    }
}
