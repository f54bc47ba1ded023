import Foundation
import TestSupport

/// The compiler for a platform, with the modules that the package's targets import there.
struct PlatformCompiler: Sendable {
    let platform: Platform
    /// The folder of the modules that are compiled.
    private let modules: URL
    /// The folder of the copies of sources in which a module has another name.
    private let copies: URL
    private let options: [String]

    /// Compiles the standard library and the stubs for a platform.
    ///
    /// - Parameters:
    ///   - stubs: The folder that has a folder of stubs for each kind of platform.
    ///   - toolsVersion: The version of Swift Package Manager that plugins are written for.
    ///   - scratch: The folder that keeps modules between runs.
    init(
        of platform: Platform,
        stubs: URL,
        toolchain: Toolchain,
        toolsVersion: String,
        scratch: URL
    ) async throws {
        self.platform = platform
        let name = platform.name.replacing(" ", with: "-")
        let folder = scratch.appending(path: name, directoryHint: .isDirectory)
        modules = folder.appending(path: "modules", directoryHint: .isDirectory)
        copies = folder.appending(path: "copies", directoryHint: .isDirectory)
        // A module whose source is gone must not be found.
        try removeIfPresent(modules)
        try FileManager.default.createDirectory(at: modules, withIntermediateDirectories: true)

        let cache = folder.appending(path: "cache", directoryHint: .isDirectory)
        var options = ["-target", platform.triple, "-swift-version", "6", "-diagnostic-style", "llvm"]
        options += ["-module-cache-path", cache.path, "-I", modules.path]
        options += ["-plugin-path", toolchain.resources.appending(path: "host/plugins").path]
        // The first two are what Swift Package Manager defines for a debug build.
        options += (["SWIFT_PACKAGE", "DEBUG"] + platform.conditions).flatMap { ["-D", $0] }
        if case .plugins = platform.scope {
            options += ["-package-description-version", toolsVersion]
            options += ["-I", toolchain.resources.appending(path: "pm/PluginAPI").path]
        }
        var stubModules: [StubModule] = []
        if let name = platform.stubs {
            let stubs = stubs.appending(path: name, directoryHint: .isDirectory)
            options += try platform.standardLibrary
                .make(for: platform.triple, from: toolchain, stubs: stubs, in: folder, cache: cache)
            stubModules = try StubModule.modules(in: stubs)
            options += stubModules.filter(\.hasHeader).flatMap { ["-I", $0.folder.path] }
        }
        self.options = options

        for module in stubModules where !module.sources.isEmpty {
            let arguments =
                ["-emit-module", "-o", file(of: module.name), "-module-name", module.name, "-parse-as-library"]
                + ["-experimental-skip-all-function-bodies", "-warnings-as-errors"]
                // Like Apple's modules: enumerations may get further cases.
                + (platform.standardLibrary.isApple ? ["-enable-library-evolution"] : [])
                + (module.hasHeader ? ["-import-underlying-module"] : [])
            let run = try await compile(module.sources, arguments)
            guard run.succeeded else {
                throw CheckFailure("The stub of \(module.name) does not compile for \(platform.name):\n\(run.output)")
            }
        }
    }

    /// Type-checks a target and, if it has no type errors, runs the compiler's mandatory diagnostic passes, which find
    /// data races, missing returns and uses of uninitialized variables.
    ///
    /// - Parameters:
    ///   - replacements: The files to read in place of sources.
    ///   - output: The options for what to write.
    /// - Returns: The errors. Warnings are errors.
    func diagnostics(
        of target: PackageTarget,
        replacing replacements: [URL: URL] = [:],
        output: [String] = ["-o", "/dev/null"]
    ) async throws -> [Diagnostic] {
        let sources = try visible((target.sources + target.generatedSources).map { replacements[$0] ?? $0 })
        let arguments = ["-emit-sil", "-warnings-as-errors"] + output + Self.options(of: target)
        let run = try await compile(sources.map(\.copy), arguments)
        let paths = Dictionary(sources.map { ($0.copy.path, $0.source.path) }, uniquingKeysWith: { first, _ in first })
        let diagnostics = Diagnostic.diagnostics(in: run.output).map { diagnostic in
            var diagnostic = diagnostic
            diagnostic.path = paths[diagnostic.path] ?? diagnostic.path
            return diagnostic
        }
        guard !run.wasKilled, run.succeeded || !diagnostics.isEmpty else {
            let end = run.output.suffix(10_000)
            throw CheckFailure("The compiler failed on \(target.name) for \(platform.name):\n\(end)")
        }
        return diagnostics
    }

    /// Type-checks a target as ``diagnostics(of:replacing:output:)`` does, writes its module for targets that import
    /// it, and finds the names of C and Objective-C that it uses.
    ///
    /// - Returns: The errors; the names, if there are no errors; and whether other targets can import the module, which
    ///   requires that its declarations have no errors.
    func check(
        _ target: PackageTarget
    ) async throws -> (diagnostics: [Diagnostic], names: Set<String>, isImportable: Bool) {
        let module = file(of: target.moduleName)
        let intermediate = modules.appending(path: "\(target.moduleName).sil")
        let found = try await diagnostics(of: target, output: ["-o", intermediate.path, "-emit-module-path", module])
        guard found.isEmpty else {
            // The errors may be in function bodies, which importing targets do not see.
            let arguments = ["-emit-module", "-o", module, "-experimental-skip-all-function-bodies"]
            let sources = try visible(target.sources + target.generatedSources).map(\.copy)
            return (found, [], try await compile(sources, arguments + Self.options(of: target)).succeeded)
        }
        let names = try await ImportedNames.names(in: intermediate)
        try FileManager.default.removeItem(at: intermediate)
        return ([], names, true)
    }

    private static func options(of target: PackageTarget) -> [String] {
        ["-module-name", target.moduleName, "-package-name", "swift_preferences"]
            + (target.hasTopLevelCode ? [] : ["-parse-as-library"])
            + target.featureOptions
    }

    /// Returns sources, and the files that the compiler reads for them.
    ///
    /// With musl there is no module `Glibc`, but this machine's Foundation requires it. Therefore copies of the
    /// package's sources import a module that does not exist.
    private func visible(_ sources: [URL]) throws -> [(source: URL, copy: URL)] {
        guard case .musl = platform.standardLibrary else { return sources.map { ($0, $0) } }
        return try sources.map { source in
            let text = try String(contentsOf: source, encoding: .utf8)
            guard text.contains("Glibc") else { return (source, source) }
            let copy = copies.appending(path: source.path)
            let folder = copy.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.replacing("Glibc", with: "GlibcWithMusl").utf8).write(to: copy)
            return (source, copy)
        }
    }

    private func file(of module: String) -> String {
        modules.appending(path: "\(module).swiftmodule").path
    }

    private func compile(_ sources: [URL], _ arguments: [String]) async throws -> CommandLineRun {
        try await CommandLineRun(
            "swiftc",
            ["-frontend"] + arguments + options + sources.map(\.path),
            mergesErrors: true
        )
    }
}

/// A module that this machine does not have, with the declarations that the package uses.
private struct StubModule {
    let name: String
    let folder: URL
    /// The Swift files. Where there is a header, they are its overlay.
    let sources: [URL]
    /// Whether the module has declarations in C or Objective-C.
    let hasHeader: Bool

    /// Returns the stubs of a folder, each after those that it imports.
    static func modules(in folder: URL) throws -> [StubModule] {
        let files = FileManager.default
        var modules: [String: StubModule] = [:]
        for entry in try files.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.isDirectoryKey])
        where try entry.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true {
            let contents = try files.contentsOfDirectory(at: entry, includingPropertiesForKeys: nil)
            modules[entry.lastPathComponent] = StubModule(
                name: entry.lastPathComponent,
                folder: entry,
                sources: contents.filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path },
                hasHeader: contents.contains { $0.lastPathComponent == "module.modulemap" }
            )
        }
        var ordered: [StubModule] = []
        var visited: Set<String> = []
        func visit(_ name: String) throws {
            guard let module = modules[name], visited.insert(name).inserted else { return }
            for source in module.sources {
                for line in try String(contentsOf: source, encoding: .utf8).split(separator: "\n") {
                    if let match = line.firstMatch(of: /^(?:@_exported |public )?import (\w+)/) {
                        try visit(String(match.1))
                    }
                }
            }
            ordered.append(module)
        }
        for name in modules.keys.sorted() { try visit(name) }
        return ordered
    }
}

/// An error or a warning of the compiler, with its place.
struct Diagnostic: Hashable, Comparable, Sendable {
    var path: String
    let line: Int
    let column: Int
    /// `error: …` or `warning: …`
    let message: String

    /// The errors and warnings that a compiler printed, each once, in the order of their places.
    static func diagnostics(in output: String) -> [Diagnostic] {
        let pattern = /(.+?):(\d+):(\d+): ((?:fatal error|error|warning): .+)/
        let found = output.split(separator: "\n").compactMap { line in
            line.wholeMatch(of: pattern).flatMap { match in
                Int(match.2).flatMap { line in
                    Int(match.3).map {
                        Diagnostic(path: String(match.1), line: line, column: $0, message: String(match.4))
                    }
                }
            }
        }
        return Set(found).sorted()
    }

    static func < (one: Diagnostic, other: Diagnostic) -> Bool {
        (one.path, one.line, one.column, one.message) < (other.path, other.line, other.column, other.message)
    }
}

/// The names of C and Objective-C that a module uses, found in its Swift Intermediate Language.
enum ImportedNames {
    /// Finds the names.
    ///
    /// The intermediate language declares each C function and constant that the module refers to, directly or through a
    /// closure, and names the class and the member of each message that is sent to Objective-C. Types alone do not
    /// count: `stat()` creates a structure, and calls nothing.
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
        // The runtime's intermediate language is 23 MB. `grep` is much faster than a debug build of this program.
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
