import Foundation

/// A generator to measure.
struct ScaleTool {
    var name: String
    /// The path of the program; nil if it is not installed.
    var path: String?
    /// The path of the program. Throws if it is not installed.
    var requiredPath: String {
        get throws(MissingDependency) {
            guard let path else { throw MissingDependency(remedy: remedy) }
            return path
        }
    }

    /// How to install the program.
    var remedy: String
    /// The inputs to run it with.
    var inputs: [ScaleInput]
    /// The names of the files that it writes.
    var outputs: [String]
    /// Writes an input to a folder, and returns the program's arguments.
    var write: (_ input: ScaleInput, _ folder: URL) throws -> [String]

    /// The build folder of this program, which also contains the modules and the generator.
    static let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

    /// Returns the path of a program in the PATH or in one of some other folders.
    static func find(_ name: String, orIn folders: [String] = []) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return (path.split(separator: ":").map(String.init) + folders)
            .map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

extension ScaleTool {
    /// This package's generator, which is built together with the benchmarks.
    static var generator: ScaleTool {
        let inputs = [1_000, 10_000, 100_000].map(ScaleInput.oneGroup) + [.hundreds(10_000)]
        return generator(named: "generator", in: products, configuration: "release", inputs)
    }

    /// This package's generator without optimisation, as plugins run it.
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
        // The generator warns of unused types.
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

/// Generators of other projects, with the same keys in their own schema languages.
extension ScaleTool {
    private static let peerInputs = [ScaleInput.oneGroup(1_000), .oneGroup(10_000), .hundreds(10_000)]

    /// KDE's compiler of settings to C++.
    static var kconfigCompiler: ScaleTool {
        let libraries = ["/usr/lib"] + ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu" }
        return ScaleTool(
            name: "kconfig_compiler_kf5",
            path: find("kconfig_compiler_kf5", orIn: libraries.flatMap { ["\($0)/libexec/kf5", "\($0)/kf5/bin"] }),
            remedy: "install libkf5config-dev-bin",
            inputs: peerInputs,
            outputs: ["scale.h", "scale.cpp"]
        ) { input, folder in
            let description = folder.appending(path: "scale.kcfg")
            let options = folder.appending(path: "scale.kcfgc")
            try Data("File=scale.kcfg\nClassName=Scale\nMutators=true\n".utf8).write(to: options)
            let head = """
                <?xml version="1.0" encoding="UTF-8"?>
                <kcfg xmlns="http://www.kde.org/standards/kcfg/1.0">
                <kcfgfile name="scalerc"/>

                """
            try input.write(to: description, head: head, foot: "\n</kcfg>\n") { group in
                ("<group name=\"Space\(group)\">\n", "\n</group>")
            } key: { key, type in
                let choices = ["Celsius", "Fahrenheit", "Kelvin"].map { #"<choice name="\#($0)\#(key)"/>"# }.joined()
                let (type, value) =
                    switch type {
                    case .integer: ("Int", "<default>\(key % 100)</default>")
                    case .percentage: ("Int", "<default>\(key % 100)</default><min>0</min><max>100</max>")
                    case .double: ("Double", "<default>21.5</default>")
                    case .string: ("String", "<default>text \(key)</default>")
                    case .bool: ("Bool", "<default>true</default>")
                    case .unit: ("Enum", "<choices>\(choices)</choices><default>Celsius\(key)</default>")
                    case .strings: ("StringList", "<default>one,two</default>")
                    }
                let label = "<label>\(ScaleInput.description(key))</label>"
                return #"<entry name="Key\#(key)" type="\#(type)">\#(label)\#(value)</entry>"#
            }
            return [description.path, options.path, "--directory", folder.path]
        }
    }

    /// GLib's compiler of settings schemas to a binary table.
    static var glibCompileSchemas: ScaleTool {
        ScaleTool(
            name: "glib-compile-schemas",
            path: find("glib-compile-schemas"),
            remedy: "install libglib2.0-dev-bin",
            inputs: peerInputs,
            outputs: ["gschemas.compiled"]
        ) { input, folder in
            let values = ["celsius", "fahrenheit", "kelvin"].enumerated()
            let head = """
                <schemalist>
                <enum id="scale.Unit">\(values.map { #"<value nick="\#($1)" value="\#($0)"/>"# }.joined())</enum>

                """
            let file = folder.appending(path: "scale.gschema.xml")
            try input.write(to: file, head: head, foot: "\n</schemalist>\n") { group in
                ("<schema id=\"scale.space\(group)\" path=\"/scale/space\(group)/\">\n", "\n</schema>")
            } key: { key, type in
                let (type, value) =
                    switch type {
                    case .integer: (#"type="i""#, "<default>\(key % 100)</default>")
                    case .percentage: (#"type="i""#, #"<default>\#(key % 100)</default><range min="0" max="100"/>"#)
                    case .double: (#"type="d""#, "<default>21.5</default>")
                    case .string: (#"type="s""#, #"<default>"text \#(key)"</default>"#)
                    case .bool: (#"type="b""#, "<default>true</default>")
                    case .unit: (#"enum="scale.Unit""#, #"<default>"celsius"</default>"#)
                    case .strings: (#"type="as""#, #"<default>["one", "two"]</default>"#)
                    }
                let summary = "<summary>\(ScaleInput.description(key))</summary>"
                return #"<key name="key\#(key)" \#(type)>\#(value)\#(summary)</key>"#
            }
            return ["--strict", folder.path]
        }
    }

    /// Google's compiler of protocol buffers to C++.
    static var protoc: ScaleTool {
        ScaleTool(
            name: "protoc",
            path: find("protoc"),
            remedy: "install protobuf-compiler",
            inputs: peerInputs,
            outputs: ["scale.pb.h", "scale.pb.cc"]
        ) { input, folder in
            let file = folder.appending(path: "scale.proto")
            let head = "syntax = \"proto2\";\nenum Unit { CELSIUS = 0; FAHRENHEIT = 1; KELVIN = 2; }\n"
            try input.write(to: file, head: head, foot: "\n") { group in
                ("message Space\(group) {\n", "\n}")
            } key: { key, type in
                let (type, value) =
                    switch type {
                    case .integer, .percentage: ("optional int64", " [default = \(key % 100)]")
                    case .double: ("optional double", " [default = 21.5]")
                    case .string: ("optional string", #" [default = "text \#(key)"]"#)
                    case .bool: ("optional bool", " [default = true]")
                    case .unit: ("optional Unit", " [default = CELSIUS]")
                    case .strings: ("repeated string", "")
                    }
                return "  // \(ScaleInput.description(key))\n  \(type) key\(key) = \(key + 1)\(value);"
            }
            return ["-I", folder.path, "--cpp_out=\(folder.path)", file.path]
        }
    }
}
