#if canImport(Darwin)
    import Foundation

    /// Has a handler told of notifications, on the threads that post them, until its end.
    final class NotificationObservation: @unchecked Sendable {  // The token is made and handed back here alone.
        private let token: any NSObjectProtocol

        init(of name: Notification.Name, from object: AnyObject, _ handler: @escaping @Sendable (Notification) -> Void)
        {
            token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil, using: handler)
        }

        func end() {
            NotificationCenter.default.removeObserver(token)
        }
    }
#endif
