/// The sum of what watchers were told.
final class Told: @unchecked Sendable {  // They are told on the thread that measures, and on no other.
    var sum = 0
}
