import Dispatch
import Foundation

#if canImport(Darwin)
    import Darwin
#endif

/// Whether the system keeps the app's data encrypted, as the device has not been unlocked since its start.
///
/// Until then, user defaults look empty, and protected files cannot be opened. What the app has stored seems to be missing,
/// and must be neither replaced by defaults nor overwritten. Once the protection has ended it does not return before the next
/// start of the device.
package final class DataProtection: Sendable {
    package static let system = DataProtection(probe: isSystemActive)

    private struct State {
        var hasEnded = false
        /// What to do when it ends, by the object that has asked for it.
        var actions: [ObjectIdentifier: @Sendable () -> Void] = [:]
    }

    private let probe: @Sendable () -> Bool
    private let state = Locked(State())

    /// - Parameter probe: Returns whether data is protected at the moment. Not called again once it has returned false.
    package init(probe: @escaping @Sendable () -> Bool) {
        self.probe = probe
    }

    /// Whether stored data cannot be read at present.
    package var isActive: Bool {
        if state.withLock({ $0.hasEnded }) { return false }
        if probe() { return true }
        end()
        return false
    }

    /// Runs an action on another thread once the protection has ended. A later action of the same object replaces it.
    package func whenItEnds(for object: AnyObject, _ action: @escaping @Sendable () -> Void) {
        AppLifecycle.observe()
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.actions[ObjectIdentifier(object)] = action }
            return state.hasEnded
        }
        if hasEnded { DispatchQueue.global().async(execute: action) }
    }

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
        @Sendable private static func isSystemActive() -> Bool {
            let folder = "\(NSHomeDirectory())/Library/Preferences"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for name in names where name.hasSuffix(".plist") {
                let descriptor = open("\(folder)/\(name)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
                if descriptor < 0, errno == EPERM { return true }
                if descriptor >= 0 { close(descriptor) }
            }
            return false
        }
    #else
        @Sendable private static func isSystemActive() -> Bool { false }
    #endif
}
