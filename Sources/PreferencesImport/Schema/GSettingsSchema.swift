/// A GSettings schema, with what `gsettings` knows of it and an imported schema does not keep.
package struct GSettingsSchema: Sendable {
    package var id: String
    /// The path of its values: its own or, for a child of one schema, that of the child; nil if it is not known.
    package var path: String?
    /// Whether the schema declares no path.
    package var isRelocatable: Bool
    /// The beginning of the storage names of its keys, without the last colon.
    package var namespace: String
    /// The ids of its children, in alphabetical order of their names.
    package var children: [String] = []
    /// The keys, also of the schemas that it extends, in alphabetical order.
    package var keys: [Key] = []

    package struct Key: Sendable {
        package var name: String
        /// The storage name of the imported key; nil if the key is left out.
        package var storageName: String?
        /// The reason why the key is left out.
        package var omission: String?
        /// The GVariant type, such as `as`.
        package var type: String
        package var values = Values.any
        /// The default in the GVariant text format.
        package var defaultText: String
        /// The description, or else the summary.
        package var description: String?
    }

    /// The permitted values of a key.
    package enum Values: Sendable, Equatable {
        case any
        /// Numbers; without a bound, from the least or to the greatest one of the type.
        case range(minimum: String?, maximum: String?)
        case enumeration([String])
        case flags([String])
    }
}

/// The names by which `gsettings` refers to a key.
struct GSettingsKeyName: Hashable, Sendable {
    var schema: String
    var name: String
}

extension ImportedNamespace {
    /// Returns the storage names of the keys that GSettings has.
    ///
    /// - Parameter prefix: The ids of the enclosing namespaces, each followed by a colon.
    func gSettingsStorageNames(below prefix: String = "") -> [GSettingsKeyName: String] {
        var names: [GSettingsKeyName: String] = [:]
        for key in keys { if let name = key.gSettingsName { names[name] = key.storageName ?? prefix + key.id } }
        for inner in namespaces {
            names.merge(inner.gSettingsStorageNames(below: "\(prefix)\(inner.id):")) { first, _ in first }
        }
        return names
    }
}

extension GSettingsSchema {
    /// Adds the storage names that the keys have.
    mutating func addStorageNames(_ names: [GSettingsKeyName: String]) {
        for index in keys.indices {
            keys[index].storageName = names[GSettingsKeyName(schema: id, name: keys[index].name)]
        }
        let stored = keys.lazy.compactMap { key in
            key.storageName.flatMap { name in name.utf8.lastIndex(of: UInt8(ascii: ":")).map { String(name[..<$0]) } }
        }
        namespace = stored.first ?? namespace
    }
}
