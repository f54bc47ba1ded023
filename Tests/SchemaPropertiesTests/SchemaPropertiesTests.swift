import Foundation
import PreferencesComparison
import PreferencesSchema
import SchemaProperties
import TestSupport
import Testing

/// `swift run SchemaProperties` checks hundreds of schemas; these are few, and always the same.
@Suite("Random schemas")
struct SchemaPropertiesTests {
    @Test(
        "Source generated from valid schemas compiles, is formatted, and has the schemas' defaults and storage names",
        arguments: 1...3 as ClosedRange<UInt64>
    )
    func properties(seed: UInt64) async throws {
        try await withTemporaryDirectory { folder in
            let check = ModuleCheck(seed: seed)
            #expect(check.schemaCount == 6 && check.keyCount > 50)
            let early = try check.write(to: folder)
            #expect(early == [])
            let late = try await check.compileAndRun(in: folder)
            #expect(late == [])
            let format = try await ModuleCheck.lint(folder)
            #expect(format == [])
        }
    }

    @Test("The JSON Schemas of the language and of configurations accept them")
    func jsonSchema() async throws {
        try await withTemporaryDirectory { folder in
            var files: [URL] = []
            for seed in 1...20 as ClosedRange<UInt64> {
                let place = folder.appending(path: "\(seed)")
                let faults = try ModuleCheck(seed: seed).write(to: place)
                #expect(faults == [], "\(seed)")
                let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
                files += names.filter { $0.hasSuffix(".json") }.map { place.appending(path: $0) }
            }
            for (ending, schema, count) in [
                ("preferences.json", "preferences.schema.json", 120),
                ("config.json", "preferences-generator-config.schema.json", 20),
            ] {
                let files = files.filter { $0.path.hasSuffix(ending) }
                #expect(files.count == count)
                let schema = Repository.folder.appending(components: "Schemas", schema)
                for report in try await SchemaValidation.run(schema: schema, files: files).files {
                    #expect(report.isJSON)
                    #expect(report.faults.map(\.description) == [], "\(report.file)")
                }
            }
        }
    }

    @Test("The same seed generates the same schemas, and another seed generates different ones")
    func seeds() throws {
        try withTemporaryDirectory { folder in
            func schemas(_ seed: UInt64) throws -> [String: Data] {
                let place = folder.appending(path: "\(seed)")
                _ = try ModuleCheck(seed: seed).write(to: place)
                var files: [String: Data] = [:]
                for name in try FileManager.default.subpathsOfDirectory(atPath: place.path) {
                    // Folders have no contents.
                    files[name] = FileManager.default.contents(atPath: place.appending(path: name).path)
                }
                return files
            }
            let (first, again, others) = (try schemas(7), try schemas(7), try schemas(8))
            #expect(first.count > 6)
            #expect(first == again)
            #expect(first != others)
        }
    }

    /// A fault of a generator: a text in a generated file, and its replacement.
    struct Mistake: CustomTestStringConvertible {
        var testDescription: String
        var pattern: String
        var replacement: String
        /// A part of the expected complaint.
        var complaint: String
    }

    @Test(
        "A mistake of the generator is found",
        arguments: [
            Mistake(
                testDescription: "another default",
                pattern: #"(default: "[^"\\]*)"([,)])"#,
                replacement: #"$1!"$2"#,
                complaint: "set: default of"
            ),
            Mistake(
                testDescription: "another storage name",
                pattern: #"(get|set)\(self, "([^"\\]*)""#,
                replacement: #"$1(self, "$2!""#,
                complaint: "entry of"
            ),
            Mistake(
                testDescription: "a value that is not written",
                pattern: #"nonmutating set \{ _Accessor\.set\w*\(.*\) \}"#,
                replacement: "nonmutating set {}",
                complaint: "value that was set of"
            ),
            Mistake(
                testDescription: "a warning",
                pattern: #"\nprivate typealias RequiredRuntime"#,
                replacement: "\nprivate func unused() { let a = 1 }\nprivate typealias RequiredRuntime",
                complaint: "initialization of immutable value 'a' was never used"
            ),
        ]
    )
    func mistakes(_ mistake: Mistake) async throws {
        try await withTemporaryDirectory { folder in
            let check = ModuleCheck(seed: 6, schemas: 8)
            let early = try check.write(to: folder)
            try #require(early == [])
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            var changes = 0
            for name in names where name.hasSuffix(".preferences.swift") {
                let file = folder.appending(path: name)
                let text = try String(contentsOf: file, encoding: .utf8)
                let changed = text.replacingOccurrences(
                    of: mistake.pattern,
                    with: mistake.replacement,
                    options: .regularExpression
                )
                if changed != text { changes += 1 }
                try Data(changed.utf8).write(to: file)
            }
            try #require(changes > 0)
            let complaints = try await check.compileAndRun(in: folder)
            #expect(complaints.contains { $0.contains(mistake.complaint) }, "\(complaints)")
        }
    }

    @Test("Each value that random edits of schemas lose is reported, which takes every rule about stored values")
    func edits() async throws {
        try await withTemporaryDirectory { folder in
            var outcomes: [EditOutcome] = []
            for (seed, needless) in [(1, 1), (9, 3), (10, 0), (16, 1), (2_338_588_049, 2)] as [(UInt64, Int)] {
                let check = EditCheck(seed: seed)
                #expect(check.keyCount == 90 && check.editCount > 80)
                let outcome = try await check.run(in: folder.appending(path: "\(seed)"))
                #expect(outcome.complaints == [])
                #expect(outcome.lossCount > 30)
                // Reports that are needless, or whose losses need values that were not tried.
                #expect(outcome.changesWithoutLoss.count <= needless)
                outcomes.append(outcome)
            }
            // A comparison without one of the rules is at fault.
            for rule in ChangeRule.allCases where rule.changeClass == .storage {
                let isFound = outcomes.contains { outcome in
                    !outcome.complaints(about: outcome.changes.filter { $0.rule != rule }).isEmpty
                }
                #expect(isFound, "\(rule.rawValue)")
            }
            // So is one that reports keys that have not changed.
            var change = try #require(outcomes[0].changes.first)
            let names = EditCheck(seed: 1).storageNames
            let complaints = names.flatMap { name in
                change.subject = name
                return outcomes[0].complaints(about: outcomes[0].changes + [change])
            }
            #expect(complaints.count > 3)
            #expect(complaints.allSatisfy { $0.contains("has not changed, but is reported") })
        }
    }

    @Test("A line that is too long is found")
    func format() async throws {
        try await withTemporaryDirectory { folder in
            let text = "let numbers = [\(String(repeating: "1, ", count: 60))1]\n"
            try Data(text.utf8).write(to: folder.appending(path: "A.preferences.swift"))
            let complaints = try await ModuleCheck.lint(folder)
            #expect(
                complaints.contains { $0.contains("A.preferences.swift:1:1: error: [LineLength]") },
                "\(complaints)"
            )
        }
    }
}
