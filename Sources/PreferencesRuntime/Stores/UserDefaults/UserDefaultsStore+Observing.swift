import Foundation
import PreferencesSystem

extension UserDefaultsStore {
    /// False: Foundation does not report all changes, so each read asks the user defaults.
    ///
    /// On Apple platforms, Foundation reports the changes that this process makes. Changes of other processes, such as
    /// an extension of the same app group or the command `defaults`, are read at once, and reported soon afterwards;
    /// those of names with a dot only after ``reload()``. On Linux, it reports none, including those that this process
    /// makes through other `UserDefaults`.
    public var notifiesAllChanges: Bool { false }

    /// Notifies an observer of changes; of those through this store before the call that makes them returns.
    ///
    /// - Parameter observer: Receives the names that were changed through this store. On Apple platforms, it receives
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
            let changes = ExternalChangeObservers(
                all: DefaultsChangeObserver { [weak self] in self?.notifyExternalChange(.everything) },
                byName: KeyValueObserver(defaults) { [weak self] in self?.notifyExternalChange(.names([$0])) }
            )
            externalChanges.withLock { $0 = changes }
            // The store may observe changes again before this runs.
            return PreferenceStoreObservation { [weak self] in
                self?.externalChanges.withLock { if $0 === changes { $0 = nil } }
            }
        }

        /// Called on the thread that makes the change. Changes through this store are notified separately, by name,
        /// after all of them are made.
        private func notifyExternalChange(_ change: PreferenceStoreChange) {
            if !writing.isHeldByThisThread { observers.notify(change) }
        }
    #endif
}

#if canImport(Darwin)
    /// Observes external changes while it exists.
    final class ExternalChangeObservers: Sendable {
        let all: DefaultsChangeObserver
        let byName: KeyValueObserver

        init(all: DefaultsChangeObserver, byName: KeyValueObserver) {
            self.all = all
            self.byName = byName
        }
    }
#endif

/// Calls a handler when this process changes any user defaults, while it exists.
///
/// The notification is not filtered by its object: a suite changes through any `UserDefaults` of it, and through
/// the global domain.
final class DefaultsChangeObserver: Sendable {
    // Foundation does not declare the token `Sendable`. It is passed only to the
    // notification center, which is thread-safe.
    nonisolated(unsafe) private let token: any NSObjectProtocol

    init(_ handler: @escaping @Sendable () -> Void) {
        token = NotificationCenter.default.addObserver(
            forName: UserDefaults.didChangeNotification,
            object: nil,
            // The thread that posts the notification.
            queue: nil
        ) { _ in handler() }
    }

    deinit {
        end()
    }

    func end() {
        NotificationCenter.default.removeObserver(token)
    }
}

extension UserDefaultsStore {
    /// Whether key-value observing can observe a name, which it interprets as a key path: dots separate keys, and `@`
    /// begins an operator.
    static func canObserve(_ name: String) -> Bool {
        !name.isEmpty && !name.contains(".") && !name.hasPrefix("@")
    }
}

#if canImport(Darwin)
    /// Observes changes of individual names by any process. Foundation reports changes of other processes only to
    /// key-value observers.
    final class KeyValueObserver: NSObject, Sendable {
        private let defaults: SharedDefaults
        private let handler: @Sendable (_ name: String) -> Void
        private let names = Locked<Set<String>>([])

        init(_ defaults: SharedDefaults, _ handler: @escaping @Sendable (_ name: String) -> Void) {
            self.defaults = defaults
            self.handler = handler
            super.init()
        }

        deinit {
            for name in names.withLock({ $0 }) {
                defaults.withAccess { $0.removeObserver(self, forKeyPath: name) }
            }
        }

        /// Begins to observe a name, if key-value observing can.
        func observe(_ name: String) {
            guard UserDefaultsStore.canObserve(name), names.withLock({ $0.insert(name).inserted }) else { return }
            defaults.withAccess { $0.addObserver(self, forKeyPath: name, options: [], context: nil) }
        }

        override func observeValue(
            forKeyPath keyPath: String?,
            of object: Any?,
            change: [NSKeyValueChangeKey: Any]?,
            context: UnsafeMutableRawPointer?
        ) {
            if let keyPath { handler(keyPath) }
        }
    }
#endif
