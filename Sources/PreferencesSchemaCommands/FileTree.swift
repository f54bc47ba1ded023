package import PreferencesCommandLine
package import PreferencesImport
import PreferencesSchema

/// The files that schemas are read from: those of the file system, or those of a revision.
package protocol FileTree: Sendable {
    /// Whether a file or folder exists. Links are followed.
    func exists(_ path: String) throws(FileError) -> Bool

    /// Whether a path is that of a folder. Links are followed.
    func isFolder(_ path: String) throws(FileError) -> Bool

    /// Returns the contents of a file.
    func contents(of path: String) throws(FileError) -> [UInt8]

    /// Returns the paths of the files with a suffix in a folder, at any depth, relative to the folder and sorted. Hidden
    /// files and folders are skipped, and links are followed.
    func paths(in folder: String, suffix: String) throws(FileError) -> [String]

    /// Returns the sorted names in a folder, without hidden ones and links that lead nowhere.
    func names(in folder: String) throws(FileError) -> [String]
}

/// The files of the file system.
package struct WorkingFiles: FileTree {
    package init() {}

    package func exists(_ path: String) -> Bool { FilePath.exists(path) }

    package func isFolder(_ path: String) -> Bool { FilePath.isFolder(path) }

    package func contents(of path: String) throws(FileError) -> [UInt8] { try FileContents.read(path) }

    package func paths(in folder: String, suffix: String) throws(FileError) -> [String] {
        let search = FileSearch(folder, suffix: suffix)
        if let error = search.fileErrors.first { throw error }
        return search.paths
    }

    package func names(in folder: String) throws(FileError) -> [String] {
        try FileSearch.visibleNames(in: Array(folder.utf8))
            .compactMap { String(validating: $0, as: UTF8.self) }
            .filter { FilePath.exists(FilePath.join(folder, $0)) }
    }
}

extension FileReader {
    /// Creates a reader of the files of a tree.
    package init(_ files: some FileTree) {
        self.init { path throws(ImportError) in
            do throws(FileError) {
                return try files.contents(of: path)
            } catch {
                throw .unreadable(message: error.message)
            }
        } fileNames: { folder throws(ImportError) in
            do throws(FileError) {
                // `glib-compile-schemas` ignores links that lead nowhere, too.
                return try files.names(in: folder.isEmpty ? "." : folder)
            } catch {
                throw .unreadable(message: error.message)
            }
        }
    }
}

extension FileTree {
    /// Returns the text of an included file.
    func includedText(_ path: String) -> IncludedText {
        do throws(FileError) {
            return .text(try contents(of: path))
        } catch {
            return .missing(error.reason)
        }
    }
}
