import Dispatch
import Foundation

/// The notifications by which UIKit, AppKit and WatchKit report the app's lifecycle.
///
/// They are identified by strings, so that the library need not link those frameworks. Without these frameworks, they
/// are never posted.
enum AppLifecycle {
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
    static func observe() {
        _ = observation
    }

    private static let observation: Void = {
        add(ending) { LiveObjects.save(isLast: false) }
        add(suspending) {
            // The system gives an app about 5 s.
            let deadline = DispatchTime.now() + .seconds(4)
            // Saving writes to stores, so it precedes their suspension.
            LiveObjects.save(isLast: false, until: deadline)
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
