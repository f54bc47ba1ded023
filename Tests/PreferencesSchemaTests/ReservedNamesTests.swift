import Foundation
import PreferencesSchema
import TestSupport
import Testing

/// Accessors stand beside the members that the runtime declares: their names must be reserved.
@Suite("Reserved names")
struct ReservedNamesTests {
    @Test("Every member of every home of accessors is reserved in a namespace, but for those of the types themselves")
    func accessors() throws {
        let members = try RuntimeMembers(of: ["PreferenceAccessors", "PreferenceNamespace"]).instanceNames
        #expect(members.contains("preferences") && !members.contains("storageName"))
        for name in members.sorted() {
            let text = #"{"formatVersion": 1, "namespaces": {"n": {"keys": {"\#(name)": {"type": "Int?"}}}}}"#
            #expect(read(text).diagnostics.map(\.rule) == [.reservedName], "'\(name)' is a member of the runtime's")
        }
    }

    @Test("Every member of Preferences is reserved at the top of a file")
    func preferences() throws {
        let members = try RuntimeMembers(of: ["Preferences", "PreferenceAccessors"]).names
        #expect(members.contains("shared"))
        for name in members.sorted() {
            let key = schema(keys: #""\#(name)": {"type": "Int?"}"#)
            #expect(read(key).diagnostics.map(\.rule) == [.reservedName], "'\(name)' is a member of 'Preferences'")
        }
    }
}

/// The names that the runtime's sources declare.
private struct RuntimeMembers {
    var names: Set<String> = []
    /// Without those that are static, beside which accessors may have their names.
    var instanceNames: Set<String> = []

    /// The public members of some types, those in their extensions included.
    init(of types: [String]) throws {
        for source in try Self.sources() {
            // Declarations at the top of a file begin in its first column, and end where a brace does.
            var isInside = false
            var isProtocol = false
            for line in source.split(separator: "\n") where !line.hasPrefix("#") {
                if let match = line.prefixMatch(of: /(?:[@a-z][^ ]* )*(class|protocol|extension|struct) (\w+)/) {
                    isInside = types.contains(String(match.2)) && line.hasSuffix("{")
                    isProtocol = match.1 == "protocol"
                } else if line.hasPrefix("}") {
                    isInside = false
                } else if isInside,
                    let match = line.prefixMatch(
                        of:
                            /\ {4}(?:@[^ ]+ )*(public )?(?:[a-z()]+ )*(?:var|let|func|typealias|struct|enum|class) `?(\w+)/
                    ),
                    match.1 != nil || isProtocol
                {
                    names.insert(String(match.2))
                    if !match.0.contains(" static ") { instanceNames.insert(String(match.2)) }
                }
            }
        }
    }

    private static func sources() throws -> [String] {
        let folder = Repository.folder.appending(path: "Sources/PreferencesRuntime/").resolvingSymlinksInPath()
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return try (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }
    }
}
