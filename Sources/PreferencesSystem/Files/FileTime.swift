/// A time as the system gives files, since the start of 1970.
///
/// It is read and written as the two words that a `timespec` is: which module has the fields of that type depends on how a
/// program is built, and the compiler wants that very module imported.
package struct FileTime: Hashable, Sendable {
    package let seconds: Int
    package let nanoseconds: Int

    /// When a file was last written.
    package init(of status: stat) {
        #if canImport(Darwin)
            self.init(status.st_mtimespec)
        #else
            self.init(status.st_mtim)
        #endif
    }

    /// When anything about a file was last changed: its contents, its name, or who may read it.
    init(ofChange status: stat) {
        #if canImport(Darwin)
            self.init(status.st_ctimespec)
        #else
            self.init(status.st_ctim)
        #endif
    }

    /// What it is now, to the nanosecond; nil where the system does not say.
    package static func now() -> FileTime? {
        var words = [0, 0]
        let result = words.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { clock_gettime(CLOCK_REALTIME, $0.assumingMemoryBound(to: timespec.self)) }
        }
        return result == 0 ? words.withUnsafeBufferPointer { Self($0) } : nil
    }

    /// - Parameters:
    ///   - seconds: Any number: file systems such as tmpfs keep each that a program gives a file.
    ///   - nanoseconds: Those after the second.
    init(seconds: Int, nanoseconds: Int) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    private init(_ time: timespec) {
        self = withUnsafeBytes(of: time) { Self($0.bindMemory(to: Int.self)) }
    }

    private init(_ words: UnsafeBufferPointer<Int>) {
        self.init(seconds: words[0], nanoseconds: words[1])
    }

    /// Gives it to a file, as when that was last read and written.
    ///
    /// - Returns: Whether that was done.
    package func set(of path: String) -> Bool {
        [seconds, nanoseconds, seconds, nanoseconds].withUnsafeBytes { bytes in
            bytes.baseAddress.map {
                utimensat(AT_FDCWD, path, $0.assumingMemoryBound(to: timespec.self), AT_SYMLINK_NOFOLLOW)
            } == 0
        }
    }

    /// The number of seconds from this time to another; negative if the other is earlier.
    package func seconds(until other: FileTime) -> Double {
        // Each is converted first: the difference of two times that a file system gives can exceed an `Int`.
        (Double(other.seconds) - Double(seconds)) + (Double(other.nanoseconds) - Double(nanoseconds)) / 1e9
    }
}
