import Foundation

/// The Swift compiler, for tests of its diagnostics.
package enum Compiler {
    /// Compiles the files of a module in Swift 6 mode, without creating an executable.
    ///
    /// - Parameters:
    ///   - sources: Their contents, by their names.
    ///   - modules: The modules of this package that they import.
    ///   - options: Other options of the compiler; none by default.
    /// - Returns: The compiler's run, in which the paths of files are their names.
    package static func compile(_ sources: [String: String], importing modules: [String], options: [String] = [])
        async throws -> CommandLineRun
    {
        try await withTemporaryDirectory { folder in
            for (name, source) in sources { try Data(source.utf8).write(to: folder.appending(path: name)) }
            let searched = try Set(modules.map { try BuiltWithTests.folder(ofModule: $0).path }).flatMap { ["-I", $0] }
            return try await CommandLineRun(
                "swiftc",
                [
                    "-swift-version", "6", "-parse-as-library", "-wmo", "-module-name", "Use", "-emit-sil", "-o",
                    folder.appending(path: "Use.sil").path,
                ] + options + searched + sources.keys.sorted(),
                in: folder,
                mergesErrors: true
            )
        }
    }
}
