import Foundation
import PreferencesSystem

extension UserDefaultsStore {
    /// Whether key-value observing can observe a name: it takes it for a path, with dots between its parts and `@` before
    /// what is to be computed.
    static func canObserve(_ name: String) -> Bool {
        !name.isEmpty && !name.contains(".") && !name.hasPrefix("@")
    }
}

#if canImport(Darwin)
    /// Hears of the changes that any process makes to names of user defaults. Foundation tells of those of other
    /// processes name by name, to key-value observers.
    final class DefaultsNameChanges: NSObject, @unchecked Sendable {  // The names are locked, all else constant.
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

        /// Has the changes of a name told from now on, if they can be.
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
