/// How the importers get at files: that which is imported, and those that belong to it.
package struct SourceFiles: Sendable {
    /// What stands in a file.
    ///
    /// - Throws: ``ImportFault/unreadable(message:)``.
    package var read: @Sendable (_ path: String) throws(ImportFault) -> [UInt8]

    /// The names of the files in a folder; none where there is no such folder.
    package var names: @Sendable (_ folder: String) -> [String]

    package init(
        read: @escaping @Sendable (_ path: String) throws(ImportFault) -> [UInt8],
        names: @escaping @Sendable (_ folder: String) -> [String]
    ) {
        self.read = read
        self.names = names
    }
}

extension String {
    /// A path's folder with the slash behind it, or nothing where the path is a name alone.
    var pathFolder: String { lastIndex(of: "/").map { String(self[...$0]) } ?? "" }

    /// A path's last part.
    var pathName: String { String(split(separator: "/").last ?? "") }
}
