/// One schema file and what it includes, free of faults.
package struct Schema: Sendable {
    /// The schema's place among those read with it.
    package var source: Int
    /// What the file is called, without folder and extension.
    package var fileName: String
    /// What the protocol of the file's own keys is named after; nil where the file's name makes no Swift name.
    package var typeName: String?
    package var access: AccessLevel
    package var imports: [ModuleImport]
    /// The types to generate, in the order of the files: included ones that another schema of the set has already
    /// are not among them.
    package var types: [DeclaredType]
    /// The file's own keys, and its outermost namespaces.
    package var root: Namespace

    /// Every namespace of the file, the root first, each before those inside it.
    package var allNamespaces: [Namespace] { root.withNested }
}

/// A module that the generated file imports.
package struct ModuleImport: Hashable, Sendable {
    package var module: String
    /// That of the most visible accessor whose type comes from the module.
    package var access: AccessLevel

    package init(module: String, access: AccessLevel) {
        self.module = module
        self.access = access
    }
}

/// A name, and where the schema gives it.
package struct Name: Sendable {
    package var text: String
    package var place: Place
}

extension String {
    /// The string with its first letter in upper case.
    package var capitalizedFirst: String {
        prefix(1).uppercased() + dropFirst()
    }
}
