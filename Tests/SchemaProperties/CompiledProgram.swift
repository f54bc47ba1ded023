package import Foundation
package import TestSupport

/// A program of generated source.
package enum CompiledProgram {
    /// Compiles the Swift files in a folder, and links them with modules of this package.
    package static func compile(
        _ name: String,
        in folder: URL,
        with modules: [String],
        _ options: [String]
    ) async throws -> CommandLineRun {
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        return try await CommandLineRun(
            "swiftc",
            [
                "-Onone", "-parse-as-library", "-whole-module-optimization", "-module-name", "Generated",
                "-package-name", "generated", "-I", try BuiltWithTests.folder(ofModule: "PreferencesRuntime").path,
                "-o", name,
            ] + options + files.sorted() + (try BuiltWithTests.objects(ofModules: modules)),
            in: folder,
            mergesErrors: true
        )
    }
}
