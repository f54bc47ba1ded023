import PreferencesCodeGen
import Testing

/// Which lines a region has: what stands at file level, or members alone.
@Suite("Where a region of a host file stands")
struct HostFormTests {
    private enum Form {
        case topLevel
        case members
        case membersOfReferenceType
    }

    /// The form that is chosen for the region that is marked with `@` in the text.
    private func form(in text: String) throws -> Form {
        let markers = "// preferences:begin Weather weather\n// preferences:end"
        let (updated, faults) = HostText(text.replacing("@", with: markers)).updated()
        try #require(faults == [])
        #expect(HostText(updated).faults() == [])
        if updated.contains("extension W {\n") { return .topLevel }
        return updated.contains("nonmutating set") ? .members : .membersOfReferenceType
    }

    @Test(
        "At the margin, or outside of braces, it is at file level",
        arguments: [
            "@", "let x = { 1 }\n@", "  @", "#if os(Linux)\n    @\n#endif", "struct A {\n}\n    @",
            "let a = \"{\"\n  @", "let a = #\"{\"# + ##\"\"{\"##\n  @", "let a = \"\"\"\n{ \"\"\n\"\"\"\n  @",
            "// {\n  @", "/* { /* */ { */\n  @", "/// {\n  @", "let a = /[{]\\/{/\n  @", "let a = #/ { /#\n  @",
            "let a = #/\n{\n/#\n  @", "let a = \"\\(x ? \"{\" : \"\\(y { \"}\" })\")\"\n  @",
            "let a = \"\\\"{\"\n  @", "let a = #\"\\#(b)\\({\"#\n  @", "let `a{` = 1\n  @", "let a = b / c // {\n  @",
            "#if A\nclass B: C {\n#elseif D\nclass B: D {\n#else\nclass B {\n#endif\n}\n  @", "extension A {\n@\n}",
            "\u{FEFF}  @", "let a = #\"\"\"#; let b = \"{\"\n  @", "let a = b\r\n  @", "struct A {\r}\r  @",
            "let a = \"{\n  @", "let a = 1 }\n  @",
        ]
    )
    func topLevel(text: String) throws {
        #expect(try form(in: text) == .topLevel)
    }

    @Test(
        "Indented and inside of braces, it has members alone",
        arguments: [
            "struct A {\n    @\n}", "extension A {\n @\n}", "struct A {\n#if B\n    @\n#endif\n}",
            "struct A {\n    func b() -> String { \"}\" }\n    @\n}", "enum A {\n    // }\n    @\n}",
            "struct A {\n    let b = /}/\n    @\n}", "extension A.B where C: D {\n    @\n}",
            "#if A\nstruct B: C {\n#else\nstruct B {\n#endif\n    @\n}", "actor A {}\nextension B {\n    @\n}",
            "class A { struct B {\n    @\n} }", "protocol A: AnyObject {}\nextension A {\n    @\n}",
            "extension A { class func b() {}\n    @\n}", "struct A { let b = B.actor\n  let c = d {}\n    @\n}",
        ]
    )
    func members(text: String) throws {
        #expect(try form(in: text) == .members)
    }

    @Test(
        "In a class or an actor, setters do not say that they are nonmutating",
        arguments: [
            "class A {\n    @\n}", "public final class A: B {\n    @\n}", "actor A {\n    @\n}",
            "struct A { class B {\n    @\n} }", "class A {}\nextension A: B {\n    @\n}",
            "extension Outer.A {\n    @\n}\nenum Outer { actor A {} }", "extension Preferences {\n    @\n}",
            "extension PreferencesRuntime.Preferences {\n    @\n}",
            "#if A\nclass B: C {\n#else\nclass B {\n#endif\n    @\n}",
            "class A {\n    struct B { var c: Int }\n    @\n}", "public nonisolated final class A {\n    @\n}",
            "final class A<B> where B: C {\n    init() { d(class: 1) { _ in } }\n    @\n}",
        ]
    )
    func referenceTypes(text: String) throws {
        #expect(try form(in: text) == .membersOfReferenceType)
    }
}
