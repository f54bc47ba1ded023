/// Something that takes part in changes until it is cancelled, or its ``Preferences`` are gone.
public final class PreferenceHook: Sendable {
    private let end: Locked<(@Sendable () -> Void)?>

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = Locked(end)
    }

    /// Ends it. A second call does nothing.
    public func cancel() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }
}
