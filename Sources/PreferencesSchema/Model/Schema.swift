/// One schema file, free of faults.
package struct Schema: Sendable {
    /// The schema's place among those read with it.
    package var source: Int
    /// What the file is called, without folder and extension.
    package var fileName: String
    /// What the protocol of the file's own keys is named after; nil where the file's name makes no Swift name.
    package var typeName: String?
    package var access: AccessLevel
    /// The modules that the generated file imports, beside those that it needs itself.
    package var imports: [String]
    package var enums: [EnumType]
    /// The file's own keys, and its outermost namespaces.
    package var root: Namespace

    /// Every namespace of the file, the root first, each before those inside it.
    package var allNamespaces: [Namespace] {
        func collect(_ namespace: Namespace) -> [Namespace] {
            [namespace] + namespace.namespaces.flatMap(collect)
        }
        return collect(root)
    }
}

/// A named group of keys, or the root of a file.
package struct Namespace: Sendable {
    /// The names of the namespaces around this one and its own, outermost first; empty for a file's root.
    package var path: [Name]
    /// The ids likewise: what the storage names of its keys begin with.
    package var ids: [String]
    package var description: String?
    package var access: AccessLevel
    /// The file that its `fileprivate` accessors are written into, relative to the host directory.
    package var host: Name?
    package var keys: [Key]
    package var namespaces: [Namespace]

    package var isRoot: Bool { path.isEmpty }

    /// The names of the path joined in the manner of Swift's types: `weather`, `radar` → `WeatherRadar`.
    package var typeName: String {
        path.map(\.text.capitalizedFirst).joined()
    }
}

/// One typed preference.
package struct Key: Sendable {
    package var name: Name
    /// What the value is stored under: the ids of the namespaces around the key and its own, joined by colons.
    package var storageName: String
    package var description: String?
    package var access: AccessLevel
    package var type: ValueType
    package var defaultValue: DefaultValue
}

/// A Swift enum that the schema declares.
package struct EnumType: Sendable {
    package var name: Name
    package var description: String?
    package var cases: [Case]
    /// Wide enough for every accessor that uses the type, and not narrower than the file's own access.
    package var access: AccessLevel
    package var rawType: RawType

    package enum RawType: String, Sendable {
        case string = "String"
        case int = "Int"
    }

    package struct Case: Sendable {
        package var name: Name
        package var rawValue: RawValue
    }

    package enum RawValue: Hashable, Sendable {
        case string(String)
        case int(Int64)
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
