import Foundation
import PreferencesCodeGen
import PreferencesComparison
import PreferencesSchema
import TestSupport

/// Makes valid random schemas, and checks that they are accepted, that the generated source compiles without a warning
/// and is formatted, and that every key has its default, keeps a set value, and uses its documented name. Then it edits
/// others, and checks that every loss of stored values is reported.
@main
enum SchemaProperties {
    static func main() async throws {
        guard let options = Options(CommandLine.arguments.dropFirst()) else {
            FileHandle.standardError.write(Data(Options.usage.utf8))
            exit(2)
        }
        let failures = await checkModules(options) + checkEdits(options)
        exit(failures == 0 ? 0 : 1)
    }

    /// Checks what is generated from random schemas.
    ///
    /// - Returns: The number of modules at fault.
    private static func checkModules(_ options: Options) async -> Int {
        guard options.modules > 0 else { return 0 }
        var failures = 0
        var (schemas, keys, done) = (0, 0, 0)
        await withTaskGroup { group in
            // The module of names takes longest. Another seed compiles it with other settings.
            group.addTask { await Result("names", ModuleCheck(ofNamesWithSettings: options.seed), in: options.folder) }
            var seeds = (0..<UInt64(options.modules)).map { options.seed &+ $0 }[...]
            func addTask() {
                guard let seed = seeds.popFirst() else { return }
                group.addTask { await Result("\(seed)", ModuleCheck(seed: seed), in: options.folder) }
            }
            // One compiler per processor.
            for _ in 1..<ProcessInfo.processInfo.activeProcessorCount { addTask() }
            for await result in group {
                addTask()
                schemas += result.schemaCount
                keys += result.keyCount
                done += 1
                if !result.complaints.isEmpty {
                    failures += 1
                    print("module \(result.name) is at fault; its files are in \(options.folder)/\(result.name)")
                    // The compiler and the program can print megabytes.
                    let limit = options.modules == 1 ? 100_000 : 1000
                    for complaint in result.complaints.prefix(100) { print("  \(complaint.prefix(limit))") }
                }
                if done.isMultiple(of: 10), done <= options.modules {
                    print("\(done) of \(options.modules + 1) modules checked, \(failures) at fault")
                }
            }
        }
        print("\(done) modules of \(schemas) schemas with \(keys) keys: \(failures) at fault")
        return failures
    }

    /// Looks for edits that lose values without a report.
    ///
    /// - Returns: The number of modules whose edits are at fault.
    private static func checkEdits(_ options: Options) async -> Int {
        guard options.edits > 0 else { return 0 }
        var failures = 0
        var (keys, edits, losses, changes, needless) = (0, 0, 0, 0, 0)
        var needed: Set<ChangeRule> = []
        await withTaskGroup(of: EditResult.self) { group in
            var seeds = (0..<UInt64(options.edits)).map { options.seed &+ $0 }[...]
            func addTask() {
                guard let seed = seeds.popFirst() else { return }
                group.addTask { await EditResult(seed, in: options.folder) }
            }
            for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { addTask() }
            for await result in group {
                addTask()
                keys += result.keyCount
                edits += result.editCount
                losses += result.outcome?.lossCount ?? 0
                changes += result.outcome?.changes.count ?? 0
                needless += result.outcome?.changesWithoutLoss.count ?? 0
                needed.formUnion(result.outcome?.neededRules ?? [])
                // To examine one module closely.
                if options.edits == 1 {
                    print("needed rules: \(needed.map(\.rawValue).sorted().joined(separator: ", "))")
                    for change in result.outcome?.changesWithoutLoss ?? [] {
                        print("no value that was tried is lost by: \(change.message) [\(change.rule.rawValue)]")
                    }
                }
                guard !result.complaints.isEmpty else { continue }
                failures += 1
                print("edits \(result.seed) are at fault; their files are in \(options.folder)/edits-\(result.seed)")
                for complaint in result.complaints.prefix(100) {
                    print("  \(complaint.replacingOccurrences(of: "\n", with: "\n  ").prefix(10_000))")
                }
            }
        }
        print(
            """
            \(options.edits) edited modules with \(keys) keys and \(edits) edits: \(failures) at fault; \
            \(losses) losses, all of which are reported only with \(needed.count) rules; \
            \(needless) of \(changes) reported changes lost no value that was tried
            """
        )
        return failures
    }

    /// The result of checking the edits of one module.
    private struct EditResult: Sendable {
        var seed: UInt64
        var keyCount: Int
        var editCount: Int
        var outcome: EditOutcome?
        var complaints: [String]

        init(_ seed: UInt64, in folder: String) async {
            let place = URL(filePath: folder).appending(path: "edits-\(seed)")
            let check = EditCheck(seed: seed)
            self.seed = seed
            keyCount = check.keyCount
            editCount = check.editCount
            do {
                let outcome = try await check.run(in: place)
                self.outcome = outcome
                complaints = outcome.complaints
                if complaints.isEmpty { try FileManager.default.removeItem(at: place) }
            } catch {
                complaints = ["\(error)"]
            }
        }
    }

    /// The result of checking one module.
    private struct Result: Sendable {
        var name: String
        var schemaCount: Int
        var keyCount: Int
        var complaints: [String]

        /// Checks a module. Its files are kept in a folder if there are faults.
        init(_ name: String, _ check: ModuleCheck, in folder: String) async {
            let place = URL(filePath: folder).appending(path: name)
            self.name = name
            schemaCount = check.schemaCount
            keyCount = check.keyCount
            do {
                complaints = try check.write(to: place)
                if complaints.isEmpty { complaints = try await check.compileAndRun(in: place) }
                if complaints.isEmpty { complaints = try await ModuleCheck.lint(place) }
                if complaints.isEmpty { try FileManager.default.removeItem(at: place) }
            } catch {
                complaints = ["\(error)"]
            }
        }
    }
}

/// The program's command line.
struct Options {
    var seed: UInt64 = 1
    var modules = 50
    var edits = 6
    var folder = ".build/schema-properties"

    static let usage = """
        OVERVIEW: Makes valid schemas at random, compiles what is generated from them, and checks every key. Before them comes
        a module in which each name that has a meaning, in Swift or in generated code, stands wherever it is accepted.

        Then it edits schemas at random, writes values with the accessors from before the edits, reads them with those from
        after, and expects the comparison of the schemas to report every loss.

        USAGE: SchemaProperties [--modules N] [--edits N] [--seed N] [--folder PATH]

        OPTIONS:
          --modules N    How many modules to make at random, of six schemas each. Default: 50.
          --edits N      How many modules to edit, of 90 keys each. Default: 6.
          --seed N       The seed of the first module; the next ones follow it. Default: 1.
          --folder PATH  Where the files of modules at fault are left. Default: .build/schema-properties.

        A module at fault is made again by '--modules 1 --seed N', with its number for N; that of names, by the first seed.
        Edits at fault are made again by '--modules 0 --edits 1 --seed N'.

        """

    /// Returns nil for invalid arguments.
    init?(_ arguments: some Sequence<String>) {
        var arguments = arguments.makeIterator()
        while let argument = arguments.next() {
            guard let value = arguments.next() else { return nil }
            switch argument {
            case "--modules":
                guard let count = Int(value), count >= 0 else { return nil }
                modules = count
            case "--edits":
                guard let count = Int(value), count >= 0 else { return nil }
                edits = count
            case "--seed":
                guard let seed = UInt64(value) else { return nil }
                self.seed = seed
            case "--folder": folder = value
            default: return nil
            }
        }
    }
}
