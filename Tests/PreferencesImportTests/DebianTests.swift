import Foundation
import PreferencesCodeGen
import PreferencesImport
import PreferencesSchema
import TestSupport
import Testing

/// Imports the settings of widely used programs, as installed by Debian packages.
@Suite("Importing files of Debian packages")
struct DebianTests {
    /// Packages whose files can be imported into one module.
    struct Input: CustomTestStringConvertible {
        var format: ImportFormat
        /// The packages that contain the files in any Debian release. In release 12, gnome-terminal-data and konsole
        /// contain none.
        var packages: [String]
        var ending: String
        /// The start of an element that declares a setting.
        var declaration: String
        /// Whether a remark reports a setting that is left out.
        var isOmission: @Sendable (Remark) -> Bool

        var testDescription: String { packages.joined(separator: ", ") }

        static let all = [
            Input(
                format: .gschema,
                packages: ["gsettings-desktop-schemas", "gedit-common", "gnome-terminal-data", "gnome-terminal"],
                ending: ".gschema.xml",
                declaration: "<key ",
                isOmission: { $0.message.hasPrefix("key '") && $0.message.contains("' is left out") }
            ),
            Input(
                format: .kcfg,
                packages: ["konsole", "okular", "dolphin"],
                ending: ".kcfg",
                declaration: "<entry ",
                isOmission: { $0.message.hasPrefix("entry '") && $0.message.contains("' is left out") }
            ),
        ]
    }

    @Test("All files are imported, lint clean, and compile as one module", arguments: Input.all)
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

            // No setting is lost silently. The keys of an extended schema are imported more than once.
            let omitted = result.remarks.filter { $0.path == path && input.isOmission($0) }
            let declared = try Self.withoutComments(path).components(separatedBy: input.declaration).count - 1
            #expect(result.keyCount + omitted.count >= declared, "\(path)")
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

    @Test("Each file can be imported separately, and lints clean", arguments: Input.all)
    func separately(_ input: Input) async throws {
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

extension FileReader {
    fileprivate static let onDisk = FileReader { path throws(ImportError) in
        do {
            return Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .unreadable(message: "\(error)")
        }
    } fileNames: { folder in
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}
