import Foundation
import PreferencesSchema
import TestSupport
import Testing

/// Generated declarations share scopes with those of the libraries, whose names must therefore be reserved.
@Suite("Reserved names")
struct ReservedNamesTests {
    @Test("Every instance member that accessors share a type with is reserved in a namespace")
    func accessors() throws {
        let members = try RuntimeMembers(of: ["PreferenceAccessors", "PreferenceNamespace"]).instanceNames
        #expect(members.contains("preferences") && !members.contains("formerStorageNames"))
        for name in members.sorted() {
            let text = #"{"formatVersion": 1, "namespaces": {"n": {"keys": {"\#(name)": {"type": "Int?"}}}}}"#
            #expect(read(text).diagnostics.map(\.rule) == [.reservedName], "'\(name)' is a member of the runtime's")
        }
    }

    @Test("Every member of Preferences is reserved at the top level of a file")
    func preferences() throws {
        let members = try RuntimeMembers(of: ["Preferences", "PreferenceAccessors"]).names
        #expect(members.contains("shared"))
        for name in members.sorted() {
            let key = schema(keys: #""\#(name)": {"type": "Int?"}"#)
            #expect(read(key).diagnostics.map(\.rule) == [.reservedName], "'\(name)' is a member of 'Preferences'")
        }
    }

    @Test("The public types and the modules of the libraries that apps link are reserved")
    func types() throws {
        let modules = [
            "PreferencesRuntime", "PreferencesApple", "PreferencesCompatibility", "PreferencesObjects",
            "PreferencesCatalogue", "PreferencesRemote", "PreferencesSecrets", "PreferencesSQLite",
        ]
        let types = try modules.flatMap(Self.publicTypes)
        #expect(types.contains("FileStore") && types.contains("KeychainStore") && types.contains("SQLiteStore"))
        for name in (types + modules).sorted() {
            let text = schema(keys: #""a": {"type": "\#(name)?"}"#, types: #""\#(name)": {"enum": ["a"]}"#)
            #expect(read(text).diagnostics.map(\.rule) == [.reservedTypeName], "add '\(name)' to 'libraryTypes'")
        }
        let stale = NameRules.libraryTypes.subtracting(types + modules)
        #expect(stale == [], "remove these from 'libraryTypes'")
    }

    /// Returns the public types that the sources of a module declare at file level, on any platform.
    private static func publicTypes(of module: String) throws -> [String] {
        try RuntimeMembers.sources(of: module).flatMap { source -> [String] in
            var openConditions = 0
            return source.split(separator: "\n").compactMap { line -> String? in
                let code = line.drop { $0 == " " }
                if code.hasPrefix("#if") { openConditions += 1 }
                if code.hasPrefix("#endif") { openConditions -= 1 }
                // A condition indents its contents; a line with more indentation is inside a type.
                guard line.count - code.count == 4 * openConditions else { return nil }
                let declaration =
                    /(?:@[^ ]+ )*public (?:[a-z()]+ )*(?:actor|class|enum|protocol|struct|typealias) (?<name>\w+)/
                return code.prefixMatch(of: declaration).map { String($0.name) }
            }
        }
    }
}

/// The names of members that the runtime's sources declare.
private struct RuntimeMembers {
    var names: Set<String> = []
    /// The names of instance members. Accessors can have the names of static ones.
    var instanceNames: Set<String> = []

    /// Finds the public members of some types and their extensions.
    init(of types: [String]) throws {
        for source in try Self.sources(of: "PreferencesRuntime") {
            // Declarations at file level start in the first column, and end with a brace there.
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

    static func sources(of module: String) throws -> [String] {
        let folder = Repository.folder.appending(path: "Sources/\(module)/").resolvingSymlinksInPath()
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return try (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }
    }
}
