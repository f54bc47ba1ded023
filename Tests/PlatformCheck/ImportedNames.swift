import Foundation
import TestSupport

/// The names of C and Objective-C that a module uses, found in its Swift Intermediate Language.
enum ImportedNames {
    /// Finds the names.
    ///
    /// The intermediate language declares each C function and constant that the module refers to, directly or through a
    /// closure, and names the class and the member of each message that is sent to Objective-C. Types alone are no use:
    /// `stat()` makes a structure, and calls nothing.
    ///
    /// - Parameter file: The intermediate language of a module without errors.
    /// - Returns: `fstat`; `UserDefaults.object` for a member, and `UserDefaults` for a class that is used as a value.
    ///   Types of Swift that are used as values are among them.
    static func names(in file: URL) async throws -> Set<String> {
        let patterns = [
            "^// clang name: .+",
            #"#[A-Za-z_]+\.[A-Za-z_]+!([a-z.]+\.)?foreign"#,
            #"@(objc_metatype|thick) [A-Za-z_]+\.Type"#,
        ]
        // The runtime's is 23 MB. `grep` takes a fraction of the time that a debug build of this program would.
        let run = try await CommandLineRun(
            "grep",
            ["--only-matching", "--no-filename", "--extended-regexp"] + patterns.flatMap { ["-e", $0] } + [file.path]
        )
        guard !run.wasKilled, run.status <= 1 else {
            throw CheckFailure("'grep' failed on '\(file.path)': \(run.errors)")
        }
        return Set(
            run.output.split(separator: "\n").map { line in
                let word = line.split(separator: " ").last ?? line
                return word.hasPrefix("#")
                    ? String(word.dropFirst().prefix { $0 != "!" })
                    : word.hasSuffix(".Type") ? String(word.dropLast(5)) : String(word)
            }
        )
    }
}
