import PreferencesSchema

/// The names that the files of one run have taken: they may all end up in one module.
package struct TakenNames: Sendable {
    /// The accessors of keys and namespaces that stand in no namespace.
    private(set) var outermost: Set<String> = []
    private var types: Set<String> = []
    /// The types that files of this run will make for keys that stand in no namespace.
    private var reservedTypes: Set<String> = []
    /// What values are stored under.
    private var storageNames: Set<String> = []
    /// The same as ``outermost`` and ``storageNames``, each as similar ones have it too.
    private var folded: (outermost: Set<[UInt8]>, storageNames: Set<[UInt8]>) = ([], [])

    package init() {}

    /// Keeps the name free of the protocol that the own keys of a file have, which is named after it.
    mutating func reserveType(ofFile name: String) { reservedTypes.insert(Self.type(ofFile: name)) }

    /// - Parameter hasKeys: Whether the file has keys that stand in no namespace.
    mutating func beginFile(_ name: String, hasKeys: Bool) {
        reservedTypes.remove(Self.type(ofFile: name))
        if hasKeys { types.insert(Self.type(ofFile: name)) }
    }

    private static func type(ofFile name: String) -> String { NameSpelling.type(name) + "Preferences" }

    /// - Parameter names: The accessors of a file, and those of the files before it.
    mutating func takeOutermost(_ names: Set<String>) {
        folded.outermost.formUnion(names.subtracting(outermost).map(NameRules.folded))
        outermost = names
    }

    mutating func take(storageNames names: [String]) {
        folded.storageNames.formUnion(names.map(NameRules.folded))
        storageNames.formUnion(names)
    }

    /// Whether an outermost accessor differs from one of another file in case or punctuation alone.
    func isSimilar(outermost name: String) -> Bool { folded.outermost.contains(NameRules.folded(name)) }

    /// How another file's storage names are like some, in words; nil where none is.
    func others(like names: [String]) -> String? {
        if names.contains(where: storageNames.contains) { return "the same names" }
        return names.contains { folded.storageNames.contains(NameRules.folded($0)) } ? "similar names" : nil
    }

    /// Whether no namespace may make its two types under a name.
    static func isReserved(namespaceType name: String) -> Bool {
        made(by: name).contains(where: NameRules.isReserved(type:))
    }

    /// Whether nothing else makes a type that a namespace would make.
    func isFree(namespaceType name: String) -> Bool { Self.made(by: name).allSatisfy(isFree(type:)) }

    func isFree(type name: String) -> Bool { !types.contains(name) && !reservedTypes.contains(name) }

    mutating func take(namespaceType name: String) { types.formUnion(Self.made(by: name)) }

    mutating func take(type name: String) { types.insert(name) }

    private static func made(by name: String) -> [String] { [name, name + "Preferences"] }
}
