import Foundation
import PreferencesCodeGen
import PreferencesSchema

/// The compiler, as SwiftPM calls it for a module of one file.
enum SwiftCompiler {
    enum Mode: String, CaseIterable {
        case typecheck = "-typecheck"
        case withoutOptimisation = "-Onone"
        case withOptimisation = "-O"
    }

    /// Compiles a file that imports the runtime.
    ///
    /// - Parameter folder: Where the module and the object file go.
    static func compile(_ file: URL, _ mode: Mode, in folder: URL) throws -> ProcessCost {
        let outputs = [
            "-emit-module", "-emit-module-path", folder.appending(path: "Cost.swiftmodule").path,
            "-c", "-o", folder.appending(path: "Cost.o").path,
        ]
        let modules = ScaleTool.products.appending(path: "Modules")
        return try ProcessCost(
            of: "swiftc",
            [
                "-swift-version", "6", "-whole-module-optimization", "-parse-as-library", "-module-name", "Cost",
                "-I", modules.path, mode.rawValue, file.path,
            ] + (mode == .typecheck ? [] : outputs)
        )
    }

    /// The bytes of machine code and unwind tables of a release executable.
    ///
    /// - Parameters:
    ///   - file: A file that imports the runtime.
    ///   - folder: Where the executable goes.
    static func codeSize(ofExecutableWith file: URL, in folder: URL) throws -> Int {
        guard let tool = ScaleTool.find("llvm-size") else { throw Missing(remedy: "install llvm") }
        let objects = ["PreferencesRuntime", "PreferencesJSON", "PreferencesSystem"].flatMap { module in
            let build = ScaleTool.products.appending(path: "\(module).build")
            return ((try? FileManager.default.contentsOfDirectory(atPath: build.path)) ?? [])
                .filter { $0.hasSuffix(".o") }.map { build.appending(path: $0).path }
        }
        guard !objects.isEmpty else { throw Missing(remedy: "build with SwiftPM's native build system") }
        let main = folder.appending(path: "main.swift")
        try Data("print(1)".utf8).write(to: main)
        let executable = folder.appending(path: "Cost")
        let modules = ScaleTool.products.appending(path: "Modules")
        _ = try ProcessCost(
            of: "swiftc",
            [
                "-swift-version", "6", "-whole-module-optimization", "-O", "-module-name", "Cost", "-I", modules.path,
                "-emit-executable", "-o", executable.path, main.path, file.path,
            ] + objects
        )
        // A line of headings, then one that begins with the size of the code.
        let output = try ProcessCost.file(in: folder) { ["sh", "-c", "'\(tool)' '\(executable.path)' > '\($0)'"] }
        let size = output.split(separator: "\n").dropFirst().first?.split(whereSeparator: \.isWhitespace).first
        guard let size, let bytes = Int(size) else {
            throw ProcessCost.Failure(description: "cannot read the output of \(tool): \(output)")
        }
        return bytes
    }
}

/// The generator's output, made in this process.
enum GeneratedAccessors {
    /// Returns the accessors of a schema that has no errors.
    static func source(ofSchema schema: String) -> String {
        let source = SchemaSource(path: "Benchmark.preferences.json", bytes: Array(schema.utf8))
        let (set, diagnostics) = SchemaSet.read([source])
        precondition(diagnostics.isEmpty, "\(diagnostics)")
        return SwiftGenerator.generate(set.schemas[0])
    }
}
