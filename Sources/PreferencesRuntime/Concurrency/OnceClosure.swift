import PreferencesSystem

/// A closure that runs at the first call alone, and is let go of then.
final class OnceClosure: Sendable {
    private let body: Locked<(@Sendable () -> Void)?>

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = Locked(body)
    }

    func callAsFunction() {
        let body = body.withLock { body in
            defer { body = nil }
            return body
        }
        body?()
    }
}
