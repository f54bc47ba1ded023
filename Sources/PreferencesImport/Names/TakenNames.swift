import PreferencesSchema

/// The names that the files of one run have taken: they may all end up in one module.
package struct TakenNames: Sendable {
    /// The accessors of keys and namespaces that stand in no namespace.
    var outermost: Set<String> = []
    var types: Set<String> = []

    package init() {}

    /// Whether a namespace of that type name is free to make its two types.
    func isFree(namespaceType name: String) -> Bool {
        [name, name + "Preferences"].allSatisfy { !types.contains($0) && !NameRules.isReserved(type: $0) }
    }

    mutating func take(namespaceType name: String) {
        types.formUnion([name, name + "Preferences"])
    }
}
