/// What was measured several times.
struct Figure {
    enum Unit {
        case nanoseconds
        case bytes
        case instructions
    }

    var unit = Unit.nanoseconds
    var samples: [Double] = []

    var median: Double { samples.sorted()[samples.count / 2] }
    /// The least disturbed sample.
    var minimum: Double { samples.min() ?? .nan }

    /// The median, with its unit.
    var text: String { unit.text(median) }
}

extension Figure.Unit {
    /// A number of this unit, in a larger unit where that makes it shorter. Instructions are written out below a million.
    func text(_ number: Double) -> String {
        if self == .instructions, number.magnitude < 1e6 { return Int(number.rounded()).text }
        let (step, names) =
            switch self {
            case .nanoseconds: (1000.0, ["ns", "µs", "ms", "s"])
            case .bytes: (1024.0, ["B", "KiB", "MiB", "GiB"])
            case .instructions: (1000.0, ["", "thousand", "million", "billion"])
            }
        var number = number
        var name = 0
        while number.magnitude >= step, name < names.count - 1 {
            number /= step
            name += 1
        }
        return "\(number.text(number.magnitude < 10 ? 2 : number.magnitude < 100 ? 1 : 0)) \(names[name])"
    }
}
