import Testing

@testable import PlatformCheck

@Suite("The oldest version of Swift that builds the package")
struct MinimumSwiftVersionTests {
    @Test(
        "Newer syntax is reported where it is used",
        arguments: [
            ("@concurrent func f() async {}", 1, "@concurrent is newer than Swift 6.1: SE-0461, Swift 6.2"),
            (
                "nonisolated(nonsending) func f() async {}", 1,
                "nonisolated(nonsending) is newer than Swift 6.1: SE-0461, Swift 6.2"
            ),
            ("actor A { isolated deinit {} }", 11, "an isolated deinit is newer than Swift 6.1: SE-0371, Swift 6.2"),
            (
                "extension A: @MainActor Equatable {}", 12,
                "an isolated conformance is newer than Swift 6.1: SE-0470, Swift 6.2"
            ),
            ("let a = unsafe f()", 7, "'unsafe' is newer than Swift 6.1: SE-0458, Swift 6.2"),
            ("@abi(func g()) func f() {}", 1, "@abi is newer than Swift 6.1: SE-0476, Swift 6.2"),
            ("let a: [4 of Int]", 8, "an inline array is newer than Swift 6.1: SE-0453, Swift 6.2"),
            ("struct V<let n: Int> {}", 9, "an integer parameter is newer than Swift 6.1: SE-0452, Swift 6.2"),
            ("func `a test`() {}", 6, "a raw identifier is newer than Swift 6.1: SE-0451, Swift 6.2"),
            ("weak let a = b", 1, "'weak let' is newer than Swift 6.1: SE-0481, Swift 6.3"),
            ("let a = Swift::Int.self", 13, "a module selector is newer than Swift 6.1: SE-0491, Swift 6.3"),
            (
                "@specialized(where T == Int) func f<T>() {}", 1,
                "@specialized is newer than Swift 6.1: SE-0460, Swift 6.3"
            ),
            ("@section(\"a\") let a = 1", 1, "@section is newer than Swift 6.1: SE-0492, Swift 6.3"),
            ("@used let a = 1", 1, "@used is newer than Swift 6.1: SE-0492, Swift 6.3"),
            ("@c func f() {}", 1, "@c is newer than Swift 6.1: SE-0495, Swift 6.3"),
            ("@inline(always) func f() {}", 1, "@inline(always) is newer than Swift 6.1: SE-0496, Swift 6.3"),
        ]
    )
    func newerSyntax(_ line: String, _ column: Int, _ message: String) throws {
        #expect(
            try MinimumSwiftVersion.newerSyntax(in: "let before = 1\n\(line)\n", path: "A.swift") == [
                Diagnostic(path: "A.swift", line: 2, column: column, message: "error: \(message)")
            ]
        )
    }

    @Test("Older syntax, and newer syntax in comments and literals, is accepted")
    func olderSyntax() throws {
        let source = """
            // @concurrent weak let
            let a = "weak let `a test` Swift::Int"
            weak var b: A?
            let `default` = unsafe, `self` = [unsafe, 1]
            @inline(__always) func f(isolated: Int, _ d: @MainActor () -> Void, e: isolated A) {}
            nonisolated(unsafe) var g = 1
            extension A: @unchecked Sendable, @preconcurrency B where T: C {}
            @convention(c) typealias F = () -> Void
            """
        #expect(try MinimumSwiftVersion.newerSyntax(in: source, path: "A.swift") == [])
    }

    @Test("A back-deployed declaration is as new as the system that introduced it")
    func backDeployment() throws {
        let interface = """
            @backDeployed(before: macOS 14.0, iOS 17.0)
            public func older()
              @backDeployed(before: macOS 26.0, iOS 26.0)
              public func newer()
            """
        #expect(
            try MinimumSwiftVersion.interface(interface, of: "Observation") == """

                public func older()
                @available(macOS 26.0, iOS 26.0, *)
                  public func newer()
                """
        )
    }

    @Test("A newer declaration that the standard library no longer has is reported")
    func outdatedList() throws {
        let interface = "@available(macOS 10.14.4, iOS 12.2, watchOS 5.2, tvOS 12.2, visionOS 1.0, *)\nstruct Span"
        let failure = #expect(throws: CheckFailure.self) {
            try MinimumSwiftVersion.interface(interface, of: "Swift")
        }
        #expect(
            failure?.description == """
                The toolchain's interface of Swift has no 'public var attoseconds: Swift.Int128'. Update \
                Tests/PlatformCheck/MinimumSwiftVersion.swift.
                """
        )
    }
}
