import Foundation

/// When a file was changed, as far as anybody can tell.
enum FileAge {
    /// Has a file look as if it had been changed ten seconds ago. A store leaves one alone that was changed just now,
    /// as an editor may be writing it.
    static func makeOld(_ url: URL) {
        let then = timespec(tv_sec: time(nil) - 10, tv_nsec: 0)
        // What is no file, or leads nowhere, has no need of it.
        _ = utimensat(AT_FDCWD, url.path, [then, then], 0)
    }
}
