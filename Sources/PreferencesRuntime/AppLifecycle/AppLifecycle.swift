package import Dispatch
import Foundation
import PreferencesSystem

/// The notifications by which UIKit, AppKit and WatchKit report the app's lifecycle.
///
/// They are identified by strings, so that the library need not link those frameworks. Without these frameworks, they
/// are never posted.
package enum AppLifecycle {
    /// The app may be suspended soon.
    static let suspending = [
        "UIApplicationDidEnterBackgroundNotification",
        "WKApplicationDidEnterBackgroundNotification",
        "NSExtensionHostDidEnterBackgroundNotification",
    ]
    /// The app is no longer suspended.
    static let resuming = [
        "UIApplicationWillEnterForegroundNotification",
        "WKApplicationWillEnterForegroundNotification",
        "NSExtensionHostWillEnterForegroundNotification",
    ]
    /// The app may be ended soon without further notice.
    static let ending = [
        "UIApplicationWillTerminateNotification",
        "NSApplicationDidResignActiveNotification",
        "NSApplicationWillTerminateNotification",
    ]
    /// The device has been unlocked.
    static let unlocking = ["UIApplicationProtectedDataDidBecomeAvailable"]

    /// Observes the notifications for the rest of the process's lifetime. Further calls do nothing.
    package static func observe() {
        _ = observation
    }

    private static let saving = Locked<(@Sendable (_ deadline: DispatchTime) -> Void)?>(nil)

    /// Observes the notifications, and calls a closure when the app may be ended or suspended soon.
    ///
    /// - Parameter save: Saves what is only in memory, until the deadline. It replaces the closure of an earlier call.
    package static func observe(savingBy save: @escaping @Sendable (_ deadline: DispatchTime) -> Void) {
        saving.withLock { $0 = save }
        observe()
    }

    private static func save(until deadline: DispatchTime) {
        saving.withLock { $0 }?(deadline)
    }

    private static let observation: Void = {
        add(ending) { save(until: .now() + .seconds(5)) }
        add(suspending) {
            // The system gives an app about 5 s.
            let deadline = DispatchTime.now() + .seconds(4)
            // Saving writes to stores, so it precedes their suspension.
            save(until: deadline)
            if StoreSuspension.isAutomatic { StoreSuspension.suspend(until: deadline) }
        }
        add(resuming) { StoreSuspension.resume() }
        add(unlocking) { DataProtection.system.checkForEnd() }
    }()

    private static func add(_ names: [String], _ handler: @escaping @Sendable () -> Void) {
        for name in names {
            _ = NotificationCenter.default.addObserver(forName: .init(name), object: nil, queue: nil) { _ in handler() }
        }
    }
}
