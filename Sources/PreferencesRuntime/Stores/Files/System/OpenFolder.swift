#if canImport(Darwin)
    package import Darwin
#elseif canImport(Musl)
    package import Musl
#else
    package import Glibc
#endif

/// An open folder.
///
/// Its files are reached by their names in it (``FolderEntry``). A path is resolved anew by every system call, and somebody
/// who may change a folder on the way could make each call see another file.
package final class OpenFolder: Sendable {
    /// The path of the folder when it was opened, without links.
    package let path: String
    private let file: OpenFile

    /// Opens the root folder, or the working directory of the process.
    fileprivate init(_ start: Start) throws(SystemError) {
        path = start.rawValue
        file = try OpenFile(path, Self.searching)
    }

    fileprivate enum Start: String {
        case root = "/"
        case workingDirectory = "."
    }

    /// - Throws: ``SystemError``, with `ENOTDIR` or `ELOOP` where the name is not that of a folder.
    private init(_ name: String, in parent: OpenFolder) throws(SystemError) {
        path = parent.path(of: name)
        file = try OpenFile(path, name, in: parent.descriptor, Self.searching | O_NOFOLLOW)
    }

    #if canImport(Darwin)
        private static let searching = O_SEARCH
    #else
        // O_PATH of asm-generic/fcntl.h, which Swift's module of glibc leaves out. Folders may be searched on the way that may
        // not be read.
        private static let searching = 0o10_000_000 | O_DIRECTORY
    #endif

    fileprivate var descriptor: CInt { file.descriptor }

    fileprivate func folder(named name: String) throws(SystemError) -> OpenFolder {
        try OpenFolder(name, in: self)
    }

    fileprivate func path(of name: String) -> String {
        path == "/" ? "/\(name)" : "\(path)/\(name)"
    }

    /// The identity of the folder.
    package func identity() throws(SystemError) -> FileIdentity {
        FileIdentity(try file.status())
    }

    /// Returns the names in the folder that fulfil a condition on their bytes.
    func names(where isIncluded: (UnsafeRawBufferPointer) -> Bool) throws(SystemError) -> [String] {
        // Closed by `closedir`.
        let copy = try openToRead().duplicateDescriptor()
        guard let entries = fdopendir(copy) else {
            let code = errno
            close(copy)
            throw SystemError(operation: "list", path: path, code: code)
        }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            // The bytes are compared in place: a folder may have thousands of files, and each write lists it.
            withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                let name = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.firstIndex(of: 0) ?? bytes.endIndex)])
                if isIncluded(name) { names.append(String(decoding: name, as: UTF8.self)) }
            }
        }
        return names
    }

    /// Opens the folder for listing and syncing it, for which it must be readable.
    func openToRead() throws(SystemError) -> OpenFile {
        try OpenFile(path, ".", in: descriptor, O_RDONLY | O_DIRECTORY)
    }

    /// Makes a folder in this one that only its owner may enter. Does nothing where there is one.
    fileprivate func makeFolder(named name: String) throws(SystemError) {
        do {
            try SystemError.check("make the folder", path(of: name)) { mkdirat(descriptor, name, 0o700) }
        } catch {
            // Another process may have been faster.
            if error.code != EEXIST { throw error }
        }
        do throws(SystemError) {
            try openToRead().synchronizeFolder()
        } catch {
            // A folder can be made where the parent cannot be read, and therefore not be synced.
            if error.code != EACCES { throw error }
        }
    }

    /// Whether a user other than the process's own and the superuser may add files.
    fileprivate func isWritableByOthers() throws(SystemError) -> Bool {
        let status = try file.status()
        return status.st_mode & 0o022 != 0 || ![0, geteuid()].contains(status.st_uid)
    }

    /// Whether everybody may add files, and only their owners may remove them, as in `/tmp`; and a user does not own it.
    fileprivate func isPublic(exceptTo user: uid_t) throws(SystemError) -> Bool {
        let status = try file.status()
        return status.st_mode & 0o1002 == 0o1002 && status.st_uid != user
    }
}

/// A name in an open folder, whether there is a file or not.
package struct FolderEntry: Sendable {
    package let folder: OpenFolder
    package let name: String

    init(_ name: String, in folder: OpenFolder) {
        self.folder = folder
        self.name = name
    }

    package var path: String { folder.path(of: name) }

    func sibling(_ name: String) -> FolderEntry { FolderEntry(name, in: folder) }

    /// Whether both are one name in one folder.
    func isSame(as other: FolderEntry) -> Bool {
        guard name == other.name, let folder = try? folder.identity() else { return false }
        return folder == (try? other.folder.identity())
    }

    /// Opens the file. A link is not followed: the error's code is `ELOOP`.
    package func open(_ flags: CInt, mode: mode_t = 0o600) throws(SystemError) -> OpenFile {
        try OpenFile(path, name, in: folder.descriptor, flags | O_NOFOLLOW, mode: mode)
    }

    /// Returns the status of what has the name, also of a link itself; nil if there is nothing.
    package func status() throws(SystemError) -> stat? {
        var status = stat()
        do {
            try SystemError.check("look at", path) {
                fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW)
            }
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        return status
    }

    /// The identity of the file that has the name; nil if there is none.
    func identity() throws(SystemError) -> FileIdentity? {
        try status().map { FileIdentity($0) }
    }

    /// Throws where the process is not permitted to write the file.
    func checkWritable() throws(SystemError) {
        try SystemError.check("write", path) { faccessat(folder.descriptor, name, W_OK, AT_EACCESS) }
    }

    /// Removes the name, if there is one.
    func remove() {
        unlinkat(folder.descriptor, name, 0)
    }

    /// Gives the file another name in its folder as well.
    func link(as other: FolderEntry) throws(SystemError) {
        try SystemError.check("set aside", path) { linkat(folder.descriptor, name, folder.descriptor, other.name, 0) }
    }

    /// Moves the file to another name in its folder, where it replaces what has it.
    ///
    /// - Parameter operation: The operation that an error names.
    func move(to other: FolderEntry, _ operation: String) throws(SystemError) {
        try SystemError.check(operation, operation == "replace" ? other.path : path) {
            renameat(folder.descriptor, name, folder.descriptor, other.name)
        }
    }

    /// Exchanges this file and another of the same folder.
    func exchange(with other: FolderEntry) -> FileExchange {
        #if canImport(Darwin)
            let isDone = renameatx_np(folder.descriptor, name, folder.descriptor, other.name, UInt32(RENAME_SWAP)) == 0
        #else
            guard let isDone = LinuxCalls.shared.exchange(name, other.name, in: folder.descriptor) else {
                return .unsupported
            }
        #endif
        return isDone ? .done : errno == ENOENT ? .missing : .unsupported
    }

    enum FileExchange {
        case done
        /// One of the two files is not there.
        case missing
        case unsupported
    }

    /// Moves the file to a name in its folder that no file has.
    func move(toFreeName other: FolderEntry) -> Move {
        #if canImport(Darwin)
            let isDone = renameatx_np(folder.descriptor, name, folder.descriptor, other.name, UInt32(RENAME_EXCL)) == 0
        #else
            guard let isDone = LinuxCalls.shared.move(name, toFreeName: other.name, in: folder.descriptor) else {
                return .unsupported
            }
        #endif
        return isDone ? .done : errno == EEXIST ? .taken : .unsupported
    }

    enum Move {
        case done
        /// Another file has the name.
        case taken
        case unsupported
    }
}

// MARK: - Following links

extension FolderEntry {
    /// Finds the file that a path leads to, over any number of links.
    ///
    /// A link that another user may have put in its place is refused, since that user would choose the file which this
    /// process reads and replaces. The superuser and the process's own user are trusted, and so is the owner of the
    /// file that is found, as in a home folder, and everybody where no other user may add files to the link's folder. In
    /// folders like `/tmp`, a link's owner must also own the folder. The last rule is that of Linux's
    /// `fs.protected_symlinks`, which is off on some systems, and which others do not have.
    ///
    /// - Parameters:
    ///   - path: The path, which may be relative to the working directory.
    ///   - makingFolders: Whether to make the folders that are missing, for their owner alone.
    /// - Throws: ``SystemError``, with `ENOENT` or `ENOTDIR` where a folder is missing, `EPERM` for a link that is not
    ///   trusted, and `EISDIR` or `EINVAL` where something else than a file has the name.
    package init(following path: String, makingFolders: Bool = false) throws(SystemError) {
        // A folder that another process replaces during the search is looked at again.
        for _ in 0..<FilePath.maximumLinkCount {
            do throws(SystemError) {
                self = try Self.search(path, makingFolders)
                return
            } catch {
                guard error.operation == Self.openingFolder, [ENOTDIR, ELOOP].contains(error.code) else { throw error }
            }
        }
        throw SystemError(operation: "follow the links of", path: path, code: ELOOP)
    }

    private static let openingFolder = "enter the folder"

    private static func search(_ path: String, _ makingFolders: Bool) throws(SystemError) -> FolderEntry {
        var folder = try OpenFolder(path.hasPrefix("/") ? .root : .workingDirectory)
        // The names that are left, the next one last.
        var names = names(in: path)
        var linkCount = 0
        // Those that lead to a file of their owner alone.
        var foreignLinks: [(path: String, owner: uid_t)] = []
        while let name = names.popLast() {
            let entry = FolderEntry(name, in: folder)
            let status = try entry.status()
            switch status.map({ $0.st_mode & S_IFMT }) {
            case S_IFLNK:
                linkCount += 1
                guard linkCount <= FilePath.maximumLinkCount else {
                    throw SystemError(operation: "follow the links of", path: path, code: ELOOP)
                }
                if let owner = status?.st_uid, ![0, geteuid()].contains(owner), try folder.isWritableByOthers() {
                    guard try !folder.isPublic(exceptTo: owner) else { throw SystemError(untrustedLink: entry.path) }
                    foreignLinks.append((entry.path, owner))
                }
                let target = try entry.linkTarget()
                names += Self.names(in: target)
                if target.hasPrefix("/") { folder = try OpenFolder(.root) }
            case S_IFDIR where !names.isEmpty:
                folder = try entry.openFolder()
            case nil where !names.isEmpty:
                if let link = foreignLinks.first { throw SystemError(untrustedLink: link.path) }
                guard makingFolders else {
                    throw SystemError(operation: "open", path: entry.path, code: ENOENT)
                }
                try folder.makeFolder(named: name)
                folder = try entry.openFolder()
            case .some where !names.isEmpty:
                throw SystemError(operation: "open", path: folder.path(of: name), code: ENOTDIR)
            case S_IFDIR: throw SystemError(operation: "read", path: entry.path, code: EISDIR)
            case nil, S_IFREG:
                for link in foreignLinks where link.owner != status?.st_uid {
                    throw SystemError(untrustedLink: link.path)
                }
                return entry
            default: throw SystemError(operation: "read as a file", path: entry.path, code: EINVAL)
            }
        }
        throw SystemError(operation: "read", path: path, code: EISDIR)
    }

    private static func names(in path: String) -> [String] {
        path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
    }

    private func openFolder() throws(SystemError) -> OpenFolder {
        do throws(SystemError) {
            return try folder.folder(named: name)
        } catch {
            throw SystemError(operation: Self.openingFolder, path: path, code: error.code)
        }
    }

    /// Returns the target of a link, which may be relative to its folder.
    private func linkTarget() throws(SystemError) -> String {
        try FilePath.linkTarget(of: path) { readlinkat(folder.descriptor, name, $0, $1) } ?? ""
    }
}
