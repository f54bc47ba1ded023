import Observation

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

    func noteChange() {
        registrar.withMutation(of: self, keyPath: key) {}
    }
}
