import Foundation

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
}
