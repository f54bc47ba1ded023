import Foundation
import TestSupport
import Testing

@Suite("Modules over the runtime's public interface")
struct PublicInterfaceTests {
    @Test(
        "The sources of the module that use no package symbols compile in another package",
        arguments: ["PreferencesApple", "PreferencesCompatibility"]
    )
    func compilesInAnotherPackage(module: String) async throws {
        let folder = Repository.folder.appending(path: "Sources/\(module)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        let sources = try names.map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
        let run = try await Compiler.compile(
            Dictionary(uniqueKeysWithValues: sources),
            importing: ["PreferencesRuntime"],
            options: ["-package-name", "another", "-enable-upcoming-feature", "InternalImportsByDefault"]
        )
        #expect(run.status == 0, "\(run.output)")
    }
}
