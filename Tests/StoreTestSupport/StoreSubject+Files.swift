package import Foundation
package import PreferencesRuntime
package import PreferencesStoreTesting
import PreferencesSystem
import TestSupport

extension StoreSubject {
    package static func fileStore(
        _ url: URL,
        _ format: FileStore.Format,
        _ layout: FileStore.Layout,
        _ durability: FileStore.Durability
    ) -> StoreSubject {
        let aside = UnreachableFile(url)
        return StoreSubject(
            open: { FileStore(url: url, format: format, layout: layout, durability: durability) },
            changeExternally: { batch in
                try FileStore.saveAsAnEditor(url, format, layout) { try $0.apply(PreferenceBatch(batch)) }
            },
            breakBackend: aside.put,
            repairBackend: aside.putBack
        )
    }

    package static func userDefaultsStore(_ suite: String) -> StoreSubject {
        let environment = ProcessInfo.processInfo.environment
        // On Linux, `UserDefaults` uses `HOME`, and `NSHomeDirectory()` uses the user database.
        let home = environment["HOME"] ?? NSHomeDirectory()
        let folder = environment["XDG_CONFIG_HOME"] ?? home + "/.config"
        let aside = UnreachableFile(URL(filePath: "\(folder)/\(suite).plist"))
        return StoreSubject(
            open: { UserDefaultsStore(suite: suite) },
            breakBackend: aside.put,
            repairBackend: aside.putBack
        )
    }
}

/// Makes a file unreachable, by replacing it by a link to itself. Its place is never empty, where a store that writes
/// later would create a file.
package struct UnreachableFile {
    private let url: URL
    private let aside: URL
    private let loop: URL

    package init(_ url: URL) {
        self.url = url
        aside = url.appendingPathExtension("aside")
        loop = url.appendingPathExtension("loop")
    }

    @Sendable package func put() throws {
        try FileManager.default.linkItem(at: url, to: aside)
        try FileManager.default.createSymbolicLink(
            atPath: loop.filePath,
            withDestinationPath: url.lastPathComponent
        )
        try Self.rename(loop, to: url)
    }

    @Sendable package func putBack() throws {
        try Self.rename(aside, to: url)
    }

    /// Replaces the other file, which `FileManager` does not.
    private static func rename(_ file: URL, to other: URL) throws {
        guard Foundation.rename(file.filePath, other.filePath) == 0 else {
            throw SystemError(operation: .replace, path: file.filePath, code: errno)
        }
    }
}

extension FileStore {
    /// Edits a file as an editor does, which replaces it by another file.
    package static func saveAsAnEditor(
        _ url: URL,
        _ format: FileStore.Format? = nil,
        _ layout: FileStore.Layout = .flat,
        _ edit: (FileStore) throws -> Void
    ) throws {
        let draft = url.appendingPathExtension("draft")
        try? FileManager.default.copyItem(at: url, to: draft)
        let editor = FileStore(url: draft, format: format, layout: layout)
        try edit(editor)
        try editor.flush()
        try FileManager.default.removeItem(at: url)
        try FileManager.default.moveItem(at: draft, to: url)
    }
}
