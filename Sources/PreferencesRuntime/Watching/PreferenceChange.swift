/// A change of a key, as watchers and hooks are told of it.
@frozen
public struct PreferenceChange<Value: Sendable>: Sendable {
    /// What the key read as before. A watcher is given it if it was registered with ``PreferenceWatchOptions/old``, and
    /// not by the call that ``PreferenceWatchOptions/initial`` makes; a hook always.
    public let old: Value?
    /// What the key reads as now, or while the change is still to be made, will read as.
    public let new: Value

    /// Makes a change, as tests of what is done with one do.
    ///
    /// - Parameters:
    ///   - old: What the key read as before; nil where that is not told.
    ///   - new: What it reads as now.
    @inlinable
    public init(old: Value?, new: Value) {
        self.old = old
        self.new = new
    }
}

extension PreferenceChange: Equatable where Value: Equatable {}
extension PreferenceChange: Hashable where Value: Hashable {}
