import PreferencesSchema

/// The names in use by the files of one run, which may all end up in one module.
package struct NameRegistry: Sendable {
    /// The accessors of top-level keys and namespaces.
    private(set) var topLevel: Set<String> = []
    /// The types of the module: enums, structs and protocols.
    private var types: Set<String> = []
    /// The types in `Preferences`: the structs of namespaces. They also must not be named like a protocol.
    private var namespaceTypes: Set<String> = []
    /// The protocols of files that are yet to be imported.
    private var reservedTypes: Set<String> = []
    private var storageNames: Set<String> = []
    /// The names of ``topLevel`` and ``storageNames`` without case and punctuation.
    private var folded: (topLevel: Set<[UInt8]>, storageNames: Set<[UInt8]>) = ([], [])

    package init() {}

    /// Reserves the protocol for the top-level keys of a file, which is named after the file.
    mutating func reserveType(ofFile name: String) { reservedTypes.insert(Self.type(ofFile: name)) }

    /// Releases the reservation of a file, and registers its protocol if it has top-level keys.
    mutating func beginFile(_ name: String, hasKeys: Bool) {
        reservedTypes.remove(Self.type(ofFile: name))
        guard hasKeys else { return }
        types.insert(Self.type(ofFile: name))
        namespaceTypes.insert(Self.type(ofFile: name))
    }

    private static func type(ofFile name: String) -> String { NameSpelling.type(name) + "Preferences" }

    /// Registers top-level accessors.
    ///
    /// - Parameter names: The accessors of a file and of all files before it.
    mutating func registerTopLevel(_ names: Set<String>) {
        folded.topLevel.formUnion(names.subtracting(topLevel).map(NameRules.folded))
        topLevel = names
    }

    mutating func register(storageNames names: [String]) {
        folded.storageNames.formUnion(names.map(NameRules.folded))
        storageNames.formUnion(names)
    }

    /// Whether a top-level accessor equals one of another file except for case and punctuation.
    func isSimilar(topLevel name: String) -> Bool { folded.topLevel.contains(NameRules.folded(name)) }

    /// Returns how storage names clash with those of another file, in the wording of remarks; `nil` when they do not.
    func conflict(with names: [String]) -> String? {
        if names.contains(where: storageNames.contains) { return "the same names" }
        return names.contains { folded.storageNames.contains(NameRules.folded($0)) } ? "similar names" : nil
    }

    /// Whether the struct or the protocol of a namespace would have a reserved name.
    static func isReserved(namespaceType name: String) -> Bool {
        [name, protocolName(of: name)].contains(where: NameRules.isReserved(type:))
    }

    /// Whether the names of the struct and the protocol of a namespace are available.
    func isFree(namespaceType name: String) -> Bool {
        let protocolName = Self.protocolName(of: name)
        return isFree(type: protocolName)
            && [name, protocolName].allSatisfy { !namespaceTypes.contains($0) && !reservedTypes.contains($0) }
    }

    func isFree(type name: String) -> Bool { !types.contains(name) && !reservedTypes.contains(name) }

    mutating func register(namespaceType name: String) {
        types.insert(Self.protocolName(of: name))
        namespaceTypes.formUnion([name, Self.protocolName(of: name)])
    }

    mutating func register(type name: String) { types.insert(name) }

    private static func protocolName(of name: String) -> String { name + "Preferences" }
}

/// Converts names of other formats to Swift identifiers.
enum NameSpelling {
    /// Returns a text in lower camel case: `color-scheme`, `ColorScheme` → `colorScheme`.
    static func member(_ text: String) -> String {
        let words = words(of: text)
        guard let first = words.first else { return "unnamed" }
        return identifier(lowercasedFirst(first) + words.dropFirst().map(\.capitalizedFirst).joined())
    }

    /// Returns a text in upper camel case: `color-scheme` → `ColorScheme`.
    static func type(_ text: String) -> String {
        let words = words(of: text)
        return words.isEmpty ? "Unnamed" : identifier(words.map(\.capitalizedFirst).joined())
    }

    private static func words(of text: String) -> [String] {
        text.split { !($0.isLetter || $0.isNumber) || !Identifier.isValid("a\($0)") }.map(String.init)
    }

    /// Returns a name with an underscore before a leading digit.
    private static func identifier(_ name: String) -> String { Identifier.isValid(name) ? name : "_\(name)" }

    /// Returns a word with its leading capitals lowercased, except that of a second word: `URLList` → `urlList`.
    private static func lowercasedFirst(_ word: String) -> String {
        let capitals = word.prefix { $0.isUppercase }
        let rest = word.dropFirst(capitals.count)
        guard capitals.count > 1, rest.first?.isLowercase == true else { return capitals.lowercased() + rest }
        return capitals.dropLast().lowercased() + capitals.suffix(1) + rest
    }
}

extension String {
    /// The text with its first letter capitalized.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
