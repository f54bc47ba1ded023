/// A time of a file, since the start of 1970.
///
/// It is read and written as the two words of a `timespec`: which module declares the fields of that type depends on
/// how a program is built, and the compiler requires that exact module to be imported.
package struct FileTime: Hashable, Sendable {
    package let seconds: Int
    package let nanoseconds: Int

    /// Creates the time at which a file was last written.
    package init(of status: stat) {
        #if canImport(Darwin)
            self.init(status.st_mtimespec)
        #else
            self.init(status.st_mtim)
        #endif
    }

    /// Creates the time at which a file, or its name or permissions, last changed.
    package init(ofChange status: stat) {
        #if canImport(Darwin)
            self.init(status.st_ctimespec)
        #else
            self.init(status.st_ctim)
        #endif
    }

    /// Returns the current time, to the nanosecond; nil if the system does not provide it.
    package static func now() -> FileTime? {
        var words = [0, 0]
        let result = words.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { clock_gettime(CLOCK_REALTIME, $0.assumingMemoryBound(to: timespec.self)) }
        }
        return result == 0 ? words.withUnsafeBufferPointer { Self($0) } : nil
    }

    /// - Parameters:
    ///   - seconds: Any number: file systems such as tmpfs keep any time that a program sets.
    ///   - nanoseconds: The nanoseconds within the second.
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

    /// Sets the access and modification times of a file.
    ///
    /// - Returns: Whether they were set.
    package func set(of path: String) -> Bool {
        [seconds, nanoseconds, seconds, nanoseconds].withUnsafeBytes { bytes in
            bytes.baseAddress.map {
                utimensat(AT_FDCWD, path, $0.assumingMemoryBound(to: timespec.self), AT_SYMLINK_NOFOLLOW)
            } == 0
        }
    }

    /// Returns the number of seconds from this time to another; negative if the other is earlier.
    package func seconds(until other: FileTime) -> Double {
        // Each is converted first: the difference of two file times can exceed an `Int`.
        (Double(other.seconds) - Double(seconds)) + (Double(other.nanoseconds) - Double(nanoseconds)) / 1e9
    }
}
