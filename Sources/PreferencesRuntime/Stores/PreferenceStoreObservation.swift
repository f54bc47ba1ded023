/// An observation of a store, which lasts until it is cancelled or released.
///
/// It also identifies the observer when that writes: see ``PreferenceStore/apply(_:by:)``.
public final class PreferenceStoreObservation: Sendable {
    private let end: OnceClosure
    /// The observations of the stores behind the observed one, in that store's order.
    package let parts: [PreferenceStoreObservation]

    /// Creates an observation, as stores do.
    ///
    /// - Parameter end: Ends it. Called once.
    public convenience init(_ end: @escaping @Sendable () -> Void) {
        self.init(parts: [], end)
    }

    package init(parts: [PreferenceStoreObservation], _ end: @escaping @Sendable () -> Void) {
        self.end = OnceClosure(end)
        self.parts = parts
    }

    deinit {
        end()
    }

    /// Ends the observation. A second call does nothing.
    public func cancel() {
        end()
    }
}
