/// Declarations and syntax that are newer than the oldest version of Swift that builds the package.
///
/// An older compiler is not at hand. Availability already rejects most newer declarations of the standard library,
/// because they require later systems than the package does. This type lists the others, and newer syntax, from the
/// release notes: https://github.com/swiftlang/swift/blob/main/CHANGELOG.md
enum MinimumSwiftVersion {
    /// The version that the lists are for.
    static let version = "6.1"

    /// A newer declaration without availability, because its code is copied into clients.
    private struct NewerDeclaration {
        let module: String
        /// A part of the line that declares it.
        let text: String
        let origin: String
    }

    private static let newerDeclarations = [
        NewerDeclaration(module: "Swift", text: "public var attoseconds: Swift.Int128", origin: "SE-0457, Swift 6.2"),
        NewerDeclaration(module: "Swift", text: "init(attoseconds: Swift.Int128)", origin: "SE-0457, Swift 6.2"),
        NewerDeclaration(
            module: "Swift",
            text: "appendInterpolation<T>(_ value: T?, default:",
            origin: "SE-0477, Swift 6.2"
        ),
        NewerDeclaration(module: "_Concurrency", text: "public var systemEpoch:", origin: "SE-0473, Swift 6.3"),
        NewerDeclaration(module: "_Concurrency", text: "addTask(name: Swift.String?", origin: "SE-0469, Swift 6.2"),
        NewerDeclaration(
            module: "_Concurrency",
            text: "addTaskUnlessCancelled(name: Swift.String?",
            origin: "SE-0469, Swift 6.2"
        ),
    ]

    /// A part of an interface that is replaced wherever it occurs.
    private struct Replacement {
        let module: String
        let text: String
        let newText: String
    }

    private static let replacements = [
        // `Span` and related types are also available on older systems, from a compatibility library.
        Replacement(
            module: "Swift",
            text: "@available(macOS 10.14.4, iOS 12.2, watchOS 5.2, tvOS 12.2, visionOS 1.0, *)",
            newText: "@available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *)"
        ),
        // The names of tasks (SE-0469, Swift 6.2) are parameters that have a default value.
        Replacement(module: "_Concurrency", text: "init(name: Swift.String? = nil, ", newText: "init("),
        Replacement(module: "_Concurrency", text: "detached(name: Swift.String? = nil, ", newText: "detached("),
    ]

    /// Returns a module's interface in which newer declarations are unavailable.
    ///
    /// - Throws: A ``CheckFailure`` if the interface does not contain a declaration of the lists.
    static func interface(_ text: String, of module: String) throws -> String {
        var interface = text
        for replacement in replacements where replacement.module == module {
            guard interface.contains(replacement.text) else { throw outdated(module, replacement.text) }
            interface = interface.replacing(replacement.text, with: replacement.newText)
        }
        let newer = newerDeclarations.filter { $0.module == module }
        for declaration in newer where !interface.contains(declaration.text) {
            throw outdated(module, declaration.text)
        }
        return interface.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if let start = line.firstRange(of: "@backDeployed(before: ")?.upperBound {
                // The attribute requires a body. Swift 6.1 has the declarations of macOS 15, but no newer ones.
                let systems = line[start...].prefix { $0 != ")" }
                return systems.hasPrefix("macOS 1") ? "" : "@available(\(systems), *)"
            }
            guard let declaration = newer.first(where: { line.contains($0.text) }) else { return String(line) }
            return "@available(*, unavailable, message: \"new: \(declaration.origin)\") \(line)"
        }.joined(separator: "\n")
    }

    private static func outdated(_ module: String, _ text: String) -> CheckFailure {
        CheckFailure(
            "The toolchain's interface of \(module) has no '\(text)'. Update Tests/PlatformCheck/MinimumSwiftVersion.swift."
        )
    }
}

extension MinimumSwiftVersion {
    /// Newer syntax.
    private struct NewerSyntax {
        let name: String
        let origin: String
        /// A regular expression for code without comments and literals. If it has a group, only matches of the group
        /// are newer.
        let pattern: String
    }

    private static let newerSyntax = [
        NewerSyntax(name: "@concurrent", origin: "SE-0461, Swift 6.2", pattern: #"@concurrent\b"#),
        NewerSyntax(
            name: "nonisolated(nonsending)",
            origin: "SE-0461, Swift 6.2",
            pattern: #"\bnonisolated\s*\(\s*nonsending"#
        ),
        NewerSyntax(name: "an isolated deinit", origin: "SE-0371, Swift 6.2", pattern: #"\bisolated\s+deinit\b"#),
        NewerSyntax(
            name: "an isolated conformance",
            origin: "SE-0470, Swift 6.2",
            pattern: #"[:,&]\s*(?:nonisolated|@MainActor)\s+[A-Z]\w*\s*(?:[,{]|where\b|$)"#
        ),
        NewerSyntax(
            name: "'unsafe'",
            origin: "SE-0458, Swift 6.2",
            pattern: #"@unsafe\b|@safe\b|(?:[=({,]|\breturn)\s*unsafe\s+\w"#
        ),
        NewerSyntax(name: "@abi", origin: "SE-0476, Swift 6.2", pattern: #"@abi\b"#),
        NewerSyntax(name: "an inline array", origin: "SE-0453, Swift 6.2", pattern: #"\bInlineArray\b|\[\d+ of "#),
        NewerSyntax(name: "an integer parameter", origin: "SE-0452, Swift 6.2", pattern: #"<\s*let\s+\w+\s*:"#),
        NewerSyntax(name: "a raw identifier", origin: "SE-0451, Swift 6.2", pattern: #"`\w+`|(`[^`]*`)"#),
        NewerSyntax(name: "'weak let'", origin: "SE-0481, Swift 6.3", pattern: #"\bweak\s+let\b"#),
        NewerSyntax(name: "a module selector", origin: "SE-0491, Swift 6.3", pattern: #"\w::\w"#),
        NewerSyntax(name: "@specialized", origin: "SE-0460, Swift 6.3", pattern: #"@specialized\b"#),
        NewerSyntax(name: "@section", origin: "SE-0492, Swift 6.3", pattern: #"@section\b"#),
        NewerSyntax(name: "@used", origin: "SE-0492, Swift 6.3", pattern: #"@used\b"#),
        NewerSyntax(name: "@c", origin: "SE-0495, Swift 6.3", pattern: #"@c\b"#),
        NewerSyntax(name: "@inline(always)", origin: "SE-0496, Swift 6.3", pattern: #"@inline\(always\)"#),
    ]

    /// The uses of newer syntax in a source file.
    static func newerSyntax(in source: String, path: String) throws -> [Diagnostic] {
        let code = SourceMasker.codeLines(of: source)
        return try newerSyntax.flatMap { syntax in
            let pattern = try Regex(syntax.pattern)
            return code.enumerated().flatMap { index, line in
                line.matches(of: pattern).compactMap { match -> Diagnostic? in
                    guard match.output.count == 1 || match.output[1].range != nil else { return nil }
                    return Diagnostic(
                        path: path,
                        line: index + 1,
                        column: line.utf8.distance(from: line.startIndex, to: match.range.lowerBound) + 1,
                        message: "error: \(syntax.name) is newer than Swift \(version): \(syntax.origin)"
                    )
                }
            }
        }
    }
}
