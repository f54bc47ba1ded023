import Foundation
import TestSupport
import Testing

@Suite("Examples of the documentation")
struct DocumentationTests {
    /// What the generator writes for the schema of the page, as far as the examples use it.
    private static let declarations = """
        import Foundation
        import PreferencesCatalogue
        import PreferencesRuntime

        extension PreferenceCatalogue { static var app: PreferenceCatalogue { PreferenceCatalogue([]) } }
        struct Weather: CataloguedPreferences {
            let preferences: Preferences
            static var catalogue: PreferenceCatalogue { .app }
        }
        extension Preferences {
            typealias Weather = Use.Weather
            var weather: Weather { Weather(preferences: self) }
        }
        let preferences = Preferences.inMemory()

        """

    private func listings(of page: String) throws -> [String] {
        let folder = "Sources/PreferencesCatalogue/PreferencesCatalogue.docc"
        let text = try String(contentsOf: Repository.folder.appending(path: "\(folder)/\(page).md"), encoding: .utf8)
        return text.matches(of: /```swift\n([\s\S]*?)```/).map { String($0.1) }.filter { !$0.hasPrefix(".product") }
    }

    @Test("The listings compile", arguments: ["PreferencesCatalogue", "Catalogue"])
    func listings(page: String) async throws {
        let listings = try listings(of: page)
        #expect(!listings.isEmpty)
        var sources = ["Declarations.swift": Self.declarations]
        for (index, listing) in listings.enumerated() {
            let imports = "import Foundation\nimport PreferencesCatalogue\nimport PreferencesRuntime\n"
            sources["Listing\(index).swift"] =
                if listing.contains("import SwiftUI") {
                    "#if canImport(SwiftUI)\n\(imports)\(listing)\n#endif\n"
                } else if listing.contains("class ") {
                    imports + listing
                } else {
                    // Statements are those of a function, after the imports.
                    imports + "func listing\(index)() throws {\n"
                        + listing.split(separator: "\n").filter { !$0.hasPrefix("import ") }.joined(separator: "\n")
                        + "\n}\n"
                }
        }
        let run = try await Compiler.compile(
            sources,
            importing: ["PreferencesCatalogue", "PreferencesRuntime"],
            options: ["-suppress-warnings"]
        )
        #expect(run.output == "")
        #expect(run.succeeded)
    }
}
