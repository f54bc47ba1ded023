import Testing

@testable import PlatformCheck

@Suite("Reading source code")
struct SourceReadingTests {
    @Test("Comments and literals are erased, and the rest keeps its position")
    func erasing() {
        let source = #"""
            let a = "x // y" // "z
            /* one /* two */ still */ let b = #"a\"b"#; let é = 1
            let c = "\(f("in")) out" + "unterminated
            let d = 2
            """#
        let lines = SourceMasker.codeLines(of: source)
        #expect(
            lines == [
                "let a =               ",
                "                          let b =         ; let é = 1",
                "let c =    f(    )       +              ",
                "let d = 2",
            ]
        )
    }

    @Test("Literals of several lines are erased up to their own delimiter")
    func multilineLiterals() {
        let source = ##"""
            let a = #"""
            #if os(macOS) """ \(b) \#(c)
            """#
            let d = 1
            """##
        let lines = SourceMasker.codeLines(of: source)
        #expect(lines == ["let a =     ", "                          c ", "    ", "let d = 1"])
    }

    @Test("Each directive at the start of a line begins a block with that line's number")
    func blocks() {
        let source = ##"""
            #if canImport(Darwin)
                import Darwin
            #elseif os(Linux) && DEBUG  // why
                    #if true
                    #endif
            #else
            #endif
            let text = """
            #if no
            """
            /*
            #if neither
            */
            func f(line: Int = #line) {}
            """##
        #expect(
            ConditionalBlock.blocks(in: source).map { "\($0.line): \($0.directive)" } == [
                "1: #if canImport(Darwin)", "3: #elseif os(Linux) && DEBUG", "4: #if true", "6: #else",
            ]
        )
    }

    @Test("Lines may end with a carriage return and a line feed")
    func carriageReturns() {
        let source = "import A\r\n#if os(Windows)\r\n#endif\r\n"
        let blocks = ConditionalBlock.blocks(in: source)
        #expect(blocks == [ConditionalBlock(line: 2, directive: "#if os(Windows)")])
        #expect(
            ConditionalBlock.insertingErrors([blocks[0]: 0], into: source)
                == "import A\r\n#if os(Windows)\r\nfunc inserted0() -> Int { (inserted0: 0, error: 0) }\n#endif\r\n"
        )
    }

    @Test("An error is inserted as the first line of its block, and the compiler's message leads back to it")
    func insertion() {
        let source = "#if A\na()\n#else\nb()\n#endif"
        let blocks = ConditionalBlock.blocks(in: source)
        #expect(
            ConditionalBlock.insertingErrors([blocks[0]: 7, blocks[1]: 12], into: source) == """
                #if A
                func inserted7() -> Int { (inserted7: 0, error: 0) }
                a()
                #else
                func inserted12() -> Int { (inserted12: 0, error: 0) }
                b()
                #endif
                """
        )
        let message =
            "error: cannot convert return expression of type '(inserted12: Int, error: Int)' to return type 'Int'"
        #expect(ConditionalBlock.number(inMessage: message) == 12)
        #expect(ConditionalBlock.number(inMessage: "error: cannot find 'inserted' in scope") == nil)
    }

    @Test("Errors and warnings of the compiler are read once each, in the order of their positions")
    func diagnostics() {
        let output = """
            /p/b.swift:10:2: warning: unused
            /p/a b.swift:3:4: error: no such thing [#Group]
            /p/a b.swift:3:4: note: here
              |  `- error: no such thing
            /p/b.swift:10:2: warning: unused
            <unknown>:0: error: other
            """
        #expect(
            Diagnostic.diagnostics(in: output) == [
                Diagnostic(path: "/p/a b.swift", line: 3, column: 4, message: "error: no such thing [#Group]"),
                Diagnostic(path: "/p/b.swift", line: 10, column: 2, message: "warning: unused"),
            ]
        )
    }
}
