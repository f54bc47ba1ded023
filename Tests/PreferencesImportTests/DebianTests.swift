import Foundation
import PreferencesCodeGen
import PreferencesImport
import PreferencesSchema
import TestSupport
import Testing

/// The settings of programs that people use, as Debian installs their descriptions.
@Suite("Importing what Debian's packages install")
struct DebianTests {
    /// Packages whose files might all be imported into one module.
    struct Input: CustomTestStringConvertible {
        var format: ImportFormat
        /// Which package has the files is for each release of Debian's to say: those of 12 have none in
        /// gnome-terminal-data and konsole.
        var packages: [String]
        var ending: String
        /// An element that declares a setting, and what remarks say that leave it out.
        var declaration: String
        var isRefused: @Sendable (Remark) -> Bool

        var testDescription: String { packages.joined(separator: ", ") }

        static let all = [
            Input(
                format: .gschema,
                packages: ["gsettings-desktop-schemas", "gedit-common", "gnome-terminal-data", "gnome-terminal"],
                ending: ".gschema.xml",
                declaration: "<key ",
                isRefused: { $0.message.hasPrefix("key '") && $0.message.contains("' is left out") }
            ),
            Input(
                format: .kcfg,
                packages: ["konsole", "okular", "dolphin"],
                ending: ".kcfg",
                declaration: "<entry ",
                isRefused: { $0.message.hasPrefix("entry '") && $0.message.contains("' is left out") }
            ),
        ]
    }

    @Test("All of it converts, lints clean, generates and compiles as one module", arguments: Input.all)
    func module(_ input: Input) async throws {
        var paths: [String] = []
        for package in input.packages { paths += try await DebianPackage(name: package).files(ending: input.ending) }
        #expect(!paths.isEmpty)
        var importer = Importer(files: .onDisk)
        var sources: [SchemaSource] = []
        for path in paths {
            let name = input.format.schemaName(path: path)
            let result = try importer.read(path, as: input.format, schemaName: name)
            sources.append(SchemaSource(path: "\(name).preferences.json", bytes: Array(result.text.utf8)))

            // No setting is lost without a word. Those of a schema that is extended are there more than once.
            let refused = result.remarks.filter { $0.path == path && input.isRefused($0) }
            let declared = try Self.withoutComments(path).components(separatedBy: input.declaration).count - 1
            #expect(result.keyCount + refused.count >= declared, "\(path)")
        }

        let (set, diagnostics) = SchemaSet.read(sources)
        #expect(diagnostics.map(\.description) == [])
        try await withTemporaryDirectory { folder in
            var files: [String] = []
            for schema in set.schemas {
                let file = folder.appending(path: "\(schema.fileName).preferences.swift")
                try Data(SwiftGenerator.generate(schema).utf8).write(to: file)
                files.append(file.path)
            }
            #expect(files.count == paths.count)
            let run = try await CommandLineRun(
                "swiftc",
                [
                    "-typecheck", "-parse-as-library", "-module-name", "Imported", "-package-name", "imported",
                    "-swift-version", "6", "-warnings-as-errors",
                    "-I", try BuiltWithTests.folder(ofModule: "PreferencesRuntime").path,
                ] + files,
                in: folder,
                mergesErrors: true
            )
            #expect(run.succeeded)
            #expect(run.output == "")
        }
    }

    @Test("Each of it converts and lints clean alone too", arguments: Input.all)
    func alone(_ input: Input) async throws {
        for package in input.packages {
            for path in try await DebianPackage(name: package).files(ending: input.ending) {
                var importer = Importer(files: .onDisk)
                let name = input.format.schemaName(path: path)
                let result = try importer.read(path, as: input.format, schemaName: name)
                let source = SchemaSource(path: path, bytes: Array(result.text.utf8), fileName: name)
                #expect(SchemaSet.read([source]).diagnostics.map(\.description) == [])
            }
        }
    }

    private static func withoutComments(_ path: String) throws -> String {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return text.replacing(/<!--[\s\S]*?-->/, with: "")
    }
}

extension SourceFiles {
    fileprivate static let onDisk = SourceFiles { path throws(ImportFault) in
        do {
            return Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .unreadable(message: "\(error)")
        }
    } names: { folder in
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}
