/// One side of a comparison: what can be measured again and again.
struct Subject {
    var name = ""
    /// What it does, where it is not this package that does it.
    var about = ""
    var unit = Figure.Unit.nanoseconds
    /// Measures once. Throws ``Missing`` where there is nothing to be measured.
    var sample: () throws -> Double

    /// How long one operation takes, of so many in a row that the clock's grain and a single interruption are lost in
    /// them.
    ///
    /// - Parameters:
    ///   - clock: By what it is timed.
    ///   - batch: Does the operation a number of times, and gives something that depends on all of them.
    static func timed(
        _ name: String = "",
        about: String = "",
        by clock: Timepiece = .thread,
        _ batch: @escaping (_ count: Int) throws -> Int
    ) -> Subject {
        var count: Int?
        return Subject(name: name, about: about) {
            let sufficient =
                try count
                ?? sufficientCount(for: clock.sufficientDuration) { count in
                    try clock.nanoseconds { try keep(batch(count)) }
                }
            count = sufficient
            return try clock.nanoseconds { try keep(batch(sufficient)) } / Double(sufficient)
        }
    }

    /// How long one operation takes that is given another number each time.
    static func numbered(
        _ name: String = "",
        about: String = "",
        by clock: Timepiece = .thread,
        _ body: @escaping (_ number: Int) throws -> Void
    ) -> Subject {
        var number = 0
        return timed(name, about: about, by: clock) { count in
            for _ in 0..<count {
                number &+= 1
                try body(number)
            }
            return number
        }
    }

    /// The cost that each of a number of parts adds: the difference between with and without them, divided by their number.
    static func each(of partCount: Int, with whole: Subject, without base: Subject) -> Subject {
        Subject(unit: whole.unit) { (try whole.sample() - base.sample()) / Double(partCount) }
    }

    /// The mean of several samples, which averages out background work.
    func mean(of count: Int) -> Subject {
        Subject(name: name, about: about, unit: unit) {
            try (0..<count).reduce(0) { sum, _ in try sum + sample() } / Double(count)
        }
    }

    /// How many operations take some time.
    static func sufficientCount(
        for duration: Double,
        _ nanoseconds: (_ count: Int) throws -> Double
    ) rethrows -> Int {
        var count = 1
        // Twice, as one of them may have been interrupted for that long.
        while try min(nanoseconds(count), nanoseconds(count)) < duration { count *= 2 }
        return count
    }
}

/// Does something a number of times. What it gives is added up, so that the compiler cannot do without it.
@inline(__always)
func sum(of count: Int, _ body: () throws -> Int) rethrows -> Int {
    var sum = 0
    for _ in 0..<count { sum &+= try body() }
    return sum
}

/// Takes what the compiler is not to see that nobody needs.
@inline(never)
func keep(_ digest: Int) {
    if digest == .min { print("", terminator: "") }
}
