/// The observers of a store that listens to its medium only while it has any.
final class ObservedMedium: Sendable {
    private let observers = PreferenceStoreObservers()
    private let listening = LockedReferences<UserReference<PreferenceStoreObservation>?>(nil)

    /// - Parameters:
    ///   - observer: Is told of changes.
    ///   - listen: Begins to listen, by default to nothing. It is called with a lock held.
    func add(
        _ observer: @escaping @Sendable (PreferenceStoreChange) -> Void,
        listeningBy listen: () -> PreferenceStoreObservation = { PreferenceStoreObservation {} }
    ) -> PreferenceStoreObservation {
        let observation = observers.add(observer)
        listening.withLock { $0 = $0 ?? UserReference(listen()) }
        return PreferenceStoreObservation(parts: [observation]) { [weak self] in
            observation.cancel()
            self?.endUnlessObserved()
        }
    }

    var isEmpty: Bool { observers.isEmpty }

    /// - Parameter writer: The observation, as ``add(_:listeningBy:)`` returned it, of the observer that makes the change.
    func notify(_ change: PreferenceStoreChange, except writer: PreferenceStoreObservation? = nil) {
        observers.notify(change, except: writer?.parts.first)
    }

    func isEmpty(except writer: PreferenceStoreObservation?) -> Bool {
        observers.isEmpty(except: writer?.parts.first)
    }

    private func endUnlessObserved() {
        listening.withLock { if observers.isEmpty { $0 = nil } }
    }
}
