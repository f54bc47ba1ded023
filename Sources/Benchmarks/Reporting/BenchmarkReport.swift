/// What a benchmark has found: rows of one figure each, most of them beside a peer's.
struct BenchmarkReport {
    /// The benchmark's name.
    var benchmark: String
    /// What its figures are.
    var summary: String
    /// The number of samples of each figure.
    var repeats: Int
    private(set) var rows: [Row] = []

    init(_ benchmark: String, summary: String, repeats: Int) {
        self.benchmark = benchmark
        self.summary = summary
        self.repeats = repeats
    }

    struct Row {
        var name: String
        /// What is measured, for those who want to know what the figure means; empty where the report's summary and
        /// the name say all.
        var about = ""
        /// Nil where it could not be measured.
        var figure: Figure?
        var peer: String?
        /// What the peer does.
        var peerAbout = ""
        var peerFigure: Figure?
        /// The heap allocations of one operation, where they are counted beside its instructions.
        var allocations: Double?
        var bar: Bar?
        /// What would have to be done to measure what is missing.
        var remedy: String?

        /// The figure divided by the peer's.
        var ratio: Double? { ratio(of: \.median) }
        /// The ratio of the least disturbed samples of both: where it differs much from ``ratio``, the machine was busy.
        /// Nil for figures that were taken once.
        var ratioOfMinima: Double? { figure?.samples.count == 1 ? nil : ratio(of: \.minimum) }

        private func ratio(of value: KeyPath<Figure, Double>) -> Double? {
            guard let figure, let peerFigure else { return nil }
            return figure[keyPath: value] / peerFigure[keyPath: value]
        }

        /// Whether the figure keeps to its bar; nil where there is no bar, or no figure.
        var isHeld: Bool? {
            switch bar {
            case .ratio(let limit): ratio.map { $0 <= limit }
            case .nanoseconds(let limit), .bytes(let limit): figure.map { $0.median <= limit }
            case nil: nil
            }
        }
    }

    /// The highest accepted ratio, or the highest accepted figure itself.
    enum Bar {
        case ratio(Double)
        case nanoseconds(Double)
        case bytes(Double)
    }

    mutating func add(_ row: Row) {
        rows.append(row)
    }

    /// Measures something in turn with a peer, so that a change of the machine's speed meets both.
    mutating func compare(
        _ name: String,
        _ subject: Subject,
        with peer: Subject? = nil,
        bar: Bar? = nil,
        about: String
    ) throws {
        let results = try measure([subject] + (peer.map { [$0] } ?? []))
        add(
            Row(
                name: name,
                about: about,
                figure: try? results[0].get(),
                peer: peer?.name,
                peerAbout: peer?.about ?? "",
                peerFigure: try? results.dropFirst().first?.get(),
                bar: bar,
                remedy: results.lazy.compactMap(\.missing?.remedy).first
            )
        )
    }

    private func measure(_ subjects: [Subject]) throws -> [Result<Figure, Missing>] {
        var results = subjects.map { Result<Figure, Missing>.success(Figure(unit: $0.unit)) }
        for _ in 0..<repeats {
            for (index, subject) in subjects.enumerated() {
                guard case .success(var figure) = results[index] else { continue }
                do {
                    figure.samples.append(try subject.sample())
                    results[index] = .success(figure)
                } catch let missing as Missing {
                    results[index] = .failure(missing)
                }
            }
        }
        return results
    }
}

extension Result where Failure == Missing {
    fileprivate var missing: Missing? {
        if case .failure(let missing) = self { missing } else { nil }
    }
}

/// Thrown where what is to be measured is not on this machine.
struct Missing: Error {
    /// What to do to have it.
    var remedy: String
}
