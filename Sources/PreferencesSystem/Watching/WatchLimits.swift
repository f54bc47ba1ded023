/// Whether the system can watch one more folder for this process's user.
package enum WatchLimits {
    /// Returns the limit that prevents watching a folder, and its value, such as `fs.inotify.max_user_watches` and
    /// `8192`; nil if it can be watched, or cannot for another reason.
    package static func exhausted(by folder: String) -> (name: String, value: String)? {
        #if canImport(Darwin)
            return nil
        #else
            let descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else {
                // Also the code for too many open files of the process, of which a tool has few.
                return errno == EMFILE ? limit("max_user_instances") : nil
            }
            defer { close(descriptor) }
            let watch = inotify_add_watch(descriptor, folder, Self.creation)
            return watch < 0 && errno == ENOSPC ? limit("max_user_watches") : nil
        #endif
    }

    #if !canImport(Darwin)
        /// `IN_CREATE` of sys/inotify.h.
        private static let creation: UInt32 = 0x100

        private static func limit(_ name: String) -> (name: String, value: String) {
            let bytes = (try? OpenFile("/proc/sys/fs/inotify/\(name)", O_RDONLY).bytes(atMost: 32)) ?? []
            return ("fs.inotify.\(name)", String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
        }
    #endif
}
