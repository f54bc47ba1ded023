import Dispatch
import Foundation
import PreferencesSystem

#if canImport(Darwin)
    import Darwin
#endif

/// The encryption of the app's data until the device is first unlocked after a restart.
///
/// Until then, user defaults look empty, and protected files cannot be opened. Stored data that appears to be missing
/// must be neither replaced by defaults nor overwritten. Once the protection has ended, it does not return before the
/// next restart.
package final class DataProtection: Sendable {
    package static let system = DataProtection(probe: isSystemActive)

    private struct State {
        var hasEnded = false
        /// The actions to run when protection ends, by the object that registered each.
        var actions: [ObjectIdentifier: @Sendable () -> Void] = [:]
        var isCheckPlanned = false
    }

    private let probe: @Sendable () -> Bool?
    private let state = Locked(State())

    /// - Parameter probe: Returns whether data is currently protected, or nil if that cannot be determined. Not called
    ///   again once it has returned false.
    package init(probe: @escaping @Sendable () -> Bool?) {
        self.probe = probe
    }

    /// Whether the protection may still be active. Unlike ``isActive``, this does not ask the system.
    package var mayBeActive: Bool { state.withLock { !$0.hasEnded } }

    /// Whether stored data is currently unreadable.
    package var isActive: Bool {
        if state.withLock({ $0.hasEnded }) { return false }
        switch probe() {
        case true?: return true
        case false?: end()
        case nil: break
        }
        return false
    }

    /// Runs an action on another thread once the protection has ended. A later action of the same object replaces it.
    package func whenItEnds(for object: AnyObject, _ action: @escaping @Sendable () -> Void) {
        AppLifecycle.observe()
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.actions[ObjectIdentifier(object)] = action }
            return state.hasEnded
        }
        if hasEnded { return DispatchQueue.global().async(execute: action) }
        planCheck()
    }

    /// Checks every few seconds while actions are registered, as not every app and extension is notified of the unlock.
    private func planCheck() {
        let isNew = state.withLock { state in
            guard !state.actions.isEmpty, !state.isCheckPlanned else { return false }
            state.isCheckPlanned = true
            return true
        }
        guard isNew else { return }
        DispatchQueue.global(qos: .utility).runLater(at: .now() + Self.checkInterval) { [weak self] in
            guard let self else { return }
            state.withLock { $0.isCheckPlanned = false }
            checkForEnd()
            planCheck()
        }
    }

    private static let checkInterval = DispatchTimeInterval.seconds(5)

    /// Checks whether the protection has ended. Called when the system reports that the device was unlocked.
    func checkForEnd() {
        _ = isActive
    }

    private func end() {
        let actions = state.withLock { state in
            state.hasEnded = true
            defer { state.actions = [:] }
            return Array(state.actions.values)
        }
        // The caller may hold locks that the actions need.
        if !actions.isEmpty { DispatchQueue.global().async { for action in actions { action() } } }
    }

    #if canImport(Darwin) && !os(macOS) && !targetEnvironment(macCatalyst)
        /// Lists the property lists of the app's user defaults, which are by default protected until the first unlock,
        /// and opens them. The names of protected files can always be read, but opening one fails with `EPERM`.
        @Sendable private static func isSystemActive() -> Bool? {
            let folder = "\(URL.homeDirectory.path(percentEncoded: false))/Library/Preferences"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            var hasOpenedFile = false
            for name in names where name.hasSuffix(".plist") {
                let descriptor = open("\(folder)/\(name)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
                if descriptor < 0, errno == EPERM { return true }
                guard descriptor >= 0 else { continue }
                close(descriptor)
                hasOpenedFile = true
            }
            return hasOpenedFile ? false : nil
        }
    #else
        @Sendable private static func isSystemActive() -> Bool? { false }
    #endif
}
