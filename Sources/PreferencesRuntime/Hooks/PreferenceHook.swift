/// Something that takes part in changes until it is cancelled, or its ``Preferences`` or the object that it was registered
/// on are gone. It lives on without this value: there is no need to keep it, other than to cancel.
public final class PreferenceHook: Sendable {
    private let end: OnceClosure

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = OnceClosure(end)
    }

    /// Ends it. A second call does nothing.
    public func cancel() {
        end()
    }
}
