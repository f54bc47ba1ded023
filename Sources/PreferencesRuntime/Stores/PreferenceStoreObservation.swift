/// An observation of a store, which lasts until it is cancelled or this is gone.
public final class PreferenceStoreObservation: Sendable {
    private let end: OnceClosure

    /// Makes an observation, as stores do.
    ///
    /// - Parameter end: Ends it. Called once.
    public init(_ end: @escaping @Sendable () -> Void) {
        self.end = OnceClosure(end)
    }

    deinit {
        end()
    }

    /// Ends the observation. A second call does nothing.
    public func cancel() {
        end()
    }
}
