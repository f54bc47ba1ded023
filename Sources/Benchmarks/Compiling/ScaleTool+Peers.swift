import Foundation

/// The peers, each with keys of the same six types in its own language: a number with a range, one with a fraction, text,
/// a truth value, one of three names, and a list of texts.
extension ScaleTool {
    private static let peerKeyCounts = [1_000, 10_000]

    /// KDE's compiler of settings' descriptions to C++.
    static var kconfigCompiler: ScaleTool {
        let libraries = ["/usr/lib"] + ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu" }
        return ScaleTool(
            name: "kconfig_compiler_kf5",
            path: find("kconfig_compiler_kf5", orIn: libraries.flatMap { ["\($0)/libexec/kf5", "\($0)/kf5/bin"] }),
            remedy: "install libkf5config-dev-bin",
            keyCounts: peerKeyCounts,
            outputs: ["scale.h", "scale.cpp"]
        ) { keyCount, folder in
            let description = folder.appending(path: "scale.kcfg")
            let options = folder.appending(path: "scale.kcfgc")
            try Data("File=scale.kcfg\nClassName=Scale\nMutators=true\n".utf8).write(to: options)
            let head = """
                <?xml version="1.0" encoding="UTF-8"?>
                <kcfg xmlns="http://www.kde.org/standards/kcfg/1.0">
                <kcfgfile name="scalerc"/>
                <group name="Space">

                """
            try write(description, head: head, keys: keyCount, separator: "\n", foot: "\n</group>\n</kcfg>\n") { key in
                let choices = ["Celsius", "Fahrenheit", "Kelvin"].map { #"<choice name="\#($0)\#(key)"/>"# }.joined()
                let (type, value) =
                    switch key % 6 {
                    case 0: ("Int", "<default>\(key % 100)</default><min>0</min><max>100</max>")
                    case 1: ("Double", "<default>21.5</default>")
                    case 2: ("String", "<default>text \(key)</default>")
                    case 3: ("Bool", "<default>true</default>")
                    case 4: ("Enum", "<choices>\(choices)</choices><default>Celsius\(key)</default>")
                    default: ("StringList", "<default>one,two</default>")
                    }
                let label = "<label>\(self.description(key))</label>"
                return #"<entry name="Key\#(key)" type="\#(type)">\#(label)\#(value)</entry>"#
            }
            return [description.path, options.path, "--directory", folder.path]
        }
    }

    /// GLib's compiler of settings' descriptions to a table.
    static var glibCompileSchemas: ScaleTool {
        ScaleTool(
            name: "glib-compile-schemas",
            path: find("glib-compile-schemas"),
            remedy: "install libglib2.0-dev-bin",
            keyCounts: peerKeyCounts,
            outputs: ["gschemas.compiled"]
        ) { keyCount, folder in
            let values = ["celsius", "fahrenheit", "kelvin"].enumerated()
            let head = """
                <schemalist>
                <enum id="scale.Unit">\(values.map { #"<value nick="\#($1)" value="\#($0)"/>"# }.joined())</enum>
                <schema id="scale" path="/scale/">

                """
            let file = folder.appending(path: "scale.gschema.xml")
            try write(file, head: head, keys: keyCount, separator: "\n", foot: "\n</schema>\n</schemalist>\n") { key in
                let (type, value) =
                    switch key % 6 {
                    case 0: (#"type="i""#, #"<default>\#(key % 100)</default><range min="0" max="100"/>"#)
                    case 1: (#"type="d""#, "<default>21.5</default>")
                    case 2: (#"type="s""#, #"<default>"text \#(key)"</default>"#)
                    case 3: (#"type="b""#, "<default>true</default>")
                    case 4: (#"enum="scale.Unit""#, #"<default>"celsius"</default>"#)
                    default: (#"type="as""#, #"<default>["one", "two"]</default>"#)
                    }
                return #"<key name="key\#(key)" \#(type)>\#(value)<summary>\#(description(key))</summary></key>"#
            }
            return ["--strict", folder.path]
        }
    }

    /// Google's compiler of messages, to C++.
    static var protoc: ScaleTool {
        ScaleTool(
            name: "protoc",
            path: find("protoc"),
            remedy: "install protobuf-compiler",
            keyCounts: peerKeyCounts,
            outputs: ["scale.pb.h", "scale.pb.cc"]
        ) { keyCount, folder in
            let file = folder.appending(path: "scale.proto")
            let head = """
                syntax = "proto2";
                enum Unit { CELSIUS = 0; FAHRENHEIT = 1; KELVIN = 2; }
                message Scale {

                """
            try write(file, head: head, keys: keyCount, separator: "\n", foot: "\n}\n") { key in
                let (type, value) =
                    switch key % 6 {
                    case 0: ("optional int64", " [default = \(key % 100)]")
                    case 1: ("optional double", " [default = 21.5]")
                    case 2: ("optional string", #" [default = "text \#(key)"]"#)
                    case 3: ("optional bool", " [default = true]")
                    case 4: ("optional Unit", " [default = CELSIUS]")
                    default: ("repeated string", "")
                    }
                return "  // \(description(key))\n  \(type) key\(key) = \(key + 1)\(value);"
            }
            return ["-I", folder.path, "--cpp_out=\(folder.path)", file.path]
        }
    }
}
