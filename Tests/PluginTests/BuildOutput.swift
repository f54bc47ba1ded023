import TestSupport

/// What `swift build` printed says about the build.
extension CommandLineRun {
    /// Whether the generator was started; only a verbose build tells.
    var ranGenerator: Bool {
        output.contains(/preferences-generator(-tool)? generate\s/)
    }

    /// The lines that warn of something, without what the toolchain says whatever a package does.
    var warnings: [Substring] {
        let noise = [
            // Of any library: https://github.com/swiftlang/swift-build/issues/573
            "argument unused during compilation: '-rdynamic'",
            // Of any file that a plugin no longer generates, once.
            "is located outside of the allowed root paths",
        ]
        return output.split(separator: "\n").filter { line in
            line.contains("warning:") && !noise.contains { line.contains($0) }
        }
    }
}
