import Foundation
import PreferencesSystem

extension UserDefaultsStore {
    /// False: each read asks the user defaults, which know of every change, and tell of some.
    ///
    /// On Apple platforms, Foundation tells of those that this process makes. Those of other processes, such as an
    /// extension of the same app group or the command `defaults`, are read at once, and told soon, but those of names
    /// with a dot only after ``reload()``. On Linux it tells of none, be it made by another process or in this one by
    /// other `UserDefaults`.
    public var notifiesAllChanges: Bool { false }

    /// Has an observer told of changes after they were made: of those made through this store before it returns.
    ///
    /// - Parameter observer: Is given the names that this store was to change. On Apple platforms it is given
    ///   `.everything` for a change that other code of this process made, on the thread that made it, and the name for
    ///   one that another process made.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        #if canImport(Darwin)
            observers.add(observer, listeningBy: listen)
        #else
            observers.add(observer)
        #endif
    }

    #if canImport(Darwin)
        private func listen() -> PreferenceStoreObservation {
            let changes = ExternalDefaultsChanges(
                all: DefaultsChanges { [weak self] in self?.tellOfOthers(.everything) },
                byName: DefaultsNameChanges(defaults) { [weak self] in self?.tellOfOthers(.names([$0])) }
            )
            externalChanges.withLock { $0 = changes }
            // The store may have begun to listen again before this runs.
            return PreferenceStoreObservation { [weak self] in
                self?.externalChanges.withLock { if $0 === changes { $0 = nil } }
            }
        }

        /// Told on the thread that makes the change. What this store sets is told by name, once all of it is set.
        private func tellOfOthers(_ change: PreferenceStoreChange) {
            if !writing.isHeldByThisThread { observers.notify(change) }
        }
    #endif
}

#if canImport(Darwin)
    /// Listens to changes that others make, for as long as it exists.
    final class ExternalDefaultsChanges: Sendable {
        let all: DefaultsChanges
        let byName: DefaultsNameChanges

        init(all: DefaultsChanges, byName: DefaultsNameChanges) {
            self.all = all
            self.byName = byName
        }
    }

    /// Calls a handler whenever this process changes user defaults, for as long as it exists.
    ///
    /// Of which defaults is not asked: those of a suite change through any `UserDefaults` made for it, and through those
    /// of the global domain.
    final class DefaultsChanges: @unchecked Sendable {  // The token is made and handed back here alone.
        private let token: any NSObjectProtocol

        init(_ handler: @escaping @Sendable () -> Void) {
            token = NotificationCenter.default.addObserver(
                forName: UserDefaults.didChangeNotification,
                object: nil,
                // On the thread that posts it.
                queue: nil
            ) { _ in handler() }
        }

        deinit {
            NotificationCenter.default.removeObserver(token)
        }
    }
#endif
