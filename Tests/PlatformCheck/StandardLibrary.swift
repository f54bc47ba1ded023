import Foundation

/// The origin of a platform's standard library modules.
enum StandardLibrary: Sendable {
    /// The toolchain's own.
    case toolchain

    /// The toolchain's own, over the headers of musl in place of those of the GNU C library.
    case musl

    /// The toolchain's interfaces, compiled again for one of Apple's platforms.
    ///
    /// The compiler finds them by these names: `lib/swift/FOLDER/Swift.swiftmodule/INTERFACE.swiftinterface`.
    case apple(folder: String, interface: String)
}

extension StandardLibrary {
    /// Whether it is one of Apple's.
    var isApple: Bool {
        if case .apple = self { true } else { false }
    }

    /// Makes the standard library in a folder.
    ///
    /// - Parameters:
    ///   - triple: The target that it is for.
    ///   - stubs: The folder of the platform's stubs.
    ///   - folder: The folder, which is kept between runs.
    ///   - cache: The compiler's module cache. It is removed when an interface changes, because the compiler does not
    ///     check whether the modules that it has built from its resource directory are up to date.
    /// - Returns: The options with which the compiler uses it.
    func make(
        for triple: String,
        from toolchain: Toolchain,
        stubs: URL,
        in folder: URL,
        cache: URL
    ) throws -> [String] {
        let resources = folder.appending(path: "lib/swift", directoryHint: .isDirectory)
        switch self {
        case .toolchain:
            return []
        case .musl:
            let sdk = folder.appending(path: "sdk", directoryHint: .isDirectory)
            try Self.makeMusl(sdk: sdk, resources: resources, from: toolchain, stubs: stubs)
            return ["-resource-dir", resources.path, "-sdk", sdk.path, "-Xcc", "-D_GNU_SOURCE"]
        case .apple(let name, let interface):
            for shared in ["shims", "clang"] {
                try link(resources.appending(path: shared), to: toolchain.resources.appending(path: shared))
            }
            let library = resources.appending(path: name, directoryHint: .isDirectory)
            for (module, text) in try Self.interfaces(for: triple, from: toolchain, stubs: stubs) {
                let file = library.appending(path: "\(module).swiftmodule/\(interface).swiftinterface")
                guard (try? String(contentsOf: file, encoding: .utf8)) != text else { continue }
                try removeIfPresent(cache)
                try makeFolder(of: file)
                try Data(text.utf8).write(to: file)
            }
            return [
                "-resource-dir", resources.path, "-I", resources.appending(path: "shims").path,
                // `SDKSettings.json` maps versions of iOS to those of Mac Catalyst, tvOS, watchOS and visionOS.
                "-sdk", stubs.path,
                "-enable-objc-interop",
            ]
        }
    }

    /// The modules of Swift that the package imports, and those that every module imports implicitly.
    private static let modules = [
        "Swift", "SwiftOnoneSupport", "_Concurrency", "_StringProcessing", "_RegexParser", "Synchronization",
        "Observation",
    ]

    /// The textual interfaces of the toolchain's modules, rewritten for one of Apple's platforms.
    ///
    /// They declare everything that exists there, with its availability. The compiler builds the modules from them,
    /// without function bodies, in some seconds. `os(…)`, `arch(…)`, availability and Objective-C interoperability are
    /// then those of the platform. Architecture-specific declarations, such as `Float80`, are those of this machine.
    private static func interfaces(
        for triple: String,
        from toolchain: Toolchain,
        stubs: URL
    ) throws -> [(module: String, text: String)] {
        try modules.map { module in
            let path = "linux/\(module).swiftmodule/\(toolchain.triple).swiftinterface"
            let file = toolchain.resources.appending(path: path)
            guard let original = try? String(contentsOf: file, encoding: .utf8),
                original.contains("-target \(toolchain.triple) ")
            else {
                throw CheckFailure("'\(file.path)' is missing or names no target; install Swift's own toolchain.")
            }
            var text = try MinimumSwiftVersion.interface(original, of: module)
                .replacing(
                    "-target \(toolchain.triple) ",
                    with: "-experimental-skip-all-function-bodies -target \(triple) "
                )
                .replacing("-disable-objc-interop", with: "-enable-objc-interop")
                // Otherwise the deployment target would be the oldest system that Swift supports.
                .replacing(" -target-min-inlining-version min", with: "")
                // Enables checks for library authors, which the rewritten interfaces do not pass.
                .replacing(" -library-level api", with: "")
                .replacing("\nimport Glibc\n", with: "\n")
            if module == "Swift" {
                // The declarations that exist on Apple's platforms alone.
                text += try String(contentsOf: stubs.appending(path: "Swift.swiftinterface"), encoding: .utf8)
            }
            return (module, text)
        }
    }

    /// Puts musl's headers in the place of the GNU C library's.
    ///
    /// The toolchain's Foundation imports a module `Glibc`, which declares what the header `SwiftGlibc.h` includes.
    /// Here that header is one of the stubs, and the files that it includes are musl's.
    private static func makeMusl(sdk: URL, resources: URL, from toolchain: Toolchain, stubs: URL) throws {
        let architecture = String(toolchain.triple.prefix { $0 != "-" })
        let musl = URL(filePath: "/usr/include/\(architecture)-linux-musl", directoryHint: .isDirectory)
        guard FileManager.default.fileExists(atPath: musl.path) else {
            throw CheckFailure("The headers of musl are missing: \(musl.path). Run Tests/install-musl.")
        }
        // Links to an earlier toolchain must not stay.
        try removeIfPresent(sdk)
        try removeIfPresent(resources)
        let headers = sdk.appending(path: "usr/include", directoryHint: .isDirectory)
        try linkContents(of: musl, into: headers)
        let kernel = ["linux": "linux", "asm-generic": "asm-generic", "asm": "\(architecture)-linux-gnu/asm"]
        for (name, path) in kernel {
            let folder = URL(filePath: "/usr/include/\(path)")
            guard FileManager.default.fileExists(atPath: folder.path) else {
                throw CheckFailure("The headers of Linux are missing: \(folder.path). Install Debian's linux-libc-dev.")
            }
            try link(headers.appending(path: name), to: folder)
        }

        try linkContents(of: toolchain.resources, into: resources, except: "linux")
        let library = resources.appending(path: "linux", directoryHint: .isDirectory)
        try linkContents(of: toolchain.resources.appending(path: "linux"), into: library, except: architecture)
        let moduleMap = library.appending(path: "\(architecture)/glibc.modulemap")
        let header = stubs.appending(path: "SwiftMusl.h").path
        try makeFolder(of: moduleMap)
        try Data("module SwiftGlibc [system] {\n    header \"\(header)\"\n    export *\n}\n".utf8).write(to: moduleMap)
    }
}

/// Removes a file, a folder or a link, if there is one.
func removeIfPresent(_ file: URL) throws {
    // Broken links have attributes, too.
    guard (try? FileManager.default.attributesOfItem(atPath: file.path)) != nil else { return }
    try FileManager.default.removeItem(at: file)
}

private func makeFolder(of file: URL) throws {
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
}

private func link(_ link: URL, to destination: URL) throws {
    try makeFolder(of: link)
    try removeIfPresent(link)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: destination)
}

private func linkContents(of source: URL, into folder: URL, except omitted: String? = nil) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: source.path) where name != omitted {
        try link(folder.appending(path: name), to: source.appending(path: name))
    }
}
