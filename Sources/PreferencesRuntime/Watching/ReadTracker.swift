import Observation
import Synchronization

/// Tells Observation of the reads and changes of one storage name.
///
/// Observation knows what was read by an object and a key path. Storage names have none, so each has an object of this
/// type, with one property.
final class ReadTracker: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    // Kept, as making it takes four times as long as all the rest.
    private let key: any KeyPath<ReadTracker, Void> & Sendable = \ReadTracker.value
    /// Stands for the value. It has none itself.
    private var value: Void { () }

    func noteRead() {
        registrar.access(self, keyPath: key)
    }

    /// How many changes Observation was not told of yet.
    private let changeCount = Atomic(0)

    /// Tells Observation of a change, on one thread at a time: if threads do so at once, it may call each observer several
    /// times, and one that observes again at each call is multiplied.
    func noteChange() {
        guard changeCount.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        var count = 1
        repeat {
            registrar.withMutation(of: self, keyPath: key) {}
            count = changeCount.wrappingSubtract(count, ordering: .acquiringAndReleasing).newValue
        } while count > 0
    }
}
