import Foundation

/// Permissions that keep an ordinary user out. The superuser becomes one first: nothing is forbidden to it.
struct Forbidden: StoreCondition {
    enum What {
        /// The folder may be read, not written.
        case folder
        /// The file may not be read.
        case file
        /// The file may be read, not written. Its folder may, but who has made it so wants it to stay.
        case writing
    }

    private let what: What

    init(_ what: What) {
        self.what = what
    }

    func isHarmless(to store: ProvenStore) -> Bool {
        // A database is changed where it is, by who has it open already.
        store.isDatabase
    }

    func prepare(_ folder: URL) throws -> URL {
        try User.becomeOrdinary(owning: folder)
        return folder
    }

    func begin(_ url: URL) throws {
        switch what {
        case .folder: try check(chmod(url.deletingLastPathComponent().path, 0o500))
        case .file: try check(chmod(url.path, 0))
        case .writing: try check(chmod(url.path, 0o400))
        }
    }

    func end(_ url: URL) throws {
        switch what {
        case .folder: try check(chmod(url.deletingLastPathComponent().path, 0o700))
        case .file, .writing: try check(chmod(url.path, 0o600))
        }
    }
}
