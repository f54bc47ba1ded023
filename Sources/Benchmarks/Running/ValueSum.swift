/// The sum of the values that watchers were given.
final class ValueSum: @unchecked Sendable {  // Only the measuring thread notifies watchers.
    var sum = 0
}
