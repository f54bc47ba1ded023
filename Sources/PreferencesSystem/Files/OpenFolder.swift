/// An open folder.
///
/// Files are accessed by name relative to the folder's descriptor (``FolderEntry``). A path is resolved anew by each system
/// call, so a user who can change a folder on it could redirect each call.
package final class OpenFolder: Sendable {
    /// The path of the folder when it was opened, without links.
    package let path: String
    /// Negative for a folder that is only searched.
    private let opened: CInt

    /// Begins a search at the root folder, or at the working directory of the process.
    fileprivate init(_ start: Start) throws(SystemError) {
        path = start.rawValue
        opened = try Self.openToSearch(path, path, in: AT_FDCWD)
    }

    fileprivate enum Start: String {
        case root = "/"
        case workingDirectory = "."
    }

    /// - Throws: ``SystemError``, with `ENOTDIR` or `ELOOP` where the name is not that of a folder.
    private init(_ name: String, in parent: OpenFolder) throws(SystemError) {
        path = parent.path(of: name)
        opened = try Self.openToSearch(path, name, in: parent.descriptor)
    }

    #if canImport(Darwin)
        /// Opens a folder at whose path no part is a link.
        private init(searched path: String) throws(SystemError) {
            self.path = path
            opened = try OpenFile.descriptor(path, path, in: AT_FDCWD, O_SEARCH | O_NOFOLLOW_ANY)
        }

        /// Does not open the folder: the App Sandbox lets an app look at the folders above its container, and may not let it
        /// open them. The folder that is found is opened by its whole path, in which the system then accepts no link.
        private static func openToSearch(_ path: String, _ name: String, in folder: CInt) throws(SystemError) -> CInt {
            -1
        }

        fileprivate func openedForUse() throws(SystemError) -> OpenFolder {
            try OpenFolder(searched: path)
        }

        fileprivate convenience init?(withoutLinks path: String) {
            try? self.init(searched: path)
        }
    #else
        /// Opens the folder for nothing but finding files in it: folders may be searched on the way that may not be read.
        private static func openToSearch(_ path: String, _ name: String, in folder: CInt) throws(SystemError) -> CInt {
            try OpenFile.descriptor(path, name, in: folder, LinuxCalls.pathOnly | O_DIRECTORY | O_NOFOLLOW)
        }

        fileprivate func openedForUse() throws(SystemError) -> OpenFolder { self }

        /// Opens a folder in one system call, if no part of its path is a link and the system can do so.
        fileprivate init?(withoutLinks path: String) {
            guard let descriptor = LinuxCalls.shared.openFolder(withoutLinks: path) else { return nil }
            self.path = path
            opened = descriptor
        }
    #endif

    deinit {
        if opened >= 0 { close(opened) }
    }

    fileprivate var descriptor: CInt { opened < 0 ? AT_FDCWD : opened }

    /// The name of a file for a call with ``descriptor``.
    fileprivate func relativePath(of name: String) -> String {
        opened < 0 ? path(of: name) : name
    }

    fileprivate func status() throws(SystemError) -> stat {
        var status = stat()
        try SystemError.check("look at", path) { opened < 0 ? lstat(path, &status) : fstat(opened, &status) }
        return status
    }

    fileprivate func folder(named name: String) throws(SystemError) -> OpenFolder {
        try OpenFolder(name, in: self)
    }

    fileprivate func path(of name: String) -> String {
        path == "/" ? "/\(name)" : "\(path)/\(name)"
    }

    /// The identity of the folder.
    package func identity() throws(SystemError) -> FileIdentity {
        FileIdentity(try status())
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
        try OpenFile(path, opened < 0 ? path : ".", in: descriptor, O_RDONLY | O_DIRECTORY)
    }

    /// Makes a folder in this one that only its owner may enter. Does nothing where there is one.
    fileprivate func makeFolder(named name: String) throws(SystemError) {
        do {
            try SystemError.check("make the folder", path(of: name)) {
                mkdirat(descriptor, relativePath(of: name), 0o700)
            }
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
        let status = try status()
        return status.st_mode & 0o022 != 0 || ![0, geteuid()].contains(status.st_uid)
    }

    /// Whether the folder is sticky and world-writable, as `/tmp` is, and not owned by a user.
    fileprivate func isPublic(exceptTo user: uid_t) throws(SystemError) -> Bool {
        let status = try status()
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

    package func sibling(_ name: String) -> FolderEntry { FolderEntry(name, in: folder) }

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
                fstatat(folder.descriptor, folder.relativePath(of: name), &status, AT_SYMLINK_NOFOLLOW)
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

    /// Changes the permissions of the file without opening it for reading or writing.
    ///
    /// - Parameter change: Returns the new permissions; nil to leave the file as it is.
    func changeModeUnopened(_ change: (stat) -> mode_t?) throws(SystemError) {
        #if canImport(Darwin)
            guard let mode = try status().flatMap(change) else { return }
            try SystemError.check("set the permissions of", path) {
                fchmodat(folder.descriptor, name, mode, AT_SYMLINK_NOFOLLOW)
            }
        #else
            let file = try open(LinuxCalls.pathOnly)
            guard let mode = change(try file.status()) else { return }
            try SystemError.check("set the permissions of", path) { chmod("/proc/self/fd/\(file.descriptor)", mode) }
        #endif
    }

    /// Removes the name, if there is one.
    package func remove() {
        unlinkat(folder.descriptor, name, 0)
    }

    /// Gives the file another name in its folder as well.
    package func link(as other: FolderEntry) throws(SystemError) {
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

    package enum FileExchange {
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
                let isReplaced = error.operation == Self.openingFolder && error.code == ENOTDIR
                guard isReplaced || error.code == ELOOP && error.operation != Self.followingLinks else { throw error }
            }
        }
        throw SystemError(operation: Self.followingLinks, path: path, code: ELOOP)
    }

    private static let openingFolder = "enter the folder"
    private static let followingLinks = "follow the links of"

    private static func search(_ path: String, _ makingFolders: Bool) throws(SystemError) -> FolderEntry {
        if let entry = findWithoutLinks(path) { return entry }
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
                    throw SystemError(operation: Self.followingLinks, path: path, code: ELOOP)
                }
                if let owner = status?.st_uid, ![0, geteuid()].contains(owner), try folder.isWritableByOthers() {
                    guard try !folder.isPublic(exceptTo: owner) else { throw SystemError(untrustedLink: entry.path) }
                    foreignLinks.append((entry.path, owner))
                }
                guard let target = try entry.linkTarget() else {
                    // A folder or a file has taken the place of the link.
                    throw SystemError(operation: Self.openingFolder, path: entry.path, code: ENOTDIR)
                }
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
                return FolderEntry(name, in: try folder.openedForUse())
            default: throw SystemError(operation: "read as a file", path: entry.path, code: EINVAL)
            }
        }
        throw SystemError(operation: "read", path: path, code: EISDIR)
    }

    /// Finds the file of an absolute path, if no part of the folder's path is a link: no owner has to be trusted then. The
    /// file itself is not looked at, and may be a link, which ``open(_:mode:)`` does not follow.
    package init?(inFolderWithoutLinks path: String) {
        let parts = FilePath(path)
        guard path.hasPrefix("/"), !["", ".", ".."].contains(parts.name),
            let folder = OpenFolder(withoutLinks: parts.folder)
        else { return nil }
        self.init(parts.name, in: folder)
    }

    /// Finds the file of a path without links.
    ///
    /// - Returns: Nil if the file has to be searched for folder by folder, also to find out what is wrong.
    private static func findWithoutLinks(_ path: String) -> FolderEntry? {
        guard let entry = FolderEntry(inFolderWithoutLinks: path) else { return nil }
        do throws(SystemError) {
            let type = try entry.status().map { $0.st_mode & S_IFMT }
            return type == nil || type == S_IFREG ? entry : nil
        } catch {
            return nil
        }
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

    /// Returns the target of a link, which may be relative to its folder; nil where there is no link any more.
    private func linkTarget() throws(SystemError) -> String? {
        try FilePath.linkTarget(of: path) { readlinkat(folder.descriptor, folder.relativePath(of: name), $0, $1) }
    }
}
