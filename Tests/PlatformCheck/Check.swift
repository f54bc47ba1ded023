import Foundation
import TestSupport

/// An error that prevents the check from running.
struct CheckFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// A check of a package on several platforms, which reports to standard output.
struct Check: Sendable {
    private let package: LoadedPackage
    private let toolchain: Toolchain
    /// The folder that keeps modules between runs.
    private let scratch = Repository.folder.appending(path: ".build-platforms", directoryHint: .isDirectory)

    /// - Throws: A ``CheckFailure`` while another process checks the same checkout.
    init(of package: LoadedPackage, toolchain: Toolchain) throws {
        self.package = package
        self.toolchain = toolchain
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        // Held until this process ends.
        let lock = open(scratch.appending(path: "lock").path, O_CREAT | O_RDWR | O_CLOEXEC, 0o644)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw CheckFailure("'\(scratch.path)' is in use by another check. Wait for its end.")
        }
        // The compiler refuses modules that were built in another place.
        let origin = "\(scratch.path)\n\(toolchain.resources.path)\n"
        let record = scratch.appending(path: "origin")
        guard (try? String(contentsOf: record, encoding: .utf8)) != origin else { return }
        for name in try FileManager.default.contentsOfDirectory(atPath: scratch.path) where name != "lock" {
            try FileManager.default.removeItem(at: scratch.appending(path: name))
        }
        try Data(origin.utf8).write(to: record)
    }

    /// Compiles the standard library and the stubs for each platform.
    func prepare(_ platforms: [Platform]) async throws -> [PlatformCompiler] {
        report("Compiling the standard library and the stubs for \(counted(platforms.count, "platform")).")
        let stubs = Repository.fixtures.appending(path: "PlatformStubs", directoryHint: .isDirectory)
        return try await concurrently(platforms) { platform in
            try await PlatformCompiler(
                of: platform,
                stubs: stubs,
                toolchain: toolchain,
                toolsVersion: package.toolsVersion,
                scratch: scratch
            )
        }
    }

    /// Type-checks the package, and prints each error once, with the platforms that have it.
    ///
    /// - Returns: Whether there were no errors.
    func typeCheck(_ modules: [PlatformCompiler]) async throws -> Bool {
        let results = try await concurrently(modules) { modules in
            let start = ContinuousClock.now
            let targets = package.targets(in: modules.platform.scope)
            var diagnostics: Set<Diagnostic> = []
            var names: [String: Set<String>] = [:]
            guard !targets.isEmpty else {
                throw CheckFailure("The package has no targets to check for \(modules.platform.name).")
            }
            var checked = 0
            for target in targets {
                let (found, used, isImportable) = try await modules.check(target)
                names[target.name] = used
                diagnostics.formUnion(found)
                checked += 1
                // The targets that import it would have its errors.
                guard isImportable else { break }
            }
            let seconds = (ContinuousClock.now - start).formatted(.units(allowed: [.seconds], width: .wide))
            let skipped = targets.count - checked
            let rest = skipped == 0 ? "" : ", \(counted(skipped, "module")) not checked because of it"
            let summary = "\(counted(checked, "module")), \(counted(diagnostics.count, "error"))\(rest)"
            report("\(modules.platform.name): \(summary), \(seconds)")
            return (diagnostics: diagnostics, names: names)
        }
        var platforms: [Diagnostic: [String]] = [:]
        for source in package.targets.flatMap({ $0.sources + $0.generatedSources }) {
            let text = try String(contentsOf: source, encoding: .utf8)
            for diagnostic in try MinimumSwiftVersion.newerSyntax(in: text, path: source.path) {
                platforms[diagnostic] = ["Swift 6.1"]
            }
        }
        for (modules, result) in zip(modules, results) {
            for diagnostic in result.diagnostics { platforms[diagnostic, default: []].append(modules.platform.name) }
        }
        for (diagnostic, names) in platforms.sorted(by: { $0.key < $1.key }) {
            let place = "\(relative(diagnostic.path)):\(diagnostic.line):\(diagnostic.column)"
            report("\(place): \(diagnostic.message) [\(names.joined(separator: ", "))]")
        }
        let missing = ["cannot find", "has no member", "no such module"]
        if platforms.keys.contains(where: { diagnostic in missing.contains { diagnostic.message.contains($0) } }) {
            report("If the code is right, a stub lacks the declaration: see 'Other platforms' in CONTRIBUTING.md.")
        }
        let count = platforms.isEmpty ? "No errors" : counted(platforms.count, "error")
        report("\(count) on \(counted(modules.count, "platform")).")
        guard platforms.isEmpty else { return false }
        let faults = try privacyFaults(
            zip(modules, results).filter { $0.0.platform.standardLibrary.isApple }.map(\.1.names)
        )
        for fault in faults { report(fault) }
        return faults.isEmpty
    }

    /// Returns the differences between the privacy manifests and the APIs that the libraries use.
    ///
    /// - Parameter used: The names of C and Objective-C that each target uses, by its name, for each of Apple's
    ///   platforms.
    private func privacyFaults(_ used: [[String: Set<String>]]) throws -> [String] {
        guard !used.isEmpty else { return [] }
        return try package.targets(in: .libraries).flatMap { target in
            try PrivacyManifest(of: target)
                .faults(of: target.name, using: used.reduce(into: []) { $0.formUnion($1[target.name] ?? []) })
        }
    }

    /// Inserts a type error into each conditional block, and prints the blocks whose error is reported on no platform.
    ///
    /// All errors are inserted at once. Because one error can hide another, missed blocks are tried again without those
    /// that were found.
    ///
    /// - Returns: Whether every error was found.
    func prove(_ modules: [PlatformCompiler]) async throws -> Bool {
        let sources = Set(package.targets.flatMap(\.sources)).sorted { $0.path < $1.path }
        let copies = scratch.appending(path: "inserted", directoryHint: .isDirectory)
        var remaining: Set<InsertedErrors.Place>?
        var count = 0
        while true {
            report("Inserting an error into each \(remaining == nil ? "" : "remaining ")conditional block.")
            let errors = try InsertedErrors(in: sources, where: { remaining?.contains($0) ?? true }, copies: copies)
            let found = try await concurrently(modules) { modules in
                try await errors.found(in: package.targets(in: modules.platform.scope), with: modules)
            }
            let missed = Set(errors.places).subtracting(found.joined())
            if remaining == nil {
                count = errors.places.count
                guard missed.count < count else {
                    throw CheckFailure("The compiler reported no inserted error; correct ConditionalBlock.number.")
                }
            }
            if missed.isEmpty || missed.count == errors.places.count {
                report("\(count - missed.count) of \(count) errors found, one inserted into each conditional block.")
                for place in missed.sorted(by: { ($0.file.path, $0.block.line) < ($1.file.path, $1.block.line) }) {
                    let directive = "\(relative(place.file.path)):\(place.block.line): error: \(place.block.directive)"
                    report("\(directive): no platform compiles this block, or a function cannot stand in it.")
                }
                if !missed.isEmpty {
                    report("Remove the block, add a platform that compiles it to Tests/PlatformCheck/Platform.swift,")
                    report("or write the condition around whole declarations or statements.")
                }
                return missed.isEmpty
            }
            remaining = missed
        }
    }

    private func counted(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    private func relative(_ path: String) -> String {
        let root = Repository.folder.path + "/"
        return path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
    }
}

/// Prints a line without buffering, even to a file or a pipe.
private func report(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

/// Returns the results of an operation on each input, in the inputs' order. As many run at a time as there are cores.
private func concurrently<Input: Sendable, Output: Sendable>(
    _ inputs: [Input],
    _ operation: @Sendable @escaping (Input) async throws -> Output
) async throws -> [Output] {
    try await withThrowingTaskGroup(of: (Int, Output).self) { group in
        var outputs = [Output?](repeating: nil, count: inputs.count)
        var waiting = inputs.enumerated().makeIterator()
        func startNext() {
            guard let (index, input) = waiting.next() else { return }
            group.addTask { (index, try await operation(input)) }
        }
        for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { startNext() }
        while let (index, output) = try await group.next() {
            outputs[index] = output
            startNext()
        }
        return outputs.compactMap(\.self)
    }
}
