import Foundation

extension ScaleTool {
    /// This project's generator, as it was built beside the benchmarks.
    static var generator: ScaleTool {
        generator(named: "generator", in: products, configuration: "release", [1_000, 10_000, 100_000])
    }

    /// The same without optimisation, as plugins run it.
    static var debugGenerator: ScaleTool {
        let folder = products.deletingLastPathComponent().appending(path: "debug")
        return generator(named: "the same in debug", in: folder, configuration: "debug", [1_000, 10_000])
    }

    private static func generator(
        named name: String,
        in folder: URL,
        configuration: String,
        _ keyCounts: [Int]
    ) -> ScaleTool {
        ScaleTool(
            name: name,
            path: find("preferences-generator", onlyIn: folder),
            remedy: "swift build -c \(configuration) --product preferences-generator",
            keyCounts: keyCounts,
            outputs: ["Scale.preferences.swift"]
        ) { keyCount, folder in
            let schema = folder.appending(path: "Scale.preferences.json")
            try writeSchema(to: schema, keyCount: keyCount)
            return ["generate", schema.path, "--output-directory", folder.path]
        }
    }

    /// Writes a schema with all its keys in one namespace, public.
    static func writeSchema(to url: URL, keyCount: Int) throws {
        let head = """
            {
              "formatVersion": 1,
              "access": "public",
              "types": { "Unit": { "enum": ["celsius", "fahrenheit", "kelvin"] } },
              "namespaces": {
                "space": {
                  "keys": {

            """
        try write(url, head: head, keys: keyCount, separator: ",\n", foot: "\n      }\n    }\n  }\n}\n") { key in
            let value =
                switch key % 6 {
                case 0: #""type": "Int", "default": \#(key % 100), "minimum": 0, "maximum": 100"#
                case 1: #""type": "Double", "default": 21.5"#
                case 2: #""type": "String", "default": "text \#(key)""#
                case 3: #""type": "Bool", "default": true"#
                case 4: #""type": "Unit", "default": "celsius""#
                default: #""type": "[String]", "default": ["one", "two"]"#
                }
            return #"        "key\#(key)": { \#(value), "description": "\#(description(key))" }"#
        }
    }

    private static func find(_ name: String, onlyIn folder: URL) -> String? {
        let path = folder.appending(path: name).path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }
}
