import PreferencesSystem
import Dispatch
import Foundation

#if canImport(Darwin)
    import Darwin
#endif

/// The encryption of the app's data until the first unlock of the device after a start.
///
/// Until then, user defaults look empty, and protected files cannot be opened. Stored data appears to be missing, and must
/// be neither replaced by defaults nor overwritten. Once the protection has ended, it does not return before the next start.
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

    /// - Parameter probe: Returns whether data is protected at present; nil where that cannot be found out. Not called again
    ///   once it has returned false.
    package init(probe: @escaping @Sendable () -> Bool?) {
        self.probe = probe
    }

    /// Whether the protection may not have ended yet. Unlike ``isActive``, this asks the system nothing.
    package var mayBeActive: Bool { state.withLock { !$0.hasEnded } }

    /// Whether stored data cannot be read at present.
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

    /// Checks every few seconds while there are actions. Not every app and extension is notified of the unlock.
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

    /// Checks whether the protection has ended, when the system reports that the device was unlocked.
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
        /// The names of protected files can be read at any time, and opening one fails with `EPERM`. The app's property lists
        /// of user defaults are protected until the first unlock, by default.
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
