/// A registered watcher of a ``PersistentObject``, which is told of changes until it is cancelled or the object is
/// gone. It lives on without this value: there is no need to keep it, other than to cancel.
public final class PersistentObjectWatcher: Sendable {
    private let end: OnceClosure

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = OnceClosure(end)
    }

    /// Ends it: its body does not start again. A call that has started on another thread is not waited for. A second
    /// call does nothing.
    public func cancel() {
        end()
    }
}
