import Foundation

extension ScaleTool {
    /// This project's generator, as it was built beside the benchmarks.
    static var generator: ScaleTool {
        let inputs = [1_000, 10_000, 100_000].map(ScaleInput.oneGroup) + [.hundreds(10_000)]
        return generator(named: "generator", in: products, configuration: "release", inputs)
    }

    /// The same without optimisation, as plugins run it.
    static var debugGenerator: ScaleTool {
        let folder = products.deletingLastPathComponent().appending(path: "debug")
        let inputs = [1_000, 10_000].map(ScaleInput.oneGroup) + [.hundreds(10_000)]
        return generator(named: "the same in debug", in: folder, configuration: "debug", inputs)
    }

    private static func generator(
        named name: String,
        in folder: URL,
        configuration: String,
        _ inputs: [ScaleInput]
    ) -> ScaleTool {
        ScaleTool(
            name: name,
            path: find("preferences-generator", onlyIn: folder),
            remedy: "swift build -c \(configuration) --product preferences-generator",
            inputs: inputs,
            outputs: ["Scale.preferences.swift"]
        ) { input, folder in
            let schema = folder.appending(path: "Scale.preferences.json")
            try writeSchema(of: input, to: schema)
            return ["generate", schema.path, "--output-directory", folder.path]
        }
    }

    private static func writeSchema(of input: ScaleInput, to url: URL) throws {
        // A type that nothing uses would be warned of.
        let types =
            input.types.contains(.unit)
            ? #"\#n  "types": { "Unit": { "enum": ["celsius", "fahrenheit", "kelvin"] } },"# : ""
        let head = """
            {
              "formatVersion": 1,
              "access": "public",\(types)
              "namespaces": {

            """
        try input.write(to: url, head: head, foot: "\n  }\n}\n", groupSeparator: ",\n", keySeparator: ",\n") { group in
            ("    \"space\(group)\": {\n      \"keys\": {\n", "\n      }\n    }")
        } key: { key, type in
            let value =
                switch type {
                case .integer: #""type": "Int", "default": \#(key % 100)"#
                case .percentage: #""type": "Int", "default": \#(key % 100), "minimum": 0, "maximum": 100"#
                case .double: #""type": "Double", "default": 21.5"#
                case .string: #""type": "String", "default": "text \#(key)""#
                case .bool: #""type": "Bool", "default": true"#
                case .unit: #""type": "Unit", "default": "celsius""#
                case .strings: #""type": "[String]", "default": ["one", "two"]"#
                }
            return #"        "key\#(key)": { \#(value), "description": "\#(ScaleInput.description(key))" }"#
        }
    }

    private static func find(_ name: String, onlyIn folder: URL) -> String? {
        let path = folder.appending(path: name).path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }
}
