import Foundation

/// What Swift 6.1, the oldest that builds the package, does not have though this machine's Swift does.
///
/// An older compiler cannot be had here. Most of the standard library's newer declarations are recognised by their
/// availability, which is later than that of the systems the package supports. This has the others, and newer syntax, from
/// the release notes: https://github.com/swiftlang/swift/blob/main/CHANGELOG.md
enum OldestSwift {
    /// A declaration of the standard library that is available on all systems, because clients get a copy of it.
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
        NewerDeclaration(
            module: "_Concurrency",
            text: "public static var name: Swift.String?",
            origin: "SE-0469, Swift 6.2"
        ),
    ]

    /// The interface of a module of the standard library, with what is newer made unavailable.
    ///
    /// - Throws: A ``CheckFailure`` where the interface does not declare what it is known to.
    static func interface(_ text: String, of module: String) throws -> String {
        let newer = newerDeclarations.filter { $0.module == module }
        var missing = Set(newer.map(\.text))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.contains("@") {
                // `Span` and its kind are in a library for old systems, too.
                let old = "@available(macOS 10.14.4, iOS 12.2, watchOS 5.2, tvOS 12.2, visionOS 1.0, *)"
                let new = "@available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *)"
                if line.contains(old) { return line.replacing(old, with: new) }
                if let (systems, version) = backDeployment(line) {
                    // A declaration that is copied to clients on older systems is as new as the system that has it.
                    return version > 15 ? "@available(\(systems), *)" : ""
                }
            }
            for declaration in newer where line.contains(declaration.text) {
                missing.remove(declaration.text)
                return "@available(*, unavailable, message: \"new: \(declaration.origin)\") \(line)"
            }
            // The names of tasks (SE-0469, Swift 6.2) are parameters that have a default value.
            return line.replacing("(name: Swift.String? = nil, ", with: "(")
        }
        guard missing.isEmpty else {
            throw CheckFailure("The interface of \(module) does not declare \(missing.sorted()). Correct OldestSwift.")
        }
        return lines.joined(separator: "\n")
    }

    /// The systems of an attribute `@backDeployed(before: …)`, and the version of macOS among them.
    private static func backDeployment(_ line: Substring) -> (systems: Substring, macOS: Double)? {
        let match = line.wholeMatch(of: /\s*@backDeployed\(before: (macOS (\d+\.\d+)[^)]*)\)\s*/)
        return match.flatMap { match in Double(match.2).map { (match.1, $0) } }
    }
}

extension OldestSwift {
    /// Syntax that is new.
    private struct NewerSyntax {
        let name: String
        let origin: String
        /// What the syntax looks like, in code without comments and literals.
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
        NewerSyntax(name: "a raw identifier", origin: "SE-0451, Swift 6.2", pattern: #"`[^`\n]*[^\w`\n][^`\n]*`"#),
        NewerSyntax(name: "'weak let'", origin: "SE-0481, Swift 6.3", pattern: #"\bweak\s+let\b"#),
        NewerSyntax(name: "a module selector", origin: "SE-0491, Swift 6.3", pattern: #"\w::\w"#),
        NewerSyntax(name: "@specialized", origin: "SE-0460, Swift 6.3", pattern: #"@specialized\b"#),
        NewerSyntax(name: "@section", origin: "SE-0492, Swift 6.3", pattern: #"@section\b"#),
        NewerSyntax(name: "@used", origin: "SE-0492, Swift 6.3", pattern: #"@used\b"#),
        NewerSyntax(name: "@c", origin: "SE-0495, Swift 6.3", pattern: #"@c\b"#),
        NewerSyntax(name: "@inline(always)", origin: "SE-0496, Swift 6.3", pattern: #"@inline\(always\)"#),
    ]

    /// Where a source file has syntax that Swift 6.1 does not know.
    static func newerSyntax(in source: String, path: String) throws -> [Diagnostic] {
        let code = SwiftLexer.codeLines(of: source)
        return try newerSyntax.flatMap { syntax in
            let pattern = try NSRegularExpression(pattern: syntax.pattern)
            return code.enumerated().flatMap { index, line in
                pattern.matches(in: line, range: NSRange(line.startIndex..., in: line)).map { match in
                    Diagnostic(
                        path: path,
                        line: index + 1,
                        column: match.range.location + 1,
                        message: "error: \(syntax.name) is newer than Swift 6.1: \(syntax.origin)"
                    )
                }
            }
        }
    }
}
