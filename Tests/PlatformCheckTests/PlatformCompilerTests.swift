import Foundation
import TestSupport
import Testing

@testable import PlatformCheck

#if os(Linux)
    // Each source has errors of the kinds that break a build on the platform alone.
    @Suite("Type-checking for other platforms", .serialized)
    struct PlatformCompilerTests {
        private static let package = LoadedPackage(
            targets: [],
            deploymentTargets: [
                "macos": "15.0", "ios": "18.0", "tvos": "18.0", "watchos": "11.0", "visionos": "2.0",
            ],
            toolsVersion: "6.1"
        )

        /// The errors of a source file that imports Foundation, each as `line:column: message`.
        private static func errors(in source: String, on name: String) async throws -> [String] {
            try await check(source, on: name).errors
        }

        /// The errors of a source file, the names of C and Objective-C that it uses, and whether it can be imported.
        private static func check(
            _ source: String,
            on name: String
        ) async throws -> (errors: [String], names: Set<String>, isImportable: Bool) {
            let toolchain = try await Toolchain()
            let platforms = try Platform.all(for: package, linux: toolchain.triple)
            let platform = try #require(platforms.first { $0.name == name })
            return try await withTemporaryDirectory { folder in
                let modules = try await PlatformCompiler(
                    of: platform,
                    stubs: Repository.fixtures.appending(path: "PlatformStubs", directoryHint: .isDirectory),
                    toolchain: toolchain,
                    toolsVersion: package.toolsVersion,
                    scratch: folder
                )
                let file = folder.appending(path: "Use.swift")
                try Data(source.utf8).write(to: file)
                let target = PackageTarget(
                    name: "Use",
                    moduleName: "Use",
                    isPlugin: false,
                    sources: [file],
                    generatedSources: [],
                    featureOptions: [],
                    isInLibraryProduct: true,
                    privacyManifest: folder.appending(path: PrivacyManifest.fileName)
                )
                let (diagnostics, names, isImportable) = try await modules.check(target)
                return (diagnostics.map { "\($0.line):\($0.column): \($0.message)" }, names, isImportable)
            }
        }

        @Test("Declarations that differ on macOS are type-checked as on macOS")
        func declarations() async throws {
            let source = """
                import Darwin
                import Foundation
                import Observation
                import SwiftUI

                func newerThanTheSystem() { _ = Observations { 1 } }
                func newerThanTheCompiler(_ duration: Duration) -> Int128 { duration.attoseconds }
                func optional() -> String { Bundle.main.bundleIdentifier }
                func otherInteger(_ status: stat) -> UInt32 { status.st_mode }
                func isolated<T: AnyObject>(_ object: StateObject<T>) -> T { object.wrappedValue }
                func otherPointer(_ path: String) -> Bool {
                    var isFolder = false
                    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                }
                #if !os(macOS) || !arch(arm64) || !canImport(Security) || targetEnvironment(macCatalyst)
                    func otherPlatform() -> Int { "a" }
                #endif
                """
            let errors = try await Self.errors(in: source, on: "macOS")
            #expect(
                errors == [
                    "6:33: error: 'Observations' is only available in macOS 26.0 or newer",
                    "7:70: error: 'attoseconds' is unavailable: new: SE-0457, Swift 6.2",
                    "8:41: error: value of optional type 'String?' must be unwrapped to a value of type 'String'",
                    "9:54: error: cannot convert return expression of type 'mode_t' (aka 'UInt16') to return type 'UInt32'",
                    "10:69: error: main actor-isolated property 'wrappedValue' can not be referenced from a nonisolated "
                        + "context",
                    "13:70: error: cannot convert value of type 'UnsafeMutablePointer<Bool>' to expected argument type "
                        + "'UnsafeMutablePointer<ObjCBool>'",
                ]
            )
        }

        @Test("Data races and missing returns are errors")
        func dataFlow() async throws {
            let source = """
                import Foundation

                final class Counter { var count = 0 }
                func race() {
                    let counter = Counter()
                    Task.detached { counter.count += 1 }
                    counter.count += 1
                }
                func incomplete(_ flag: Bool) -> Int { if flag { return 1 } }
                """
            let errors = try await Self.errors(in: source, on: "iOS")
            #expect(
                errors == [
                    "6:10: error: sending value of non-Sendable type '() async -> ()' risks causing data races "
                        + "[#SendingRisksDataRace]",
                    "9:61: error: missing return in global function expected to return 'Int'",
                ]
            )
        }

        @Test("An API that iOS does not have is an error, and branches for iOS are compiled")
        func unavailable() async throws {
            let source = """
                import Foundation

                func run() { _ = Process() }
                #if os(iOS) && !targetEnvironment(macCatalyst)
                    let isPhone: Bool = 1
                #endif
                """
            let errors = try await Self.errors(in: source, on: "iOS")
            #expect(
                errors == [
                    "3:18: error: 'Process' is unavailable in iOS",
                    "5:25: error: integer literal value '1' cannot be used as a boolean; did you mean 'true'?",
                ]
            )
        }

        @Test("A module with errors in function bodies can be imported, and one with errors in declarations cannot")
        func importing() async throws {
            let body = try await Self.check("func number() -> Int { \"a\" }", on: "iOS")
            let conversion = "cannot convert return expression of type 'String' to return type 'Int'"
            #expect(body.errors == ["1:24: error: \(conversion)"])
            #expect(body.isImportable)
            let declaration = try await Self.check("func number() -> Missing { 1 }", on: "iOS")
            #expect(declaration.errors == ["1:18: error: cannot find type 'Missing' in scope"])
            #expect(!declaration.isImportable)
        }

        @Test("The names of C and Objective-C that a module uses are found, and not those that it only mentions")
        func importedNames() async throws {
            let source = """
                import Darwin
                import Foundation

                // lstat("a", &status)
                let text = "stat(UserDefaults.standard)"
                func systemUptime() -> stat { stat() }
                func call(_ status: inout stat) -> CInt { Darwin.fstat(0, &status) }
                func function() -> (CInt) -> CInt { Darwin.fsync }
                func constant() -> URLResourceKey { .isDirectoryKey }
                func member(_ defaults: Foundation.UserDefaults) -> Any? { defaults.object(forKey: "lstat") }
                func type() -> AnyClass { NSUbiquitousKeyValueStore.self }
                func path() -> KeyPath<Bundle, String?> { \\.bundleIdentifier }
                #if os(macOS)
                    func otherPlatform() { sync() }
                #endif
                """
            let (errors, names, isImportable) = try await Self.check(source, on: "iOS")
            #expect(errors == [])
            #expect(isImportable)
            #expect(
                names.sorted() == [
                    "Bundle.bundleIdentifier", "NSURLIsDirectoryKey", "NSUbiquitousKeyValueStore",
                    // A type of Swift, which the key path refers to.
                    "String", "UserDefaults.object", "fstat", "fsync",
                ]
            )
        }

        @Test("The types of musl are those of its headers")
        func musl() async throws {
            let source = """
                import Foundation
                #if canImport(Glibc)
                    import Glibc
                #else
                    import Musl
                #endif

                let thread: UInt = pthread_self()
                func output() -> UnsafeMutablePointer<CInt>? { stdout }
                let date: Int = Date()
                """
            let errors = try await Self.errors(in: source, on: "musl")
            #expect(
                errors == [
                    "8:20: error: cannot convert value of type 'pthread_t?' (aka 'Optional<OpaquePointer>') to specified "
                        + "type 'UInt'",
                    "9:48: error: cannot convert return expression of type 'OpaquePointer?' to return type "
                        + "'UnsafeMutablePointer<CInt>?' (aka 'Optional<UnsafeMutablePointer<Int32>>')",
                    "10:17: error: cannot convert value of type 'Date' to specified type 'Int'",
                ]
            )
        }
    }
#endif

@Suite("The stubs of other platforms' modules")
struct PlatformStubTests {
    private static let folder = Repository.fixtures.appending(path: "PlatformStubs", directoryHint: .isDirectory)

    private static let files: [String] = {
        let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return all.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".h") || $0.hasSuffix(".swiftinterface") }.sorted()
    }()

    @Test("Every group of declarations names its page of the documentation", arguments: files)
    func documentation(_ file: String) throws {
        let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
        // A group is the lines between two blank ones that begins at the margin; members are indented.
        for group in text.split(separator: "\n\n") where group.first?.isWhitespace == false {
            let others = [
                "//", "#", "import ", "public import ", "@import ", "@_exported import ", "@class ", "@end", "}",
            ]
            let declares = group.split(separator: "\n").contains { line in
                !line.hasPrefix(" ") && !others.contains { line.hasPrefix($0) }
            }
            #expect(!declares || group.contains("// https://"), "\(file):\n\(group)")
        }
    }

    @Test("There are stubs for Apple's frameworks, for musl and for Xcode's plugins")
    func folders() throws {
        try #require(Self.files.count > 15)
        #expect(Set(Self.files.compactMap { $0.split(separator: "/").first }) == ["Apple", "Musl", "Plugins"])
    }
}
