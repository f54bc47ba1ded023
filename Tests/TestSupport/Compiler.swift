import Foundation

/// The Swift compiler, for what it says of code that uses the library.
package enum Compiler {
    /// Compiles files of one module in Swift 6 mode, to no executable.
    ///
    /// - Parameters:
    ///   - sources: Their contents, by their names.
    ///   - modules: The modules of this package that they import.
    ///   - options: Other options of the compiler; none by default.
    /// - Returns: The compiler's run, with the paths of the files as their names alone.
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
