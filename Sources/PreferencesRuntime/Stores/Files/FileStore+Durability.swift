extension FileStore {
    /// When what was set is written.
    public enum Durability: Sendable, Hashable {
        /// Before the setter returns: it is on the disk then, and setting takes as long as the disk does. What cannot be
        /// written is not set.
        case immediate
        /// A while after the first change, with all that were made since, in one go: setting takes no longer than in
        /// memory. The while is in milliseconds, 0 or less for as soon as another thread can do it.
        ///
        /// Readers are given what was set at once. ``FileStore/flush()`` writes it and returns when it is on the disk;
        /// it is also written when the last store of the file is released, and when the program ends by `exit` or by
        /// returning from `main`. A program that is killed loses what it has set since the last write, and nothing else: the file is
        /// whole, and has a batch whole or not at all.
        case coalesced(milliseconds: Int)
    }
}
