/// The sum of the values that watchers were given.
final class ValueSum: @unchecked Sendable {  // The benchmarks set and watch on one thread.
    var sum = 0
}
