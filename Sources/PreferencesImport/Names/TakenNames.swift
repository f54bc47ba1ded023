import PreferencesSchema

/// The names that the files of one run have taken: they may all end up in one module.
package struct TakenNames: Sendable {
    /// The accessors of keys and namespaces that stand in no namespace.
    var outermost: Set<String> = []
    var types: Set<String> = []
    /// What values are stored under.
    var storageNames: Set<String> = []

    package init() {}

    /// Whether no namespace may make its two types under a name.
    static func isReserved(namespaceType name: String) -> Bool {
        made(by: name).contains(where: NameRules.isReserved(type:))
    }

    /// Whether nothing else makes a type that a namespace would make.
    func isFree(namespaceType name: String) -> Bool { types.isDisjoint(with: Self.made(by: name)) }

    mutating func take(namespaceType name: String) { types.formUnion(Self.made(by: name)) }

    private static func made(by name: String) -> [String] { [name, name + "Preferences"] }
}
