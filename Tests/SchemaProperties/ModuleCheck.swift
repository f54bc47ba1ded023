package import Foundation
import PreferencesCodeGen
import PreferencesSchema
import TestSupport

/// Generates the source of a module, and checks it.
package struct ModuleCheck {
    private let module: RandomModule
    private let settings: [String]

    /// - Parameter seed: The seed of the module's schemas.
    package init(seed: UInt64, schemas count: Int = 6) {
        module = SchemaMaker.module(seed: seed, schemas: count)
        settings = Self.settings(seed: seed)
    }

    /// Checks ``SchemaMaker/moduleOfNames()``, which is always the same.
    ///
    /// - Parameter seed: The seed of the compiler's options.
    package init(ofNamesWithSettings seed: UInt64) {
        module = SchemaMaker.moduleOfNames()
        settings = Self.settings(seed: seed)
    }

    package var schemaCount: Int { module.schemas.count }
    package var keyCount: Int { module.keys.count }

    /// The compiler's options. A few seeds cover all language modes, isolations and upcoming features.
    private static func settings(seed: UInt64) -> [String] {
        var random = SeededRandom(seed: ~seed)
        let mode = random.chance(2) ? "5" : "6"
        let features = [
            "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
            "InferIsolatedConformances",
        ].filter { _ in random.chance(2) }
        return ["-swift-version", mode] + (random.chance(2) ? ["-default-isolation", "MainActor"] : [])
            + features.flatMap { ["-enable-upcoming-feature", $0] }
    }

    /// Writes the configuration, the schemas, the generated source and the program that checks them into a folder.
    ///
    /// - Returns: The faults: diagnostics that are errors, and warnings that should be ignored.
    package func write(to folder: URL) throws -> [String] {
        if FileManager.default.fileExists(atPath: folder.path) { try FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for source in module.sources + [module.configurationSource] {
            try write(source.bytes, to: source.path, in: folder)
        }
        for path in module.includes.keys {
            if case .text(let bytes) = module.included(path) { try write(bytes, to: path, in: folder) }
        }
        let (set, diagnostics) = SchemaSet.read(
            module.sources,
            configuration: .file(module.configurationSource),
            including: module.included
        )
        let faults = diagnostics.filter { $0.severity == .error || module.ignored[$0.path]?.contains($0.rule) == true }
        guard faults.isEmpty else { return faults.map(\.description) }

        for schema in set.schemas {
            try write(SwiftGenerator.generateUTF8(schema), to: "\(schema.fileName).preferences.swift", in: folder)
        }
        let program = CheckProgram(module: module)
        let regions = HostRegions.regions(of: set)
        let hostFolder = folder.appending(path: set.configuration.hostDirectory ?? ".")
        try FileManager.default.createDirectory(at: hostFolder, withIntermediateDirectories: true)
        for host in module.hosts {
            let source =
                Self.hostImports(String(host.prefix { $0 != "." })) + program.owners(in: host)
                + program.checks(in: host)
            let updated = HostFile(path: host, bytes: Array(source.utf8)).updated(
                with: regions.filter { $0.host == host },
                of: Set(set.schemas.map(\.fileName)),
                HostUpdateOptions(mode: .update, command: "")
            )
            guard updated.diagnostics.isEmpty else { return updated.diagnostics.map(\.description) }
            try write(updated.bytes, to: host, in: hostFolder)
        }
        try write(Array(program.main.utf8), to: "CheckProgram.swift", in: folder)
        return []
    }

    /// The imports of a host file, for accessors of any type and access level.
    private static func hostImports(_ name: String) -> String {
        """
        import PreferencesCatalogue

        #if hasFeature(InternalImportsByDefault)
            public import Foundation
            public import PreferencesRuntime
        #else
            import Foundation
            import PreferencesRuntime
        #endif

        extension Preferences {
            public nonisolated static func useImportsOf\(name)(_ date: Date) {}
        }


        """
    }

    private func write(_ bytes: [UInt8], to name: String, in folder: URL) throws {
        try Data(bytes).write(to: folder.appending(path: name))
    }

    /// Compiles the written files, with warnings as errors, and runs the program.
    ///
    /// - Returns: The output of the compiler and the program; empty on success.
    package func compileAndRun(in folder: URL) async throws -> [String] {
        let compiled = try await CompiledProgram.compile(
            "CheckProgram",
            in: folder,
            with: Self.modules,
            ["-warnings-as-errors"] + settings
        )
        guard compiled.succeeded, compiled.output.isEmpty else {
            return ["swiftc \(settings.joined(separator: " ")): \(compiled.output)"]
        }
        for step in ["set", "read"] {
            let run = try await CommandLineRun(
                folder.appending(path: "CheckProgram").path,
                [step, folder.path],
                in: folder,
                mergesErrors: true
            )
            guard run.succeeded, run.output.isEmpty else { return ["\(step): \(run.output) (status \(run.status))"] }
        }
        return try wrongStorageNames(in: folder)
    }

    /// The modules that the program is linked with.
    private static let modules = ["PreferencesCatalogue", "PreferencesRuntime", "PreferencesSystem", "PreferencesJSON"]

    /// A value that is not looked at. The names are decoded because `JSONSerialization` on Linux drops U+FEFF behind an escape.
    private struct AnyValue: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// Compares the names in the stores with those that the documentation gives the keys.
    private func wrongStorageNames(in folder: URL) throws -> [String] {
        try [("Values.json", false), ("Secrets.json", true)].flatMap { file, isSecret in
            let keys = module.keys.filter { $0.isSecret == isSecret && !$0.isReadOnly }
            let expected = Set(keys.map(\.storageName))
            let url = folder.appending(path: file)
            let found =
                try FileManager.default.fileExists(atPath: url.path)
                ? Set(JSONDecoder().decode([String: AnyValue].self, from: Data(contentsOf: url)).keys) : []
            return found.subtracting(expected).sorted().map { "\(file) has the unexpected name \($0)" }
                + expected.subtracting(found).sorted().map { "\(file) does not contain the name \($0)" }
        }
    }
}

extension ModuleCheck {
    /// Checks the format of the generated source in a folder, and in those inside it.
    package static func lint(_ folder: URL) async throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let files = names.filter { $0.hasSuffix(".preferences.swift") }
        let run = try await CommandLineRun(
            "swift",
            ["format", "lint", "--strict", "--configuration", Repository.folder.appending(path: ".swift-format").path]
                + files,
            in: folder,
            mergesErrors: true
        )
        return run.succeeded && run.output.isEmpty ? [] : [run.output]
    }
}
