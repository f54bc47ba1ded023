import Foundation

/// What is at a path, to see whether it stays: the bytes of a file, or what else there is.
enum FileEvidence: Equatable {
    case nothing
    case bytes(Data)
    /// A link, a folder, a pipe, or a file too large to be looked at: what it is, and how large.
    case other(mode: mode_t, size: Int64)

    init(at path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            self = .nothing
            return
        }
        let size = Int64(status.st_size)
        if status.st_mode & S_IFMT == S_IFREG, size < 1 << 30, let data = FileManager.default.contents(atPath: path) {
            self = .bytes(data)
        } else {
            self = .other(mode: status.st_mode, size: status.st_mode & S_IFMT == S_IFDIR ? 0 : size)
        }
    }

    /// Whether it begins as a file of a `FileStore` does, which a `SQLiteStore` leaves alone.
    var isText: Bool {
        guard case .bytes(let bytes) = self else { return false }
        let start = bytes.drop { " \t\r\n".utf8.contains($0) }
        return ["{", "<?xml", "<plist", "bplist"].contains { start.starts(with: $0.utf8) }
    }
}
