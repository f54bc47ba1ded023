import PreferencesCodeGen
import Testing

/// The form of a region: declarations at file scope, or members only.
@Suite("Places of regions in host files")
struct HostFormTests {
    private enum Form {
        case topLevel
        case members
        case membersOfReferenceType
    }

    /// Returns the form of the region that is marked with `@` in the text.
    private func form(in text: String) throws -> Form {
        let markers = "// preferences:begin Weather weather\n// preferences:end"
        let (updated, faults) = HostText(text.replacing("@", with: markers)).updated()
        try #require(faults == [])
        #expect(HostText(updated).faults() == [])
        if updated.contains("extension W {\n") { return .topLevel }
        return updated.contains("nonmutating set") ? .members : .membersOfReferenceType
    }

    @Test(
        "A region that is not indented, or outside of braces, is at file scope",
        arguments: [
            "@", "let x = { 1 }\n@", "  @", "#if os(Linux)\n    @\n#endif", "struct A {\n}\n    @",
            "let a = \"{\"\n  @", "let a = #\"{\"# + ##\"\"{\"##\n  @", "let a = \"\"\"\n{ \"\"\n\"\"\"\n  @",
            "// {\n  @", "/* { /* */ { */\n  @", "/// {\n  @", "let a = /[{]\\/{/\n  @", "let a = #/ { /#\n  @",
            "let a = #/\n{\n/#\n  @", "let a = \"\\(x ? \"{\" : \"\\(y { \"}\" })\")\"\n  @",
            "let a = \"\\\"{\"\n  @", "let a = #\"\\#(b)\\({\"#\n  @", "let `a{` = 1\n  @", "let a = b / c // {\n  @",
            "#if A\nclass B: C {\n#elseif D\nclass B: D {\n#else\nclass B {\n#endif\n}\n  @", "extension A {\n@\n",
            "\u{FEFF}  @", "let a = #\"\"\"#; let b = \"{\"\n  @", "let a = b\r\n  @", "struct A {\r}\r  @",
            "let a = \"{\n  @", "let a = 1 }\n  @",
        ]
    )
    func topLevel(text: String) throws {
        #expect(try form(in: text) == .topLevel)
    }

    @Test(
        "An indented region in braces contains members only",
        arguments: [
            "struct A {\n    @\n}", "extension A {\n @\n}", "struct A {\n#if B\n    @\n#endif\n}",
            "struct A {\n    func b() -> String { \"}\" }\n    @\n}", "enum A {\n    // }\n    @\n}",
            "struct A {\n    let b = /}/\n    @\n}", "extension A.B where C: D {\n    @\n}",
            "#if A\nstruct B: C {\n#else\nstruct B {\n#endif\n    @\n}", "actor A {}\nextension B {\n    @\n}",
            "class A { struct B {\n    @\n} }", "protocol A: AnyObject {}\nextension A {\n    @\n}",
            "extension A { class func b() {}\n    @\n}", "struct A { let b = B.actor\n  let c = d {}\n    @\n}",
            "struct A { var b: Int?\n  struct C {\n    @\n} }", "struct\n  A {\n    @\n}",
            "extension [Int] {\n    @\n}",
            "func a() { switch b {\ncase .c:\n  struct D {\n    @\n} } }", "struct `default` {\n    @\n}",
            "#macro(a, b) struct A {\n    @\n}", "func a() { struct B {\n    @\n} }", "indirect enum A {\n    @\n}",
            "// See f(\nstruct A {\n    @\n}", "let r = 1...\nstruct A {\n    @\n}",
            "enum A { case b\n  static func c(_ d: () -> Void = {}) {}\n    @\n}",
        ]
    )
    func members(text: String) throws {
        #expect(try form(in: text) == .members)
    }

    @Test(
        "Setters in a class or an actor are not declared nonmutating",
        arguments: [
            "class A {\n    @\n}", "public final class A: B {\n    @\n}", "actor A {\n    @\n}",
            "struct A { class B {\n    @\n} }", "class A {}\nextension A: B {\n    @\n}",
            "extension Outer.A {\n    @\n}\nenum Outer { actor A {} }", "extension Preferences {\n    @\n}",
            "extension PreferencesRuntime.Preferences {\n    @\n}",
            "#if A\nclass B: C {\n#else\nclass B {\n#endif\n    @\n}",
            "class A {\n    struct B { var c: Int }\n    @\n}", "public nonisolated final class A {\n    @\n}",
            "final class A<B> where B: C {\n    init() { d(class: 1) { _ in } }\n    @\n}",
            "func a() { switch b {\ndefault:\n  class D {\n    @\n} } }",
            "struct A { var b: Int\n  class C {\n    @\n} }", "class `default` {\n    @\n}",
            "import class A.B\nextension B {\n    @\n}", "class\n  A: B {\n    @\n}",
        ]
    )
    func referenceTypes(text: String) throws {
        #expect(try form(in: text) == .membersOfReferenceType)
    }

    private static let functions = [
        "func a() {\n    @\n}", "struct A { init() {\n    @\n} }", "struct A { deinit {\n    @\n} }",
        "let a = {\n    @\n}", "var a: Int {\n    @\n}", "struct A { var b: Int { get {\n    @\n} } }",
        "struct A { var b = 1 { didSet {\n    @\n} } }", "struct A { subscript(b: Int) -> Int {\n    @\n} }",
        "func a() { switch b {\ncase .struct:\n    @\n} }", "func a() { if b { }\n    @\n}", "run {\n    @\n}",
        "import struct A.B\nrun {\n    @\n}", "func a(_ b: B, struct c: C) {\n    @\n}", "a(struct: b) {\n    @\n}",
        "func a(_ struct: Int) {\n    @\n}", "func a(b extension : B) {\n    @\n}",
        "func a(_ protocol\n: B) {\n    @\n}",
        "extension A { func b() {\n    @\n} }", "func a() { struct B {}\n    @\n}",
        "#if A\nfunc a() {\n    @\n}\n#endif",
        "func a() {\n@\n}",
    ]

    @Test("A region in the body of a function, an accessor or a closure is rejected", arguments: functions)
    func inFunction(text: String) throws {
        let markers = "// preferences:begin Weather weather\n// preferences:end"
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let line = try #require(lines.firstIndex { $0.contains("@") })
        let position = "Host.swift:\(line + 1):\(lines[line].count)"
        let fault = """
            \(position): error: this region is inside a function, an accessor or a closure, where its accessors belong to \
            no type [host-markers]
            \(position): note: move both markers into the braces of a type or an extension, or out of all braces
            """
        #expect(HostText(text.replacing("@", with: markers)).faults() == [fault])
    }

    @Test(
        "A region in the body of a protocol is rejected",
        arguments: ["protocol A: B {\n  @\n}", "protocol A: class {\n  @\n}"]
    )
    func inProtocol(text: String) {
        let markers = "// preferences:begin Weather weather\n// preferences:end"
        #expect(
            HostText(text.replacing("@", with: markers)).faults() == [
                """
                Host.swift:2:3: error: this region is inside a protocol, whose members cannot have bodies [host-markers]
                Host.swift:2:3: note: move both markers into an extension of the protocol, or out of all braces
                """
            ]
        )
    }

    @Test(
        "A region that is not indented in the braces of a type is rejected",
        arguments: ["extension A {\n@\n}", "class A {\n@\n}"]
    )
    func atMarginInType(text: String) {
        let markers = "// preferences:begin Weather weather\n// preferences:end"
        #expect(
            HostText(text.replacing("@", with: markers)).faults() == [
                """
                Host.swift:2:1: error: this region is at the margin, where it has an extension of its own, and inside the \
                braces of a type [host-markers]
                Host.swift:2:1: note: indent both markers to have the accessors alone, or move them out of all braces
                """
            ]
        )
    }
}
