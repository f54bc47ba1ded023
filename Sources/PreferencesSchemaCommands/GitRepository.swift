import Dispatch
import Foundation
import PreferencesCommandLine
import Synchronization

/// The git repository around the current folder, as the variables of the environment, such as `GIT_DIR`, determine it.
///
/// Commands are those for scripts: they run no pager, hook, filter or diff program that the repository configures, nor the
/// transport of a remote.
struct GitRepository: Sendable {
    /// The path of the program.
    private let git: String
    /// The path of the folder at the top of the working tree, without links.
    private let root: String
    /// The path of the current folder in the repository, with a slash at its end; empty at the top.
    private let prefix: String

    /// Finds the repository.
    ///
    /// - Throws: A failure if there is none, or no git.
    init() throws(Failure) {
        guard let git = Self.program() else {
            throw Failure("there is no 'git' in PATH; install it, or compare two folders", .system)
        }
        self.git = git
        let found = try Self.run(git, ["rev-parse", "--show-toplevel"])
        guard let root = found.line else {
            if found.errors.contains("not a git repository") {
                throw Failure(
                    "the current folder is not in a git repository; change to the folder of one, or compare two folders",
                    .system
                )
            }
            throw found.failure
        }
        self.root = root
        let place = try Self.run(git, ["rev-parse", "--show-prefix"])
        guard let prefix = place.line else { throw place.failure }
        self.prefix = prefix
    }

    /// Returns the path of git. A folder of PATH that is relative could be in the repository, with a program of its own.
    private static func program() -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.lazy.filter { $0.hasPrefix("/") }.map { FilePath.join(String($0), "git") }.first {
            FilePath.isFile($0) && FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    // MARK: - Revisions

    /// Returns the object of the commit that a revision names.
    ///
    /// - Throws: A failure if there is no such commit.
    func commit(_ revision: String) throws(Failure) -> String {
        // No revision begins with a hyphen, but options do.
        if !revision.hasPrefix("-"), !revision.unicodeScalars.contains("\0") {
            let run = try run(["rev-parse", "--verify", "--quiet", "\(revision)^{commit}"])
            if let commit = run.line, commit.utf8.allSatisfy({ Character(.init($0)).isHexDigit }) { return commit }
        }
        throw Failure(
            try isShallow
                ? "there is no revision '\(revision)' in this shallow clone; \(Self.deepening)"
                : "there is no revision '\(revision)'; 'git tag' lists the tags",
            .system
        )
    }

    /// The advice for a shallow clone.
    static let deepening = "fetch the history with 'git fetch --unshallow --tags'"

    /// The tags of the current commit.
    var currentTags: [String] {
        get throws(Failure) {
            let run = try run(["for-each-ref", "--points-at=HEAD", "--format=%(refname:strip=2)", "refs/tags"])
            // Without a commit, there is no tag either.
            return (run.text ?? "").split(separator: "\n").map(String.init)
        }
    }

    /// Returns the last tag that is reachable from the current commit; nil if there is none.
    ///
    /// - Parameters:
    ///   - pattern: A pattern of the tags that count; nil for all.
    ///   - excluded: Tags that do not count.
    func lastTag(matching pattern: String?, excluding excluded: [String] = []) throws(Failure) -> String? {
        // The names of tags have no character that is special in a pattern.
        let options = (pattern.map { ["--match=\($0)"] } ?? []) + excluded.map { "--exclude=\($0)" }
        let run = try run(["describe", "--tags", "--abbrev=0"] + options + ["HEAD"])
        if let tag = run.line { return tag }
        let reasons = ["cannot describe", "No tags can describe", "No names found", "Not a valid object name HEAD"]
        guard reasons.contains(where: run.errors.contains) else { throw run.failure }
        return nil
    }

    /// Whether the history is incomplete.
    var isShallow: Bool {
        get throws(Failure) { try run(["rev-parse", "--is-shallow-repository"]).line == "true" }
    }

    // MARK: - Files

    /// Returns the components of a path in the repository.
    ///
    /// - Parameter path: A path, relative to the current folder or absolute.
    /// - Throws: A failure if it is outside.
    func components(of path: String) throws(Failure) -> [[UInt8]] {
        let given = path.utf8.split(separator: FilePath.slash).map(Array.init)
        let outside = Failure("\(path) is not in the repository at \(root)", .system)
        guard let base = path.hasPrefix("/") ? depth(of: given) : 0 else { throw outside }
        var components = path.hasPrefix("/") ? [] : prefix.utf8.split(separator: FilePath.slash).map(Array.init)
        for name in given[base...] where name != [FilePath.dot] {
            if name != [FilePath.dot, FilePath.dot] {
                components.append(name)
            } else if components.popLast() == nil {
                throw outside
            }
        }
        return components
    }

    /// Returns the number of components of an absolute path that lead to the top of the working tree, perhaps through
    /// links; nil if none do.
    private func depth(of components: [[UInt8]]) -> Int? {
        let top = FileIdentity(root)
        return (0...components.count).last { count in
            let folder = components[..<count].map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
            return FileIdentity("/\(folder)") == top
        }
    }

    /// Returns the contents of a file or link.
    ///
    /// - Parameter object: The object.
    func blob(_ object: String) throws(Failure) -> [UInt8] {
        let run = try run(["cat-file", "blob", object])
        guard run.status == 0 else { throw run.failure }
        return run.output
    }

    /// Returns the entries of a commit and of all folders in it: `MODE TYPE OBJECT`, a tab, and the path, each with a null
    /// character at its end.
    func entries(of commit: String) throws(Failure) -> [UInt8] {
        let run = try run(["ls-tree", "-r", "-z", "--full-tree", commit])
        guard run.status == 0 else { throw run.failure }
        return run.output
    }

    // MARK: - Running git

    private func run(_ arguments: [String]) throws(Failure) -> Run { try Self.run(git, arguments) }

    private struct Run {
        var status: Int32
        var output: [UInt8]
        var errors: String

        var text: String? { status == 0 ? String(validating: output, as: UTF8.self) : nil }

        /// The output without the line feed at its end. Names of folders can contain others.
        var line: String? { text.map { $0.utf8.last == 0x0A ? String($0.unicodeScalars.dropLast()) : $0 } }

        /// The failure with the reason that git states.
        var failure: Failure {
            var reason = errors.split(separator: "\n").first.map(String.init) ?? "it ended with status \(status)"
            for label in ["fatal: ", "error: "] where reason.hasPrefix(label) { reason.removeFirst(label.count) }
            // The repository of another user, such as in a container.
            let command = errors.split(separator: "\n").first { $0.hasPrefix("\tgit config ") }
            let advice = command.map { "; if you trust it, run '\($0.dropFirst())'" } ?? ""
            if errors.contains("promisor remote") {
                return Failure(
                    "this partial clone lacks a file of the revision; fetch all files with 'git fetch --refetch --no-filter'",
                    .system
                )
            }
            return Failure("git cannot read the repository: \(reason)\(advice)", .system)
        }
    }

    private static func run(_ git: String, _ arguments: [String]) throws(Failure) -> Run {
        let process = Process()
        process.executableURL = URL(filePath: git)
        process.arguments = ["--no-pager"] + arguments
        var environment = ProcessInfo.processInfo.environment
        // Messages of git are matched, so that they must be in English.
        environment["LC_ALL"] = "C"
        environment["GIT_TERMINAL_PROMPT"] = "0"
        // In a partial clone, git would fetch missing files, with a program that the repository configures.
        environment["GIT_ALLOW_PROTOCOL"] = ""
        process.environment = environment
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        do {
            try process.run()
        } catch {
            throw Failure("cannot run \(git): \(error.localizedDescription)", .system)
        }
        // Both are read at the same time, since a full pipe would block git.
        let reading = DispatchGroup()
        let errorText = Mutex("")
        DispatchQueue.global().async(group: reading) {
            let bytes = (try? FileContents.read(from: errors.fileHandleForReading.fileDescriptor, path: git)) ?? []
            errorText.withLock { $0 = String(decoding: bytes, as: UTF8.self) }
        }
        let result: Result<[UInt8], FileError> = Result { () throws(FileError) in
            try FileContents.read(from: output.fileHandleForReading.fileDescriptor, path: git)
        }
        reading.wait()
        process.waitUntilExit()
        do throws(FileError) {
            let bytes = try result.get()
            return Run(status: process.terminationStatus, output: bytes, errors: errorText.withLock { $0 })
        } catch {
            throw Failure(error)
        }
    }
}
