import Foundation
import TestSupport
import Testing

@testable import PreferencesSchema

@Suite("Reserved names")
struct ReservedNameTests {
    @Test("No key can have the name of a method that every type with accessors has")
    func methodsOfAccessors() throws {
        let methods = try Self.methods(ofExtensionsOf: [
            "PreferenceAccessors", "PreferenceNamespace", "PropertyNamedAccessors",
        ])
        // The others are properties and methods of generated namespaces.
        #expect(ReservedNames.accessors.subtracting(methods) == ["preferences", "_Accessor"])
        #expect(methods.subtracting(ReservedNames.accessors) == [])
    }

    @Test("Every method that a type gains with its accessors is documented")
    func documentedMethods() throws {
        let page = Repository.folder.appending(
            path: "Sources/PreferencesRuntime/PreferencesRuntime.docc/Accessors.md"
        )
        let text = try String(contentsOf: page, encoding: .utf8)
        let table = try #require(text.firstRange(of: "## Methods of types with accessors"))
        let section = text[table.upperBound...].prefix { $0 != "#" }
        let documented = Set(section.matches(of: /`(\w+)(?:\([\w:]*\))?`/).map { String($0.1) })
        let methods = try Self.methods(ofExtensionsOf: [
            "PreferenceAccessors", "PreferenceNamespace", "PropertyNamedAccessors",
        ])
        #expect(documented == methods)
    }

    /// Returns the names of the public methods that the runtime's sources declare in extensions of some protocols.
    private static func methods(ofExtensionsOf protocols: Set<String>) throws -> Set<String> {
        let folder = Repository.folder.appending(path: "Sources/PreferencesRuntime", directoryHint: .isDirectory)
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var names: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            var isInside = false
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                if let declaration = line.firstMatch(
                    of: /^ *(?:\w+ )?(extension|protocol|class|struct|enum|actor) (\w+)/
                ) {
                    isInside = declaration.1 == "extension" && protocols.contains(String(declaration.2))
                } else if isInside, let method = line.firstMatch(of: /public func (\w+)/) {
                    names.insert(String(method.1))
                }
            }
        }
        return names
    }
}
