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
        ///
        /// A write is put off for longer after a dear one, so that a program that sets values all the time spends at most a
        /// twentieth of one processor core on writing them: until 20 times the processor time that the last write took
        /// have passed, and for 2 s at most. So is a first change soon after a dear write. With 100,000 keys, whose write
        /// takes some 10 ms, values are on the disk after half a second instead of 50 ms. `flush()`, ``FileStore/update(_:)``, the
        /// release of the last store and the end of the program write at once.
        case coalesced(milliseconds: Int)
    }
}
