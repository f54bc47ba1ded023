/// An open folder.
///
/// Files are accessed by name relative to the folder's descriptor (``FolderEntry``). System calls resolve paths each
/// time, so a user who can change a folder on a path could redirect each call.
package final class OpenFolder: Sendable {
    /// The path of the folder when it was opened, without links.
    package let path: String
    /// The descriptor; negative for a folder that is only searched.
    private let opened: CInt

    /// Starts a search at the root folder, or at the working directory of the process.
    init(_ start: Start) throws(SystemError) {
        path = start.rawValue
        opened = try Self.openToSearch(path, path, in: AT_FDCWD)
    }

    enum Start: String {
        case root = "/"
        case workingDirectory = "."
    }

    /// - Throws: ``SystemError``, with `ENOTDIR` or `ELOOP` if the name is not that of a folder.
    private init(_ name: String, in parent: OpenFolder) throws(SystemError) {
        path = parent.path(of: name)
        opened = try Self.openToSearch(path, name, in: parent.descriptor)
    }

    #if canImport(Darwin)
        /// Opens a folder. No part of its path may be a link.
        private init(searched path: String) throws(SystemError) {
            self.path = path
            opened = try OpenFile.descriptor(path, path, in: AT_FDCWD, O_SEARCH | O_NOFOLLOW_ANY)
        }

        /// Does not open the folder: the App Sandbox lets an app read the status of the folders above its container,
        /// but may not let it open them. The folder that is found is opened by its whole path, in which the system
        /// accepts no link.
        private static func openToSearch(_ path: String, _ name: String, in folder: CInt) throws(SystemError) -> CInt {
            -1
        }

        func openedForUse() throws(SystemError) -> OpenFolder {
            try OpenFolder(searched: path)
        }

        fileprivate convenience init?(withoutLinks path: String) {
            try? self.init(searched: path)
        }
    #else
        /// Opens the folder only for finding files in it, so that it need not be readable.
        private static func openToSearch(_ path: String, _ name: String, in folder: CInt) throws(SystemError) -> CInt {
            try OpenFile.descriptor(path, name, in: folder, LinuxSystemCalls.pathOnly | O_DIRECTORY | O_NOFOLLOW)
        }

        func openedForUse() throws(SystemError) -> OpenFolder { self }

        /// Opens a folder in one system call, if no part of its path is a link and the system supports this.
        fileprivate init?(withoutLinks path: String) {
            guard let descriptor = LinuxSystemCalls.shared.openFolder(withoutLinks: path) else { return nil }
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

    func status() throws(SystemError) -> stat {
        var status = stat()
        try SystemError.check(.inspect, path) { opened < 0 ? lstat(path, &status) : fstat(opened, &status) }
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

    /// Returns the names in the folder whose bytes satisfy a condition.
    func names(where isIncluded: (UnsafeRawBufferPointer) -> Bool) throws(SystemError) -> [String] {
        // Closed by `closedir`.
        let copy = try openToRead().duplicateDescriptor()
        guard let entries = fdopendir(copy) else {
            let code = errno
            close(copy)
            throw SystemError(operation: .list, path: path, code: code)
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

    /// Opens the folder for listing and syncing, for which it must be readable.
    func openToRead() throws(SystemError) -> OpenFile {
        try OpenFile(path, opened < 0 ? path : ".", in: descriptor, O_RDONLY | O_DIRECTORY)
    }

    /// Creates a folder in this one that only its owner may enter. Does nothing if it exists.
    fileprivate func makeFolder(named name: String) throws(SystemError) {
        do {
            try SystemError.check(.makeFolder, path(of: name)) {
                mkdirat(descriptor, relativePath(of: name), 0o700)
            }
        } catch {
            // Another process may have been faster.
            if error.code != EEXIST { throw error }
        }
        do throws(SystemError) {
            try openToRead().synchronizeFolder()
        } catch {
            // A folder can be created in one that cannot be read, and therefore not be synced.
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

/// A name in an open folder, whether a file of this name exists or not.
package struct FolderEntry: Sendable {
    package let folder: OpenFolder
    package let name: String

    init(_ name: String, in folder: OpenFolder) {
        self.folder = folder
        self.name = name
    }

    package var path: String { folder.path(of: name) }

    package func sibling(_ name: String) -> FolderEntry { FolderEntry(name, in: folder) }

    /// Whether both are the same name in the same folder.
    func isSame(as other: FolderEntry) -> Bool {
        guard name == other.name, let folder = try? folder.identity() else { return false }
        return folder == (try? other.folder.identity())
    }

    /// Opens the file. A link is not followed: the error's code is `ELOOP`.
    package func open(_ flags: CInt, mode: mode_t = 0o600) throws(SystemError) -> OpenFile {
        try OpenFile(path, name, in: folder.descriptor, flags | O_NOFOLLOW, mode: mode)
    }

    /// Returns the status of the file, folder or link of this name; nil if there is none.
    package func status() throws(SystemError) -> stat? {
        var status = stat()
        do {
            try SystemError.check(.inspect, path) {
                fstatat(folder.descriptor, folder.relativePath(of: name), &status, AT_SYMLINK_NOFOLLOW)
            }
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        return status
    }

    /// Returns the identity of the file of this name; nil if there is none.
    func identity() throws(SystemError) -> FileIdentity? {
        try status().map { FileIdentity($0) }
    }

    /// Throws if the process is not permitted to write the file.
    package func checkWritable() throws(SystemError) {
        try SystemError.check(.write, path) { faccessat(folder.descriptor, name, W_OK, AT_EACCESS) }
    }

    /// Changes the permissions of the file without opening it for reading or writing.
    ///
    /// - Parameter change: Returns the new permissions; nil to leave the file as it is.
    package func changeModeUnopened(_ change: (stat) -> mode_t?) throws(SystemError) {
        #if canImport(Darwin)
            guard let mode = try status().flatMap(change) else { return }
            try SystemError.check(.setPermissions, path) {
                fchmodat(folder.descriptor, name, mode, AT_SYMLINK_NOFOLLOW)
            }
        #else
            let file = try open(LinuxSystemCalls.pathOnly)
            guard let mode = change(try file.status()) else { return }
            try SystemError.check(.setPermissions, path) { chmod("/proc/self/fd/\(file.descriptor)", mode) }
        #endif
    }

    /// Removes the file, if there is one.
    package func remove() {
        unlinkat(folder.descriptor, name, 0)
    }

    /// Adds another name of the file in its folder.
    package func link(as other: FolderEntry) throws(SystemError) {
        try SystemError.check(.setAside, path) { linkat(folder.descriptor, name, folder.descriptor, other.name, 0) }
    }

    /// Renames the file within its folder, and replaces any file of the new name.
    ///
    /// - Parameter operation: The operation that an error names.
    func move(to other: FolderEntry, _ operation: SystemError.Operation) throws(SystemError) {
        try SystemError.check(operation, operation == .replace ? other.path : path) {
            renameat(folder.descriptor, name, folder.descriptor, other.name)
        }
    }

    /// Exchanges this file and another one in the same folder.
    func exchange(with other: FolderEntry) -> FileExchange {
        #if canImport(Darwin)
            let isDone = renameatx_np(folder.descriptor, name, folder.descriptor, other.name, UInt32(RENAME_SWAP)) == 0
        #else
            let isDone = LinuxSystemCalls.shared.rename(name, to: other.name, in: folder.descriptor, .exchange)
        #endif
        return isDone ? .done : errno == ENOENT ? .missing : .unsupported
    }

    package enum FileExchange {
        case done
        /// One of the two files does not exist.
        case missing
        case unsupported
    }

    /// Renames the file within its folder, unless another file has the new name.
    func move(toFreeName other: FolderEntry) -> Move {
        #if canImport(Darwin)
            let isDone = renameatx_np(folder.descriptor, name, folder.descriptor, other.name, UInt32(RENAME_EXCL)) == 0
        #else
            let isDone = LinuxSystemCalls.shared.rename(name, to: other.name, in: folder.descriptor, .noReplace)
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
    /// A link that another user may have created is refused, since that user would choose the file that this process
    /// reads and replaces. A link is trusted if its owner is the superuser, the process's user, or the owner of the
    /// file that is found, as in a home folder, or if no other user may add files to its folder. In folders like
    /// `/tmp`, a link's owner must also own the folder, as with Linux's `fs.protected_symlinks`, which some systems
    /// disable or do not have.
    ///
    /// - Parameters:
    ///   - path: The path, which may be relative to the working directory.
    ///   - makingFolders: Whether to create missing folders, which only their owner may enter.
    /// - Throws: ``SystemError``, with `ENOENT` or `ENOTDIR` if a folder is missing, `EPERM` for a link that is not
    ///   trusted, and `EISDIR` or `EINVAL` if the name is not that of a file.
    package init(following path: String, makingFolders: Bool = false) throws(SystemError) {
        // The search is repeated if another process replaces a folder meanwhile.
        for _ in 0..<FilePath.maximumLinkCount {
            do throws(SystemError) {
                self = try Self.search(path, makingFolders)
                return
            } catch {
                let isReplaced = error.operation == .enterFolder && error.code == ENOTDIR
                guard isReplaced || error.code == ELOOP && error.operation != .resolvePath else { throw error }
            }
        }
        throw SystemError(operation: .resolvePath, path: path, code: ELOOP)
    }

    private static func search(_ path: String, _ makingFolders: Bool) throws(SystemError) -> FolderEntry {
        if let entry = findWithoutLinks(path) { return entry }
        var folder = try OpenFolder(path.hasPrefix("/") ? .root : .workingDirectory)
        // The remaining names, the next one last.
        var names = FilePath.reversedNames(in: path)
        var linkCount = 0
        // Links that may only lead to files of their owner.
        var foreignLinks: [(path: String, owner: uid_t)] = []
        while let name = names.popLast() {
            let entry = FolderEntry(name, in: folder)
            let status = try entry.status()
            switch status.map({ $0.st_mode & S_IFMT }) {
            case S_IFLNK:
                linkCount += 1
                guard linkCount <= FilePath.maximumLinkCount else {
                    throw SystemError(operation: .resolvePath, path: path, code: ELOOP)
                }
                if let owner = status?.st_uid, ![0, geteuid()].contains(owner), try folder.isWritableByOthers() {
                    guard try !folder.isPublic(exceptTo: owner) else { throw SystemError(untrustedLink: entry.path) }
                    foreignLinks.append((entry.path, owner))
                }
                guard let target = try entry.linkTarget() else {
                    // A folder or a file has replaced the link.
                    throw SystemError(operation: .enterFolder, path: entry.path, code: ENOTDIR)
                }
                names += FilePath.reversedNames(in: target)
                if target.hasPrefix("/") { folder = try OpenFolder(.root) }
            case S_IFDIR where !names.isEmpty:
                folder = try entry.openFolder()
            case nil where !names.isEmpty:
                if let link = foreignLinks.first { throw SystemError(untrustedLink: link.path) }
                guard makingFolders else {
                    throw SystemError(operation: .open, path: entry.path, code: ENOENT)
                }
                try folder.makeFolder(named: name)
                folder = try entry.openFolder()
            case .some where !names.isEmpty:
                throw SystemError(operation: .open, path: folder.path(of: name), code: ENOTDIR)
            case S_IFDIR: throw SystemError(operation: .read, path: entry.path, code: EISDIR)
            case nil, S_IFREG:
                for link in foreignLinks where link.owner != status?.st_uid {
                    throw SystemError(untrustedLink: link.path)
                }
                return FolderEntry(name, in: try folder.openedForUse())
            default: throw SystemError(operation: .readAsFile, path: entry.path, code: EINVAL)
            }
        }
        throw SystemError(operation: .read, path: path, code: EISDIR)
    }

    /// Finds the file of an absolute path, if no part of its folder's path is a link, so that no owner must be trusted.
    /// The file itself is not inspected; it may be a link, which ``open(_:mode:)`` does not follow.
    package init?(inFolderWithoutLinks path: String) {
        let parts = FilePath(path)
        guard path.hasPrefix("/"), !["", ".", ".."].contains(parts.name),
            let folder = OpenFolder(withoutLinks: parts.folder)
        else { return nil }
        self.init(parts.name, in: folder)
    }

    /// Finds the file of a path without links.
    ///
    /// - Returns: Nil if a search folder by folder is necessary, also to determine what is wrong.
    private static func findWithoutLinks(_ path: String) -> FolderEntry? {
        guard let entry = FolderEntry(inFolderWithoutLinks: path) else { return nil }
        do throws(SystemError) {
            let type = try entry.status().map { $0.st_mode & S_IFMT }
            return type == nil || type == S_IFREG ? entry : nil
        } catch {
            return nil
        }
    }

    func openFolder() throws(SystemError) -> OpenFolder {
        do throws(SystemError) {
            return try folder.folder(named: name)
        } catch {
            throw SystemError(operation: .enterFolder, path: path, code: error.code)
        }
    }

    /// Returns the target of a link, which may be relative to its folder; nil if there is no link any more.
    func linkTarget() throws(SystemError) -> String? {
        try FilePath.linkTarget(of: path) { readlinkat(folder.descriptor, folder.relativePath(of: name), $0, $1) }
    }
}
