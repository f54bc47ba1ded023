import Foundation
import PreferencesStoreTesting
import TestSupport
import Testing

@Suite("The module's documentation")
struct DocumentationTests {
    private func text(_ path: String) throws -> String {
        try String(contentsOf: Repository.folder.appending(path: path), encoding: .utf8)
    }

    private func page() throws -> String {
        try text("Sources/PreferencesStoreTesting/PreferencesStoreTesting.docc/PreferencesStoreTesting.md")
    }

    @Test("The page lists the checks in their order")
    func checks() throws {
        let list = try #require(try page().components(separatedBy: "## What is checked").dropFirst().first)
        let listed = list.split(separator: "\n").filter { $0.hasPrefix("- ") && !$0.hasPrefix("- ``") }
        #expect(listed.map { $0.dropFirst(2) } == StoreCheck.all.map { $0.name[...] })
    }

    @Test("The page's example is the tested one")
    func example() throws {
        let source = try text("Tests/PreferencesStoreTestingTests/TextFileStoreTests.swift")
        let declarations = source.components(separatedBy: "/// The example of the documentation.\n").last ?? source
        let page = try page()
        for example in declarations.components(separatedBy: "\nstruct ") {
            #expect(page.contains(example.trimmingCharacters(in: .whitespacesAndNewlines)))
        }
    }
}
