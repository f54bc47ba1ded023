import Observation
import Synchronization

/// Finds out whether reads on this thread are being tracked by Observation, as in `withObservationTracking` or the body of
/// a view.
///
/// Observation has no API for this. While it tracks, it retains the key path of each property that is read: this creates a
/// key path, reports it as read, and checks whether it is then retained. That takes about a microsecond, so it is for
/// slow paths only.
final class TrackingProbe: Observable, Sendable {
    private static let shared = TrackingProbe()

    private let registrar = ObservationRegistrar()
    private let number = Atomic(0)

    /// A property for each number, so that a key path is a new object.
    private subscript(number: Int) -> Void { () }

    static var isTracking: Bool {
        let number = shared.number.wrappingAdd(1, ordering: .relaxed).newValue
        var key: KeyPath<TrackingProbe, Void> = \TrackingProbe[number]
        shared.registrar.access(shared, keyPath: key)
        return !isKnownUniquelyReferenced(&key)
    }
}

/// Notifies Observation of the reads and changes of one storage name.
///
/// Observation identifies a property by an object and a key path, so each storage name has an object of this type with
/// one property.
final class ReadTracker: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    // Stored, since creating it takes four times as long as everything else.
    private let key: any KeyPath<ReadTracker, Void> & Sendable = \ReadTracker.value
    /// The property that represents the value of the name.
    private var value: Void { () }

    func noteRead() {
        registrar.access(self, keyPath: key)
    }

    /// The number of changes that Observation has not been notified of.
    private let changeCount = Atomic(0)

    /// Notifies Observation of a change, on one thread at a time. If several threads did so at once, Observation might
    /// call an observer several times, and one that observes again at each call would multiply.
    func noteChange() {
        guard changeCount.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        var count = 1
        repeat {
            registrar.withMutation(of: self, keyPath: key) {}
            count = changeCount.wrappingSubtract(count, ordering: .acquiringAndReleasing).newValue
        } while count > 0
    }
}
